"""The whole games of the vectors, card by card, and games that are wrong."""

import copy
from typing import Any

import pytest

from deals.domain.deal import DealError
from referee.errors import GameError, PlayRefused
from referee.games import NAMES, play_out, start_game
from tests.referee.games import copy_vector, read_vectors

VECTORS = read_vectors()


def test_vectors_have_games_of_three_and_four():
    assert [sum(game["players"] == players for game in VECTORS) for players in (3, 4)] == [12, 48]


@pytest.mark.parametrize("game", VECTORS, ids=lambda game: f"{game['players']}-{game['id']}")
def test_game_of_the_vectors_agrees_on_every_card(game):
    told = play_out(game)
    legal = [[sorted(play["legal"]) for play in trick["plays"]] for trick in game["tricks"]]
    assert [[sorted(cards) for cards in trick] for trick in told["legal"]] == legal
    assert told["winners"] == [trick["winner"] for trick in game["tricks"]]
    assert {key: told[key] for key in game["expected"]} == game["expected"]


def test_other_keys_of_a_game_are_ignored():
    game = {key: value for key, value in VECTORS[0].items() if key != "expected"}
    assert play_out(game | {"weather": "fine"}) == play_out(VECTORS[0])


def test_cards_have_the_names_of_the_vectors():
    assert NAMES[0] == "01-S"
    assert (NAMES[13], NAMES[14], NAMES[28], NAMES[42]) == ("14-S", "01-H", "01-D", "01-C")
    assert (NAMES[56], NAMES[76], NAMES[77]) == ("01-T", "21-T", "00-T")


def change(game: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    """Return the game with another value at a path such as `tricks.0.plays.3.card`."""
    *folders, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    changed = copy.deepcopy(game)
    inner: Any = changed
    for step in folders:
        inner = inner[step]
    inner[last] = value
    return changed


WRONG = [
    ("players", 6, GameError("players", found="“6”")),
    ("players", "4", GameError("type", key="players")),
    ("players", True, GameError("type", key="players")),
    ("dealer", 4, GameError("player", key="dealer", found="“4”", most=3)),
    ("taker", -1, GameError("player", key="taker", found="“-1”", most=3)),
    ("contract", "petite", GameError("contract", found="“petite”", contracts="prise, garde, garde_sans, garde_contre")),
    ("hands", None, GameError("type", key="hands")),
    ("hands.1.0", "8-C", GameError("card", key="hands[1]", found="“8-C”")),
    ("hands.1.0", 8, GameError("card", key="hands[1]", found="“8”")),
    ("dog.0", "22-T", GameError("card", key="dog", found="“22-T”")),
    ("discard", None, GameError("type", key="discard")),
    ("chelem_announced", 1, GameError("type", key="chelem_announced")),
    ("poignees", [3], GameError("type", key="poignees[0]")),
    ("tricks.0.leader", 0, GameError("leader", trick=1, seat="N", other="W")),
    ("tricks.0.plays.2.card", "K-S", GameError("card", key="tricks[0].plays[2].card", found="“K-S”")),
    ("tricks.1.plays", [], GameError("plays", trick=2, found=0, expected=4)),
    ("tricks", [], GameError("tricks", found=0, expected=18)),
    ("contract", "garde_sans", GameError("discard", contract="garde_sans")),
]


@pytest.mark.parametrize(("path", "value", "expected"), WRONG, ids=lambda value: str(value)[:30])
def test_wrong_game_is_refused(path, value, expected):
    with pytest.raises(GameError) as caught:
        play_out(change(VECTORS[0], path, value))
    assert (caught.value.code, caught.value.params) == (expected.code, expected.params)
    assert str(caught.value)


@pytest.mark.parametrize("game", [None, [], "game", 3])
def test_what_is_no_object_is_no_game(game):
    with pytest.raises(GameError, match="not a JSON object"):
        play_out(game)


@pytest.mark.parametrize("key", ["players", "hands", "dog", "discard", "poignees", "tricks", "contract"])
def test_game_without_a_key_is_refused(key):
    game = {name: value for name, value in VECTORS[0].items() if name != key}
    with pytest.raises(GameError, match=f"{key} is missing"):
        play_out(game)


def test_card_twice_and_a_card_too_few_are_refused():
    game = copy_vector()
    with pytest.raises(DealError, match="already there"):
        play_out(change(game, "hands.0.0", game["hands"][1][0]))
    game["hands"][0].pop()
    with pytest.raises(DealError, match="17 cards instead of 18"):
        play_out(game)


def test_card_after_the_end_is_refused():
    game = copy_vector()
    game["tricks"].append(game["tricks"][-1])
    with pytest.raises(GameError, match="19 tricks instead of 18"):
        play_out(game)
    game = copy_vector()
    game["tricks"][3]["plays"].append(game["tricks"][3]["plays"][0])
    with pytest.raises(GameError, match="Trick 4 has 5 cards"):
        play_out(game)


def test_card_out_of_turn_is_refused_with_the_seat_whose_turn_it_is():
    game = copy_vector()
    plays = game["tricks"][0]["plays"]
    plays[0], plays[1] = plays[1], plays[0]
    with pytest.raises(PlayRefused) as caught:
        play_out(game)
    assert (caught.value.code, caught.value.seat, caught.value.params["other"]) == ("turn", "S", "W")


def test_revoke_is_refused_with_the_cards_that_were_legal():
    game = copy_vector()
    game["tricks"][0]["plays"][1]["card"] = "14-S"
    with pytest.raises(PlayRefused) as caught:
        play_out(game)
    told = caught.value
    assert (told.code, told.seat, told.trick, told.card) == ("follow", "S", 1, 13)
    assert {NAMES[card] for card in told.legal} == {"04-C", "05-C", "13-C", "14-C", "00-T"}
    assert told.params["legal"] == "♣R ♣D ♣5 ♣4 *"
    assert told.source == "FFT 2012, the play"


def test_petit_sec_makes_a_game_void():
    game = copy_vector()
    holder = next(hand for hand in game["hands"] if "01-T" in hand)
    trumps = [card for card in holder if card.endswith("T") and card != "01-T"]
    for card in trumps:
        other = next(hand for hand in game["hands"] if hand is not holder and any(not c.endswith("T") for c in hand))
        place = next(number for number, c in enumerate(other) if not c.endswith("T"))
        holder[holder.index(card)], other[place] = other[place], card
    with pytest.raises(GameError, match="void"):
        start_game(game)
