"""The evenings of 61 players, with each kind of odd tables, against sums that this module makes by itself.

Five games of four deals are played through the services: seated by ranking, entered deal by deal or by sheets,
published. This module draws the deals itself, and knows their marks by arithmetic of its own. It imports none of the
site's rules of scoring, weighing and ranking.
"""

import random
from collections import Counter, defaultdict
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

import pytest
from django.utils import timezone

from evenings.plans.free.next_game import take_next_game
from evenings.plays.entering import enter_result
from scoring.contract import Contract, DealResult
from tests.factories import make_director, publish
from tests.free_evenings import start_free_session
from tournaments.models import Session
from tournaments.rules.entry import Facts, Fiche, GameSheet

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("story")]

PEOPLE, GAMES, DEALS = 61, 5, 4
SHEETS = {3: 1, 4: 2}  # the games with paper sheets, and the first deal that stands on the sheet
CONTRACTS = {1: Contract.PRISE, 2: Contract.GARDE, 4: Contract.GARDE_SANS, 6: Contract.GARDE_CONTRE}
TARGETS = (56, 51, 41, 36)  # the points that the taker needs, by the number of bouts


class DrawnDeal(NamedTuple):
    """A deal that this module has drawn: its entry, and what each seat wins or loses."""

    entry: Facts | Fiche
    marks: dict[str, int]


def draw_deal(seats, chance):
    """Draw the result of a deal that these seats play. Half of the deals have facts, the others a base score only."""
    taker = chance.choice(seats)
    partner = chance.choice(seats) if len(seats) == 5 else None
    if chance.random() < 0.5:
        base = chance.choice((-1, 1)) * chance.randint(25, 300)
        return DrawnDeal(Fiche(taker, base, partner=partner), share(base, taker, partner, seats))
    coefficient, bouts, points = chance.choice([*CONTRACTS]), chance.randint(0, 3), chance.randint(20, 75)
    over = points - TARGETS[bouts]
    base = (25 + abs(over)) * coefficient * (1 if over >= 0 else -1)
    result = DealResult(4, CONTRACTS[coefficient], bouts, half_points=2 * points)
    return DrawnDeal(Facts(taker, result, partner=partner), share(base, taker, partner, seats))


def share(base, taker, partner, seats):
    """Return what each seat wins or loses: each defender pays the base score, and a called partner gets it."""
    marks = dict.fromkeys(seats, -base)
    if partner not in (None, taker):
        marks[partner] = base
    marks[taker] = 0
    marks[taker] = -sum(marks.values())
    return marks


def play_game(session, game, by, chance):
    """Enter all results of a game. Return for each of its deals who played it, with what each has won or lost."""
    at_table = defaultdict(list)
    for play in session.plays.filter(position=game).select_related("table").order_by("etui__number"):
        at_table[play.table.number].append(play)
    found = []
    for plays in at_table.values():
        on_paper, first = Counter(), plays[SHEETS[game] - 1] if game in SHEETS else None
        for place, play in enumerate(plays, start=1):
            seated = dict(play.seat_ids)
            seats = [seat for seat in seated if seat != play.resting]
            deal = draw_deal(seats, chance)
            found.append({seated[seat]: mark for seat, mark in deal.marks.items()})
            if game in SHEETS and place >= SHEETS[game]:
                on_paper.update(deal.marks)
            else:
                enter_result(play_id=play.pk, entry=deal.entry, by=by, now=timezone.now())
        if first is not None:
            sheet = GameSheet(tuple((seat, on_paper[seat]) for seat in first.seat_ids))
            enter_result(play_id=first.pk, entry=sheet, by=by, now=timezone.now())
    return found


def rank(sums):
    """Return the rank of each key: one more than the number of higher sums."""
    order = sorted(sums.values(), reverse=True)
    return {who: 1 + order.index(total) for who, total in sums.items()}


@pytest.mark.parametrize("weights", [("1", "1"), ("1.22", "1.37")], ids=["unweighted", "weighted"])
@pytest.mark.parametrize("odd", ["threes", "mort", "five", "fives"])
def test_evening_of_61_players_equals_sums_made_by_hand(odd, weights):
    three, five = weights
    settings = {"odd_tables": odd, "three_weight": Decimal(three), "five_weight": Decimal(five)}
    session, chance = start_free_session(PEOPLE, games=GAMES, deals=DEALS, **settings), random.Random(61)
    by = make_director(session.tournament.club)
    weight = {3: Fraction(three), 4: Fraction(1), 5: Fraction(five)}
    sums, raw, deals, sizes = Counter(), Counter(), Counter(), Counter()
    for game in range(1, GAMES + 1):
        if game > 1:
            take_next_game(session_id=session.pk, game=game, tables=None, by=by, now=timezone.now())
        for marks in play_game(session, game, by, chance):
            assert sum(marks.values()) == 0
            sizes[len(marks)] += 1
            for who, mark in marks.items():
                sums[who] += mark * weight[len(marks)]
                raw[who] += mark
                deals[who] += 1
    assert (sum(raw.values()), len(sums)) == (0, PEOPLE)
    assert set(deals.values()) == {GAMES * DEALS}  # also where somebody rests
    assert set(sizes) == {"threes": {3, 4}, "mort": {4}, "five": {4, 5}, "fives": {4, 5}}[odd]
    players = dict(session.entrants.values_list("pk", "player"))
    published = publish(Session.objects.get(pk=session.pk), by=by).data
    rows = {row["player"]: (row["rank_general"], Fraction(row["overall"])) for row in published["players"]}
    ranks = rank(sums)
    assert rows == {players[who]: (ranks[who], total) for who, total in sums.items()}
    assert {row["deals"] for row in published["players"]} == {GAMES * DEALS}
