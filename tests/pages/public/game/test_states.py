"""The scripts of a friendly game and of a table's screen that only compute: they run in node, without a browser."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.services.site import PROJECT

STATIC = PROJECT / "pages" / "static"
DEAL = {
    "present": [0, 1, 2, 3, 4],
    "dealer": 2,
    "resting": None,
    "taker": 4,
    "partner": 1,
    "contract": "garde",
    "bouts": 2,
    "half_points": 97,
    "petit": "attack",
    "chelem": "none",
    "shown": [[0, "simple"]],
}
GAME = {
    "id": "0123abcd",
    "day": "2026-11-26",
    "names": ["Zoé", "Yann", "Xavière", "Willy", "Ursule de la Très Longue Rue 12"[:30]],
    "present": [0, 1, 2, 3, 4],
    "dealer": 3,
    "mort": True,
    "end": {"kind": "score", "value": 1500},
    "deals": [DEAL, DEAL | {"dealer": 3, "resting": 3, "partner": None, "half_points": 96, "shown": []}],
}
FACTS = {
    "players": 4,
    "partner": None,
    "contract": "garde",
    "bouts": 1,
    "half_points": 82,
    "petit_au_bout": "none",
    "poignees_attack": [],
    "poignees_defence": [],
    "chelem": "none",
}
DRAFT = {
    "taker": "N",
    "contract": "garde",
    "bouts": 1,
    "points": "41",
    "of": "taker",
    "petit": "",
    "shown": {},
    "chelem": "none",
    "fiche": None,
}


@pytest.fixture(scope="module")
def scripts(tmp_path_factory) -> Path:
    """Return a folder with the scripts, which node takes for modules."""
    folder = tmp_path_factory.mktemp("scripts")
    (folder / "package.json").write_text('{"type": "module"}')
    for part in ("game/state", "table/state"):
        shutil.copytree(STATIC / part, folder / part)
    return folder


def ask(scripts: Path, imports: str, answer: str, **given: object):
    """Return what an expression of JavaScript gives. The values of `given` are constants with these names."""
    constants = "".join(f"const {name} = {json.dumps(value)};" for name, value in given.items())
    source = f"{imports}; {constants} console.log(JSON.stringify({answer}));"
    command = ["node", "--input-type=module", "--eval", source]
    return json.loads(subprocess.run(command, cwd=scripts, capture_output=True, text=True, check=True).stdout)


def test_game_in_a_link_comes_back_whole(scripts):
    games = [
        GAME,
        GAME | {"mort": False, "dealer": 1, "end": {"kind": "open", "value": 0}, "deals": GAME["deals"][:1]},
        GAME | {"present": [4, 0, 2], "dealer": 4, "names": GAME["names"] + ["Théo"], "deals": []},
    ]
    read = ask(
        scripts,
        'import { readLink, writeLink } from "./game/state/link.js"',
        "games.map((game) => readLink(writeLink(game)))",
        games=games,
    )
    assert read == games


def test_game_that_cannot_have_been_played_is_refused(scripts):
    """Check the limits: 3 to 5 players at the table, 30 letters in a name, 15 names, results that cards allow."""
    names = [f"Nom {number}" for number in range(16)]
    games = {
        "the game": GAME,
        "three": GAME | {"present": [0, 1, 2], "dealer": 1, "deals": []},
        "fifteen": GAME | {"names": names[:15], "deals": []},
        "two": GAME | {"present": [0, 1], "dealer": 1, "deals": []},
        "six": GAME | {"names": names[:6], "present": [*range(6)], "deals": []},
        "sixteen": GAME | {"names": names, "deals": []},
        "a long name": GAME | {"names": [*GAME["names"][:4], "L" * 31]},
        "one twice": GAME | {"names": [*GAME["names"][:4], "ZOÉ"]},
        "the dealer is away": GAME | {"present": [0, 1, 2], "dealer": 4, "deals": []},
        "too many points": GAME | {"deals": [DEAL | {"half_points": 181}]},
        "an end that nobody knows": GAME | {"end": {"kind": "never", "value": 0}},
        "a taker who rests": GAME | {"deals": [GAME["deals"][1] | {"taker": 3}]},
    }
    told = ask(
        scripts,
        'import { isPossible } from "./game/state/game.js"',
        "Object.entries(games).filter(([, game]) => isPossible(game)).map(([name]) => name)",
        games=games,
    )
    assert told == ["the game", "three", "fifteen"]


def test_ranking_of_a_game_adds_up_the_deals_and_equal_players_share_a_rank(scripts):
    """Check two Gardes. Five play the first one, and four play the second one."""
    found = ask(scripts, 'import { ranking } from "./game/state/game.js"', "ranking(game)", game=GAME)
    five, four = (25 + 8) * 2 + 20 + 20, (25 + 7) * 2 + 20
    assert [(each["player"], each["total"], each["rank"]) for each in found] == [
        (4, 2 * five + 3 * four, 1),
        (1, five - four, 2),
        (3, -five, 3),
        (0, -five - four, 4),
        (2, -five - four, 4),
    ]


def test_limit_of_the_points_is_one_that_the_players_can_have(scripts):
    """Check that a limit of 82½ or 8½ is told as it is among three, and as whole points among four."""
    facts = [FACTS | told for told in ({"half_points": 166}, {"bouts": 2, "half_points": 10})]
    found = ask(
        scripts,
        'import { check } from "./table/state/score.js"',
        "facts.map((one) => { try { check(one); } catch (error) { return error.params.limit; } })",
        facts=[*facts, *(one | {"players": 3} for one in facts)],
    )
    assert found == [82, 9, 82.5, 8.5]


def test_draft_becomes_an_entry_with_its_attacker_and_its_partner(scripts):
    drafts = [
        DRAFT | {"attacker": 2},
        DRAFT | {"fiche": 66, "attacker": 3},
        DRAFT | {"fiche": -40, "partner": "S"},
        DRAFT | {"passed": True},
    ]
    found = ask(
        scripts,
        'import { entryOf } from "./table/state/model.js"',
        "drafts.map((draft) => entryOf(draft))",
        drafts=drafts,
    )
    assert (found[0]["attacker"], found[0]["half_points"], "partner" in found[0]) == (2, 82, False)
    assert found[1:] == [
        {"kind": "fiche", "taker": "N", "base_score": 66, "attacker": 3},
        {"kind": "fiche", "taker": "N", "base_score": -40, "partner": "S"},
        {"kind": "passed"},
    ]


def test_marks_of_an_entry_are_those_of_each_seat(scripts):
    marks = {"N": 20, "E": -10, "S": -10}
    entries = [
        [{"kind": "sheet", "marks": marks}, 0, ["N", "E", "S"]],
        [{"kind": "passed"}, 0, ["N", "E", "S", "W"]],
        [{"kind": "fiche", "taker": "E"}, 50, ["N", "E", "S", "W"]],
        [{"kind": "fiche", "taker": "E", "partner": "W"}, 50, ["N", "E", "S", "W", "C"]],
        [{"kind": "fiche", "taker": "E", "partner": "E"}, 50, ["N", "E", "S", "W", "C"]],
    ]
    found = ask(
        scripts,
        'import { marksBySeat } from "./table/state/model.js"',
        "entries.map((entry) => marksBySeat(...entry))",
        entries=entries,
    )
    assert found == [
        marks,
        dict.fromkeys("NESW", 0),
        {"N": -50, "E": 150, "S": -50, "W": -50},
        {"N": -50, "E": 100, "S": -50, "W": 50, "C": -50},
        {"N": -50, "E": 200, "S": -50, "W": -50, "C": -50},
    ]


def test_facts_that_contradict_each_other_are_refused_and_unlikely_ones_asked_about(scripts):
    """Check each refusal and each question, with the limits that the sentence tells."""
    cases = [
        {"half_points": 184},
        {"half_points": 170},
        {"half_points": 14},
        {"players": 6},
        {"players": 5},
        {"half_points": 83},
        {"poignees_attack": ["simple", "simple"]},
        {"poignees_attack": ["triple"], "poignees_defence": ["simple"]},
        {"half_points": 8},
        {"half_points": 16, "bouts": 2},
        {"bouts": 0, "petit_au_bout": "attack"},
        {"bouts": 3, "petit_au_bout": "defence"},
        {"half_points": 150, "chelem": "announced_made"},
        {"half_points": 182, "bouts": 3, "chelem": "unannounced_made", "petit_au_bout": "defence"},
        {"half_points": 182, "bouts": 3, "chelem": "announced_failed"},
        {"half_points": 90, "chelem": "suffered"},
        {"half_points": 6, "bouts": 0, "chelem": "announced_suffered", "petit_au_bout": "attack"},
        {"half_points": 10, "bouts": 0, "chelem": "suffered"},
        {"half_points": 182, "bouts": 3},
        {"half_points": 18, "poignees_attack": ["triple"]},
        {"half_points": 160, "poignees_defence": ["triple"]},
    ]
    found = ask(
        scripts,
        'import { Impossible, checkCards, questionsOf, scoreOf } from "./table/state/score.js"',
        """facts.map((one) => {
          const attempt = (action) => {
            try { return action(one); }
            catch (error) { if (!(error instanceof Impossible)) throw error; return [error.code, error.params]; }
          };
          const { base_score } = attempt(scoreOf);
          return base_score === undefined ? attempt(scoreOf) : [base_score, attempt(checkCards) ?? "",
            questionsOf(one).map(({ code, params: { least, most } }) => [code, least ?? most ?? ""])];
        })""",
        facts=[FACTS | case for case in cases],
    )
    garde = {"bouts": 1, "contract": "garde"}
    each = garde | {"least": 9, "most": 81}
    assert found == [
        ["points_range", {"value": 92}],
        ["points_too_high", {"value": 85, "limit": 82} | garde],
        [-138, ["trick_for_each", {"value": 7} | each], []],
        ["players", {"value": 6}],
        ["partner", {"players": 5}],
        ["points_half", {"value": 41.5}],
        ["poignees_one_hand", {"value": 2}],
        ["poignees_trumps", {"needed": 25, "trumps": 22}],
        [-144, ["trick_for_each", {"value": 4} | each], [["points_below_ecart", 7]]],
        ["points_too_low", {"value": 8, "limit": 9} | garde | {"bouts": 2}],
        *[
            [
                score,
                ["petit_without_bout", {"value": 41, "side": side} | garde | {"bouts": bouts}],
                [["petit_without_bout", ""]],
            ]
            for score, bouts, side in ((-60, 0, "attack"), (40, 3, "defence"))
        ],
        ["chelem_made_points", {"value": 75, "possible": "87 (bouts: 2), 91 (bouts: 3)"} | garde],
        ["petit_au_bout_chelem", {"side": "defence", "chelem": "unannounced_made"}],
        ["chelem_failed_points", {"value": 91, "limit": 89} | garde | {"bouts": 3}],
        ["chelem_suffered_points", {"value": 45, "possible": "3–19 (bouts: 0), 7–23 (bouts: 1)"} | garde],
        ["petit_au_bout_chelem", {"side": "attack", "chelem": "announced_suffered"}],
        [-352, "", [["chelem", ""]]],
        [
            160,
            ["trick_for_each", {"value": 91} | each | {"bouts": 3, "least": 17, "most": 89}],
            [["chelem_not_said", ""], ["points_extreme", ""]],
        ],
        [-174, "", [["poignee_too_few_points", 21], ["poignee_triple", ""]]],
        [148, "", [["poignee_too_many_points", 69], ["poignee_triple", ""]]],
    ]
