"""The screens of a friendly game: stories of whole games, played in node on a stand-in of a browser."""

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
