"""The results of one visitor over all closed rooms, apart from those of club evenings; the best of a month."""

import datetime as dt
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, NamedTuple

from django.core.cache import caches
from django.db.models import QuerySet
from django.utils import timezone

from rooms.models import Room, RoomKind, RoomSeat, Visitor
from rooms.results.ranking import NumberedPage, RankedSeat, show_seats
from rooms.visitors.names import ShownName, show_visitor_names

A_PAGE_OF_OWN = 30
# The least number of deals of a player on the list of a month: three rooms of the half-hour, ten days, one week.
LEAST_DEALS = {RoomKind.HALF: 24, RoomKind.DAY: 10, RoomKind.WEEK: 24, RoomKind.CLASSIC: 24}
MOST_LISTED, MOST_COUNTED = 100, 2000
MEAN, DEALS = "mean", "deals"  # the measures of the list
KEPT_FOR = 300  # seconds for which a process keeps the sums of a month


class KindSums(NamedTuple):
    """The results of a visitor in the rooms of one kind. `mean` is None without a note."""

    kind: RoomKind
    rooms: int
    deals: int
    mean: Fraction | None
    firsts: int


@dataclass(frozen=True, kw_only=True)
class OwnResults(NumberedPage):
    """A page of a visitor's closed rooms, the newest first, and the sums over all of them."""

    size: ClassVar[int] = A_PAGE_OF_OWN
    rows: list[RankedSeat]
    sums: list[KindSums]


class BestRow(NamedTuple):
    """A line of the list of a month: mean percentage, rooms and deals of a player."""

    rank: int
    visitor: int
    shown: ShownName
    mean: Fraction
    rooms: int
    deals: int
    is_own: bool


class BestList(NamedTuple):
    """The rows of the list of a month or of all time, and the countries of all who could be on it."""

    rows: list[BestRow]
    countries: list[str]


class VisitorSums(NamedTuple):
    """The exact mean, the rooms and the deals of a visitor."""

    visitor: int
    mean: Fraction
    rooms: int
    deals: int

    def measure(self, by: str) -> Fraction | int:
        return self.deals if by == DEALS else self.mean


def read_own_results(visitor: Visitor, *, number: int) -> OwnResults:
    """Return the results of a visitor. The number of queries does not depend on how much they have played."""
    seats = RoomSeat.objects.filter(visitor=visitor, room__closed_at__isnull=False, deals__gt=0)
    result_rows = list(seats.order_by().values_list("room__kind", "notes_sum", "deals", "rank"))
    number = min(number, max(1, -(-len(result_rows) // A_PAGE_OF_OWN)))
    first = (number - 1) * A_PAGE_OF_OWN
    rows = seats.select_related("room__terms", "visitor").order_by("-room__opens_at", "-pk")[
        first : first + A_PAGE_OF_OWN
    ]
    return OwnResults(
        rows=show_seats(list(rows), visitor), sums=add_by_kind(result_rows), total=len(result_rows), number=number
    )


def add_by_kind(told: list[tuple[str, str, int, int | None]]) -> list[KindSums]:
    """Return the sums for each kind of room. `told` has the kind, sum of notes, deals and rank of each seat."""
    kind_sums = []
    for kind in RoomKind:
        mine = [each for each in told if each[0] == kind]
        deals = sum(count for _kind, _sum, count, _rank in mine)
        total = sum((Fraction(notes) for _kind, notes, _count, _rank in mine if notes), Fraction())
        firsts = sum(rank == 1 for *_told, rank in mine)
        if mine:
            kind_sums.append(KindSums(kind, len(mine), deals, total / deals if deals else None, firsts))
    return kind_sums


def read_best(
    kind: RoomKind, month: dt.date | None, *, visitor: Visitor | None, by: str = MEAN, country: str = ""
) -> BestList:
    """Return the best players of a month, or of all time, in rooms of this kind: by mean percentage, or by deals.

    Only ranked results of accounts count, from `LEAST_DEALS` of the kind on. With a `country`, only its players are
    listed, with ranks of their own. The sums may be five minutes old.
    """
    best_sums = find_best(kind, month)
    shown = show_visitor_names(Visitor.objects.filter(pk__in=[each.visitor for each in best_sums]))
    named = [each for each in best_sums if each.visitor in shown]
    countries = sorted({shown[each.visitor].country for each in named} - {""})
    listed = [each for each in named if country in ("", shown[each.visitor].country)]
    listed.sort(key=lambda each: (-each.measure(by), -each.measure(MEAN if by == DEALS else DEALS), each.visitor))
    rows: list[BestRow] = []
    for place, each in enumerate(listed[:MOST_LISTED], start=1):
        is_equal = bool(rows) and listed[place - 2].measure(by) == each.measure(by)
        is_own = visitor is not None and visitor.pk == each.visitor
        name, rank = shown[each.visitor], rows[-1].rank if is_equal else place
        rows.append(BestRow(rank, each.visitor, name, each.mean, each.rooms, each.deals, is_own))
    return BestList(rows, countries)


def find_best(kind: RoomKind, month: dt.date | None) -> list[VisitorSums]:
    """Return the sums of the best of a month, or of all time (None), by mean. A process keeps them for some minutes."""
    rooms = Room.objects.filter(kind=kind, closed_at__isnull=False)
    if month is not None:
        first, end = find_month(month)
        rooms = rooms.filter(opens_at__gte=first, opens_at__lt=end)
    newest = rooms.order_by("-closed_at").values_list("closed_at", flat=True).first()
    key = f"rooms-best:{kind}:{month and month.strftime('%Y-%m')}:{newest and newest.timestamp()}"
    best_sums: list[VisitorSums] | None = caches["process"].get(key)
    if best_sums is None:
        best_sums = add_by_visitor(
            RoomSeat.objects.filter(room__in=rooms, rank__isnull=False, is_guest=False, is_program=False),
            least=LEAST_DEALS[kind],
        )
        caches["process"].set(key, best_sums, KEPT_FOR)
    return best_sums


def add_by_visitor(seats: QuerySet[RoomSeat], *, least: int) -> list[VisitorSums]:
    """Return the sums of each visitor over these seats, from `least` deals on, the best mean first."""
    sums: defaultdict[int, tuple[Fraction, int, int]] = defaultdict(lambda: (Fraction(), 0, 0))
    for pk, notes, count in seats.order_by().values_list("visitor", "notes_sum", "deals").iterator():
        total, rooms, deals = sums[pk]
        sums[pk] = total + Fraction(notes or 0), rooms + 1, deals + count
    visitor_sums = [
        VisitorSums(pk, total / deals, rooms, deals) for pk, (total, rooms, deals) in sums.items() if deals >= least
    ]
    return sorted(visitor_sums, key=lambda each: (-each.mean, -each.deals, each.visitor))[:MOST_COUNTED]


def find_month(month: dt.date) -> tuple[dt.datetime, dt.datetime]:
    """Return the first moment of a month, and of the next one, in the site's time zone."""
    zone = timezone.get_default_timezone()
    first = month.replace(day=1)
    after = (first + dt.timedelta(days=32)).replace(day=1)
    return dt.datetime.combine(first, dt.time(), zone), dt.datetime.combine(after, dt.time(), zone)
