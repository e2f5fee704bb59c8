"""The writes of players about corrections: requesting one in time, withdrawing it, answering another player's.

Every write locks the play first: if two players send a request at once, the second one finds the first one's request.

In a simultaneous the players see their results only from the public hour on. So the time lasts for the tournament's
window after that hour, also if the ranking is official by then.
"""

import datetime as dt
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import F, QuerySet

from evenings.plays.common import EAST_SIDE, NORTH_SIDE
from evenings.plays.entering import log_play
from evenings.teams.membership import JOINS, was_active
from evenings.teams.naming import join_public_names
from scoring.plays import EAST_WEST, NORTH_SOUTH
from scoring.teams import find_line
from tournaments.errors import ActionRefused, Conflict
from tournaments.locks import lock_play
from tournaments.models import (
    CorrectionRequest,
    Entrant,
    PersonalLink,
    Play,
    Publication,
    RequestAnswer,
    Session,
    TeamMember,
)
from tournaments.models.plays import PUBLIC_PEOPLE
from tournaments.published import Shows

PUBLIC_AT = "session__simultaneous_club__simultaneous__public_at"


class Window(NamedTuple):
    """The time in which players may request corrections of a session.

    `publication` is the newest one, or None before the first. `closes_at` is None if no correction can be requested.
    `is_of_simultaneous` is True if the session plays the étuis of a simultaneous.
    """

    publication: Publication | None = None
    closes_at: dt.datetime | None = None
    is_of_simultaneous: bool = False

    @property
    def is_withdrawn(self) -> bool:
        return self.publication is not None and self.publication.status == Publication.PublicationStatus.WITHDRAWN

    @property
    def is_official(self) -> bool:
        return self.publication is not None and self.publication.status == Publication.PublicationStatus.OFFICIAL

    def is_open(self, now: dt.datetime) -> bool:
        return self.closes_at is not None and now < self.closes_at


def window_of(session: Session) -> Window:
    """Return the window of a session, with one query. The publication's figures are not loaded."""
    told = {"public_at": F(PUBLIC_AT), "hours": F("session__tournament__window_hours")}
    newest: Any = session.publications.defer("data", "frozen", "changes").annotate(**told).order_by("-version").first()
    if newest is None or newest.status == Publication.PublicationStatus.WITHDRAWN:
        return Window(newest)
    ends = [newest.official_from] if newest.status == Publication.PublicationStatus.PROVISIONAL else []
    if newest.public_at is not None:
        ends.append(newest.public_at + dt.timedelta(hours=newest.hours))
    closes_at = max((end for end in ends if end is not None), default=None)
    return Window(newest, closes_at, newest.public_at is not None)


MOST_LETTERS = 500
ASKER = ("entrant__player", "entrant__stand_in", "entrant__team", "member__player")
# the joins for the public name of the player who asks
PUBLIC_ASKER = tuple(f"entrant__{join}" for join in PUBLIC_PEOPLE)
MOST = 20  # requests of one player in a session; withdrawn requests count too


@transaction.atomic
def ask_correction(*, link: PersonalLink, play_id: int, text: str, now: dt.datetime) -> CorrectionRequest:
    """Add and return a request to correct one of the player's own plays, while the ranking is provisional.

    A play has at most one open request. If this player made it, return it. If another player made it, raise `Conflict`.
    A member of the same team counts as another player too. The error then has the name of that member. For other
    players it has only the public name. Raise `ActionRefused` if the request is not possible.
    """
    play, entrant = lock_play(play_id), link.entrant
    must_open(link)
    must_play(link, play)
    must_be_in_time(play, now)
    told = text.strip()
    if not told:
        raise ActionRefused("request_empty", "text")
    if len(told) > MOST_LETTERS:
        raise ActionRefused("request_too_long", "text", most=MOST_LETTERS)
    there = open_requests(play).select_related(*ASKER, *PUBLIC_ASKER).first()
    if there is not None:
        if is_from(there, link):
            return there
        join_public_names([there.entrant])
        mates = there.entrant_id == entrant.pk
        raise Conflict("request_there", name=there.asker if mates else there.entrant.public_name)
    if CorrectionRequest.objects.filter(entrant=entrant, member=link.member).count() >= MOST:
        raise ActionRefused("request_too_many", most=MOST)
    request = CorrectionRequest.objects.create(play=play, entrant=entrant, member=link.member, text=told, asked_at=now)
    log_play(play, "request_made", now=now, name=link.name)
    return request


@transaction.atomic
def withdraw_request(*, link: PersonalLink, request_id: int, now: dt.datetime) -> CorrectionRequest:
    """Withdraw an open request of the player who has this link. Return the request. The call is idempotent."""
    request = lock_request(request_id)
    must_open(link)
    if not is_from(request, link):
        raise ActionRefused("request_not_yours")
    if request.withdrawn_at is None:
        must_be_open(request)
        request.withdrawn_at = now
        request.save(update_fields=["withdrawn_at"])
        log_play(request.play, "request_withdrawn", now=now, name=link.name)
    return request


@transaction.atomic
def answer_by_link(*, link: PersonalLink, request_id: int, agrees: bool, now: dt.datetime) -> RequestAnswer:
    """Save the answer of one of the three other players, sent from the page of their personal link. Return it.

    If teams play, a member of the other team answers.
    """
    request = lock_request(request_id)
    must_open(link)
    must_play(link, request.play)
    return save_answer(request, link.entrant, agrees, now=now, member=link.member)


@transaction.atomic
def answer_at_table(
    *, request_id: int, table_id: int, seat: str, agrees: bool, device: str, now: dt.datetime
) -> RequestAnswer:
    """Save the answer of the player on the seat `seat`, sent from the device of the play's table. Return it.

    If teams play, `seat` is on the line of the team that answers.
    """
    request = lock_request(request_id)
    if request.play.table_id != table_id:
        raise ActionRefused("request_unknown")
    return save_answer(request, find_sitting(request.play, seat), agrees, now=now, device=device)


def find_sitting(play: Play, seat: str) -> Entrant:
    """Return the player on this seat or, if teams play, the team that sits on the line of this seat."""
    sides = find_parties(play)
    return sides[seat] if seat in sides else sides[SIDES[find_line(seat)]]


SIDES = {NORTH_SOUTH: NORTH_SIDE, EAST_WEST: EAST_SIDE}


def find_parties(play: Play) -> dict[str, Entrant]:
    """Return the entrants of a play by line: its players, or two teams.

    The team North-South stands under N, and the team East-West under E.
    """
    if all(entrant.team_id is None for entrant in play.seats.values()):
        return play.seats
    attacking, own = play.seats[play.taker], SIDES[find_line(play.taker)]
    (defending,) = {entrant for entrant in play.seats.values() if entrant != attacking}
    return {side: attacking if side == own else defending for side in SIDES.values()}


def save_answer(
    request: CorrectionRequest,
    entrant: Entrant,
    agrees: bool,
    *,
    now: dt.datetime,
    device: str = "",
    member: TeamMember | None = None,
) -> RequestAnswer:
    """Save and return the answer of a player or of a `member` of a team. The newest answer counts.

    The call is idempotent. An answer from a table's `device` does not replace an answer from the player's personal
    link.
    """
    must_be_open(request)
    if entrant.pk == request.entrant_id or entrant.pk not in find_seated_ids(request.play):
        raise ActionRefused("request_not_yours")
    last = request.answers.filter(entrant=entrant).order_by("-id").first()
    if last is not None and (last.agrees == agrees or (device and not last.device)):
        return last
    told = {"agrees": agrees, "device": device, "answered_at": now}
    row = RequestAnswer.objects.create(request=request, entrant=entrant, member=member, **told)
    action = "request_agreed" if agrees else "request_denied"
    log_play(request.play, action, now=now, device=device, name=member.player.name if member else entrant.name)
    return row


def lock_request(request_id: int, session_id: int | None = None) -> CorrectionRequest:
    """Lock the play of a request, and return the request with its play. Raise `ActionRefused` if there is no request.

    With `session_id`, the request must belong to that session. All writes about a request or its answers lock its play.
    """
    where = {} if session_id is None else {"play__session": session_id}
    play_id = CorrectionRequest.objects.filter(pk=request_id, **where).values_list("play_id", flat=True).first()
    if play_id is None:
        raise ActionRefused("request_unknown")
    play = lock_play(play_id)
    request = CorrectionRequest.objects.select_related(*ASKER).get(pk=request_id)
    request.play = play
    return request


def open_requests(play: Play) -> QuerySet[CorrectionRequest]:
    return CorrectionRequest.objects.filter(play=play, decided_at=None, withdrawn_at=None)


def find_seated_ids(play: Play) -> set[int]:
    return set(play.seat_ids.values())


def must_open(link: PersonalLink) -> None:
    """Raise `ActionRefused` if the link is revoked."""
    if not PersonalLink.objects.filter(pk=link.pk, revoked_at=None).exists():
        raise ActionRefused("link_revoked")


def is_from(request: CorrectionRequest, link: PersonalLink) -> bool:
    """Return whether the player of this link made the request."""
    return request.entrant_id == link.entrant_id and request.member_id == link.member_id


def must_play(link: PersonalLink, play: Play) -> None:
    """Raise `ActionRefused` if the player of the link does not sit at the play.

    A member of a team sits at all plays of the team while they belong to it.
    """
    entrant = link.entrant
    if play.session_id != entrant.session_id or entrant.pk not in find_seated_ids(play):
        raise ActionRefused("request_not_yours")
    if link.member_id is not None:
        member = TeamMember.objects.select_related(*JOINS).get(pk=link.member_id)
        if not was_active(member, play.session.number, play.position):
            raise ActionRefused("request_not_yours")


def must_be_in_time(play: Play, now: dt.datetime) -> None:
    """Raise `ActionRefused` if players cannot request corrections of the session now."""
    window = window_of(play.session)
    if window.publication is None or not Shows.to_readers(play.session).feuilles:
        raise ActionRefused("requests_not_yet")
    if window.is_withdrawn:
        raise ActionRefused("requests_withdrawn")
    if not window.is_open(now):
        raise ActionRefused("requests_over")


def must_be_open(request: CorrectionRequest) -> None:
    """Raise `ActionRefused` if the request is decided or withdrawn."""
    if request.decided_at is not None or request.withdrawn_at is not None:
        raise ActionRefused("request_over")
