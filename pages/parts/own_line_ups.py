"""The line-ups of a person's own teams before a session, and the form by which a captain hands one in.

Personal links, registrations and accounts show it. The other members of a team read its line-up here. Nobody else does
before the session starts, except the directors.
"""

import datetime as dt
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _

from clubs.models import User
from deals.domain.cards import LINES
from evenings.changes.line_ups import hand_in_line_up
from evenings.changes.quarters import hand_in_quarter
from evenings.teams.lineups import list_awaiting_entrants, read_line_ups_of_sessions, speaks_for
from evenings.teams.quarters import is_open, list_match_entrants, list_quarters, read_quarters_of_sessions
from tournaments.models import Entrant, Session, Team, TeamMember
from tournaments.numbers import read_number
from tournaments.words.messages import say
from wording import Refusal

SEATS = ("S", *(str(line) for line in LINES if line != "S"))  # the attacker first


class SeatChoice(NamedTuple):
    """The choice of the member for a seat. `name` is that of the field, `member` the id that is chosen."""

    seat: str
    name: str
    member: int
    shown: str


class OwnLineUp(NamedTuple):
    """The line-up of a team of the reader's for a session in preparation.

    `hands_in` is True if the reader may hand it in. `quarter` is 0 for the whole session. `error` says why the typed
    line-up was refused, or is empty.
    """

    entrant: Entrant
    session: Session
    team: Team
    seats: list[SeatChoice]
    members: list[TeamMember]
    chosen: bool
    hands_in: bool
    error: str = ""
    quarter: int = 0

    @property
    def key(self) -> str:
        """The key of the line-up in the form: the entrant's id, in a match with the quarter."""
        return name_quarter(self.entrant, self.quarter) if self.quarter else str(self.entrant.pk)

    @property
    def fields(self) -> str:
        """The text with which the names of the line-up's form fields end."""
        return self.key if self.quarter else str(self.team.pk)


def list_own_line_ups(players: Collection[int], tournament: int | None = None) -> list[OwnLineUp]:
    """Return the line-ups of the teams of these players (ids) in sessions in preparation, the next session first."""
    return [*_read_own(players, tournament), *_read_quarters(players, tournament)]


def _read_own(players: Collection[int], tournament: int | None) -> Iterator[OwnLineUp]:
    entrants = list_awaiting_entrants(players, tournament)
    sessions = {entrant.session_id: entrant.session for entrant in entrants}
    known = read_line_ups_of_sessions([*sessions.values()], {each.team_id for each in entrants if each.team_id})
    for entrant in entrants:
        session, team = entrant.session, entrant.team
        if team is None or (line_up := known[session.pk].get(team.pk)) is None:
            continue
        there = sorted(line_up.members.values(), key=lambda member: member.place)
        seats = make_choices(team.pk, {seat: member.pk for seat, member in line_up.members.items()}, there)
        hands_in = speaks_for(team, players, [member.player_id for member in there])
        yield OwnLineUp(entrant, session, team, seats, there, line_up.chosen, hands_in)


def _read_quarters(players: Collection[int], tournament: int | None) -> Iterator[OwnLineUp]:
    """Yield the line-ups of own teams for the quarters that the team plays and that are not called yet."""
    entrants = list_match_entrants(players, tournament)
    sessions = {entrant.session_id: entrant.session for entrant in entrants}
    known = read_quarters_of_sessions([*sessions.values()])
    for entrant in entrants:
        session = entrant.session
        if (own := known[session.pk].get(entrant.number)) is None:
            continue
        speaks = speaks_for(own.team, players, [member.player_id for member in own.members])
        for quarter in filter(own.is_there, list_quarters(session)[session.position :]):
            line_up = own.propose(quarter)
            members = {seat: member.pk for seat, member in line_up.members.items()}
            seats = make_choices(name_quarter(entrant, quarter), members, own.members)
            hands_in = speaks and not is_open(known[session.pk], entrant.number, quarter)
            yield OwnLineUp(
                entrant, session, own.team, seats, [*own.members], line_up.chosen, hands_in, quarter=quarter
            )


def name_quarter(entrant: Entrant, quarter: int) -> str:
    """Return the end of the names of fields of a team's line-up for a quarter."""
    return f"{entrant.pk}-{quarter}"


def make_choices(team: int | str, members: Mapping[str, int], there: Sequence[TeamMember]) -> list[SeatChoice]:
    """Return the choices of a team's form, the attacker first. `members` has the chosen ids by seat."""
    names = {member.pk: member.player.name for member in there}
    return [SeatChoice(seat, field(team, seat), members[seat], names.get(members[seat], "")) for seat in SEATS]


def field(team: int | str, seat: str) -> str:
    """Return the name of the field for the member of a team in a seat."""
    return f"{seat}-{team}"


def read_chosen_members(data: QueryDict, team: int | str, present: Mapping[str, int]) -> dict[str, int]:
    """Return the posted members of a team by seat. A seat that the form does not send keeps its `present` member."""
    return {
        seat: read_number(data, field(team, seat)) if field(team, seat) in data else present[seat] for seat in SEATS
    }


def write_members(members: Mapping[str, int]) -> str:
    """Return the members' ids as the text by which the form says which line-up it showed."""
    return "-".join(str(members[seat]) for seat in SEATS)


class PostedLineUp(NamedTuple):
    """The line-ups to show after one was posted, and whether it is stored.

    A refused one keeps what was typed, with the reason. `late` is the reason if it has no form any more.
    """

    shown: list[OwnLineUp]
    stored: bool
    late: str


def hand_in_posted(
    request: HttpRequest, own: Sequence[OwnLineUp], players: Collection[int], *, now: dt.datetime
) -> PostedLineUp:
    """Hand in the posted line-up of one of the reader's teams. `own` are those that the reader may see."""
    wanted, shown, stored = request.POST.get("entrant", ""), list[OwnLineUp](), False
    user: User | AnonymousUser = request.user
    for each in own:
        if each.key != wanted:
            shown.append(each)
            continue
        members = read_chosen_members(request.POST, each.fields, {choice.seat: choice.member for choice in each.seats})
        told: dict[str, Any] = {"by": user if isinstance(user, User) else None, "now": now}
        told |= {"session_id": each.session.pk, "team_id": each.team.pk, "players": players, "members": members}
        try:
            if each.quarter:
                hand_in_quarter(quarter=each.quarter, **told)
            else:
                hand_in_line_up(**told)
            stored = True
        except Refusal as refusal:
            seats = make_choices(each.fields, members, each.members)
            shown.append(each._replace(seats=seats, error=say(refusal)))
    known = any(each.key == wanted for each in own)
    late = _("The line-up is not stored: the session has started, or you are no longer in the team. Ask a director.")
    return PostedLineUp(shown, stored, "" if known else late)
