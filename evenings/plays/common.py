"""The data that all tables of a session share, in a cache of this process. This module only reads.

The session's revision is part of the cache's key, and every write of this data raises it. Code that holds the session's
lock must not use the cache: the data would lack the writes of its own transaction.

The ranking that counts is the session's reference.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from threading import Lock
from types import MappingProxyType
from typing import NamedTuple

from django.db.models import QuerySet

from deals.domain.cards import LINES
from evenings.plays.attackers import members_of, team_ids
from evenings.plays.rulings_given import newest_by_etui
from evenings.reference import find_reference, has_teams_first, is_beside
from evenings.teams.lineups import SeatPlaces, read_session_line_ups
from evenings.teams.naming import join_public_names
from scoring.formats import INDIVIDUAL, find_format
from scoring.teams import TeamTable, find_parted, order_teams
from tournaments.models import Entrant, Etui, EtuiRuling, Play, Publication, Session, TeamMember
from tournaments.models.plays import PUBLIC_PEOPLE
from tournaments.models.seats import find_taker_seat, read_with_seats
from tournaments.reports.codec import decode
from tournaments.reports.session import RankedPlayer, ReportedTeam, decode_players


class SessionOutcome(NamedTuple):
    """The published results of a session: the version's number and status, and the players.

    `by_entrant` has all players by the entrant's id. `players` has those with a rank, from first to last. `reference`
    is the name of the rank that counts. `teams` has the teams that add up their players' results, if they are ranked
    first.
    """

    version: int
    status: str
    by_entrant: dict[int, RankedPlayer]
    reference: str
    teams: Sequence[ReportedTeam] = ()

    @property
    def is_public(self) -> bool:
        """True if the publication has not been withdrawn."""
        return self.status != Publication.PublicationStatus.WITHDRAWN

    @property
    def players(self) -> list[RankedPlayer]:
        ranked = [player for player in self.by_entrant.values() if self.rank(player)]
        return sorted(ranked, key=lambda player: self.rank(player) or 0)

    def rank(self, player: RankedPlayer) -> int | None:
        rank: int | None = getattr(player, self.reference)
        return rank


def read_outcome(session_id: int) -> SessionOutcome | None:
    """Return the results in the newest publication of the session, or None before the first one."""
    newest = Publication.objects.filter(session=session_id).order_by("-version")
    counted = newest.annotate(beside=is_beside("session", "session__tournament"))
    columns = ("version", "status", "data__players", "beside", "data__form", "data__teams")
    row = counted.values_list(*columns).first()
    if row is None:
        return None
    version, status, players, beside, form, teams = row
    format = find_format(form or INDIVIDUAL.name)
    measure = format.measure
    by_entrant = {player.id: player for player in decode_players(players)}
    has_alterne = any(player.rank_alterne for player in by_entrant.values())
    reference = find_reference(alone=not beside, has_alterne=has_alterne).rank
    if form:
        by_entrant = {pk: player.change(overall=measure(player.overall)) for pk, player in by_entrant.items()}
    first = teams if has_teams_first(format, teams or ()) else ()
    ranked = [team.change(total=measure(team.total)) for team in (decode(ReportedTeam, row) for row in first)]
    return SessionOutcome(version, status, by_entrant, reference, ranked)


NORTH_SIDE, EAST_SIDE = "N", "E"  # the lines N and E stand for the team North-South and the team East-West


class Common(NamedTuple):
    """The data that all tables of a session share.

    `people` has the entrants with their players, by the entrant's id. `etuis` has the étuis without their cards,
    and `rulings` the newest ruling on each étui, both by the étui's id. `seats` has each (table number, line) of an
    entrant in a position, by (position, entrant's id); only a team can have several. `outcome` has the published
    ranks; it is None before the first publication. `members` are all members of the teams, also former ones; it is
    empty if single players play. Where line-ups exist, `line_ups` has who sits where in each team, by the team's
    id. `parted` has the positions in which a team sits at several tables, and `laid` is the last position in which
    people are seated.
    """

    people: Mapping[int, Entrant]
    etuis: Mapping[int, Etui]
    rulings: Mapping[int, EtuiRuling]
    seats: Mapping[tuple[int, int], Sequence[tuple[int, str]]]
    outcome: SessionOutcome | None
    members: Sequence[TeamMember] = ()
    line_ups: Mapping[int, Sequence[SeatPlaces]] = MappingProxyType({})
    parted: Collection[int] = ()
    laid: int = 0

    def knows(self, plays: Iterable[Play]) -> bool:
        """Return whether this data has the étuis and entrants of these plays. If not, the plan changed in between."""
        return all(play.etui_id in self.etuis and self.people.keys() >= {*play.seat_ids.values()} for play in plays)


def common_of(session: Session) -> Common:
    """Return the shared data of a session from the cache, or read it."""
    with one_at_a_time:  # one thread reads the data, and the others then find it in the cache
        return kept_common(session.pk, session.revision, session.tournament.club.names_version)


@lru_cache(maxsize=16)
def kept_common(session_id: int, _revision: int, _names: int) -> Common:
    return read_common(session_id)


def read_common(session_id: int) -> Common:
    """Return the shared data of a session, read from the database.

    Nobody reads line-ups where the teams are too small for one.
    """
    plays = Play.objects.filter(session=session_id).order_by()
    people = Entrant.objects.filter(session=session_id).select_related(*PUBLIC_PEOPLE).in_bulk()
    join_public_names(people.values())
    teams = team_ids(people.values())
    seats: Mapping[tuple[int, int], Sequence[tuple[int, str]]] = (
        seats_of_teams(plays)
        if teams
        else {
            (position, entrant): ((table, line),)
            for (position, table), seats in read_with_seats(plays.distinct(), "position", "table__number")
            for line, entrant in seats.items()
        }
    )
    members = members_of(teams) if teams else ()
    fours = any(member.place >= len(LINES) for member in members)
    return Common(
        people=people,
        etuis=Etui.objects.filter(pk__in=plays.values("etui")).defer("cards").in_bulk(),
        rulings=newest_by_etui(session_id),
        seats=seats,
        outcome=read_outcome(session_id),
        members=members,
        line_ups=read_common_line_ups(session_id) if fours else {},
        parted={position for (position, _), places in seats.items() if len(places) > 1},
        laid=max((position for position, _ in seats), default=0),
    )


def read_common_line_ups(session_id: int) -> Mapping[int, Sequence[SeatPlaces]]:
    """Return who sits where in each team, by the team's id. {} unless line-ups are for a whole session.

    Line-ups for a part of a session may still be secret.
    """
    session = Session.objects.select_related("tournament").get(pk=session_id)
    return read_session_line_ups(session)


def seats_of_teams(plays: "QuerySet[Play]") -> dict[tuple[int, int], list[tuple[int, str]]]:
    """Return where the teams sit, as in `Common.seats`.

    The line is N for the team North-South, and E for the team East-West. In some positions a team sits at several
    tables. There the attacking team of a table has N, and the other team E.
    """
    at: dict[tuple[int, int], tuple[str, int, int]] = {}
    plays = plays.order_by("position", "table__number", "etui__number")
    for (position, table, named), seats in read_with_seats(plays, "position", "table__number", "etui__taker"):
        if (position, table) not in at:
            taker = find_taker_seat(seats, named)
            (defending,) = set(seats.values()) - {seats[taker]}
            at[position, table] = taker, seats[taker], defending
    parted = find_parted(TeamTable(*place, frozenset(both)) for place, (_, *both) in at.items())
    found: dict[tuple[int, int], list[tuple[int, str]]] = {}
    for (position, table), (taker, attacking, defending) in at.items():
        first, second = order_teams(attacking, defending, taker, parted=position in parted)
        found.setdefault((position, first), []).append((table, NORTH_SIDE))
        found.setdefault((position, second), []).append((table, EAST_SIDE))
    return found


one_at_a_time = Lock()
