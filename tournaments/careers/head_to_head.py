"""The comparison of two players: their ranks in common sessions, étuis played in the same seat, deals at one table.

The module also finds, by name, the players with whom a player can be compared.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import lcm
from typing import Any, NamedTuple

from django.core.paginator import Page, Paginator
from django.db.models import Count

from clubs.models import Player
from clubs.names import simplify_name
from clubs.shown import PUBLIC
from scoring.intervals import Interval, find_interval
from tournaments.careers.figures import Mate, Sum
from tournaments.careers.reading import A_PAGE, CareerRow, CareerSession, read_sessions
from tournaments.careers.subjects import CareerState, Subject
from tournaments.models import Appearance
from tournaments.rules.split import BEFORE


class PlayedRow(NamedTuple):
    """A row of a career, with the player's single deals as `plays`."""

    row: CareerRow
    plays: list[Any]

    @property
    def notes(self) -> dict[tuple[Any, ...], int]:
        """The player's notes by étui, line, part and group. Notes of two players are compared if all four are equal.

        The part tells whether the play was before or after the étui was altered. The group is 0, for all sections
        together. It is the id of this section for plays after the étui was altered here: they are compared only within
        this section.
        """
        return {
            (etui, line, part, 0 if part == BEFORE else self.row.session_id): note
            for etui, line, part, note in self.plays
        }


class Meeting(NamedTuple):
    """A session that both players played.

    `first` is 1 if the first player has the better rank, −1 if the second one, else 0.
    """

    evening: CareerSession
    one: CareerRow
    other: CareerRow
    first: int


class DuelTally(NamedTuple):
    """The number of times that the first player did better than the second, equally well, and worse."""

    better: int
    equal: int
    worse: int

    @property
    def all(self) -> int:
        return sum(self)


class NoteDifference(NamedTuple):
    """The mean difference between the notes of the first and the second player, with its confidence interval.

    Both are None if there are no notes to compare.
    """

    mean: Fraction | None
    interval: Interval | None


class HeadToHead:
    """The comparison of two players. `page` is the number of the page in the list of their common sessions."""

    def __init__(self, one: Subject, other: Subject, *, page: int = 1) -> None:
        self.one, self.other = one, other
        pairs = list(pairs_of(one, other))
        rows = sorted(meetings_of(pairs), key=lambda both: [(row.date, row.session_id) for row in both], reverse=True)
        self.sessions = tally_of([compare_ranks(*both) for both in rows])
        self.compared = sum(is_ranked_together(*both) for both in rows)
        self.etuis, self.difference = compare_etuis(pairs)
        self.mate = mate_of(
            {(mine.row.session_id, mine.row.player): mine.row for mine, _theirs in pairs}.values(), other
        )
        self.page: Page[Any] = Paginator(rows, A_PAGE).get_page(page)
        sessions = read_sessions(mine.session_id for mine, _theirs in self.page.object_list)
        self.meetings = [
            Meeting(CareerSession(mine, sessions[mine.session_id]), mine, theirs, compare_ranks(mine, theirs))
            for mine, theirs in self.page.object_list
        ]

    @property
    def is_empty(self) -> bool:
        return not self.meetings


def pairs_of(one: Subject, other: Subject) -> Iterator[tuple[PlayedRow, PlayedRow]]:
    """Yield pairs of rows, one of each player, from the same session or from sections that are compared.

    Two queries.
    """
    mine, theirs = (played_with(*both) for both in ((one, other), (other, one)))
    for field in mine.keys() & theirs.keys():
        yield from product(mine[field], theirs[field])


def played_with(one: Subject, other: Subject) -> dict[int, list[PlayedRow]]:
    """Return the rows of player `one` by field, for those fields in which `other` has a row too.

    A field is a session, or several sections whose plays are compared with each other.
    """
    fields = Appearance.objects.filter(player__in=other.ids).order_by().values("field")
    rows = Appearance.objects.filter(player__in=one.ids, field__in=fields).order_by()
    found: defaultdict[int, list[PlayedRow]] = defaultdict(list)
    for *columns, plays in rows.values_list(*CareerRow._fields, "plays"):
        row = CareerRow(*columns)
        found[row.field].append(PlayedRow(row, plays))
    return found


def meetings_of(pairs: Sequence[tuple[PlayedRow, PlayedRow]]) -> Iterator[tuple[CareerRow, CareerRow]]:
    """Yield the pairs of rows to list: both players' rows in each session that both played.

    If the two rows are from different sections, the pair is left out if both players played in one of these sections.
    """
    both_played = {mine.row.session_id for mine, theirs in pairs if mine.row.session_id == theirs.row.session_id}
    for mine, theirs in pairs:
        sections = {mine.row.session_id, theirs.row.session_id}
        if len(sections) == 1 or not sections & both_played:
            yield mine.row, theirs.row


def is_ranked_together(one: CareerRow, other: CareerRow) -> bool:
    return one.session_id == other.session_id and one.rank is not None and other.rank is not None


def compare_ranks(one: CareerRow, other: CareerRow) -> int:
    """Return 1 if `one` has the better rank, −1 if `other` has, 0 if they share a rank or are not ranked together."""
    if not is_ranked_together(one, other) or one.rank is None or other.rank is None:
        return 0
    return (other.rank > one.rank) - (other.rank < one.rank)


def tally_of(signs: Sequence[int]) -> DuelTally:
    """Return how many signs are 1, 0 and −1."""
    return DuelTally(signs.count(1), signs.count(0), signs.count(-1))


def compare_etuis(pairs: Sequence[tuple[PlayedRow, PlayedRow]]) -> tuple[DuelTally, NoteDifference]:
    """Compare the notes of étuis that both players played on the same line.

    Only étuis that count for both are compared.
    """
    signs: list[int] = []
    sums = Sum()
    for mine, theirs in pairs:
        if not mine.plays or not theirs.plays:
            continue
        den, other_den = mine.row.figures["den"], theirs.row.figures["den"]
        common, others = lcm(den, other_den), theirs.notes
        for where, note in mine.notes.items():
            if where in others:
                less = note * (common // den) - others[where] * (common // other_den)
                signs.append((less > 0) - (less < 0))
                sums.add(common, 1, less, less * less)
    sample = sums.sample
    found = find_interval((Fraction(1), sample)) if signs else None
    return tally_of(signs), NoteDifference(sample.mean, found and found.within(-100, 100))


def mate_of(rows: Iterable[CareerRow], other: Subject) -> Mate:
    """Return the figures of the deals, in these rows, that the rows' player played at one table with `other`."""
    mate = Mate()
    for row in rows:
        for who, *cells in row.figures.get("m", ()):
            if who in other.ids:
                mate.add(row.figures["den"], cells)
    return mate


class OpponentChoice(NamedTuple):
    """A player to compare with, and the number of sessions that both players have played."""

    player: Player
    sessions: int


def find_choices(one: Subject, known: CareerState, words: str, page: int) -> tuple[Page[Any], list[OpponentChoice]]:
    """Return a page of the persons with whom `one` can be compared, and the choices on this page.

    The persons with the most common sessions come first. They are shown by name, have played in the same sessions, and
    their names contain all these words (accents do not matter). Three queries.
    """
    fields = Appearance.objects.filter(player__in=one.ids).order_by().values("field")
    others = Appearance.objects.filter(field__in=fields).exclude(player__in=one.ids).order_by()
    counts = dict(others.values_list("player").annotate(Count("field")))
    people = Player.objects.filter(pk__in=counts, erased_at=None, merged_into__erased_at=None)
    met: defaultdict[int, int] = defaultdict(int)
    for number, person in people.values_list("pk", "person_id"):
        met[person] += counts[number]
    named = (
        Player.objects.keep_named().filter(person__in=met, club__in=known.clubs).exclude(person=one.player.person_id)
    )
    wanted = simplify_name(words).split()
    found = {
        person: pk
        for pk, person, last, first in named.order_by("-pk").values_list("pk", "person_id", "last_name", "first_name")
        if all(word in simplify_name(f"{first} {last}") for word in wanted)
    }
    listed = Paginator(sorted(found, key=lambda person: (-met[person], person)), A_PAGE).get_page(page)
    shown = [found[person] for person in listed.object_list]
    players = Player.objects.select_related("club", *PUBLIC).in_bulk(shown)
    return listed, [OpponentChoice(players[pk], met[players[pk].person_id]) for pk in shown if pk in players]
