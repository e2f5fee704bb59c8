"""The director's decisions on requested corrections: granting a request, with the corrected result, or refusing it.

A request is decided once. A director who plays cannot decide about an étui that they have still to play.
"""

import datetime as dt

from django.db import transaction

from clubs.models import User
from evenings.plays.desk_state import hidden_etuis
from evenings.plays.entering import correct_result, log_play
from evenings.requests.asking import lock_request
from tournaments.errors import ActionRefused, Conflict
from tournaments.models import CorrectionRequest, ResultEntry, Session
from tournaments.rules.entry import Entry


@transaction.atomic
def refuse_request(*, session_id: int, request_id: int, reason: str, by: User, now: dt.datetime) -> CorrectionRequest:
    """Refuse a request and return it. Raise `ActionRefused` without a reason."""
    if not reason.strip():
        raise ActionRefused("reason_missing", "reason")
    return decide(session_id, request_id, accepted=False, answer=reason, by=by, now=now)


@transaction.atomic
def accept_request(
    *, session_id: int, request_id: int, by: User, now: dt.datetime, answer: str = "", version: int | None = None
) -> CorrectionRequest:
    """Grant a request and return it.

    `version` is the version of the corrected result. It is None if the play was corrected in another way, for example
    by a ruling.
    """
    return decide(session_id, request_id, accepted=True, answer=answer, version=version, by=by, now=now)


@transaction.atomic
def correct_as_requested(
    *, session_id: int, request_id: int, entry: Entry, seen_version: int, reason: str, by: User, now: dt.datetime
) -> ResultEntry:
    """Enter the corrected result and grant the request, in one transaction. Return the new entry."""
    play = lock_undecided(session_id, request_id, by).play
    row = correct_result(play_id=play.pk, entry=entry, seen_version=seen_version, reason=reason, by=by, now=now)
    decide(session_id, request_id, accepted=True, version=row.version, by=by, now=now)
    return row


def decide(
    session_id: int,
    request_id: int,
    *,
    accepted: bool,
    by: User,
    now: dt.datetime,
    answer: str = "",
    version: int | None = None,
) -> CorrectionRequest:
    """Store the decision about a request, and return the request. The call is idempotent."""
    request = lock_request(request_id, session_id)
    if request.decided_at is not None and request.accepted == accepted:
        return request
    request = lock_undecided(session_id, request_id, by)
    request.accepted, request.answer, request.decided_at, request.decided_by = accepted, answer.strip(), now, by
    request.entry = find_entry(request, version)
    if accepted:
        sessions = Session.objects.filter(pk=session_id)
        request.results_version = sessions.values_list("results_version", flat=True).get()
    request.save(update_fields=["accepted", "answer", "decided_at", "decided_by", "entry", "results_version"])
    action = "request_accepted" if accepted else "request_refused"
    log_play(request.play, action, now=now, by=by, name=request.asker)
    return request


def lock_undecided(session_id: int, request_id: int, by: User) -> CorrectionRequest:
    """Lock and return a request that this director can decide.

    Raise `ActionRefused` or `Conflict` if it is withdrawn or decided, or if the director has still to play the étui.
    """
    request = lock_request(request_id, session_id)
    if request.withdrawn_at is not None:
        raise ActionRefused("request_over")
    if request.decided_at is not None:
        raise Conflict("request_decided")
    if request.play.etui_id in hidden_etuis(request.play.session, by):
        raise ActionRefused("request_hidden", number=request.play.etui.number)
    return request


def find_entry(request: CorrectionRequest, version: int | None) -> ResultEntry | None:
    """Return the entry with this version of the request's play. Return None if `version` is None."""
    if version is None:
        return None
    entry = request.play.entries.filter(version=version).first()
    if entry is None:
        raise ActionRefused("request_version", "version", version=version)
    return entry
