"""The comparison of two players: their ranks in common sessions, étuis played in the same seat, deals at one table.

The module also finds, by name, the players with whom a player can be compared.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from django.core.paginator import Page, Paginator
from django.db.models import Count

from clubs.models import Player
from clubs.names import simplify_name
from clubs.shown import PUBLIC
from rankings.careers.duels import DuelTally, MetRow, sum_duels
from rankings.careers.figures import Mate
from rankings.careers.reading import A_PAGE, ListedSession, read_listed
from rankings.careers.subjects import CareerState, Subject
from rankings.careers.summaries import summarise_careers
from tournaments.models import Appearance


class Meeting(NamedTuple):
    """A session that both players played.

    `first` is 1 if the first player has the better rank, −1 if the second one, else 0.
    """

    one: ListedSession
    other: ListedSession
    first: int


class HeadToHead:
    """The comparison of two players. `page` is the number of the page in the list of their common sessions.

    `known` is the state of both players, as `look_at` returns it. The sums are stored (`duels`, `summaries`). Figures
    of single sessions are read only for the sessions on the page.
    """

    def __init__(self, one: Subject, other: Subject, known: CareerState, *, page: int = 1) -> None:
        self.one, self.other = one, other
        pairs = list(pairs_of(one, other))
        rows = list(meetings_of(pairs))
        self.sessions = tally_of([compare_ranks(*both) for both in rows])
        duel = sum_duels(pairs)
        self.etuis, self.difference = duel.tally, duel.difference
        self.mate = mate_of(one, other, known)
        self.page: Page[Any] = Paginator(rows, A_PAGE).get_page(page)
        shown = Appearance.objects.filter(pk__in=[row.pk for both in self.page.object_list for row in both])
        listed = {each.row.pk: each for each in read_listed(shown)}
        self.meetings = [
            Meeting(listed[mine.pk], listed[theirs.pk], compare_ranks(mine, theirs))
            for mine, theirs in self.page.object_list
            if mine.pk in listed and theirs.pk in listed  # a job may just have replaced these rows
        ]

    @property
    def is_empty(self) -> bool:
        return not self.meetings


def pairs_of(one: Subject, other: Subject) -> Iterator[tuple[MetRow, MetRow]]:
    """Yield pairs of rows, one of each player, from the same session or from sections that are compared.

    The newest rows of `one` come first, and for each of them the newest rows of `other`. This takes one query, which
    reads all rows of both players. On SQLite, a query for their common sessions takes twice as long.
    """
    mine: list[MetRow] = []
    theirs: defaultdict[int, list[MetRow]] = defaultdict(list)
    rows = Appearance.objects.filter(player__in=[*one.ids, *other.ids]).order_by("-date", "-session_id")
    for row in map(MetRow._make, rows.values_list(*MetRow._fields)):
        if row.player in one.ids:
            mine.append(row)
        else:
            theirs[row.field].append(row)
    for row in mine:
        for met in theirs.get(row.field, ()):
            yield row, met


def meetings_of(pairs: Sequence[tuple[MetRow, MetRow]]) -> Iterator[tuple[MetRow, MetRow]]:
    """Yield the pairs of rows to list: both players' rows in each session that both played.

    If the two rows are from different sections, the pair is left out if both players played in one of these sections.
    """
    both_played = {mine.session_id for mine, theirs in pairs if mine.session_id == theirs.session_id}
    for mine, theirs in pairs:
        sections = {mine.session_id, theirs.session_id}
        if len(sections) == 1 or not sections & both_played:
            yield mine, theirs


def compare_ranks(one: MetRow, other: MetRow) -> int:
    """Return 1 if `one` has the better rank, −1 if `other` has, 0 if they share a rank or are not ranked together."""
    if one.session_id != other.session_id or one.rank is None or other.rank is None:
        return 0
    return (other.rank > one.rank) - (other.rank < one.rank)


def tally_of(signs: Sequence[int]) -> DuelTally:
    """Return how many signs are 1, 0 and −1."""
    return DuelTally(signs.count(1), signs.count(0), signs.count(-1))


def mate_of(one: Subject, other: Subject, known: CareerState) -> Mate:
    """Return the figures of the deals that `one` played at one table with `other`."""
    made = {key: source for key, source in known.made.items() if key.player in one.ids}
    mate = Mate()
    for who, figures in summarise_careers(made).totals.mates.items():
        if who in other.ids:
            mate.join(figures)
    return mate


class OpponentChoice(NamedTuple):
    """A player to compare with, and the number of sessions that both players have played."""

    player: Player
    sessions: int


def find_choices(one: Subject, known: CareerState, words: str, page: int) -> tuple[Page[Any], list[OpponentChoice]]:
    """Return a page of the persons with whom `one` can be compared, and the choices on this page.

    The persons with the most common sessions come first. They are shown by name, have played in the same sessions, and
    their names contain all these words (accents do not matter). This takes three queries.
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
    newest_player = {
        person: pk
        for pk, person, last, first in named.order_by("-pk").values_list("pk", "person_id", "last_name", "first_name")
        if all(word in simplify_name(f"{first} {last}") for word in wanted)
    }
    listed = Paginator(sorted(newest_player, key=lambda person: (-met[person], person)), A_PAGE).get_page(page)
    shown = [newest_player[person] for person in listed.object_list]
    players = Player.objects.select_related("club", *PUBLIC).in_bulk(shown)
    return listed, [OpponentChoice(players[pk], met[players[pk].person_id]) for pk in shown if pk in players]
