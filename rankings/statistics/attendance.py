"""The attendance of a club's evenings by weekday and by month, and the players who have not come for long.

An evening is a day with at least one session that was started and is not put away. A person who plays in two sessions
of a day is counted once. Substitutes, stand-ins and members of teams are counted too. Only directors see these figures.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, NamedTuple, TypeVar

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce

from clubs.models import Club, Player
from evenings.teams.membership import JOINS, find_span
from tournaments.models import Entrant, Session, TeamMember

LOOK_BACK = dt.timedelta(days=2 * 365)  # whoever came before that is no longer expected
LEAST_EVENINGS = 3  # whoever came less often was a guest


Key = TypeVar("Key", int, dt.date)


class EveningVisits(NamedTuple):
    """The number of players of one evening."""

    date: dt.date
    players: int


class VisitGroup(NamedTuple, Generic[Key]):
    """The evenings of one weekday (0 for Monday) or of one month (its first day), and the visits to them."""

    key: Key
    evenings: int
    visits: int

    @property
    def mean(self) -> Fraction:
        """The number of players of an evening, in the mean."""
        return Fraction(self.visits, self.evenings)


@dataclass(frozen=True, slots=True)
class Attendance:
    """The evenings of a period, the oldest first. `people` is the number of different players."""

    evenings: list[EveningVisits]
    people: int

    @property
    def visits(self) -> int:
        return sum(evening.players for evening in self.evenings)

    @property
    def mean(self) -> Fraction | None:
        """The number of players of an evening, in the mean. None without evenings."""
        return Fraction(self.visits, len(self.evenings)) if self.evenings else None

    @property
    def by_weekday(self) -> list[VisitGroup[int]]:
        """The weekdays with evenings, from Monday on."""
        return group_visits((evening.date.weekday(), evening) for evening in self.evenings)

    @property
    def by_month(self) -> list[VisitGroup[dt.date]]:
        """The months with evenings, the oldest first."""
        return group_visits((evening.date.replace(day=1), evening) for evening in self.evenings)


class AbsentPlayer(NamedTuple):
    """A player who has not come for long: the last evening, and the number of evenings within LOOK_BACK."""

    player: Player
    last: dt.date
    evenings: int


def group_visits(evenings: Iterable[tuple[Key, EveningVisits]]) -> list[VisitGroup[Key]]:
    """Return the groups of evenings with the same key, sorted by key."""
    counts_by_key: defaultdict[Key, list[int]] = defaultdict(list)
    for key, evening in evenings:
        counts_by_key[key].append(evening.players)
    return sorted(VisitGroup(key, len(counts), sum(counts)) for key, counts in counts_by_key.items())


def read_attendance(club: Club, first: dt.date, last: dt.date) -> Attendance:
    """Return the evenings of a club from `first` to `last`. Two queries, and one more if teams played."""
    by_day: defaultdict[dt.date, set[int]] = defaultdict(set)
    for day, player in read_visits(club, first, last):
        by_day[day].add(player)
    evenings = [EveningVisits(day, len(players)) for day, players in sorted(by_day.items())]
    return Attendance(evenings, len(set[int]().union(*by_day.values())))


def find_absent(club: Club, today: dt.date, weeks: int) -> list[AbsentPlayer]:
    """Return the players on the club's list who came at least LEAST_EVENINGS times, but not in the last `weeks` weeks.

    Those who came most often are first. Three queries, and one more if teams played.
    """
    days: defaultdict[int, set[dt.date]] = defaultdict(set)
    for day, player in read_visits(club, today - LOOK_BACK, today):
        days[player].add(day)
    long_ago = today - dt.timedelta(weeks=weeks)
    gone = {pk: dates for pk, dates in days.items() if len(dates) >= LEAST_EVENINGS and max(dates) < long_ago}
    players = Player.objects.filter(club=club, pk__in=gone).keep_listed()
    absent = [AbsentPlayer(player, max(gone[player.pk]), len(gone[player.pk])) for player in players]
    return sorted(absent, key=lambda each: (-each.evenings, each.last, each.player.listed, each.player.pk))


def read_visits(club: Club, first: dt.date, last: dt.date) -> set[tuple[dt.date, int]]:
    """Return who came on which day, as (day, id of the player). A merged player counts as the remaining one.

    Whoever left before the first position never came.
    """
    never = Q(last_position__lt=F("first_position"), earlier=[])
    entrants = Entrant.objects.filter(session__in=list_started(club, first, last)).exclude(never).order_by()
    columns = ("session__date", "session__number", "team", "stand_in_from")
    who = {"who": Coalesce("player__merged_into", "player"), "other": Coalesce("stand_in__merged_into", "stand_in")}
    rows = list(entrants.annotate(**who).values_list(*columns, "first_position", *who))
    visits = {(day, who) for day, _number, _team, start, begun, who, _other in rows if who and start != begun}
    visits |= {(day, other) for day, *_told, other in rows if other}
    by_team: defaultdict[int, list[tuple[dt.date, int]]] = defaultdict(list)
    for day, number, team, *_told in rows:
        if team:
            by_team[team].append((day, number))
    if by_team:
        members = TeamMember.objects.filter(team__in=by_team).select_related("player", *JOINS)
        visits |= {
            (day, member.player.merged_into_id or member.player_id)
            for member in members
            for day, number in by_team[member.team_id]
            if find_span(member, number) is not None
        }
    return visits


def list_started(club: Club, first: dt.date, last: dt.date) -> QuerySet[Session]:
    """Return the sessions of a club's evenings from `first` to `last`."""
    started = Session.objects.filter(tournament__club=club, status=Session.Status.RUNNING)
    return started.filter(put_away_at=None, tournament__put_away_at=None, date__range=(first, last))
