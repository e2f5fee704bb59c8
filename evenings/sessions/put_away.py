"""The removal of sessions and tournaments that were made by mistake.

If nothing was entered, they can be deleted. Otherwise they can be *put away*: they are kept, but no list shows them.
The étuis of a session that is put away still count as played.
"""

import datetime as dt
import logging
from functools import reduce
from operator import or_

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from clubs.models import User
from evenings.plans.copies import bring_copy_back
from tournaments.errors import ActionRefused
from tournaments.locks import lock_plan_to_remove, lock_session, lock_tournament, raise_told
from tournaments.log import log_action
from tournaments.models import (
    Cut,
    EtuiRuling,
    Payment,
    Penalty,
    Publication,
    ResultEntry,
    Ruling,
    Session,
    TeamMember,
    Tournament,
)
from tournaments.queue import queue_careers, queue_tournament

logger = logging.getLogger(__name__)


def sessions_with_results() -> QuerySet[Session]:
    """Return the sessions that have a result, ruling, penalty, payment or publication, or in which a team changed.

    Such sessions are never deleted.
    """
    held = (
        ResultEntry.objects.filter(play__session=OuterRef("pk")),
        Ruling.objects.filter(play__session=OuterRef("pk")),
        *(model.objects.filter(session=OuterRef("pk")) for model in (EtuiRuling, Payment, Penalty, Publication)),
        TeamMember.objects.filter(Q(from_session=OuterRef("pk")) | Q(until_session=OuterRef("pk"))),
    )
    return Session.objects.filter(reduce(or_, (Q(Exists(rows)) for rows in held)))


@transaction.atomic
def delete_session(*, session_id: int, by: User) -> None:
    """Delete a session without results, with its plan and its log. Étuis and players stay. The call is idempotent.

    The server's log records who deleted it. Raise `ActionRefused` if the session has results, or if a consolation takes
    the players who are out before it.
    """
    try:
        session = lock_plan_to_remove(session_id)
    except Session.DoesNotExist:
        return
    if sessions_with_results().filter(pk=session_id).exists():
        raise ActionRefused("session_has_results", number=session.number)
    if Cut.objects.filter(out_of__session=session_id).exists():
        raise ActionRefused("cut_has_consolation")
    logger.warning("account %s deletes session %s of %r", by.pk, session.number, session.tournament.slug)
    session.plays.all().delete()
    session.tables.all().delete()
    session.delete()


@transaction.atomic
def delete_tournament(*, tournament_id: int, by: User) -> None:
    """Delete a tournament with its sessions. Raise `ActionRefused` if one of them cannot be deleted.

    A consolation in the same tournament is deleted with it.
    """
    try:
        tournament = lock_tournament(tournament_id)
    except Tournament.DoesNotExist:
        return
    Cut.objects.filter(session__tournament=tournament_id).exclude(out_of=None).delete()
    for session_id in tournament.sessions.order_by("pk").values_list("pk", flat=True):
        delete_session(session_id=session_id, by=by)
    logger.warning("account %s deletes the tournament %r", by.pk, tournament.slug)
    tournament.match_decisions.all().delete()
    tournament.team_members.update(replaces=None)
    tournament.team_members.all().delete()
    tournament.teams.all().delete()
    tournament.delete()


@transaction.atomic
def put_session_away(*, session_id: int, by: User, now: dt.datetime, back: bool = False) -> Session:
    """Put a session away: no list shows it, but its address still works. With `back`, lists show it again."""
    session = lock_session(session_id, no_key=True)
    if (session.put_away_at is None) == back:
        return session
    if back:
        bring_copy_back(session)
    session.put_away_at = None if back else now
    session.save(update_fields=["put_away_at"])
    raise_told(now, pk=session_id)
    log_action(session, "session_listed_again" if back else "session_put_away", by=by, now=now)
    queue_tournament(session.tournament_id)
    queue_careers(session_id)
    return session


@transaction.atomic
def put_tournament_away(*, tournament_id: int, by: User, now: dt.datetime, back: bool = False) -> Tournament:
    """Put a tournament away with all its sessions or, with `back`, let lists show it again. Each session logs it.

    Raise `ActionRefused` if one of its sessions plays the étuis of a simultaneous that another session plays meanwhile.
    """
    tournament = lock_tournament(tournament_id, no_key=True)
    if (tournament.put_away_at is None) == back:
        return tournament
    if back:
        for session in tournament.sessions.filter(put_away_at=None).order_by("pk"):
            bring_copy_back(session)
    tournament.put_away_at = None if back else now
    tournament.save(update_fields=["put_away_at"])
    raise_told(now, tournament=tournament_id)
    for session in tournament.sessions.all():
        log_action(session, "tournament_listed_again" if back else "tournament_put_away", by=by, now=now)
        queue_careers(session.pk)
    return tournament
