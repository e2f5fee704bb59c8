"""Writes of players: a correction asked for and taken back, and what the three others of the play say of it.

All of it hangs on the play, which is locked first: of two who ask at once the second finds the first one's request.
"""

import datetime as dt

from django.db import transaction
from django.db.models import QuerySet

from tournaments.errors import Conflict, Refused
from tournaments.locks import lock_play
from tournaments.models import CorrectionRequest, Entrant, PersonalLink, Play, RequestAnswer
from tournaments.plays.entering import log_play
from tournaments.requests.window import window_of

MOST_LETTERS = 500
MOST = 20  # that one player asks for in a session, those that he has taken back among them


@transaction.atomic
def ask_correction(*, link: PersonalLink, play_id: int, text: str, now: dt.datetime) -> CorrectionRequest:
    """A request about one of his own plays, while the ranking is not official. One is open per play: asked again he has
    the one that there is, and another player of the play is refused with a `Conflict`."""
    play, entrant = lock_play(play_id), link.entrant
    must_open(link)
    must_play(entrant, play)
    must_be_in_time(play, now)
    told = text.strip()
    if not told:
        raise Refused("request_empty", "text")
    if len(told) > MOST_LETTERS:
        raise Refused("request_too_long", "text", most=MOST_LETTERS)
    there = open_requests(play).select_related("entrant__player", "entrant__stand_in").first()
    if there is not None:
        if there.entrant_id == entrant.pk:
            return there
        raise Conflict("request_there", name=there.entrant.name)
    if CorrectionRequest.objects.filter(entrant=entrant).count() >= MOST:
        raise Refused("request_too_many", most=MOST)
    request = CorrectionRequest.objects.create(play=play, entrant=entrant, text=told, asked_at=now)
    log_play(play, "request_made", now=now, name=entrant.name)
    return request


@transaction.atomic
def withdraw_request(*, link: PersonalLink, request_id: int, now: dt.datetime) -> CorrectionRequest:
    """By who asked, while it is open. Twice is once."""
    request = lock_request(request_id)
    must_open(link)
    if request.entrant_id != link.entrant_id:
        raise Refused("request_not_yours")
    if request.withdrawn_at is None:
        must_be_open(request)
        request.withdrawn_at = now
        request.save(update_fields=["withdrawn_at"])
        log_play(request.play, "request_withdrawn", now=now, name=link.entrant.name)
    return request


@transaction.atomic
def answer_by_link(*, link: PersonalLink, request_id: int, agrees: bool, now: dt.datetime) -> RequestAnswer:
    """The word of one of the three others, from his own page."""
    request = lock_request(request_id)
    must_open(link)
    return answer(request, link.entrant, agrees, now=now)


@transaction.atomic
def answer_at_table(
    *, request_id: int, table_id: int, seat: str, agrees: bool, device: str, now: dt.datetime
) -> RequestAnswer:
    """The same from the device of the table where it was played, by who says that he sat in that seat."""
    request = lock_request(request_id)
    if request.play.table_id != table_id:
        raise Refused("request_unknown")
    return answer(request, request.play.seats[seat], agrees, now=now, device=device)


def answer(
    request: CorrectionRequest, entrant: Entrant, agrees: bool, *, now: dt.datetime, device: str = ""
) -> RequestAnswer:
    """What he says last counts. Said again it changes nothing; at the table nobody takes back what came by a link."""
    must_be_open(request)
    if entrant.pk == request.entrant_id or entrant.pk not in seated(request.play):
        raise Refused("request_not_yours")
    last = request.answers.filter(entrant=entrant).order_by("-id").first()
    if last is not None and (last.agrees == agrees or (device and not last.device)):
        return last
    row = RequestAnswer.objects.create(request=request, entrant=entrant, agrees=agrees, device=device, answered_at=now)
    action = "request_agreed" if agrees else "request_denied"
    log_play(request.play, action, now=now, device=device, name=entrant.name)
    return row


def lock_request(request_id: int, session_id: int | None = None) -> CorrectionRequest:
    """With its play, whose lock holds all that is said of it; of that session, where one is told."""
    where = {} if session_id is None else {"play__session": session_id}
    play_id = CorrectionRequest.objects.filter(pk=request_id, **where).values_list("play_id", flat=True).first()
    if play_id is None:
        raise Refused("request_unknown")
    play = lock_play(play_id)
    request = CorrectionRequest.objects.select_related("entrant__player", "entrant__stand_in").get(pk=request_id)
    request.play = play
    return request


def open_requests(play: Play) -> QuerySet[CorrectionRequest]:
    return CorrectionRequest.objects.filter(play=play, decided_at=None, withdrawn_at=None)


def seated(play: Play) -> set[int]:
    return {play.north_id, play.east_id, play.south_id, play.west_id}


def must_open(link: PersonalLink) -> None:
    if not PersonalLink.objects.filter(pk=link.pk, revoked_at=None).exists():
        raise Refused("link_revoked")


def must_play(entrant: Entrant, play: Play) -> None:
    if play.session_id != entrant.session_id or entrant.pk not in seated(play):
        raise Refused("request_not_yours")


def must_be_in_time(play: Play, now: dt.datetime) -> None:
    window = window_of(play.session)
    if window.publication is None or not play.session.shows_feuilles:
        raise Refused("requests_not_yet")
    if window.is_withdrawn:
        raise Refused("requests_withdrawn")
    if not window.is_open(now):
        raise Refused("requests_over")


def must_be_open(request: CorrectionRequest) -> None:
    if request.decided_at is not None or request.withdrawn_at is not None:
        raise Refused("request_over")
