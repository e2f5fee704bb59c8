"""The scripts of pages with forms, in node on a stand-in of a browser: what they fill in, choose, count and keep."""

from tests.node.running import run, scripts  # noqa: F401  (a fixture)

LOAD = "document.open(page); await import(`./js/${name}.js`);"
BULK = """<form data-kept="kept-1"><table>
<tr data-row id="row-1"><td><input data-cell name="score-1" value=""><input data-cell name="plus-1"></td>
<td data-made></td></tr>
<tr data-row id="row-2" class="is-in"><td><input data-cell name="score-2" value="62"></td><td data-made></td></tr>
<tr data-row id="row-3"><td><details><input data-cell name="score-3"></details></td><td data-made></td></tr>
<tr data-row id="row-4"><td><input data-cell name="minus-4"><select data-cell name="taker-4"><option value="">-</option>
<option value="N">N</option></select></td><td data-made></td></tr></table><button id="save">Save</button></form>
<script id="made">{"base": 25, "times": 2, "petit": 10, "most": {"made": 55, "failed": 56}, "texts": {
"made_by": "made by {}", "failed_by": "failed by {}", "made_petit": "made by {}, petit lost", "made": "made",
"failed_petit": "failed by {}, petit won", "failed": "failed"}}</script>"""
SHEETS = """<form data-kept="kept-2"><p data-sheet><input data-cell name="a"><input data-cell name="b">
<input data-cell name="c"><span data-sum></span></p></form>
<script id="sheet-words">{"missing": "{} missing", "zero": "sums to zero", "off": "off by {}"}</script>"""
FILTER = """<input data-filter="#people" aria-describedby="told" hidden>
<p id="told" hidden data-count="chosen:" data-none="Nobody" data-again="NAME is chosen" data-ticked="NAME added"></p>
<div id="people"><label class="check"><input type="checkbox" name="p" value="1">Zoé Martin</label>
<label class="check"><input type="checkbox" name="p" value="2">Anna Zola</label>
<label class="check"><input type="checkbox" name="p" value="3">Yann Le Gall</label></div>"""


def test_grid_of_slips_moves_by_keys_keeps_what_is_typed_and_tells_what_was_made(scripts):  # noqa: F811
    told = run(
        scripts,
        """
        sessionStorage.setItem("kept-1", JSON.stringify({ "score-1": "-54", "score-2": "7", "taker-4": "N" }));
        document.open(page);
        await import("./js/bulk.js");
        const at = () => document.activeElement.name || document.activeElement.id;
        const value = (name) => document.querySelector("form").elements[name].value;
        const made = () => document.querySelectorAll("[data-made]").map((each) => each.textContent);
        const found = [at(), value("score-1"), value("score-2"), value("taker-4"), made()];
        const keys = [];
        const go = (key, given) => { send(key, given); keys.push(at()); };
        document.querySelector("input").focus();
        go("Enter"); go("Enter"); go("Enter"); go("ArrowDown"); go("ArrowUp");
        go("ArrowUp"); go("ArrowDown", { ctrlKey: true }); go("ArrowUp"); go("Enter", { shiftKey: true });
        document.querySelector("input").focus();
        go("ArrowDown"); go("ArrowUp");
        document.querySelector("select").focus();
        go("ArrowUp");
        const figures = [];
        for (const [name, typed] of [["score-1", "+ 62"], ["score-1", "-52"], ["score-1", "82"], ["score-1", "x"],
          ["minus-4", "72"], ["score-1", "51"], ["score-1", "-–9"]]) {
          type(name, typed);
          figures.push(made());
        }
        const kept = JSON.parse(sessionStorage.getItem("kept-1"));
        tell({ found, keys, figures, kept });
        """,
        page=BULK,
    )
    assert told["found"] == ["plus-1", "-54", "62", "N", ["failed by 2", "made by 6", "", ""]]
    assert told["keys"][:9] == ["score-2", "minus-4", "save", "save", "save", "save", "save", "save", "save"]
    assert told["keys"][9:] == ["score-2", "score-1", "taker-4"]
    assert [each[0] for each in told["figures"]][:4] == ["made by 6", "failed by 1", "made by 16", ""]
    assert told["figures"][4][3] == "failed by 11"
    assert [each[0] for each in told["figures"]][5:] == ["made", ""]
    assert told["kept"] == {"score-1": "-–9", "minus-4": "72", "taker-4": "N"}


def test_sheet_says_what_is_missing_and_whether_its_figures_sum_to_zero(scripts):  # noqa: F811
    told = run(
        scripts,
        """
        sessionStorage.setItem("kept-2", JSON.stringify({ a: "120" }));
        document.open(page);
        await import("./js/sheets.js");
        const sum = document.querySelector("[data-sum]");
        const said = () => `${sum.textContent}${sum.classList.contains("is-wrong") ? " !" : ""}`;
        const heard = [said(), sessionStorage.getItem("kept-2")];
        for (const [name, typed] of [["b", "−60"], ["c", "- 60"], ["c", "50"], ["c", "-90"], ["c", "zero"], ["a",
          "1 200"]]) {
          type(name, typed);
          heard.push(said());
        }
        heard.push(JSON.parse(sessionStorage.getItem("kept-2")));
        document.querySelector("form").requestSubmit();
        tell([...heard, sessionStorage.getItem("kept-2")]);
        """,
        page=SHEETS,
    )
    assert told[:2] == ["2 missing", None]
    assert told[2:8] == ["1 missing", "sums to zero", "off by +110 !", "off by −30 !", "off by ? !", "off by ? !"]
    assert told[8:] == [{"a": "1 200", "b": "−60", "c": "zero"}, None]


def test_list_of_names_is_narrowed_ticked_and_walked_by_the_keyboard(scripts):  # noqa: F811
    told = run(
        scripts,
        """
        document.open(page);
        await import("./js/filter.js");
        const field = document.querySelector("[data-filter]");
        const shown = () => document.querySelectorAll(".check").map((each) => (each.hidden ? "-" :
          each.classList.contains("is-wanted") ? "*" : "+")).join("");
        const said = () => document.getElementById("told").textContent.trim();
        const look = (typed) => { field.value = typed; field.dispatchEvent(new Event("input", { bubbles: true })); };
        const heard = [[field.hidden, shown(), said()]];
        for (const typed of ["zo", "ann", "le ya", "q"]) { look(typed); heard.push(shown()); }
        const enter = (typed) => { look(typed); send("Enter", {}, field); heard.push([shown(), said(), field.value]); };
        enter("zoe"); enter("zoé m"); enter("q"); enter("");
        look("");
        const at = () => heard.push(document.activeElement.value);
        send("ArrowDown", {}, field); at(); send("ArrowDown"); at(); send("End"); at(); send("ArrowDown"); at();
        send("Home"); at(); send("x"); at();
        const stops = document.querySelectorAll(".check input").map(({ tabIndex }) => tabIndex);
        send("ArrowUp");
        tell([...heard, stops, document.activeElement === field]);
        """,
        page=FILTER,
    )
    assert told[0] == [False, "+++", "chosen: 0"]
    assert told[1:5] == ["*+-", "-*+", "--*", "---"]
    assert told[5:9] == [
        ["+++", "Zoé Martin added chosen: 1", ""],
        ["+--", "Zoé Martin is chosen chosen: 1", "zoé m"],
        ["+--", "Nobody chosen: 1", "q"],
        ["+++", "Nobody chosen: 1", ""],
    ]
    assert told[9:15] == ["1", "2", "3", "3", "1", "1"]
    assert told[15:] == [[0, -1, -1], True]


def test_row_is_found_by_its_names_without_accents(scripts):  # noqa: F811
    page = """<input id="who"><ul data-found-by="who"><li><strong>Jean-Noël Petit</strong></li>
    <li data-names="Zoé Émile"><strong>Z.</strong></li></ul>"""
    told = run(
        scripts,
        """
        document.open(page);
        await import("./js/find.js");
        tell(["", "noel", "jean petit", "z emi", "z."].map((typed) => {
          type("who", typed);
          return document.querySelectorAll("li").map(({ hidden }) => (hidden ? "-" : "+")).join("");
        }));
        """,
        page=page,
    )
    assert told == ["++", "+-", "+-", "-+", "--"]


def test_name_that_is_typed_brings_a_list_to_choose_from(scripts):  # noqa: F811
    asked = []

    def site(question):
        asked.append(question["url"])
        options = "".join(f'<li role="option" data-line="{name};12">{name}</li>' for name in ("Zoé", "Zora"))
        found = f'<ul role="listbox" data-told="2 found">{options}</ul>' if "zo" in question["url"] else "<p></p>"
        return {"status": 200, "text": found}

    told = run(
        scripts,
        """
        document.open('<p class="find-row"><textarea data-find list="all"></textarea></p><input data-find id="one">');
        document.currentScript = { dataset: { url: "/find/" } };
        await import("./js/finder.js");
        const field = document.querySelector("textarea");
        const box = document.querySelector(".finder");
        field.setRangeText = (text, start, end) => { field.value = field.value.slice(0,
          start) + text + field.value.slice(end); };
        const look = async (typed, given = {}) => {
          field.value = typed;
          field.selectionStart = typed.length;
          field.focus();
          field.dispatchEvent(new Event("input", { bubbles: true, ...given }));
          await pass(300);
          return [box.hidden, box.hidden ? 0 : box.querySelectorAll("[role=option]").length];
        };
        const heard = [field.hasAttribute("list")];
        for (const typed of ["z", "zo", "Anna\\nzo", "zo;", "za"]) heard.push(await look(typed));
        heard.push(await look("zo", { inputType: "insertFromPaste" }), await look("Anna\\nzo"));
        const active = () => field.getAttribute("aria-activedescendant");
        for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp"]) { send(key, {}, field);
          heard.push(active()); }
        heard.push(box.querySelector("[role=status]").textContent);
        send("Enter", {}, field);
        heard.push(field.value, box.hidden, active());
        await look("zo");
        send("Escape", {}, field);
        heard.push(box.hidden);
        await look("zo");
        document.querySelector("[role=option]").click();
        heard.push(field.value);
        const one = document.getElementById("one");
        const [, shown] = document.querySelectorAll(".finder");
        one.setRangeText = (text, start, end) => void (one.value = one.value.slice(0, start) + text);
        const state = () => [one.getAttribute("role"), one.getAttribute("aria-expanded"), shown.hidden];
        const seek = async () => { one.focus(); type("one", "zo"); await pass(300); };
        heard.push(state());
        for (const leave of [() => send("Tab", {}, one), () => one.dispatchEvent(new Event("blur"))]) {
          await seek();
          heard.push(state());
          leave();
          heard.push(state());
        }
        await seek();
        send("ArrowUp", {}, one);
        send("Enter", {}, one);
        stage.offline = true;
        const chosen = one.value;
        await seek();
        tell([...heard, chosen, state(), shown.dispatchEvent(new Event("mousedown"))]);
        """,
        site=site,
    )
    assert told[:8] == [False, [True, 0], [False, 2], [False, 2], [True, 0], [True, 0], [True, 0], [False, 2]]
    assert told[8:13] == ["found-0-0", "found-0-1", "found-0-0", "found-0-1", "2 found"]
    assert told[13:18] == ["Anna\nZora;12\n", True, None, True, "Zoé;12\n"]
    closed, opened = (["combobox", expanded, hidden] for expanded, hidden in (("false", True), ("true", False)))
    assert told[18:] == [closed, opened, closed, opened, closed, "Zora;12", closed, False]
    assert asked == ["/find/?q=zo", "/find/?q=zo", "/find/?q=za", *["/find/?q=zo"] * 6]


def test_usual_notes_are_filled_in_for_both_sides_and_clear_the_players_own(scripts):  # noqa: F811
    page = """<form><p data-fills hidden><button type="button" data-fill="60/-20">60</button>
    <button type="button" data-fill="/">none</button></p>
    <input name="fix_attack"><input name="note_attack"><input name="fix_defence"><input name="note_defence">
    <input name="fix_7" value="figure"><input name="note_7" value="3"></form>"""
    told = run(
        scripts,
        """
        document.open(page);
        await import("./js/adjust.js");
        const [fill, clear] = document.querySelectorAll("[data-fill]");
        const values = () => [...new FormData(document.querySelector("form"))].map(([, value]) => value);
        fill.click();
        const filled = values();
        clear.click();
        tell([document.querySelector("[data-fills]").hidden, filled, values()]);
        """,
        page=page,
    )
    assert told == [False, ["figure", "60", "figure", "-20", "", ""], [""] * 6]


def test_enter_answers_a_question_and_goes_to_the_next_open_one(scripts):  # noqa: F811
    fields = "".join(
        f'<fieldset><input type="radio" name="q{n}" value="a"><input type="radio" name="q{n}" value="b"></fieldset>'
        for n in range(3)
    )
    told = run(
        scripts,
        """
        document.open(page);
        await import("./js/answers.js");
        window.dispatchEvent(new Event("load"));
        const at = () => `${document.activeElement.name}${document.activeElement.value}`;
        const heard = [at()];
        const [first, , second] = document.querySelectorAll("input");
        second.click();
        first.focus();
        for (let turn = 0; turn < 3; turn += 1) { send("Enter"); heard.push(at()); }
        send("a");
        tell([...heard, document.querySelectorAll("input").map(({ checked }) => checked)]);
        """,
        page=f'<form data-questions><div class="is-open">{fields}</div></form><button data-after name="go">Go</button>',
    )
    assert told[:4] == ["q0a", "q2a", "go", "go"]
    assert told[4] == [True, False, True, False, True, False]


def test_name_that_is_dragged_fills_in_the_form_of_its_new_seat(scripts):  # noqa: F811
    page = """<table><tr><td data-line="N" data-number="1"><a data-player="7">Zoé</a></td>
    <td data-line="E" data-number="2"><b>–</b></td></tr></table>
    <form id="move"><input name="player"><input name="number"><input name="line">
    <button name="do" value="move">Move</button></form>"""
    told = run(
        scripts,
        """
        document.open(page);
        await import("./js/seats.js");
        const form = document.getElementById("move");
        const sent = [];
        form.addEventListener("submit", (event) => sent.push([event.submitter.value,
          ...[...new FormData(form)].map(([, value]) => value)]));
        const fire = (kind, where) => !where.dispatchEvent(new Event(kind, { bubbles: true }));
        const [name, seat] = [document.querySelector("a"), document.querySelector("b")];
        const heard = [fire("drop", seat), fire("dragover", seat)];
        fire("dragstart", name);
        heard.push(fire("dragover", seat), seat.parent.classList.contains("is-target"), fire("dragover", form));
        heard.push(document.querySelectorAll(".is-target").length, fire("drop", seat));
        fire("dragend", name);
        tell([...heard, fire("drop", seat), sent]);
        """,
        page=page,
    )
    assert told == [False, False, True, True, False, 0, True, False, [["move", "7", "2", "E"]]]
