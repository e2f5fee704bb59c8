"""The screens of a friendly game: stories of whole games, played in node on a stand-in of a browser."""

import copy
import json

import pytest

from pages.public.game.words import catalogue
from tests.node.running import check_story, run, scripts  # noqa: F401  (a fixture)

START = """
document.open('<script id="words"></script><div id="head"></div><div id="screen"></div><div id="foot"></div>');
document.documentElement.setAttribute("lang", "en");
document.getElementById("words").textContent = JSON.stringify(words);
location.pathname = "/game/";
location.hash = hash;
let made = 0;
Object.defineProperty(globalThis, "crypto", { value: { getRandomValues: (bytes) => bytes.fill((made += 1)) } });
await import("./game/app.js");
"""
PLAYED = "tell(await play(steps, ['head', 'screen', 'foot']));"


def press(*keys):
    return [("press", key) for key in keys]


def names(*given):
    return [("type", f"name-{place}", name) for place, name in enumerate(given)]


def points(digits):
    return press(*(f"digit-{digit}" for digit in digits), "next")


FOUR = [
    *press("new", "begin"),
    *names("Zoé", "Yann"),
    *press("begin"),
    *names("Zoé", "Yann", "  zoé ", "Willy"),
    *press("begin"),
    *names("Zoé", "Yann", "Xavière", "Willy"),
    ("tick", "end", "deals"),
    ("type", "end-deals", "0"),
    *press("begin"),
    ("type", "end-deals", "2"),
    *press("begin", "tab-sheet", "tab-game"),
    *press("player-1", "garde", "bouts-2", "next", "digit-0", "digit-9", "digit-8", "next", "erase", "erase"),
    ("send", "4"),
    ("send", "7"),
    *press("defence", "taker"),
    ("send", "Enter"),
    *press("petit", "defence", "poignee", "player-2", "simple", "player-3", "double", "next"),
    *press("poignee", "player-3", "none", "next", "chelem", "unannounced_made", "save", "chelem", "none", "save"),
    *press("passed", "undo", "player-3", "prise", "bouts-0"),
    *points("30"),
    *press("poignee", "player-0", "triple", "next", "save", "no", "save", "yes", "undo"),
    *press("player-0", "garde_contre", "bouts-3"),
    *points("60"),
    *press(
        "save", "more", "correct", "player-2", "garde_sans", "bouts-1", "digit-3", "next", "digit-3", "digit-6", "next"
    ),
    *press("save", "before", "after"),
    *press("remove", "tab-sheet", "deal-0", "tab-players", "tab-share", "copy"),
]
FIVE = [
    *names("Zoé", "Yann", "Xavière", "Willy", "Ursule"),
    ("tick", "mort", "no"),
    ("tick", "end", "score"),
    ("type", "end-score", "1500"),
    *press("begin"),
    *press("dealer", "player-2", "player-4", "garde", "player-1", "bouts-2", "half"),
    *points("52"),
    *press("save", "player-0", "garde_sans", "alone", "bouts-1"),
    ("send", ","),
    *points("30"),
    *press("save", "tab-players", "settings"),
    ("tick", "mort", "yes"),
    *press(
        "settings", "tab-game", "tab-players", "up-3", "leave-1", "leave-0", "tab-game", "tab-players", "back-1", "join"
    ),
    ("type", "comer", " Willy "),
    *press("join"),
    ("type", "comer", "Théo"),
    *press("join", "undo", "tab-sheet", "language", "language", "tab-share", "tab-players", "erase-game", "undo"),
    *press("new", "begin"),
]


@pytest.mark.guard("the screens of a friendly game are scripts alone")
@pytest.mark.parametrize(("name", "steps"), [("game_of_four", FOUR[1:]), ("game_of_five", FIVE)])
def test_game_is_played_as_its_story_tells(scripts, tmp_path, name, steps):  # noqa: F811
    told = run(scripts, f"{START}{PLAYED}", words=catalogue(), steps=steps, hash="")
    check_story(name, steps, told, tmp_path)


def test_game_registers_its_own_worker_and_reloads_for_a_new_version(scripts):  # noqa: F811
    source = """
    const heard = [];
    navigator.serviceWorker = {
      controller: {},
      register: async (...given) => void heard.push(given),
      addEventListener: (kind, listener) => heard.push(kind, listener),
    };
    """
    told = run(
        scripts,
        f"""{source}{START}
        await settle();
        const [kind, listener, asked] = heard;
        listener();
        tell([kind, asked, location.gone]);
        """,
        words=catalogue(),
        hash="",
    )
    assert told == ["controllerchange", ["/game/sw.js", {"scope": "/game/"}], ["reload"]]


DEAL = {
    "present": [0, 1, 2, 3],
    "dealer": 0,
    "resting": None,
    "taker": 1,
    "partner": None,
    "contract": "garde",
    "bouts": 1,
    "half_points": 102,
    "petit": "none",
    "chelem": "none",
    "shown": [],
}
GAME = {
    "id": "0123abcd",
    "day": "2026-11-26",
    "names": ["Zoé", "Yann", "Xavière", "Willy"],
    "present": [0, 1, 2, 3],
    "dealer": 0,
    "mort": False,
    "end": {"kind": "deals", "value": 2},
    "deals": [DEAL],
}
OTHER = GAME | {"id": "89abcdef", "day": "2026-11-01", "deals": [DEAL, DEAL | {"taker": 2, "dealer": 1}]}
DRAFT = DEAL | {"place": None, "points": "", "half": False, "answered": False, "of": "taker"}
del DRAFT["half_points"]
KEPT = """
import { database } from "./database.js";
import { writeLink } from "./game/state/link.js";
if (kept) globalThis.indexedDB = database(kept);
Object.assign(ways, {
  open: (game) => ways.hash(`#${writeLink(game)}`),
  hash: (text) => { location.hash = text; window.dispatchEvent(new Event("hashchange")); },
  at: (view) => { history.pushState(view, ""); window.dispatchEvent(new Event("popstate")); },
  keep: (values) => void Object.assign(kept.values, values),
  full: (on) => void (kept.full = on),
  see: (on) => { document.hidden = !on; document.dispatchEvent(new Event("visibilitychange")); },
  clipboard: (works) => void (navigator.clipboard.writeText = async () => { if (!works) throw new Error(); }),
  share: () => void (navigator.share = async (given) => void shared.push(given)),
});
const shared = [];
sessionStorage.setItem("topage-game-typed", typed);
"""


def keep_games(*games, **values):
    """Return what a device keeps: these games, the first one changed last, and other values."""
    kept = {f"game:{game['id']}": {"game": game, "at": 9 - place} for place, game in enumerate(games)}
    return {"values": kept | values, "commands": {}}


def play_kept(scripts, steps, kept, typed):  # noqa: F811
    source = f"{KEPT}{START}const told = await play(steps, ['head', 'screen', 'foot']);"
    source += "tell({ told, kept, shared, selected: stage.selected?.id, title: document.title });"
    return run(scripts, source, words=catalogue(), steps=steps, kept=kept, typed=typed, hash="")


def test_game_in_a_link_is_kept_opened_or_replaced_and_a_broken_link_told(scripts, tmp_path):  # noqa: F811
    more = GAME | {"deals": [DEAL, DEAL | {"dealer": 1, "half_points": 60}]}
    steps = [
        *[("open", GAME), *press("keep"), ("open", GAME), *press("open"), ("open", more), *press("leave")],
        *[("open", more), *press("both", "all"), ("open", more), *press("replace", "undo")],
        *[("hash", text) for text in ("#CQAA", "#AQAA", "#A", "#" + "A" * 9000)],
        *press("leave"),
    ]
    typed = {"begin": {"name-0": "Ada", "end": "score", "gone": "x"}}
    told = play_kept(scripts, steps, None, json.dumps(typed))
    plain = [("open", f"{len(step[1]['deals'])} deals") if step[0] == "open" else step for step in steps]
    plain = [(kind, text[:8]) if kind == "hash" else (kind, text) for kind, text in plain]
    check_story("game_link", plain, told["told"], tmp_path)


def test_games_that_the_device_keeps_are_listed_and_a_full_device_says_so(scripts, tmp_path):  # noqa: F811
    kept = keep_games(GAME, OTHER, language="fr", **{f"draft:{GAME['id']}": DRAFT})
    again = copy.deepcopy(OTHER) | {"names": ["Théo", *OTHER["names"][1:]]}
    steps = [
        *press("language", f"game-{GAME['id']}", "go-on"),
        ("full", True),
        *press("digit-9"),
        ("full", False),
        *press("digit-2", "defence"),
        ("at", {"name": "entry", "id": GAME["id"], "step": "nothing"}),
        *press("all"),
        ("at", {"name": "entry", "id": OTHER["id"], "step": "points"}),
        *press("tab-share", "copy"),
        ("clipboard", False),
        *press("copy"),
        ("share",),
        ("see", True),
        *press("send"),
        ("keep", {f"game:{OTHER['id']}": {"game": again, "at": 99}}),
        ("see", False),
        ("see", True),
        *press("tab-game"),
        ("full", True),
        *press("all", "language"),
        ("full", False),
        *press("language", "new"),
    ]
    told = play_kept(scripts, steps, kept, "{")
    check_story("game_kept", [step if step[0] != "keep" else ("keep",) for step in steps], told["told"], tmp_path)
    assert [sorted(each) for each in told["shared"]] == [["title", "url"]]
    assert (told["selected"], told["title"]) == ("link", "New game · Topage")
    assert sorted(told["kept"]["values"]) == ["draft:0123abcd", "game:0123abcd", "game:89abcdef", "language"]
    assert told["kept"]["values"]["language"] == "en"
    assert told["kept"]["values"]["draft:0123abcd"]["points"] == "92"
