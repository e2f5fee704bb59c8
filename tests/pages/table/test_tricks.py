"""The tricks that a table's screen follows, in node: turns, winners and denied cards are those of the referee."""

import random

import pytest

from deals.domain.cards import EXCUSE, HAND, Seat, order_for_display, seats, show_card
from referee.cards import cards_of
from referee.games import CARDS_BY_NAME
from referee.records.judging import judge_record
from referee.records.values import DealRecord
from referee.rules import order_of_play, seat_of
from referee.views import find_missing
from scoring.values import Contract
from tests.node.running import run, scripts  # noqa: F401  (a fixture)
from tests.referee.deals import make_game
from tests.referee.games import read_vectors

MANY = pytest.mark.nightly("statistics")
FOLLOW = """
const { deniedIn, follow } = await import("./table/state/tricks.js");
const rising = (cards) => [...cards.keys()].sort((one, other) => one - other);
const lists = (denied) => Object.fromEntries(
  Object.entries(denied).filter(([, cards]) => cards.size).map(([line, cards]) => [line, rising(cards)]));
tell(asked.map(({ at, cards }) => {
  const steps = cards.map((card, step) => {
    const followed = follow(at, cards.slice(0, step));
    return [followed.turn, deniedIn(followed, card) !== undefined];
  });
  const { tricks, turn, denied } = follow(at, cards);
  return { steps, tricks: tricks.map((one) => [one.leader, one.cards, one.winner]), turn, denied: lists(denied) };
}));
"""


def follow_on(scripts, records):  # noqa: F811
    """Return what the screen's script says of records, each given as a `DealRecord`."""
    asked = [
        {
            "at": {"seats": seats(record.players), "leader": record.first_leader, "taker": record.taker},
            "cards": record.cards,
        }
        for record in records
    ]
    return run(scripts, FOLLOW, asked=asked)


def follow_by_referee(record):
    """Return the same from the referee: its tricks, its faults, and the cards that each player did not have."""
    judged = judge_record(record)
    tricks = [
        [seat_of(trick.leader, record.players), [*trick.cards], seat_of(trick.winner, record.players)]
        for trick in judged.tricks
    ]
    order = order_of_play(record.players)
    turns, denied = [], {}
    for first, cards, _winner in tricks:
        turns += [order[(order.index(first) + step) % record.players] for step in range(record.players)]
        for player, missing in find_missing(order.index(first), cards, record.players):
            if missing:
                denied.setdefault(seat_of(player, record.players), set()).update(cards_of(missing))
    faults = {(str(fault.params["seat"]), fault.params["card"]) for fault in judged.faults}
    assert {fault.code for fault in judged.faults} <= {"denied"}
    steps = [[turn, (turn, show_card(card)) in faults] for turn, card in zip(turns, record.cards, strict=True)]
    return {
        "steps": steps,
        "tricks": tricks,
        "turn": None,
        "denied": {line: sorted(cards) for line, cards in sorted(denied.items())},
    }


def record_of(game):
    """Return the record of a whole game of the vectors, without its hands."""
    players = game["players"]
    taker = seat_of(game["taker"], players)
    return DealRecord(
        players=players,
        dealer=seat_of(game["dealer"], players),
        taker=taker,
        contract=Contract(game["contract"]),
        chelem=taker if game["chelem_announced"] else None,
        cards=tuple(CARDS_BY_NAME[play["card"]] for trick in game["tricks"] for play in trick["plays"]),
    )


def shuffled_record(rng, players):
    """Return a record of cards in any order, in which players deny cards and then play them."""
    cards = rng.sample(range(78), HAND[players] * players)
    if rng.random() < 0.3:  # the Excuse last, where it may win
        cards = [card for card in cards if card != EXCUSE][: len(cards) - 1]
        cards.insert(len(cards) - rng.randrange(players), EXCUSE)
    dealer, taker = (rng.choice(seats(players)) for _ in range(2))
    return DealRecord(players, dealer, taker, Contract.GARDE, cards=tuple(cards))


@pytest.mark.parametrize(
    ("players", "count"), [(3, 2), (4, 2), *[pytest.param(each, 300, marks=MANY) for each in (3, 4)]]
)
def test_script_follows_legal_games_as_the_referee_does(scripts, players, count):  # noqa: F811
    games = [game for game in read_vectors() if game["players"] == players][:count]
    games += [make_game(seed, players) for seed in range(count)]
    records = [record_of(game) for game in games]
    told = [follow_by_referee(record) for record in records]
    assert not any(denied for one in told for _turn, denied in one["steps"])
    assert differences(records, follow_on(scripts, records), told) == []


@pytest.mark.parametrize(
    ("players", "count"), [(3, 5), (4, 5), *[pytest.param(each, 200, marks=MANY) for each in (3, 4)]]
)
def test_script_finds_the_denied_cards_that_the_referee_finds(scripts, players, count):  # noqa: F811
    rng = random.Random(players)
    records = [shuffled_record(rng, players) for _ in range(count)]
    told = [follow_by_referee(record) for record in records]
    assert sum(denied for one in told for _turn, denied in one["steps"]) > 5 * count
    assert differences(records, follow_on(scripts, records), told) == []


def differences(records, answers, told):
    """Return the records of which the script says something else than the referee, with both."""
    return [
        (record, key, answer[key], one[key])
        for record, answer, one in zip(records, answers, told, strict=True)
        for key in one
        if answer[key] != one[key]
    ]


WRITTEN = """
const { ALL_TRUMPS, SUITS, cardsOfDeal, written } = await import("./table/state/tricks.js");
tell([cards.map(written), [...SUITS, ALL_TRUMPS].flat(), cardsOfDeal(["N", "E", "S", "W"])]);
"""


def test_script_writes_and_orders_the_cards_as_the_site_does(scripts):  # noqa: F811
    names, shown, count = run(scripts, WRITTEN, cards=[*range(78)])
    assert names == [show_card(card) for card in range(78)]
    assert shown == [*order_for_display(range(78))]
    assert count == HAND[4] * 4


def test_player_on_the_dealers_right_plays_after_the_dealer(scripts):  # noqa: F811
    """Check the direction of play by hand: West, South, East, North at four."""
    record = DealRecord(4, Seat.N, Seat.S, Contract.GARDE, cards=(0, 1, 2))
    (answer,) = follow_on(scripts, [record])
    assert [turn for turn, _denied in answer["steps"]] + [answer["turn"]] == ["W", "S", "E", "N"]
