"""The second referee and its games: it agrees with the vectors, and its games have what they promise."""

import ast
import gzip
import inspect
import json
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.referee import plain
from tests.referee.deals import KINDS, make_game, make_void_deal
from tests.referee.plain import EXCUSE, PETIT, find_partner, find_player_of, is_petit_sec, play_out

GOLDEN = Path(__file__).parents[1] / "golden" / "games.jsonl.gz"
VECTORS = [json.loads(line) for line in gzip.decompress(GOLDEN.read_bytes()).splitlines()]
TABLES = (3, 4, 5)


@cache
def make_games(players):
    """Return games enough to have everything rare at tables of this size."""
    return [make_game(seed, players) for seed in range(600)]


def test_plain_referee_imports_nothing():
    tree = ast.parse(inspect.getsource(plain))
    assert [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)] == []


@pytest.mark.parametrize("game", VECTORS, ids=lambda game: f"{game['players']}-{game['id']}")
def test_plain_referee_agrees_with_the_vectors(game):
    told = play_out(game)
    assert told["legal"] == [[play["legal"] for play in trick["plays"]] for trick in game["tricks"]]
    assert told["winners"] == [trick["winner"] for trick in game["tricks"]]
    assert {key: told[key] for key in game["expected"]} == game["expected"]


def test_vectors_are_sixty_games_of_three_and_four():
    assert Counter(game["players"] for game in VECTORS) == {3: 12, 4: 48}


@pytest.mark.nightly("statistics", only=("3", "5"))
@pytest.mark.guard("a game of a seed is legal")
@pytest.mark.parametrize("players", TABLES)
def test_game_of_a_seed_is_whole_and_legal(players):
    for game in make_games(players):
        assert sorted(card for hand in [*game["hands"], game["dog"]] for card in hand) == sorted(plain.DECK)
        legal = play_out(game)["legal"]
        for trick, choices in zip(game["tricks"], legal, strict=True):
            assert all(play["card"] in cards for play, cards in zip(trick["plays"], choices, strict=True))
        assert not any(is_petit_sec(hand) for hand in game["hands"])


def test_game_of_a_seed_is_always_the_same():
    assert make_game(17, 5) == make_game(17, 5)
    assert make_game(17, 5) != make_game(18, 5)


def find_rare_facts(game):
    """Yield the names of the rare facts of a game."""
    told = play_out(game)
    partner = find_partner(game)
    attack = [game["taker"]] + ([] if partner is None else [partner])
    before, last = game["tricks"][-2:]
    yield game["contract"]
    yield f"chelem {told['chelem']}"
    yield f"petit {told['petit_au_bout']}"
    if any(card in plain.TRUMPS for card in game["discard"] or []):
        yield "trump in the écart"
    if "called" in game:
        yield "partner" if partner is not None else "alone"
        yield "called in the chien" if game["called"] in game["dog"] else "called in a hand"
        yield f"called {game['called'][:2]}"
        if game["called"] in game["hands"][game["taker"]]:
            yield "called himself"
        if len(told["legal"][0][0]) < plain.HAND[5]:
            yield "opening lead bound"
    for shown in game["poignees"]:
        side = "attack" if shown["player"] in attack else "defence"
        yield f"poignee {len(shown['cards'])} {side}"
        if EXCUSE in shown["cards"]:
            yield "poignee with the Excuse"
        if set(shown["cards"]) & set(game["discard"] or []):
            yield "poignee with a discarded trump"
    if isinstance(told["poignee_attack"], list):
        yield "poignees of taker and partner"
    if len(told["poignee_defence"]) > 1:
        yield "poignees of two defenders"
    if any(trick["plays"][0]["card"] == EXCUSE for trick in game["tricks"]):
        yield "excuse led"
    owner = find_player_of(EXCUSE, last)
    if owner is not None:
        sides = ["attack" if player in attack else "defence" for player in (owner, told["winners"][-1])]
        yield "excuse last of the {}, won by the {}".format(*sides)
        if told["winners"][-1] == owner:
            yield f"excuse wins for the {sides[0]}"
            if find_player_of(PETIT, before) is not None:
                yield f"petit au bout before the excuse of the {sides[0]}"


EVERYWHERE = {
    *plain.COEFFICIENT,
    *(f"chelem {name}" for name in plain.CHELEM_BONUS),
    *(f"petit {side}" for side in ("attack", "defence", "none")),
    "trump in the écart",
    "poignee with the Excuse",
    "excuse led",
    *(
        f"excuse last of the {one}, won by the {other}"
        for one in ("attack", "defence")
        for other in ("attack", "defence")
    ),
    "excuse wins for the attack",
    "excuse wins for the defence",
    "petit au bout before the excuse of the attack",
}
SOMEWHERE = {
    3: {f"poignee {size} {side}" for size in (13, 15, 18) for side in ("attack", "defence")},
    4: {f"poignee {size} {side}" for size in (10, 13, 15) for side in ("attack", "defence")}
    | {"poignee with a discarded trump", "poignees of two defenders"},
    5: {f"poignee {size} {side}" for size in (8, 10, 13) for side in ("attack", "defence")}
    | {"partner", "alone", "called in the chien", "called in a hand", "called himself", "opening lead bound"}
    | {"called 14", "called 13", "called 12", "called 11"}
    | {"poignees of taker and partner", "poignees of two defenders"},
}


@pytest.mark.nightly("statistics")
@pytest.mark.parametrize("players", TABLES)
def test_games_have_every_rare_fact(players):
    found = {fact for game in make_games(players) for fact in find_rare_facts(game)}
    assert (EVERYWHERE | SOMEWHERE[players]) - found == set()


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_game_is_made(kind):
    made = {game["id"].split(" ", 2)[2] for players in TABLES for game in make_games(players)}
    assert kind in made


@pytest.mark.parametrize("players", TABLES)
def test_void_deals_have_one_petit_sec(players):
    for seed in range(50):
        hands, chien = make_void_deal(seed, players)
        assert sorted(card for hand in [*hands, chien] for card in hand) == sorted(plain.DECK)
        assert [is_petit_sec(hand) for hand in hands].count(True) == 1


@pytest.mark.parametrize(
    ("hand", "expected"),
    [(["01-T", "05-S"], True), (["01-T", "00-T"], False), (["01-T", "02-T"], False), (["02-T"], False), ([], False)],
)
def test_petit_sec_is_the_petit_without_trump_or_excuse(hand, expected):
    assert is_petit_sec(hand) == expected
