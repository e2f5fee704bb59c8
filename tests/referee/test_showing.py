"""The cards that a hand may discard and show, and the shares of a score, in small cases by hand."""

import pytest

from referee.cards import count_forced_trumps, find_discardable, find_possible_sizes
from referee.games import CARDS_BY_NAME, play_out, start_game
from referee.rules import seat_of
from scoring.values import FFT, Poignee
from tests.referee.deals import make_game
from tests.referee.test_two_referees import mask, names_of, refusal_of

SUITS = ["02-S", "03-S", "04-H", "05-H", "06-D", "07-D"]
KEPT = ["14-S", "14-H", "01-T", "21-T", "00-T"]


@pytest.mark.parametrize(
    ("hand", "expected", "forced"),
    [
        ([*SUITS, "13-C", "05-T", *KEPT], [*SUITS, "13-C"], 0),
        ([*SUITS, "05-T", *KEPT], SUITS, 0),
        ([*SUITS[1:], "05-T", "06-T", *KEPT], [*SUITS[1:], "05-T", "06-T"], 1),
        (["05-T", "06-T", "07-T", "08-T", "09-T", "10-T", "11-T", *KEPT], [f"{n:02d}-T" for n in range(5, 12)], 6),
    ],
)
def test_discardable_cards_have_trumps_only_where_they_must(hand, expected, forced):
    assert names_of(find_discardable(mask(*hand), 4)) == expected
    assert count_forced_trumps(mask(*hand), 4) == forced


@pytest.mark.parametrize(
    ("players", "trumps", "expected"),
    [
        (3, 12, []),
        (3, 13, [Poignee.SIMPLE]),
        (3, 18, list(Poignee)),
        (4, 9, []),
        (4, 10, [Poignee.SIMPLE]),
        (4, 14, [Poignee.SIMPLE, Poignee.DOUBLE]),
        (5, 7, []),
        (5, 8, [Poignee.SIMPLE]),
        (5, 13, list(Poignee)),
    ],
)
def test_possible_sizes_of_a_poignee_are_all_that_the_trumps_reach(players, trumps, expected):
    showable = mask(*(f"{number:02d}-T" for number in range(1, trumps + 1)))
    assert find_possible_sizes(showable, players, FFT) == expected


def test_discarded_trump_is_shown_again_by_the_taker_alone():
    game = make_game(0, 4, "discarded trump shown") | {"poignees": []}
    state = start_game(game)
    discarded = [CARDS_BY_NAME[card] for card in game["discard"] if card[3] == "T"]
    for player in range(4):
        code = "poignee_size" if player == game["taker"] else "poignee_held"
        assert refusal_of(lambda player=player: state.show_poignee(seat_of(player, 4), discarded)) == code


def test_partner_has_one_share_and_the_taker_two():
    game = next(
        game
        for game in (make_game(seed, 5, "plain") for seed in range(500))
        if start_game(game).terms.partner is not None
    )
    told, partner = play_out(game), start_game(game).terms.partner
    shares = {game["taker"]: 2, partner: 1}
    assert told["scores"] == [shares.get(player, -1) * told["base_score"] for player in range(5)]
