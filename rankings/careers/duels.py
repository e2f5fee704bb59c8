"""The comparisons of two players on the étuis that both played on the same line, and their stored sums.

The job that makes the rows of a session also stores, for each pair of its players, the sums over the season
(`CareerDuels`). So a page reads one short list for each season instead of all deals of both players. `data` has, by
"p" and the id of the other player:
`[pairs of rows, newest row, better, equal, worse, denominator, sum of differences, sum of squares]`.

The first two numbers say from which rows the sums were made. If they are not current, the reader compares the étuis
anew. A difference is the note of the player with the lower id minus that of the other.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, groupby
from math import lcm
from typing import Any, NamedTuple

from django.db.models import Q

from rankings.careers.figures import Sum
from scoring.intervals import Interval, find_interval
from tournaments.models import Appearance, CareerDuels
from tournaments.rules.etuis import BEFORE


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


class MetRow(NamedTuple):
    """A row of `Appearance` without its figures: enough to find the sessions that two players share."""

    pk: int
    player: int
    session_id: int
    field: int
    season: int
    rank: int | None


class DealRow(NamedTuple):
    """A row of `Appearance` with the single deals of its player, whose notes are whole numbers over `den`."""

    pk: int
    player: int
    session_id: int
    field: int
    season: int
    den: int | None
    plays: list[Any]

    @property
    def notes(self) -> Iterator[tuple[tuple[Any, ...], int]]:
        """The player's notes by étui, line, part and group. Notes of two players are compared if all four are equal.

        The part tells whether the play was before or after the étui was altered. The group is 0, for all sections
        together. If the étui was altered in this section, the plays after that have the section's id as their group.
        They are compared only with each other.
        """
        for etui, line, part, note in self.plays:
            yield (etui, line, part, 0 if part == BEFORE else self.session_id), note


DEALS = ("pk", "player", "session_id", "field", "season", "figures__den", "plays")


class DuelSource(NamedTuple):
    """The rows from which the sums of a duel were made: the number of pairs of rows, and the highest of their ids."""

    pairs: int
    newest: int


@dataclass(slots=True)
class Duel:
    """The sums of a duel: how often the first player did better, equally well or worse, and the differences."""

    better: int = 0
    equal: int = 0
    worse: int = 0
    differences: Sum = field(default_factory=Sum)

    def add(self, den: int, less: int) -> None:
        """Add a difference of `less` / `den`."""
        self.better += less > 0
        self.equal += not less
        self.worse += less < 0
        self.differences.add(den, 1, less, less * less)

    def add_kept(self, kept: Sequence[int], sign: int) -> None:
        """Add stored sums. With the sign −1, the first player is the one with the higher id."""
        better, equal, worse, den, total, squares = kept
        self.better += better if sign > 0 else worse
        self.equal += equal
        self.worse += worse if sign > 0 else better
        if count := better + equal + worse:
            self.differences.add(den, count, sign * total, squares)

    def to_data(self) -> list[int]:
        """Return the sums in the form that is stored as JSON."""
        common = lcm(*self.differences.cells)
        _count, total, squares = self.differences.over(common)
        return [self.better, self.equal, self.worse, common, total, squares]

    @property
    def tally(self) -> DuelTally:
        return DuelTally(self.better, self.equal, self.worse)

    @property
    def difference(self) -> NoteDifference:
        """The mean difference of the notes, with its interval."""
        sample = self.differences.sample
        interval = find_interval((Fraction(1), sample)) if sample.count else None
        return NoteDifference(sample.mean, interval and interval.within(-100, 100))


def sum_duels(pairs: Iterable[tuple[MetRow, MetRow]]) -> Duel:
    """Return the sums over these pairs of rows, each with a row of the first player and a row of the second.

    One query if all stored sums are current, else two.
    """
    by_key: defaultdict[tuple[int, int, int], list[tuple[MetRow, MetRow]]] = defaultdict(list)
    for mine, theirs in pairs:
        low, high = sorted((mine, theirs), key=lambda row: row.player)
        by_key[low.player, high.player, low.season].append((mine, theirs))
    duel, stale = Duel(), []
    kept = read_kept(by_key)
    for key, both in by_key.items():
        sums = kept.get(key)
        if sums and DuelSource(*sums[:2]) == DuelSource(len(both), max(max(one.pk, two.pk) for one, two in both)):
            duel.add_kept(sums[2:], 1 if both[0][0].player == key[0] else -1)
        else:
            stale += both
    if stale:
        add_deals(duel, stale)
    return duel


def read_kept(keys: Collection[tuple[int, int, int]]) -> dict[tuple[int, int, int], list[int]]:
    """Return the stored sums of these pairs, by the two ids and the season. One query, which reads no other pair."""
    lows, highs, seasons = ({key[place] for key in keys} for place in range(3))
    rows = CareerDuels.objects.filter(player__in=lows, season__in=seasons).order_by()
    kept_rows = rows.values_list("player", "season", *(f"data__p{high}" for high in sorted(highs)))
    return {
        (low, high, season): sums
        for low, season, *each in kept_rows
        for high, sums in zip(sorted(highs), each, strict=True)
        if sums
    }


def add_deals(duel: Duel, pairs: Sequence[tuple[MetRow, MetRow]]) -> None:
    """Compare the étuis of these pairs of rows anew, and add the differences. This takes one query."""
    wanted = {row.pk for pair in pairs for row in pair}
    deals = {row.pk: row for row in read_deals(Q(pk__in=wanted))}
    for mine, theirs in pairs:
        if mine.pk in deals and theirs.pk in deals:  # a job may just have replaced these rows
            one, other = deals[mine.pk], deals[theirs.pk]
            if one.den and other.den:
                common, others = lcm(one.den, other.den), dict(other.notes)
                for where, note in one.notes:
                    if where in others:
                        duel.add(common, note * (common // one.den) - others[where] * (common // other.den))


def read_deals(which: Q) -> Iterator[DealRow]:
    """Return rows with their single deals, sorted by field."""
    rows = Appearance.objects.filter(which).order_by("field", "player", "pk").values_list(*DEALS)
    return (DealRow(*row) for row in rows.iterator(1_000))


def renew_duels(players: Collection[int], seasons: Collection[int]) -> None:
    """Store anew, for these seasons, the sums of these players against everybody in their sessions."""
    for season in seasons:
        fields = Appearance.objects.filter(player__in=players, season=season).order_by().values("field").distinct()
        deals = read_deals(Q(field__in=fields))
        duels = compare_all(deals, frozenset(players), season)
        CareerDuels.objects.filter(player__in=set(players) - duels.keys(), season=season).delete()
        CareerDuels.objects.bulk_create(
            [CareerDuels(player=player, season=season, data=data) for player, data in sorted(duels.items())],
            update_conflicts=True,
            unique_fields=["player", "season"],
            update_fields=["data"],
        )


def compare_all(deals: Iterable[DealRow], players: frozenset[int], season: int) -> dict[int, dict[str, list[int]]]:
    """Return the sums to store of these players in this season, by player id. `deals` are sorted by field."""
    sources: dict[tuple[int, int], DuelSource] = {}
    duels: defaultdict[tuple[int, int], Duel] = defaultdict(Duel)
    for _field, rows in groupby(deals, key=lambda row: row.field):
        field_rows = list(rows)
        of_season = {row.pk for row in field_rows if row.season == season and row.player in players}
        for low, high in combinations(field_rows, 2):  # sorted by player
            if low.pk in of_season and low.player != high.player:
                pair = low.player, high.player
                pairs, newest = sources.get(pair, (0, 0))
                sources[pair] = DuelSource(pairs + 1, max(newest, low.pk, high.pk))
        compare_field(field_rows, of_season, duels)
    stored_sums: defaultdict[int, dict[str, list[int]]] = defaultdict(dict)
    for (player, other), source in sources.items():
        stored_sums[player][f"p{other}"] = [*source, *duels[player, other].to_data()]
    return dict(stored_sums)


def compare_field(rows: Sequence[DealRow], of_season: Collection[int], duels: Mapping[tuple[int, int], Duel]) -> None:
    """Add the differences of each pair of rows of a field to its duel. The rows are sorted by player."""
    common = lcm(*(row.den for row in rows if row.den))
    by_place: defaultdict[tuple[Any, ...], list[tuple[DealRow, int]]] = defaultdict(list)
    for row in rows:
        if row.den:
            for where, note in row.notes:
                by_place[where].append((row, note * (common // row.den)))
    for place_notes in by_place.values():
        for (low, note), (high, other_note) in combinations(place_notes, 2):
            if low.pk in of_season and low.player != high.player:
                duels[low.player, high.player].add(common, note - other_note)
