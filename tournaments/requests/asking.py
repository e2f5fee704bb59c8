"""The writes of players: a correction is requested or withdrawn, and the three others of the play answer.

Every write locks the play first: if two players request at once, the second finds the first one's request.
"""

import datetime as dt

from django.db import transaction
from django.db.models import QuerySet

from tournaments.errors import ActionRefused, Conflict
from tournaments.locks import lock_play
from tournaments.models import CorrectionRequest, Entrant, PersonalLink, Play, RequestAnswer
from tournaments.plays.entering import log_play
from tournaments.requests.window import window_of

MOST_LETTERS = 500
MOST = 20  # requests of one player in a session, withdrawn ones too


@transaction.atomic
def ask_correction(*, link: PersonalLink, play_id: int, text: str, now: dt.datetime) -> CorrectionRequest:
    """Request a correction of one of the player's own plays, while the ranking is not official.

    A play has at most one open request. If it is the same player's, it is returned; if it is another player's,
    `Conflict` is raised.
    """
    play, entrant = lock_play(play_id), link.entrant
    must_open(link)
    must_play(entrant, play)
    must_be_in_time(play, now)
    told = text.strip()
    if not told:
        raise ActionRefused("request_empty", "text")
    if len(told) > MOST_LETTERS:
        raise ActionRefused("request_too_long", "text", most=MOST_LETTERS)
    there = open_requests(play).select_related("entrant__player", "entrant__stand_in").first()
    if there is not None:
        if there.entrant_id == entrant.pk:
            return there
        raise Conflict("request_there", name=there.entrant.name)
    if CorrectionRequest.objects.filter(entrant=entrant).count() >= MOST:
        raise ActionRefused("request_too_many", most=MOST)
    request = CorrectionRequest.objects.create(play=play, entrant=entrant, text=told, asked_at=now)
    log_play(play, "request_made", now=now, name=entrant.name)
    return request


@transaction.atomic
def withdraw_request(*, link: PersonalLink, request_id: int, now: dt.datetime) -> CorrectionRequest:
    """Withdraw an open request, for the player who made it. Idempotent."""
    request = lock_request(request_id)
    must_open(link)
    if request.entrant_id != link.entrant_id:
        raise ActionRefused("request_not_yours")
    if request.withdrawn_at is None:
        must_be_open(request)
        request.withdrawn_at = now
        request.save(update_fields=["withdrawn_at"])
        log_play(request.play, "request_withdrawn", now=now, name=link.entrant.name)
    return request


@transaction.atomic
def answer_by_link(*, link: PersonalLink, request_id: int, agrees: bool, now: dt.datetime) -> RequestAnswer:
    """Save the answer of one of the three other players, from their own page."""
    request = lock_request(request_id)
    must_open(link)
    return answer(request, link.entrant, agrees, now=now)


@transaction.atomic
def answer_at_table(
    *, request_id: int, table_id: int, seat: str, agrees: bool, device: str, now: dt.datetime
) -> RequestAnswer:
    """Save the answer of the player in that seat, from the device of the table where it was played."""
    request = lock_request(request_id)
    if request.play.table_id != table_id:
        raise ActionRefused("request_unknown")
    return answer(request, request.play.seats[seat], agrees, now=now, device=device)


def answer(
    request: CorrectionRequest, entrant: Entrant, agrees: bool, *, now: dt.datetime, device: str = ""
) -> RequestAnswer:
    """Save an answer of a player. The last one counts. Idempotent.

    An answer at the table does not replace one given by link.
    """
    must_be_open(request)
    if entrant.pk == request.entrant_id or entrant.pk not in find_seated_ids(request.play):
        raise ActionRefused("request_not_yours")
    last = request.answers.filter(entrant=entrant).order_by("-id").first()
    if last is not None and (last.agrees == agrees or (device and not last.device)):
        return last
    row = RequestAnswer.objects.create(request=request, entrant=entrant, agrees=agrees, device=device, answered_at=now)
    action = "request_agreed" if agrees else "request_denied"
    log_play(request.play, action, now=now, device=device, name=entrant.name)
    return row


def lock_request(request_id: int, session_id: int | None = None) -> CorrectionRequest:
    """Lock the play of a request, which guards all answers, and return the request.

    With `session_id`, only of that session.
    """
    where = {} if session_id is None else {"play__session": session_id}
    play_id = CorrectionRequest.objects.filter(pk=request_id, **where).values_list("play_id", flat=True).first()
    if play_id is None:
        raise ActionRefused("request_unknown")
    play = lock_play(play_id)
    request = CorrectionRequest.objects.select_related("entrant__player", "entrant__stand_in").get(pk=request_id)
    request.play = play
    return request


def open_requests(play: Play) -> QuerySet[CorrectionRequest]:
    return CorrectionRequest.objects.filter(play=play, decided_at=None, withdrawn_at=None)


def find_seated_ids(play: Play) -> set[int]:
    return set(play.seat_ids.values())


def must_open(link: PersonalLink) -> None:
    if not PersonalLink.objects.filter(pk=link.pk, revoked_at=None).exists():
        raise ActionRefused("link_revoked")


def must_play(entrant: Entrant, play: Play) -> None:
    if play.session_id != entrant.session_id or entrant.pk not in find_seated_ids(play):
        raise ActionRefused("request_not_yours")


def must_be_in_time(play: Play, now: dt.datetime) -> None:
    window = window_of(play.session)
    if window.publication is None or not play.session.shows_feuilles:
        raise ActionRefused("requests_not_yet")
    if window.is_withdrawn:
        raise ActionRefused("requests_withdrawn")
    if not window.is_open(now):
        raise ActionRefused("requests_over")


def must_be_open(request: CorrectionRequest) -> None:
    if request.decided_at is not None or request.withdrawn_at is not None:
        raise ActionRefused("request_over")
