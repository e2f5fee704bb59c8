"""The product's referee beside the plain one of the tests: whole games, games that were spoiled, and rules by hand."""

import random

import pytest

from deals.domain.cards import Seat
from referee.cards import cards_of, mask_of
from referee.counting import WonCards, count_trick, find_petit_au_bout
from referee.errors import GameError, PlayRefused
from referee.games import CARDS_BY_NAME, NAMES, play_out, start_game
from referee.rules import PlayRules, find_callable, order_of_play
from referee.state import Playout, start_auction
from referee.terms import DealPhase, Trick
from referee.views import view
from scoring.values import Contract, Side
from tests.referee import plain
from tests.referee.deals import make_game, make_void_deal
from tests.referee.games import deal_at_random
from tests.referee.spoiling import spoil_game

TABLES = (3, 4, 5)


def sort_choices(legal):
    """Return the legal cards of each play in one order."""
    return [[sorted(cards) for cards in trick] for trick in legal]


def play_in_place(game):
    """Return the legal cards, the winners and the result of a game by the referee of programs."""
    playout, legal = Playout(start_game(game)), []
    for trick in game["tricks"]:
        choices = []
        for play in trick["plays"]:
            choices.append([NAMES[card] for card in playout.list_legal_cards()])
            playout.play(CARDS_BY_NAME[play["card"]])
        legal.append(choices)
    assert playout.is_over
    return legal, [trick.winner for trick in playout.tricks], playout.result


def find_differences(game, **options):
    """Yield what the referees of the product say otherwise than the plain one."""
    expected = plain.play_out(game, **options)
    expected["legal"] = sort_choices(expected["legal"])
    told = play_out(game, PlayRules(**options))
    told["legal"] = sort_choices(told["legal"])
    yield from ((game["id"], key, expected[key], told.get(key)) for key in expected if expected[key] != told.get(key))
    if options:
        return
    legal, winners, result = play_in_place(game)
    figures = {
        "legal": sort_choices(legal),
        "winners": winners,
        "points": result.half_points / 2,
        "bouts": result.bouts,
        "petit_au_bout": result.petit_au_bout,
        "chelem": result.chelem,
    }
    for key, value in figures.items():
        if value != expected[key]:
            yield game["id"], f"{key} in place", expected[key], value


@pytest.mark.nightly("statistics", only=("3", "5"))
@pytest.mark.guard("two referees agree")
@pytest.mark.parametrize("players", TABLES)
def test_two_referees_agree_on_seeded_games(players):
    for seed in range(400):
        assert list(find_differences(make_game(seed, players))) == []


@pytest.mark.nightly("statistics")
@pytest.mark.parametrize(
    ("option", "players"), [("defence_excuse_wins", 3), ("defence_excuse_wins", 4), ("lost_excuse_is_paid", 5)]
)
def test_options_agree_too(option, players):
    changed = 0
    for seed in range(200):
        kind = ("chelem of defence", "excuse last")[seed % 2]
        if seed % 4 < 2:
            game = make_game(seed, players, kind)
            assert list(find_differences(game, **{option: False})) == []
            changed += play_out(game)["scores"] != play_out(game, PlayRules(**{option: False}))["scores"]
    assert changed > 3


def test_four_players_have_no_half_points_whatever_the_option():
    for seed in range(1, 60):
        game = make_game(seed, 4, "excuse last")
        assert play_out(game, PlayRules(lost_excuse_is_paid=False)) == play_out(game)


@pytest.mark.guard("each rule of the game is tested on each change")
@pytest.mark.parametrize("players", TABLES)
def test_spoiled_games_are_refused_by_both(players):
    found = {True: 0, False: 0}
    for seed in range(200):
        game = spoil_game(random.Random(f"{players} {seed}"), make_game(seed, players))
        fault = plain.find_fault(game)
        found[fault is None] += 1
        try:
            play_out(game)
        except PlayRefused as refused:
            told = (refused.trick, refused.code)
        except GameError as error:
            told = (error.params.get("trick"), error.code)
        else:
            told = None
        assert (game["id"], told is None) == (game["id"], fault is None), (told, fault)
        if told is not None:
            assert (game["id"], told[0]) == (game["id"], fault[0])
    assert min(found.values()) > 10


@pytest.mark.parametrize("players", TABLES)
def test_void_deals_are_refused(players):
    for seed in range(20):
        hands, chien = make_void_deal(seed, players)
        game = make_game(seed, players) | {"hands": hands, "dog": chien}
        with pytest.raises(GameError) as caught:
            start_game(game)
        assert caught.value.code == "petit_sec"


@pytest.mark.parametrize("players", TABLES)
def test_announcer_of_a_chelem_leads(players):
    for announced in (True, False):
        game = make_game(3, players) | {"chelem_announced": announced}
        assert start_game(game).turn == (game["taker"] if announced else (game["dealer"] + 1) % players)


def test_each_player_speaks_once_and_outbids():
    bids, rng = (None, *Contract), random.Random(1)
    before = start_auction(deal_at_random(rng, 4), Seat.S)
    assert before.seat == Seat.E
    for _ in range(400):
        state, highest = before, 0
        for spoken in range(4):
            assert (state.phase, state.turn) == (DealPhase.AUCTION, (before.turn + spoken) % 4)
            bid = rng.choice(bids)
            value = 0 if bid is None else plain.COEFFICIENT[bid]
            if bid is not None and value <= highest:
                with pytest.raises(PlayRefused) as caught:
                    state.bid(state.seat, bid)
                assert caught.value.code == "bid_low"
                bid = None
            highest = max(highest, value)
            state = state.bid(state.seat, bid)
        assert state.phase != DealPhase.AUCTION
        assert (state.phase == DealPhase.OVER) == (highest == 0)
        assert state.terms.contract == {plain.COEFFICIENT[each]: each for each in Contract}.get(highest)


def mask(*names):
    """Return the set of the cards with these names."""
    return mask_of(CARDS_BY_NAME[name] for name in names)


def names_of(cards):
    """Return the names of the cards of a set."""
    return [NAMES[card] for card in cards_of(cards)]


def deal_hands(*hands):
    """Return a state of four players with these sets of cards, in which player 0 leads the second trick."""
    filled = (*hands, *[0] * (4 - len(hands)))
    state = start_game(make_game(0, 4))
    return state._replace(hands=filled, turn=0, legal=filled[0], leader=0, tricks=(Trick(0, (), 0),))


def find_legal_after(hand, trick):
    """Return the legal cards of a hand after the cards of a trick, by a state of four players."""
    others = [mask(card, spare) for card, spare in zip(trick, SPARE, strict=False)]
    state = deal_hands(*others, mask(*hand))
    for card in trick:
        state = state.play(CARDS_BY_NAME[card])
    return names_of(state.legal)


SPARE = ("01-C", "02-C", "03-C")
LEGAL = [
    # a suit is followed, without a duty to beat
    (["02-S", "14-S", "05-T"], ["10-S"], ["02-S", "14-S"]),
    (["02-S", "14-S", "05-T"], ["10-S", "06-T"], ["02-S", "14-S"]),
    # without the suit a player trumps, over the highest trump if possible
    (["02-H", "05-T", "21-T"], ["10-S"], ["05-T", "21-T"]),
    (["02-H", "05-T", "21-T"], ["10-S", "06-T"], ["21-T"]),
    (["02-H", "05-T", "21-T"], ["10-S", "20-T", "06-T"], ["21-T"]),
    # otherwise under it
    (["02-H", "05-T", "04-T"], ["10-S", "06-T"], ["04-T", "05-T"]),
    # neither suit nor trump
    (["02-H", "03-D"], ["10-S", "06-T"], ["02-H", "03-D"]),
    (["02-H", "03-D"], ["06-T"], ["02-H", "03-D"]),
    # a trump that is led
    (["02-H", "05-T", "21-T"], ["06-T"], ["21-T"]),
    (["02-H", "05-T", "04-T"], ["06-T"], ["04-T", "05-T"]),
    (["02-H", "05-T", "08-T"], ["06-T", "10-T"], ["05-T", "08-T"]),
    # the Excuse
    (["02-S", "00-T"], ["10-S"], ["02-S", "00-T"]),
    (["02-H", "05-T", "00-T"], ["10-S", "06-T"], ["05-T", "00-T"]),
    (["02-H", "00-T"], ["06-T"], ["02-H", "00-T"]),
    (["00-T"], ["10-S"], ["00-T"]),
    # the Excuse led: the next card sets the suit
    (["02-H", "05-T", "03-S"], ["00-T"], ["03-S", "02-H", "05-T"]),
    (["02-H", "05-T", "03-S"], ["00-T", "10-S"], ["03-S"]),
    (["02-H", "05-T", "03-D"], ["00-T", "10-S", "04-T"], ["05-T"]),
    (["02-H", "05-T", "07-T"], ["00-T", "06-T"], ["07-T"]),
    # the Excuse inside a trick changes nothing
    (["02-H", "05-T", "07-T"], ["06-T", "00-T"], ["07-T"]),
]


@pytest.mark.parametrize(("hand", "trick", "expected"), LEGAL, ids=lambda value: " ".join(value))
def test_legal_cards_by_hand(hand, trick, expected):
    assert find_legal_after(hand, trick) == expected
    assert sorted(plain.find_legal_cards(hand, trick)) == sorted(expected)


ATTACK, DEFENCE = 0, 1  # players, in the tables below: player 0 takes


@pytest.mark.parametrize(
    ("owner", "winner", "last", "expected"),
    [
        (0, 2, False, WonCards(8, 1, 12, 0)),  # the taker keeps the Excuse and pays
        (1, 0, False, WonCards(12, 0, 8, 1)),  # a defender does
        (1, 2, False, WonCards(0, 0, 20, 1)),  # the trick is the defence's: nothing changes
        (0, 2, True, WonCards(0, 0, 20, 1)),  # in the last trick it is lost
        (1, 0, True, WonCards(20, 1, 0, 0)),
        (1, 2, True, WonCards(8, 1, 12, 0)),  # lost though its own side wins: a half-point card comes back
        (0, 0, True, WonCards(20, 1, 0, 0)),  # it wins the last trick of a chelem
        (1, 1, True, WonCards(0, 0, 20, 1)),
    ],
)
def test_excuse_is_counted_by_hand(owner, winner, last, expected):
    terms = start_game(make_game(0, 4)).terms.change(taker=0)
    cards = [CARDS_BY_NAME[card] for card in ("14-S", "02-S", "03-S")]
    cards.insert(owner, CARDS_BY_NAME[plain.EXCUSE])
    assert count_trick(WonCards(), Trick(0, tuple(cards), winner), terms, last) == expected


@pytest.mark.parametrize(
    ("before", "last", "winner", "expected"),
    [
        (["01-T", "02-T", "03-T", "04-T"], ["00-T", "14-S", "02-S", "03-S"], 0, Side.ATTACK),
        (["01-T", "02-T", "03-T", "04-T"], ["14-S", "00-T", "02-S", "03-S"], 1, Side.DEFENCE),
        (["01-T", "02-T", "03-T", "04-T"], ["00-T", "14-S", "02-S", "03-S"], 1, Side.NONE),
        (["01-T", "02-T", "03-T", "04-T"], ["05-T", "14-S", "02-S", "03-S"], 0, Side.NONE),
        (["06-T", "02-T", "03-T", "04-T"], ["00-T", "14-S", "02-S", "01-T"], 0, Side.ATTACK),
        (["06-T", "02-T", "03-T", "04-T"], ["05-T", "01-T", "02-S", "03-S"], 0, Side.ATTACK),
        (["06-T", "02-T", "03-T", "04-T"], ["05-T", "01-T", "02-S", "08-T"], 3, Side.DEFENCE),
        (["06-T", "02-T", "03-T", "04-T"], ["00-T", "14-S", "02-S", "03-S"], 0, Side.NONE),
    ],
)
def test_petit_before_the_last_trick_counts_only_beside_a_winning_excuse(before, last, winner, expected):
    terms = start_game(make_game(0, 4)).terms.change(taker=0)
    tricks = [Trick(0, tuple(CARDS_BY_NAME[card] for card in cards), winner) for cards in (before, last)]
    assert find_petit_au_bout(terms, tricks) == expected


def refusal_of(step):
    """Return the code with which a step is refused."""
    with pytest.raises(PlayRefused) as caught:
        step()
    return caught.value.code


def test_ecart_with_a_roi_or_a_bout_is_refused():
    for kept in (plain.PETIT, plain.TWENTY_ONE, plain.EXCUSE, *plain.ROIS):
        game = next(
            game
            for game in (make_game(seed, 4) for seed in range(500))
            if game["discard"] and kept in game["hands"][game["taker"]] + game["dog"]
        )
        spoiled = game | {"discard": [kept, *game["discard"][1:]]}
        assert refusal_of(lambda spoiled=spoiled: start_game(spoiled)) == "ecart_kept"


def test_ecart_with_a_needless_trump_is_refused():
    games = (make_game(seed, 4, "plain") for seed in range(50))
    game = next(game for game in games if game["contract"] == "prise") | {"poignees": []}
    held = game["hands"][game["taker"]] + game["dog"]
    suits = [card for card in held if card[3] != "T" and card not in plain.ROIS]
    trump = next(card for card in held if card in plain.TRUMPS and card not in plain.BOUTS)
    assert start_game(game | {"discard": suits[:6]}).phase == DealPhase.PLAY
    assert refusal_of(lambda: start_game(game | {"discard": [trump, *suits[:5]]})) == "ecart_trump"
    assert refusal_of(lambda: start_game(game | {"discard": suits[:5]})) == "ecart_size"
    assert refusal_of(lambda: start_game(game | {"discard": [*suits[:5], suits[0]]})) == "ecart_size"


@pytest.mark.parametrize("seed", range(40))
def test_only_the_height_below_four_of_a_kind_is_called(seed):
    game = make_game(seed, 5, ("lower call", "plain")[seed % 2])
    hand = game["hands"][game["taker"]]
    assert names_of(find_callable(mask(*hand))) == sorted(plain.find_callable_cards(hand), key=NAMES.index)


def test_own_rank_is_called_only_by_its_option():
    game = make_game(2, 5, "lower call")
    game |= {"called": "14-S", "contract": "garde_sans", "discard": None, "poignees": []}
    assert refusal_of(lambda: start_game(game)) == "call_rank"
    assert start_game(game, PlayRules(call_own_rank=True)).terms.partner is None


@pytest.mark.parametrize("kind", ["taker calls himself", "called in chien"])
def test_taker_who_calls_himself_or_the_chien_is_alone(kind):
    for seed in range(10):
        game = make_game(seed, 5, kind)
        told = play_out(game)
        assert start_game(game).terms.partner is None
        assert told["scores"][game["taker"]] == 4 * told["base_score"]


def test_opening_lead_in_the_called_suit_is_refused():
    refused = 0
    for seed in range(60):
        game = make_game(seed, 5, "opening in called suit")
        state = start_game(game)
        for card in names_of(state.hands[state.turn]):
            if card[3] == game["called"][3] and card != game["called"]:
                assert refusal_of(lambda state=state, card=card: state.play(CARDS_BY_NAME[card])) == "called_suit"
                refused += 1
            else:
                state.play(CARDS_BY_NAME[card])
    assert refused > 100


def find_game_with_poignee(wanted):
    """Return the first game with a poignée for which `wanted(game, poignée)` is true, and this poignée."""
    return next(
        (game, shown)
        for game in (make_game(seed, 4, "poignees") for seed in range(500))
        for shown in game["poignees"]
        if wanted(game, shown)
    )


def test_poignee_after_the_first_card_is_refused():
    game, shown = find_game_with_poignee(
        lambda game, shown: not game["chelem_announced"] and shown["player"] == (game["dealer"] + 1) % 4
    )
    first = start_game(game | {"poignees": []})
    cards = [CARDS_BY_NAME[card] for card in shown["cards"]]
    assert first.show_poignee(first.seat, cards).terms.poignees
    played = first.play(first.legal_cards[0])
    assert refusal_of(lambda: played.show_poignee(first.seat, cards)) == "poignee_late"
    twice = first.show_poignee(first.seat, cards)
    assert refusal_of(lambda: twice.show_poignee(first.seat, cards)) == "poignee_late"


def test_poignee_of_the_second_player_comes_after_the_first_card():
    game, shown = find_game_with_poignee(
        lambda game, shown: not game["chelem_announced"] and shown["player"] == (game["dealer"] + 2) % 4
    )
    state = start_game(game | {"poignees": []})
    state = state.play(state.legal_cards[0])
    cards = [CARDS_BY_NAME[card] for card in shown["cards"]]
    assert len(state.show_poignee(state.seat, cards).terms.poignees) == 1


def test_excuse_beside_a_concealed_trump_is_refused():
    game, shown = find_game_with_poignee(
        lambda game, shown: (
            plain.EXCUSE not in shown["cards"] and plain.EXCUSE in plain.find_hands_at_play(game)[shown["player"]]
        )
    )
    cards = [plain.EXCUSE, *shown["cards"][1:]]
    spoiled = game | {"poignees": [{"player": shown["player"], "cards": cards}]}
    assert refusal_of(lambda: start_game(spoiled)) == "poignee_excuse"


def test_discarded_trump_completes_the_triple():
    shown = 0
    for seed in range(30):
        game = make_game(seed, 4, "discarded trump shown")
        if any(set(poignee["cards"]) & set(game["discard"]) for poignee in game["poignees"]):
            assert play_out(game)["poignee_attack"] == 3
            without = PlayRules(ecart_in_poignee=False)
            assert refusal_of(lambda game=game: start_game(game, without)) == "poignee_held"  # noqa: B023
            shown += 1
    assert shown > 10


def test_forced_trump_of_the_ecart_is_seen_by_every_seat():
    found = 0
    for seed in range(10):
        game = make_game(seed, 4, "forced trumps")
        trumps = mask(*(card for card in game["discard"] if card in plain.TRUMPS))
        found += trumps > 0
        assert {view(start_game(game), seat).ecart_trumps for seat in order_of_play(4)} == {trumps}
    assert found > 5
