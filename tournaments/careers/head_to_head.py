"""Two players held against each other: the sessions that both played, the étuis that both had in the same seat, the
deals that they sat down to together. And whom somebody may be held against, found by name."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import lcm
from typing import Any, NamedTuple

from django.core.paginator import Page, Paginator
from django.db.models import Count

from clubs.models import Player
from clubs.names import plain
from clubs.shown import PUBLIC
from scoring.intervals import Interval, find_interval
from tournaments.careers.figures import Mate, Sum
from tournaments.careers.reading import A_PAGE, Evening, Row, sessions_of
from tournaments.careers.subjects import Known, Subject
from tournaments.models import Appearance
from tournaments.rules.split import BEFORE


class PlayedRow(NamedTuple):
    """A row with its single deals."""

    row: Row
    plays: list[Any]

    @property
    def notes(self) -> dict[tuple[Any, ...], int]:
        """Return the notes by étui, line and the plays that they are compared with: those of all sections, but of an
        étui that was altered in this section from then on those of this section alone."""
        return {
            (etui, line, part, 0 if part == BEFORE else self.row.session_id): note
            for etui, line, part, note in self.plays
        }


class Meeting(NamedTuple):
    """A session that both played; `first` tells who ranks before the other, 1, −1, or 0 where neither does."""

    evening: Evening
    one: Row
    other: Row
    first: int


class Tally(NamedTuple):
    """How often the one did better than the other, as well, and worse."""

    better: int
    equal: int
    worse: int

    @property
    def all(self) -> int:
        return sum(self)


class Difference(NamedTuple):
    """The one’s notes less the other’s, in the mean; its interval however many there are, where it can be told."""

    mean: Fraction | None
    interval: Interval | None


class HeadToHead:
    """`page` of the list of sessions."""

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
        sessions = sessions_of(mine.session_id for mine, _theirs in self.page.object_list)
        self.meetings = [
            Meeting(Evening(mine, sessions[mine.session_id]), mine, theirs, compare_ranks(mine, theirs))
            for mine, theirs in self.page.object_list
        ]

    @property
    def is_empty(self) -> bool:
        return not self.meetings


def pairs_of(one: Subject, other: Subject) -> Iterator[tuple[PlayedRow, PlayedRow]]:
    """Yield each row of the one with each of the other, of the same session or of sections compared with each other.
    Two queries."""
    mine, theirs = (played_with(*both) for both in ((one, other), (other, one)))
    for field in mine.keys() & theirs.keys():
        yield from product(mine[field], theirs[field])


def played_with(one: Subject, other: Subject) -> dict[int, list[PlayedRow]]:
    """Return the rows of the one by field, for each field in which the other has a row too."""
    fields = Appearance.objects.filter(player__in=other.ids).order_by().values("field")
    rows = Appearance.objects.filter(player__in=one.ids, field__in=fields).order_by()
    found: defaultdict[int, list[PlayedRow]] = defaultdict(list)
    for *columns, plays in rows.values_list(*Row._fields, "plays"):
        row = Row(*columns)
        found[row.field].append(PlayedRow(row, plays))
    return found


def meetings_of(pairs: Sequence[tuple[PlayedRow, PlayedRow]]) -> Iterator[tuple[Row, Row]]:
    """Yield the pairs to list: the two rows of each session that both played. Two rows of different sections are
    listed only where neither of these was played by both."""
    both_played = {mine.row.session_id for mine, theirs in pairs if mine.row.session_id == theirs.row.session_id}
    for mine, theirs in pairs:
        sections = {mine.row.session_id, theirs.row.session_id}
        if len(sections) == 1 or not sections & both_played:
            yield mine.row, theirs.row


def is_ranked_together(one: Row, other: Row) -> bool:
    return one.session_id == other.session_id and one.rank is not None and other.rank is not None


def compare_ranks(one: Row, other: Row) -> int:
    """1 where the one ranks before the other, −1 after him, 0 where they share a rank or are not ranked together."""
    if not is_ranked_together(one, other) or one.rank is None or other.rank is None:
        return 0
    return (other.rank > one.rank) - (other.rank < one.rank)


def tally_of(signs: Sequence[int]) -> Tally:
    return Tally(signs.count(1), signs.count(0), signs.count(-1))


def compare_etuis(pairs: Sequence[tuple[PlayedRow, PlayedRow]]) -> tuple[Tally, Difference]:
    """Over the étuis that both played on the same line, counted for both."""
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
    return tally_of(signs), Difference(sample.mean, found and found.within(-100, 100))


def mate_of(rows: Iterable[Row], other: Subject) -> Mate:
    """Sum up what the deals at one table came to for the one, whose rows these are."""
    mate = Mate()
    for row in rows:
        for who, *cells in row.figures.get("m", ()):
            if who in other.ids:
                mate.add(row.figures["den"], cells)
    return mate


class Choice(NamedTuple):
    """Somebody to be held against, and in how many sessions both have played."""

    player: Player
    sessions: int


def find_choices(one: Subject, known: Known, words: str, page: int) -> tuple[Page[Any], list[Choice]]:
    """Those who played in the same sessions and are shown by name, whoever was met most often first; with these words
    in their names, accents aside. Three queries."""
    fields = Appearance.objects.filter(player__in=one.ids).order_by().values("field")
    others = Appearance.objects.filter(field__in=fields).exclude(player__in=one.ids).order_by()
    counts = dict(others.values_list("player").annotate(Count("field")))
    people = Player.objects.filter(pk__in=counts, erased_at=None, merged_into__erased_at=None)
    met: defaultdict[int, int] = defaultdict(int)
    for number, person in people.values_list("pk", "person_id"):
        met[person] += counts[number]
    named = Player.objects.named().filter(person__in=met, club__in=known.clubs).exclude(person=one.player.person_id)
    wanted = plain(words).split()
    found = {
        person: pk
        for pk, person, last, first in named.order_by("-pk").values_list("pk", "person_id", "last_name", "first_name")
        if all(word in plain(f"{first} {last}") for word in wanted)
    }
    listed = Paginator(sorted(found, key=lambda person: (-met[person], person)), A_PAGE).get_page(page)
    shown = [found[person] for person in listed.object_list]
    players = Player.objects.select_related("club", *PUBLIC).in_bulk(shown)
    return listed, [Choice(players[pk], met[players[pk].person_id]) for pk in shown if pk in players]
