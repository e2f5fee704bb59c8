"""The course of a session: minutes a deal, corrections and doubts by table and étui, and the étuis that swung most.

- **Minutes**: the time from the table's previous result to the first result of the play. For the first étui of a
  position, it begins when the table opened the étui. The device's clock counts if the device sent a time. The figure is
  the median, because a break or a result that was typed late is no measure of a deal.
- **Corrections**: later versions of results.
- **Doubts**: plays whose result the site doubted, players disputed, or two devices entered differently.
- **Swing**: the difference between the best and the worst score of the attack.

Étuis that the reader has still to play are left out.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import median
from typing import NamedTuple

from clubs.models import User
from evenings.plays.desk_state import DeskPlay, desk_plays, flags_of
from evenings.plays.entries import entry_of
from evenings.plays.rulings_given import newest_by_etui
from evenings.plays.state import PlayState
from evenings.plays.table_plays import TablePlay
from scoring.contract import find_rules
from scoring.values import ScoringRules
from tournaments.models import ResultEntry, Session
from tournaments.rules.entry import AllPassed, base_score
from tournaments.rules.etuis import find_etui_part

LONGEST = dt.timedelta(hours=1)  # a longer time is a break, or a result that somebody forgot to type
UNCOUNTED = {PlayState.ANNULLED, PlayState.ADJUSTED}


class DealCourse(NamedTuple):
    """A play with a result. `score` is the attack's score, or None if nobody took or if the score does not count.

    `part` says whether it came before or after an alteration of the étui, as `rules.split` does.
    """

    table: int
    etui: int
    minutes: Fraction | None
    corrections: int
    doubted: bool
    score: int | None
    part: int


@dataclass(frozen=True, slots=True)
class CourseRow:
    """The deals of a table or of an étui. `number` is that of the table or étui."""

    number: int
    deals: Sequence[DealCourse]

    @property
    def minutes(self) -> Fraction | None:
        """The median of the minutes a deal. None if no time is known."""
        timed = [deal.minutes for deal in self.deals if deal.minutes is not None]
        return median(timed) if timed else None

    @property
    def corrections(self) -> int:
        return sum(deal.corrections for deal in self.deals)

    @property
    def doubts(self) -> int:
        return sum(deal.doubted for deal in self.deals)

    @property
    def scores(self) -> list[int]:
        """The attack's scores, from the worst to the best."""
        return sorted(deal.score for deal in self.deals if deal.score is not None)

    @property
    def swing(self) -> int:
        """The difference between the best and the worst score of the attack on the same cards. 0 with less than two."""
        parts: defaultdict[int, list[int]] = defaultdict(list)
        for deal in self.deals:
            if deal.score is not None:
                parts[deal.part].append(deal.score)
        return max((max(scores) - min(scores) for scores in parts.values()), default=0)


@dataclass(frozen=True, slots=True)
class EveningCourse:
    """The tables and the étuis of a session with at least one result, sorted by number.

    `hidden` is the number of étuis that the reader has still to play.
    """

    tables: list[CourseRow]
    etuis: list[CourseRow]
    hidden: int

    @property
    def swings(self) -> list[CourseRow]:
        """The étuis with different scores, the largest swing first."""
        return sorted((row for row in self.etuis if row.swing), key=lambda row: (-row.swing, row.number))

    @property
    def whole(self) -> CourseRow:
        """One row for the whole session, with all its deals. Its `number` is 0."""
        return CourseRow(0, [deal for row in self.tables for deal in row.deals])


def read_course(session: Session, user: User) -> EveningCourse:
    """Return how the session went, for a director. The number of queries does not depend on the number of tables."""
    plays = desk_plays(session, flags=False, user=user, people=False)
    seen = [each for each in plays if not each.closed]
    shown = (TablePlay(each.play, each.rows, each.finest) for each in seen)
    rulings = newest_by_etui(session.pk)
    flagged = flags_of(session, shown, rulings)
    splits = {etui: ruling.split for etui, ruling in rulings.items()}
    rules, minutes = find_rules(session.tournament.rules), time_deals(plays)
    deals = [
        DealCourse(
            each.table,
            each.etui,
            minutes.get(each.pk),
            sum(row.version > 1 and not row.contested for row in each.rows),
            each.pk in flagged or is_disputed(each.rows),
            find_attack_score(each.entry, rules) if each.finest not in UNCOUNTED else None,
            find_etui_part(splits.get(each.play.etui_id), each.position, each.table),
        )
        for each in seen
        if each.entry is not None
    ]
    closed = {each.etui for each in plays if each.closed}
    return EveningCourse(group_deals(deals, "table"), group_deals(deals, "etui"), len(closed))


def is_disputed(rows: Iterable[ResultEntry]) -> bool:
    """Return whether the table disputed one of these entries, or two devices entered different results."""
    return any(row.contested or any(not check.agrees for check in row.checks.all()) for row in rows)


def find_attack_score(row: ResultEntry, rules: ScoringRules) -> int | None:
    """Return the score of the attack. None if everyone passed."""
    entry = entry_of(row)
    return None if isinstance(entry, AllPassed) else base_score(entry, rules)


def group_deals(deals: Iterable[DealCourse], by: str) -> list[CourseRow]:
    """Return the deals grouped by "table" or "etui", sorted by its number."""
    grouped: defaultdict[int, list[DealCourse]] = defaultdict(list)
    for deal in deals:
        grouped[getattr(deal, by)].append(deal)
    return [CourseRow(number, courses) for number, courses in sorted(grouped.items())]


def time_deals(plays: Iterable[DeskPlay]) -> dict[int, Fraction]:
    """Return the minutes of each play of which they are known, by its id."""
    by_stop: defaultdict[tuple[int, int], list[tuple[dt.datetime, DeskPlay]]] = defaultdict(list)
    for each in plays:
        if not each.rows:
            continue
        first = each.rows[0]
        by_stop[each.table, each.position].append((first.typed_at or first.entered_at, each))
    minutes = {}
    for deals in by_stop.values():
        before: dt.datetime | None = None
        for at, each in sorted(deals, key=lambda one: (one[0], one[1].pk)):
            begun = before or each.play.started_at
            if begun is not None and dt.timedelta() < at - begun <= LONGEST:
                minutes[each.pk] = Fraction((at - begun) // dt.timedelta(seconds=1), 60)
            before = at
    return minutes
