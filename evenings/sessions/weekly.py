"""The weekly evenings: one session a week, all made by one action. Several can also be deleted by one action."""

import datetime as dt
from collections.abc import Collection
from typing import Any

from django.db import transaction
from django.db.models import Count, Q, QuerySet

from clubs.log import log_club_action as log_of_club
from clubs.models import User
from evenings.sessions.put_away import delete_session
from evenings.sessions.setup import check_settings, usual_evening
from tournaments.errors import ActionRefused
from tournaments.locks import lock_draft, lock_tournament
from tournaments.models import Session, Tournament

WEEK = dt.timedelta(weeks=1)
MOST_WEEKS = 60


def list_dates(first: dt.date, until: dt.date) -> list[dt.date]:
    """Return the dates from `first` to `until`, a week apart.

    Raise `ActionRefused` if `until` is before `first`, or if there are more than MOST_WEEKS dates.
    """
    if until < first:
        raise ActionRefused("weeks_end_first", "weekly_until")
    if until - first >= MOST_WEEKS * WEEK:
        raise ActionRefused("too_many_weeks", "weekly_until", most=MOST_WEEKS)
    return [first + week * WEEK for week in range((until - first) // WEEK + 1)]


@transaction.atomic
def create_weekly_sessions(
    *, tournament_id: int, date: dt.date, until: dt.date, by: User, now: dt.datetime, **settings: Any
) -> list[Session]:
    """Make a session for each week from `date` to `until`, all with these settings, and return the new sessions.

    A date on which the tournament already has a session gets no other one, so a second call makes only missing ones.
    `create_session` describes `settings`.
    """
    tournament = lock_tournament(tournament_id)
    dates = list_dates(date, until)
    sessions_so_far = tournament.sessions.values_list("number", "date", "put_away_at")
    there = {its_date for _number, its_date, put_away_at in sessions_so_far if put_away_at is None}
    last = max((number for number, _date, _put_away_at in sessions_so_far), default=0)
    wanted = [each for each in dates if each not in there]
    settings = usual_evening(tournament) | settings
    sessions = [
        Session(tournament=tournament, number=number, date=each, **settings)
        for number, each in enumerate(wanted, start=last + 1)
    ]
    for session in sessions:
        check_settings(session)
    made = Session.objects.bulk_create(sessions)
    if made:
        told = {"first": wanted[0].isoformat(), "last": wanted[-1].isoformat(), "count": str(len(made))}
        log_of_club(tournament.club, "evenings_made", now=now, by=by, tournament=tournament.name, **told)
    return made


def find_evenings_ahead(tournament: Tournament) -> QuerySet[Session]:
    """Return the tournament's sessions in preparation, in the order of their dates.

    Each has two more columns: `seated`, the number of seated players, and `down`, the number of applicants.
    """
    drafts = tournament.sessions.filter(status=Session.Status.DRAFT, put_away_at=None)
    down = Count("applicants", filter=Q(applicants__withdrawn_at=None), distinct=True)
    return drafts.annotate(seated=Count("entrants", distinct=True), down=down).order_by("date", "number")


@transaction.atomic
def delete_evenings(*, tournament_id: int, numbers: Collection[int], by: User, now: dt.datetime) -> int:
    """Delete the sessions with these numbers that have not started. Return the number of deleted sessions.

    Players and étuis stay.
    """
    tournament, deleted = lock_tournament(tournament_id), 0
    chosen = tournament.sessions.filter(number__in=numbers, status=Session.Status.DRAFT)
    for pk in chosen.order_by("pk").values_list("pk", flat=True):
        try:
            lock_draft(pk)
        except ActionRefused:  # the session was started in the meantime
            continue
        delete_session(session_id=pk, by=by)
        deleted += 1
    if deleted:
        told = {"tournament": tournament.name, "count": str(deleted)}
        log_of_club(tournament.club, "evenings_deleted", now=now, by=by, **told)
    return deleted
