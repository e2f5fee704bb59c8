"""The stored summaries of careers: one for each player and season, made by the job that makes the rows.

A player with several seasons also has one summary of them all, so that a page costs the same after ten seasons as after
one. A summary records from which rows it was made. If it is stale or missing, the reader adds up the seasons, or the
season's rows, instead, so that no page shows stale figures.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby
from typing import Any, NamedTuple

from django.db.models import Count, Max, Q, QuerySet

from rankings.careers.figures import Totals, Where
from rankings.careers.rows import MARKS, SIZE
from scoring.intervals import Sample
from tournaments.models import Appearance, CareerSeason

ALL_SEASONS = 0  # the season of a summary of all seasons of a player


class SummaryKey(NamedTuple):
    """The player and the season of a summary. The season is ALL_SEASONS in a summary of all of them."""

    player: int
    season: int


class SummarySource(NamedTuple):
    """The rows from which a summary was made: their number, and the highest of their ids."""

    rows: int
    newest: int


@dataclass(slots=True)
class CareerSummary:
    """The summary of a player's rows: totals, percentages by month, and numbers of sessions.

    `row_months` has a sample of the percentages of the rows for each month, by its first day as text. `kept_months` has
    the samples of the stored summaries, in their stored form: most pages do not need them. The other fields are
    numbers of sessions. `in_marks`: sessions of donnes libres, which are in none of the others. `stood_in`: sessions in
    which the player was only a stand-in. `in_ranks_alone`: sessions whose single deals are not shown. `imposed` and
    `free`: sessions with an imposed contract, and with a free auction. `not_at_four`: the sessions among these whose
    tables had three or five players.
    """

    totals: Totals = field(default_factory=Totals)
    row_months: defaultdict[str, Sample] = field(default_factory=lambda: defaultdict(Sample))
    kept_months: list[dict[str, Any]] = field(default_factory=list)
    stood_in: int = 0
    in_ranks_alone: int = 0
    imposed: int = 0
    free: int = 0
    in_marks: int = 0
    not_at_four: int = 0

    def add_row(self, row: "SummaryRow") -> None:
        """Add one row."""
        if MARKS in row.figures:
            self.in_marks += 1
            return
        self.totals.add(row.figures, is_free=row.is_free, where=Where(row.session_id, row.version, str(row.date)))
        if row.overall:
            self.row_months[str(row.date.replace(day=1))] += Sample.of([Fraction(row.overall)])
        self.stood_in += row.is_stand_in
        self.in_ranks_alone += bool(row.deals) and "den" not in row.figures
        self.not_at_four += SIZE in row.figures
        self.imposed += not row.is_free
        self.free += row.is_free

    def add_kept(self, data: dict[str, Any]) -> None:
        """Add a stored summary, in the form that `to_data` returns."""
        self.totals.add_kept(data["totals"])
        self.kept_months.append(data["months"])
        for name in COUNTS:
            setattr(self, name, getattr(self, name) + data.get(name, 0))

    @property
    def months(self) -> dict[str, Sample]:
        """A sample of the sessions' percentages for each month, by its first day as text."""
        samples = defaultdict(Sample, self.row_months)
        for months in self.kept_months:
            for month, (count, total, squares) in months.items():
                samples[month] += Sample(count, Fraction(total), Fraction(squares))
        return dict(samples)

    def to_data(self) -> dict[str, Any]:
        """Return the summary in the form that is stored as JSON."""
        return {
            "totals": self.totals.to_data(),
            "months": {month: [one.count, str(one.total), str(one.squares)] for month, one in self.months.items()},
            **{name: count for name in COUNTS if (count := getattr(self, name)) or name not in LATER},
        }


LATER = ("in_marks", "not_at_four")  # stored only where they are not 0
COUNTS = ("stood_in", "in_ranks_alone", "imposed", "free", *LATER)


class SummaryRow(NamedTuple):
    """The columns of an `Appearance` that a summary needs."""

    player: int
    season: int
    pk: int
    session_id: int
    version: int
    date: Any
    is_free: bool
    is_stand_in: bool
    overall: str
    deals: int
    figures: dict[str, Any]


def find_made(players: Collection[int]) -> dict[SummaryKey, SummarySource]:
    """Return the rows that exist now, as number and highest id, by player and season."""
    rows = Appearance.objects.filter(player__in=players).order_by("player", "season").values_list("player", "season")
    return {
        SummaryKey(player, season): SummarySource(*counts)
        for player, season, *counts in rows.annotate(Count("pk"), Max("pk"))
    }


def find_wholes(made: Mapping[SummaryKey, SummarySource]) -> dict[SummaryKey, SummarySource]:
    """Return the rows of all seasons together, for the players with rows in several seasons."""
    wholes: dict[SummaryKey, SummarySource] = {}
    for player, keys in groupby(sorted(made), key=lambda key: key.player):
        sources = [made[key] for key in keys]
        if len(sources) > 1:
            source = SummarySource(sum(each.rows for each in sources), max(each.newest for each in sources))
            wholes[SummaryKey(player, ALL_SEASONS)] = source
    return wholes


def summarise_careers(made: Mapping[SummaryKey, SummarySource]) -> CareerSummary:
    """Return the sum of the rows of these players and seasons, as `find_made` returns them.

    A summary of several seasons is used where these are all seasons of the player. One query reads the summaries of
    seasons, and one more those of several. If a summary is stale, one more query reads its rows.
    """
    whole, stale, wholes = CareerSummary(), dict(made), find_wholes(made)
    players = [key.player for key in wholes]
    kept_wholes = CareerSeason.objects.filter(player__in=players, season=ALL_SEASONS) if players else ()
    for kept in kept_wholes:
        if is_current(kept, wholes[SummaryKey(kept.player, ALL_SEASONS)]):
            whole.add_kept(kept.data)
            stale = {key: source for key, source in stale.items() if key.player != kept.player}
    seasons = {key.season for key in stale}
    for kept in CareerSeason.objects.filter(player__in={key.player for key in stale}, season__in=seasons):
        key = SummaryKey(kept.player, kept.season)
        if key in stale and is_current(kept, stale[key]):
            whole.add_kept(kept.data)
            del stale[key]
    for row in read_rows(stale):
        whole.add_row(row)
    return whole


def read_rows(keys: Collection[SummaryKey]) -> Iterable[SummaryRow]:
    """Return the rows of these players and seasons, sorted by player and season."""
    if not keys:
        return []
    where = Q()
    for player, group in groupby(sorted(keys), key=lambda key: key.player):
        where |= Q(player=player, season__in=[key.season for key in group])
    rows: QuerySet[Appearance] = Appearance.objects.filter(where).order_by("player", "season")
    return (SummaryRow(*row) for row in rows.values_list(*SummaryRow._fields))


def renew(players: Collection[int]) -> None:
    """Store new summaries of these players where the stored ones are stale, and delete those without rows."""
    made = find_made(players)
    wholes = find_wholes(made)
    kept = {SummaryKey(each.player, each.season): each for each in CareerSeason.objects.filter(player__in=players)}
    gone = [each.pk for key, each in kept.items() if key not in made and key not in wholes]
    CareerSeason.objects.filter(pk__in=gone).delete()
    stale = {key: source for key, source in made.items() if not is_current(kept.get(key), source)}
    for key, rows in groupby(read_rows(stale), key=lambda row: SummaryKey(row.player, row.season)):
        summary, numbers = CareerSummary(), []
        for row in rows:
            summary.add_row(row)
            numbers.append(row.pk)
        kept[key] = summary_row(key, SummarySource(len(numbers), max(numbers)), summary)
    renewed = [kept[key] for key in stale if key in kept]
    for key, source in wholes.items():
        seasons = [kept[each] for each in made if each.player == key.player and each in kept]
        if not is_current(kept.get(key), source) and find_source(seasons) == source:
            summary = CareerSummary()
            for each in seasons:
                summary.add_kept(each.data)
            renewed.append(summary_row(key, source, summary))
    CareerSeason.objects.bulk_create(
        renewed, update_conflicts=True, unique_fields=["player", "season"], update_fields=["rows", "newest", "data"]
    )


def is_current(kept: CareerSeason | None, told: SummarySource) -> bool:
    """Return whether a stored summary was made from these rows."""
    return kept is not None and SummarySource(kept.rows, kept.newest) == told


def find_source(summaries: Collection[CareerSeason]) -> SummarySource:
    """Return the rows from which these summaries were made, together."""
    return SummarySource(sum(each.rows for each in summaries), max((each.newest for each in summaries), default=0))


def summary_row(key: SummaryKey, told: SummarySource, summary: CareerSummary) -> CareerSeason:
    """Return the unsaved row of a summary."""
    return CareerSeason(player=key.player, season=key.season, **told._asdict(), data=summary.to_data())
