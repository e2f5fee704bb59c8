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
