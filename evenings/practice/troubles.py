"""The invented results of plays, and the problems of a practice evening: odd results, disputed results, a call.

The odd results are mistakes that are made before the result is stored. The other problems are made by commands from the
tables' devices, as on a real evening.

A taker with a strong hand mostly wins the Garde. A player who has a poignée mostly shows it.
"""

import datetime as dt
import random
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from deals.domain.cards import BOUTS, EXCUSE, PETIT, TRUMP_21, Seat, half_points, is_trump, rank, suit
from deals.domain.deal import Deal
from deals.domain.notation import loads
from evenings.plays.desk_state import ODD, desk_plays
from evenings.plays.entries import entry_of
from evenings.tables.commands import receive
from evenings.tables.here import Here
from scoring.bounds import DECK, least_with_a_trick, most_leaving_a_trick
from scoring.contract import FFT, Contract, DealResult, Poignee, Side
from scoring.ranking import Line
from tournaments.models import ArbiterCall, Play, ResultEntry, Session, Table
from tournaments.rules.clash import clashes, unlikely
from tournaments.rules.entry import Bout, Entry, Facts, Fiche, base_score, entry_to_data
from tournaments.rules.etuis import odd_entries

NAMES = {TRUMP_21: Bout.TRUMP_21, PETIT: Bout.PETIT, EXCUSE: Bout.EXCUSE}


def invent_result(play: Play, dice: random.Random) -> Entry:
    """Return a plausible result of the play, under an imposed Garde.

    One in ten is a fiche, with only the base score.
    """
    entry = facts(play, dice)
    return Fiche(entry.taker, base_score(entry)) if dice.random() < 0.1 else entry


def facts(play: Play, dice: random.Random) -> Facts:
    """Return a plausible result with all its facts.

    The points follow from the strength of the taker's hand and from chance.
    """
    deal, taker = loads(play.etui.cards), Line(play.etui.taker)
    hand = deal.hand(Seat(taker))
    named = {NAMES[card] for card in BOUTS.intersection(hand + deal.chien) - {PETIT}}
    petit_at = next(Seat(line) for line in Line if PETIT in deal.hand(Seat(line))) if PETIT not in deal.chien else taker
    petit_kept = dice.random() < (0.8 if petit_at == taker else 0.25)
    named |= {Bout.PETIT} if petit_kept else set()
    bouts = len(named)
    lost = 0 if petit_kept else 5
    points = min(max(round(strength(hand, deal) - lost + dice.gauss(0, 6)), 8), 77)
    petit = Side.NONE
    if dice.random() < 0.12:
        petit = Side.ATTACK if petit_kept else Side.DEFENCE
    result = DealResult(
        players=4,
        contract=Contract.GARDE,
        bouts=bouts,
        half_points=2 * max(points, 5 + 4 * bouts),
        petit_au_bout=petit,
        poignees_attack=tuple(show_poignee(hand, dice)),
        poignees_defence=tuple(
            poignee for line in Line if line != taker for poignee in show_poignee(deal.hand(Seat(line)), dice)
        ),
    )
    return Facts(taker, result, frozenset(named))


def strength(hand: tuple[int, ...], deal: Deal) -> float:
    """Return the card points, of 91, that a taker with this hand usually makes.

    The estimate counts the trumps, the high trumps, the honours (with those of the chien) and the suits that the hand
    lacks.
    """
    trumps = [rank(card) for card in hand if is_trump(card)]
    honours = sum(half_points(card) for card in hand + deal.chien if not is_trump(card)) / 2
    voids = 5 - len({suit(card) for card in hand})
    return 10 + 2.4 * len(trumps) + 0.9 * sum(trump > 14 for trump in trumps) + 0.45 * honours + 2 * voids


def show_poignee(hand: tuple[int, ...], dice: random.Random) -> Iterator[Poignee]:
    """Yield the highest poignée of the hand if it has one, in seven of ten cases."""
    trumps = sum(is_trump(card) or card == EXCUSE for card in hand)
    fitting = [poignee for poignee, needed in FFT.poignee_trumps[4].items() if trumps >= needed]
    if fitting and dice.random() < 0.7:
        yield fitting[-1]


ODD_ONES = 2
ATTEMPTS = 50
DEVICE, NAME = "practice", "iPhone"
Entries = dict[int, Entry]


def invent_results(plays: Sequence[Play], dice: random.Random) -> Entries:
    """Return invented results by the id of the play.

    ODD_ONES of them, on different étuis, contain a mistake and are odd. No other result is odd. Some cards give fewer
    odd results: then all results are invented again. After ATTEMPTS attempts, return the last results.
    """
    by_etui: dict[int, list[Play]] = {}
    for play in plays:
        by_etui.setdefault(play.etui_id, []).append(play)
    for _attempt in range(ATTEMPTS):
        found = [invent_alike(group, dice) for group in by_etui.values()]
        make_slips(list(by_etui.values()), found)
        if sum(len(odd_entries(entries)) for entries in found) == ODD_ONES:
            break
    return {pk: entry for entries in found for pk, entry in entries.items()}


def make_slips(groups: Sequence[Sequence[Play]], found: Sequence[Entries]) -> None:
    """Change one result to a mistake in each of the first ODD_ONES étuis in which that is possible.

    `groups` has the plays of each étui. `found` has their results, which are changed in place.
    """
    slips = 0
    for plays, entries in zip(groups, found, strict=True):
        if slips < ODD_ONES and (slip := next(find_slips(plays, entries), None)):
            entries.update(slip)
            slips += 1


def invent_alike(plays: Sequence[Play], dice: random.Random) -> Entries:
    """Return results of one étui's plays among which none is odd or doubtful.

    After ATTEMPTS attempts without success, return the last results.
    """
    for _attempt in range(ATTEMPTS):
        entries = {play.pk: invent_result(play, dice) for play in plays}
        if not odd_entries(entries) and not any(is_doubted(play, entries[play.pk]) for play in plays):
            break
    return entries


def find_slips(plays: Sequence[Play], entries: Mapping[int, Entry]) -> Iterator[Entries]:
    """Yield results with a mistake that the site can recognise by the results of the other tables.

    Each is a dictionary with the new result of one play, by the play's id. Either the points are those of the other
    side, or they are 25 too low.
    """
    for play in plays:
        entry = entries[play.pk]
        if not isinstance(entry, Facts):
            continue
        least, most = least_with_a_trick(entry.result), most_leaving_a_trick(entry.result)
        for halves in (DECK - entry.result.half_points, entry.result.half_points - 50):
            if not max(30, least) <= halves <= min(150, most):
                continue
            slip = replace(entry, result=replace(entry.result, half_points=halves))
            if odd_entries({**entries, play.pk: slip}) == {play.pk} and not is_doubted(play, slip):
                yield {play.pk: slip}


def is_doubted(play: Play, entry: Entry) -> bool:
    """Return whether the cards of the étui make the entry impossible or unlikely."""
    deal = loads(play.etui.cards)
    return bool(clashes(entry, deal)) or unlikely(entry, deal)


def add_troubles(session: Session, *, now: dt.datetime) -> None:
    """Make three problems at three tables: a disagreement, a second and different entry, a call for the arbiter."""
    first, second, third, *_others = session.tables.select_related("session__tournament__club").order_by("number")
    disagree(first, plain_entry(session, first), now=now)
    send_another(second, plain_entry(session, second), now=now)
    to_come = third.plays.filter(entries=None).order_by("position", "etui__number").first()
    assert to_come is not None
    send(third, now=now, kind="call", play=to_come.pk, reason=ArbiterCall.CallReason.CARDS.value)


def plain_entry(session: Session, table: Table) -> ResultEntry:
    """Return the table's newest result that is not odd and of which more than the base score is known."""
    found = [each for each in desk_plays(session, flags=True) if each.play.table_id == table.pk and each.state != ODD]
    return [each.entry for each in found if each.entry and each.entry.kind == Facts.kind][-1]


def disagree(table: Table, row: ResultEntry, *, now: dt.datetime) -> None:
    """Send a command by which the other side of the table says that the stored result is wrong."""
    send(table, now=now, kind="check", play=row.play_id, version=row.version, agrees=False, seat=row.taker)


def send_another(table: Table, row: ResultEntry, *, now: dt.datetime) -> None:
    """Send a second result of the same play, with six card points more or fewer."""
    entry = entry_of(row)
    assert isinstance(entry, Facts)
    half_points = entry.result.half_points + (12 if entry.result.half_points < DECK // 2 else -12)
    other = replace(entry, result=replace(entry.result, half_points=half_points))
    send(table, now=now, kind="enter", play=row.play_id, entry=entry_to_data(other))


def send(table: Table, *, now: dt.datetime, **command: object) -> None:
    """Send a command from the table's device, then one by which the device leaves the table.

    After that, the next device that scans the table's card may enter results.
    """
    for fields in (command, {"kind": "leave"}):
        receive(Here(table), DEVICE, {"key": str(uuid.uuid4()), "name": NAME, **fields}, now)
