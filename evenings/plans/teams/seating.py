"""The teams that play in a session, and their starting numbers.

A session in preparation has an entrant for each team that plays. Their numbers are those of the plan: 1, 2, 3 …
"""

import datetime as dt
from collections.abc import Sequence
from secrets import randbits

from django.db import transaction
from django.db.models import Count, Q, QuerySet

from clubs.models import User
from clubs.teams import TEAM_SIZES
from deals.domain.dealing import numbers, shuffle
from scoring.formats import Format, find_format
from tournaments.errors import ActionRefused
from tournaments.locks import lock_draft
from tournaments.log import log_action
from tournaments.models import Entrant, Session, Team
from tournaments.rules.formats import require_offered


def members_needed(format: Format) -> int:
    """Return how many active members a team needs to play in this format."""
    return TEAM_SIZES[format.name].least


def list_ready_teams(session: Session) -> QuerySet[Team]:
    """Return the tournament's teams that can play, by number.

    A team can play if it has not left, and has all its members.
    """
    needed = members_needed(find_format(session.tournament.format))
    there = Count("members", filter=Q(members__ended_at=None))
    teams = Team.objects.filter(tournament=session.tournament_id, left_at=None)
    return teams.annotate(active=there).filter(active__gte=needed).order_by("number")


@transaction.atomic
def seat_teams(
    *,
    session_id: int,
    teams: Sequence[int] | None = None,
    draw: bool = False,
    by: User | None = None,
    now: dt.datetime,
) -> list[Entrant]:
    """Let these teams (ids) play in a session in preparation, and return their entrants, in the order of their numbers.

    `teams` is None for all that can play. They get the starting numbers 1, 2, 3 … in their order, or by lot if `draw`.
    Earlier entrants are replaced. Raise `ActionRefused` for a team of another tournament, one that has left, or one
    without all of its members.
    """
    session = lock_draft(session_id)
    require_offered(session.tournament.format, ActionRefused("teams_not_played", "teams"))
    ready = {team.pk: team for team in list_ready_teams(session)}
    wanted = [*ready] if teams is None else list(dict.fromkeys(teams))
    for pk in wanted:
        if pk not in ready:
            raise unready(session, pk)
    if draw:
        seed = randbits(32)
        wanted = shuffle(numbers(seed, "teams"), wanted)
        log_action(session, "teams_drawn", now=now, by=by, count=len(wanted), seed=seed)
    session.entrants.all().delete()
    return Entrant.objects.bulk_create(
        Entrant(session=session, team=ready[pk], line="", number=number) for number, pk in enumerate(wanted, start=1)
    )


def check_teams(session: Session) -> None:
    """Raise `ActionRefused` if the session cannot start with its teams.

    A team has left, or lacks a member, or there are fewer teams than the format needs.
    """
    ready = set(list_ready_teams(session).values_list("pk", flat=True))
    teams = session.entrants.order_by("number").values_list("team_id", flat=True)
    for pk in teams:
        if pk is not None and pk not in ready:
            raise unready(session, pk)
    if len(teams) < (least := find_format(session.tournament.format).least_teams):
        raise ActionRefused("teams_lacking", "teams", count=len(teams), least=least)


def unready(session: Session, pk: int) -> ActionRefused:
    """Return the refusal of a team that cannot play in the session, with the reason."""
    team = Team.objects.filter(pk=pk, tournament=session.tournament_id).first()
    if team is None:
        return ActionRefused("team_unknown", "teams", team=pk)
    if team.left_at is not None:
        return ActionRefused("team_has_left", "teams", name=team.shown_name)
    count = team.members.filter(ended_at=None).count()
    needed = members_needed(find_format(session.tournament.format))
    return ActionRefused("team_incomplete", "teams", name=team.shown_name, count=count, needed=needed)
