"""The scripts of a room's table in node, on a stand-in of a browser: what is pressed is sent, the answer is drawn."""

import json

from tests.node.running import run, scripts  # noqa: F401  (a fixture)

START = """
document.open(page);
globalThis.fetch = ((ask) => (...given) => ask(...given))(fetch);
await import("./rooms/table/app.js");
await settle();
const root = document.querySelector("[data-room-table]");
const form = () => root.querySelector("[data-play]");
const keyed = (key) => root.querySelector(`[data-key="${key}"]`);
const look = () => [form().dataset.length, root.hasAttribute("data-busy"),
  root.querySelector("[data-refused]").textContent, document.querySelector("[data-news]").textContent,
  root.querySelectorAll("[data-slot]").map((each) => each.childElementCount).join("")];
"""


def card(name, *, off=False):
    more = ' aria-disabled="true"' if off else ""
    named = f'name="card" value="{name}" data-card="{name}" data-key="{name}"'
    return f'<button {named}{more}><svg aria-label="{name}"></svg></button>'


def draw(length, *, trick=1, kind="play", slots=("", ""), told=(), asked="Your turn", thinking="no", more=""):
    hand = "".join(card(name, off=name == "9") for name in ("7", "8", "9"))
    lies = ['<svg aria-label="x"></svg>' if each else "" for each in slots]
    return f"""<form data-play action="/r/1/" data-length="{length}" data-state="{length}" data-trick="{trick}"
    data-kind="{kind}" data-thinking="{thinking}"><input name="etui" value="3"><p data-asked>{asked}</p>
    <p data-refused></p>
    <ul data-told>{"".join(f"<li>{each}</li>" for each in told)}</ul>
    <i data-slot="N" data-own>{lies[0]}</i><i data-slot="E">{lies[1]}</i>{more}<div data-hand>{hand}</div></form>"""


def page(drawn):
    return f"""<div data-room-table data-said-offline="No network" data-said-twice="Tap again"
    data-said-card="SEAT: CARD"
    data-said-trick="Trick NUMBER">{drawn}</div><p data-news></p>
    <label hidden><input type="checkbox" data-choice="twoTaps">
    two taps</label>"""


def answer_with(answers, asked):
    def site(question):
        asked.append((question["method"], question["url"], question["body"]))
        answer = answers.pop(0)
        return (
            {"status": answer} | {"text": ""}
            if isinstance(answer, int)
            else {"status": 200, "text": json.dumps(answer)}
        )

    return site


def test_card_is_sent_and_the_table_drawn_anew(scripts):  # noqa: F811
    asked = []
    answers = [
        {"html": draw(2, slots=("x", "x"), told=["East passes"])},
        {"refused": "Not now"},
        503,
        {"html": draw(3)},
    ]
    told = run(
        scripts,
        f"""{START}
        const heard = [look()];
        keyed("7").focus();
        keyed("7").click();
        heard.push(look());
        await pass(3000);
        heard.push([...look(), document.activeElement.dataset.key]);
        keyed("9").click();
        await pass(3000);
        heard.push(look());
        keyed("8").click();
        await pass(200);
        heard.push([...look(), root.dataset.away]);
        await pass(9000);
        heard.push([...look(), root.dataset.away ?? ""]);
        tell(heard);
        """,
        page=page(draw(1)),
        site=answer_with(answers, asked),
    )
    assert told[0] == ["1", False, "", "", "00"]
    assert told[1] == ["1", True, "", "", "10"]
    assert told[2] == ["2", False, "", "East passes Your turn", "11", "7"]
    assert told[3] == ["2", False, "Not now", "East passes Your turn", "11"]
    assert told[4][:3] == ["2", True, "No network"]
    assert told[4][5] == "yes"
    assert told[5][:3] == ["3", False, ""]
    assert told[5][5] == ""
    assert [(method, url) for method, url, _ in asked] == [("POST", "/r/1/")] * 4
    assert [body for _, _, body in asked] == [f"etui=3&card={name}" for name in ("7", "9", "8", "8")]


def test_two_taps_play_a_card_and_a_key_that_is_pressed_meanwhile_counts_afterwards(scripts):  # noqa: F811
    asked = []
    answers = [{"html": draw(2)}, {"html": draw(3)}, {"html": draw(4)}]
    told = run(
        scripts,
        f"""{START}
        document.querySelector("[data-choice]").click();
        const heard = [localStorage.getItem("topage-room-two-taps")];
        keyed("7").click();
        heard.push([look()[2], keyed("7").classList.contains("is-lifted")]);
        keyed("8").click();
        heard.push([keyed("7").classList.contains("is-lifted"), keyed("8").classList.contains("is-lifted")]);
        send("Escape");
        heard.push([look()[2], keyed("8").classList.contains("is-lifted")]);
        document.querySelector("[data-choice]").click();
        keyed("7").click();
        send("Enter", {{}}, keyed("8"));
        keyed("8").click();
        await pass(5000);
        heard.push(look()[0]);
        keyed("7").click();
        send("Enter", {{}}, keyed("9"));
        keyed("9").click();
        await pass(5000);
        heard.push(look()[0]);
        tell(heard);
        """,
        page=page(draw(1)),
        site=answer_with(answers, asked),
    )
    assert told[:4] == ["yes", ["Tap again", True], [False, True], ["", False]]
    assert told[4:] == ["3", "4"]
    assert [body for _, _, body in asked] == [f"etui=3&card={name}" for name in ("7", "8", "7")]


def test_arrows_move_in_the_hand_and_the_ecart_is_counted(scripts):  # noqa: F811
    boxes = "".join(f'<input type="checkbox" name="ecart" value="{each}">' for each in "abc")
    told = run(
        scripts,
        f"""{START}
        const heard = [root.querySelector("[data-count]").textContent];
        const [one, two] = root.querySelectorAll("[name=ecart]");
        one.click();
        two.click();
        heard.push(root.querySelector("[data-count]").textContent);
        keyed("7").focus();
        for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "Home", "End", "ArrowUp", "x"]) {{
          send(key);
          heard.push(document.activeElement.dataset.key);
        }}
        tell([...heard, root.querySelectorAll("[data-card]").map((each) => each.getAttribute("tabindex"))]);
        """,
        page=page(draw(1, more=f'<b data-count data-of="3"></b>{boxes}')),
    )
    assert told == ["0/3", "2/3", "8", "9", "9", "8", "7", "9", "9", "9", ["-1", "-1", "0"]]


def test_table_whose_bots_think_is_asked_again_and_one_that_is_gone_is_left(scripts):  # noqa: F811
    asked = []
    answers = [{"html": draw(2, thinking="yes")}, {"html": draw(3)}, {"go": "/rooms/"}]
    told = run(
        scripts,
        f"""{START}
        await pass(2000);
        const heard = [look().slice(0, 2)];
        document.hidden = true;
        document.dispatchEvent(new Event("visibilitychange"));
        document.hidden = false;
        document.dispatchEvent(new Event("visibilitychange"));
        await pass(1000);
        tell([...heard, location.gone]);
        """,
        page=page(draw(1, thinking="yes")),
        site=answer_with(answers, asked),
    )
    assert told == [["3", False], ["/rooms/"]]
    assert asked == [("GET", "/r/1/?etui=3", None)] * 3


def test_countdown_of_a_room_and_the_second_tap_on_its_door(scripts):  # noqa: F811
    told = run(
        scripts,
        """
        document.open(page);
        await import("./rooms/lobby.js");
        const [hour, soon, late] = document.querySelectorAll("[data-until]");
        const heard = [hour.textContent, late.hidden];
        await pass(61_000);
        heard.push(hour.textContent);
        document.querySelector("input").focus();
        await pass(59_000);
        heard.push(soon.hidden, [...location.gone]);
        document.body.focus();
        await pass(5000);
        heard.push(location.gone.length);
        const form = document.querySelector(".room-join");
        heard.push(form.requestSubmit(), form.requestSubmit());
        window.dispatchEvent(new Event("pageshow"));
        tell([...heard, form.requestSubmit()]);
        """,
        page="""<p data-until="2026-11-26T21:01:00Z" data-now="2026-11-26T20:00:00Z" data-said="in TIME"></p>
        <p data-until="2026-11-26T20:02:00Z" data-now="2026-11-26T20:00:00Z" data-said="in TIME"></p>
        <p data-until="2026-12-26T21:01:00Z" data-now="2026-11-26T20:00:00Z" data-said="in TIME"></p>
        <form class="room-join"><input name="name"></form>""",
    )
    assert told == ["in 1:01:00", True, "in 59:59", True, [], 1, True, False, True]


FIRE = """
const fire = (kind, where, given) => where.dispatchEvent(new PointerEvent(kind, { bubbles: true, isPrimary: true,
  button: 0, pointerId: 1, ...given }));
const moves = [];
Element.prototype.animate = function (frames, { duration }) {
  const of = this.dataset.key ?? this.dataset.slot ?? this.localName;
  moves.push([of, ...frames.map(({ transform = "", opacity = "" }) => `${transform} ${opacity}`.trim()), duration]);
  return { cancel: () => moves.push([of, "cancelled"]) };
};
"""


def test_card_that_is_dragged_up_is_played_and_one_dragged_elsewhere_goes_back(scripts):  # noqa: F811
    asked = []
    told = run(
        scripts,
        f"""{FIRE}{START}
        const drag = (key, steps, given) => {{
          fire("pointerdown", keyed(key).firstElementChild, {{ clientX: 100, clientY: 300, ...given }});
          for (const [clientX, clientY] of steps) fire("pointermove", keyed(key), {{ clientX, clientY, ...given }});
          const [clientX, clientY] = steps.at(-1);
          fire("pointerup", keyed(key), {{ clientX, clientY }});
          return moves.splice(0);
        }};
        const pressed = [];
        root.addEventListener("click", ({{ target }}) => pressed.push(target.dataset.key));
        const heard = [drag("7", [[104, 303]]), drag("7", [[104, 306], [150, 250]])];
        keyed("7").firstElementChild.dispatchEvent(new MouseEvent("click", {{ bubbles: true }}));
        heard.push(root.hasAttribute("data-busy"), pressed.splice(0));
        heard.push(drag("7", [[100, 200]], {{ isPrimary: false }}), drag("7", [[100, 200]], {{ button: 2 }}));
        fire("pointerdown", form(), {{ clientX: 100, clientY: 300 }});
        fire("pointermove", form(), {{ clientX: 100, clientY: 200 }});
        fire("pointerup", form(), {{ clientX: 100, clientY: 200 }});
        fire("pointerdown", keyed("8"), {{ clientX: 100, clientY: 300 }});
        fire("pointermove", keyed("8"), {{ clientX: 100, clientY: 200 }});
        fire("pointercancel", keyed("8"));
        fire("pointerup", keyed("8"), {{ clientX: 100, clientY: 200 }});
        heard.push(moves.splice(0), root.hasAttribute("data-busy"));
        heard.push(drag("8", [[100, 244]]), root.hasAttribute("data-busy"));
        heard.push(drag("8", [[100, 243]]), root.hasAttribute("data-busy"));
        await pass(5000);
        tell([...heard, look()[0]]);
        """,
        page=page(draw(1)),
        site=answer_with([{"html": draw(2)}], asked),
    )
    back = [["7", "translate(50px, -50px)", 1], ["7", "cancelled"], ["7", "translate(0, -50px)", "", 160]]
    assert told[:4] == [[], back, False, []]
    assert told[4:6] == [[], []]
    assert told[6:8] == [[["8", "translate(0px, -100px)", 1], ["8", "cancelled"]], False]
    assert told[8][-1] == ["8", "translate(0, -56px)", "", 160]
    assert told[9] is False
    assert told[10][:2] == [["8", "translate(0px, -57px)", 1], ["8", "cancelled"]]
    assert told[11:] == [True, "2"]
    assert [body for _, _, body in asked] == ["etui=3&card=8"]


TRICK = """<div class="last-trick">
<p data-played data-seat="E"><abbr title="East">E</abbr><svg aria-label="9 of hearts"></svg></p>
<p data-played data-seat="N"><abbr title="North">N</abbr><svg aria-label="7 of hearts"></svg></p>
<p class="won" data-won data-seat="E">East
 wins</p></div>"""


def test_trick_is_completed_told_and_swept_to_its_winner_unless_somebody_presses(scripts):  # noqa: F811
    asked = []
    answers = [{"html": draw(2, trick=2, more=TRICK)}, {"html": draw(4, trick=3, more=TRICK, slots=("x", "x"))}]
    told = run(
        scripts,
        f"""{FIRE}
        globalThis.matchMedia = () => ({{ matches: false }});
        {START}
        const [north, east] = root.querySelectorAll("[data-slot]");
        Object.assign(north.dataset, {{ box: "20,0" }});
        Object.assign(east.dataset, {{ box: "40,20" }});
        form().dataset.box = "20,20";
        const table = () => [look()[0], look()[4], root.querySelectorAll(".is-winner").map(({{ dataset }}) =>
          dataset.slot).join(""), moves.splice(0)];
        keyed("7").click();
        await settle();
        const heard = [table()];
        for (const time of [319, 1, 799, 1, 200]) {{ await pass(time); heard.push(table()); }}
        heard.push(document.querySelector("[data-news]").textContent);
        keyed("8").click();
        await settle();
        fire("pointerdown", form());
        await settle();
        tell([...heard, table().slice(0, 2), look()[1]]);
        """,
        page=page(draw(1)),
        site=answer_with(answers, asked),
    )
    laid = ["svg", "translate(0px, 20px) 1", "", 200]
    assert told[0] == ["1", "11", "", [laid, ["svg", "translate(24px, 0px) 0", "", 200]]]
    assert told[1:3] == [["1", "11", "", []], ["1", "11", "E", []]]
    swept = [["svg", "", f"translate({across}px, {down}px) 0", 220] for across, down in ((120, 0), (120, 0))]
    assert told[3:5] == [["1", "11", "E", []], ["1", "11", "E", swept]]
    slid = [[name, "translate(20px, 20px)", "", 200] for name in "789"]
    assert told[5] == ["2", "00", "", slid]
    assert told[6] == "Trick 1 East: 9 of hearts North: 7 of hearts East wins Your turn"
    assert told[7:] == [["4", "11"], False]


def test_new_cards_come_one_by_one_in_their_order_and_the_hand_slides(scripts):  # noqa: F811
    asked = []
    fresh = draw(2, slots=("x", "x"), kind="other").replace('"N" data-own', '"N" data-own data-place="2"')
    fresh = fresh.replace('data-slot="E"', 'data-slot="E" data-place="1"').replace(
        'data-key="8"', 'data-key="8" data-box="9,9"'
    )
    told = run(
        scripts,
        f"""{FIRE}
        globalThis.matchMedia = () => ({{ matches: false }});
        {START}
        root.dataset.box = "0,-50";
        const hidden = () => root.querySelectorAll(".to-come").map(({{ dataset }}) => dataset.slot).join("");
        document.dispatchEvent(new Event("visibilitychange"));
        await settle();
        const heard = [look()[0], hidden(), moves.splice(0), stage.seen === root];
        for (const time of [319, 1, 320]) {{ await pass(time); heard.push([hidden(), look()[1]]); }}
        tell([...heard, moves]);
        """,
        page=page(draw(1)),
        site=answer_with([{"html": fresh}], asked),
    )
    assert told[:2] == ["2", "N"]
    assert told[2] == [["8", "translate(-9px, -59px)", "", 200], ["svg", "translate(0px, 0px) 0", "", 200]]
    assert told[3] is True
    assert told[4:7] == [["N", True], ["", True], ["", False]]
    assert told[7] == [["svg", "translate(0px, 0px) 0", "", 200]]


def test_what_is_ticked_and_opened_stays_while_the_question_is_the_same(scripts):  # noqa: F811
    boxes = "".join(f'<input type="checkbox" name="ecart" value="{each}">' for each in "abc")
    more = f'<b data-count data-of="3"></b>{boxes}<details></details><details open></details>'
    drawn = [draw(1, more=more).replace('data-state="1"', f'data-state="{state}"') for state in range(2, 5)]
    drawn[1] = drawn[1].replace("<details></details>", "")
    drawn[2] = drawn[2].replace('data-kind="play"', 'data-kind="bid"')
    told = run(
        scripts,
        f"""{START}
        const [first, second] = root.querySelectorAll("[name=ecart]");
        second.click();
        for (const each of root.querySelectorAll("details")) each.open = !each.open;
        const heard = [];
        for (let turn = 0; turn < 3; turn += 1) {{
          document.dispatchEvent(new Event("visibilitychange"));
          await pass(3000);
          heard.push([root.querySelector("[data-count]").textContent,
            root.querySelectorAll("details").map(({{ open }}) => open),
            root.querySelectorAll(":checked").map(({{ value }}) => value)]);
        }}
        tell(heard);
        """,
        page=page(draw(1, more=more)),
        site=answer_with([{"html": each} for each in drawn], []),
    )
    assert told == [["1/3", [True, False], ["b"]], ["1/3", [True], ["b"]], ["0/3", [False, True], []]]


def test_table_for_four_asks_each_second_whether_anything_is_new(scripts):  # noqa: F811
    asked = []
    answers = [204, 200, {"html": draw(2)}, 500, 204, 204, 204]
    told = run(
        scripts,
        f"""{START}
        const seconds = [];
        for (let second = 0; second < 4; second += 1) {{ await pass(1000); seconds.push(look()[0]); }}
        document.hidden = true;
        for (let second = 0; second < 6; second += 1) await pass(1000);
        tell([...seconds, root.hasAttribute("data-busy")]);
        """,
        page=page(draw(1)).replace("data-room-table", 'data-room-table data-watch="/w/"'),
        site=answer_with(answers, asked),
    )
    assert told == ["1", "2", "2", "2", False]
    assert [url for _, url, _ in asked] == [*("/w/?seen=1", "/w/?seen=1", "/r/1/?etui=3", *["/w/?seen=2"] * 4)]


def test_site_that_is_away_is_asked_later_each_time(scripts):  # noqa: F811
    asked = []
    told = run(
        scripts,
        f"""{START}
        const heard = [];
        keyed("7").click();
        for (const time of [999, 1, 1999, 1, 3999, 1, 7999, 1, 7999]) {{ await pass(time); heard.push(look()[0]); }}
        await pass(1);
        heard.push(root.dataset.away);
        window.dispatchEvent(new Event("online"));
        await pass(3000);
        tell([...heard, look()[0]]);
        """,
        page=page(draw(1)),
        site=lambda question: (
            asked.append(question),
            {"status": 503, "text": ""} if len(asked) < 7 else {"status": 200, "text": json.dumps({"html": draw(2)})},
        )[1],
    )
    assert told == [*["1"] * 9, "yes", "2"]
    assert len(asked) == 7


def test_closing_of_the_room_is_counted_down_and_the_table_looked_at_once(scripts):  # noqa: F811
    asked = []
    left = '<p data-left data-now="2026-11-26T21:00:00Z" data-ends="2026-11-26T22:00:01Z"><i data-left-until>22:00</i>'
    left += "<b data-left-for><u data-left-clock></u></b></p>"
    told = run(
        scripts,
        f"""{START}
        const place = root.parent.querySelector("[data-left]");
        const note = () => [...["until", "for"].map((each) => place.querySelector(`[data-left-${{each}}]`).hidden),
          place.querySelector("[data-left-clock]").textContent, place.classList.contains("is-short")];
        const heard = [note()];
        for (const ends of ["22:00:01", "22:00:01", "21:02:03", "21:02:03", "21:00:06", "21:00:06", "21:00:06"]) {{
          place.dataset.ends = `2026-11-26T${{ends}}Z`;
          await pass(1000);
          heard.push(note());
        }}
        tell(heard);
        """,
        page=page(draw(1)) + left,
        site=answer_with([{"html": draw(2)}], asked),
    )
    assert told == [
        [False, True, "60:01", False],
        [False, True, "60:00", False],
        [True, False, "59:59", False],
        [True, False, "2:00", False],
        [True, False, "1:59", True],
        [True, False, "0:01", True],
        *[[True, False, "0:00", True]] * 2,
    ]
    assert len(asked) == 1


def test_arrows_move_between_the_rows_of_a_hand(scripts):  # noqa: F811
    boxes = {"7": "0,0", "8": "20,0", "9": "15,40"}
    drawn = draw(1)
    for name, box in boxes.items():
        drawn = drawn.replace(f'data-key="{name}"', f'data-key="{name}" data-box="{box}"')
    told = run(
        scripts,
        f"""{START}
        for (const key of ["7", "8", "9"]) {{
          const cell = document.createElement("span");
          cell.dataset.box = keyed(key).dataset.box;
          keyed(key).before(cell);
          cell.append(keyed(key));
        }}
        const heard = [];
        for (const [from, key] of [["7", "ArrowDown"], ["9", "ArrowUp"], ["8", "ArrowUp"], ["9", "ArrowDown"]]) {{
          keyed(from).focus();
          heard.push([send(key), document.activeElement.dataset.key]);
        }}
        tell([...heard, send("ArrowUp", {{ altKey: true }})]);
        """,
        page=page(drawn),
    )
    assert told == [[False, "9"], [False, "8"], [False, "8"], [False, "9"], True]
