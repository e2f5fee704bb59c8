"""The director's words on a player: penalties, bonuses and warnings, and a club's list of those that it often gives.

A word given is a row, and so is what takes it back; said twice it changes nothing the second time. It weighs on the
player's overall percentage alone, once, or as much as one of the session's positions does.
"""

import datetime as dt
from dataclasses import asdict, dataclass
from decimal import Decimal
from fractions import Fraction

from django.db import transaction

from clubs.accounts.log import log as log_in_club
from clubs.models import Club, User
from tournaments.errors import Conflict, Refused
from tournaments.locks import lock_club, lock_running
from tournaments.log import log
from tournaments.models import Penalty, Session, UsualPenalty
from tournaments.plays.entering import raise_results_version
from tournaments.plays.said import require_reason

MOST_POINTS = Decimal(100)
MOST_USUAL = 60  # of a club: more is no list to choose from


@dataclass(frozen=True, slots=True)
class Sanction:
    """What is said of a player: so many percentage points, none of a warning; `position` 0 is the whole session."""

    kind: str = Penalty.Kind.PENALTY
    points: Decimal = Decimal(0)
    position: int = 0
    article: str = ""


@transaction.atomic
def give_penalty(
    *,
    session_id: int,
    entrant_id: int,
    sanction: Sanction,
    reason: str,
    by: User,
    now: dt.datetime,
    seen: int | None = None,
) -> Penalty:
    """A word on a player that counts until it is taken back. Sent twice it is given once.

    `seen`: the id of the newest word on anybody that the director knew (0: none); a newer one on this player is a
    `Conflict`, and the very same one that he knew is given once more. Without it the same one in force is given once.
    """
    session = lock_running(session_id)
    entrant = session.entrants.select_related("player", "stand_in").filter(pk=entrant_id).first()
    if entrant is None:
        raise Refused("entrant_unknown", "entrant")
    check_points(sanction.kind, sanction.points)
    if not 0 <= sanction.position <= session.positions:
        raise Refused("penalty_position", "position", most=session.positions)
    told = asdict(sanction) | {"position": sanction.position or None, "reason": require_reason(reason)}
    given = session.penalties.filter(entrant=entrant, reverses=None, reversal=None)
    same = given.filter(**told).last()
    if same is not None and (seen is None or same.pk > seen):
        return same
    if seen is not None and newest_word(session, entrant_id) > seen:
        raise Conflict("penalised_meanwhile", "entrant", name=entrant.name)
    penalty = Penalty.objects.create(session=session, entrant=entrant, author=by, given_at=now, **told)
    return record_penalty(penalty, f"{penalty.kind}_position" if penalty.position else penalty.kind)


@transaction.atomic
def take_back_penalty(*, session_id: int, penalty_id: int, reason: str, by: User, now: dt.datetime) -> Penalty:
    """A row that reverses the penalty, bonus or warning; both stay on record."""
    session = lock_running(session_id)
    penalties = session.penalties.select_related("entrant__player", "entrant__stand_in")
    penalty = penalties.filter(pk=penalty_id, reverses=None).first()
    if penalty is None:
        raise Refused("penalty_unknown")
    if back := Penalty.objects.filter(reverses=penalty).first():
        return back
    back = Penalty.objects.create(
        session=session,
        entrant=penalty.entrant,
        kind=penalty.kind,
        points=penalty.points,
        position=penalty.position,
        reverses=penalty,
        reason=require_reason(reason),
        author=by,
        given_at=now,
    )
    return record_penalty(back, f"{back.kind}_taken_back")


def record_penalty(penalty: Penalty, action: str) -> Penalty:
    name = penalty.entrant.name
    if penalty.kind != Penalty.Kind.WARNING:
        raise_results_version(penalty.session_id, etuis=[])
    log(
        penalty.session_id,
        action,
        now=penalty.given_at,
        by=penalty.author,
        words=f"{name} {penalty.article} {penalty.reason}",
        name=name,
        points=str(penalty.points),
        position=penalty.position,
    )
    return penalty


def newest_word(session: Session, entrant_id: int) -> int:
    """The id of the newest word on a player, of what takes one back too; 0 where there is none."""
    return session.penalties.filter(entrant=entrant_id).order_by("-id").values_list("pk", flat=True).first() or 0


def weigh(kind: str, points: Decimal, position: int | None, positions: int) -> Fraction:
    """Percentage points that it takes off the overall percentage, below 0 for a bonus; for a position its share of the
    session's."""
    share = Fraction(points) / (positions if position else 1)
    return -share if kind == Penalty.Kind.BONUS else share


def check_points(kind: str, points: Decimal) -> None:
    if kind not in Penalty.Kind.values:
        raise Refused("penalty_kind", "kind")
    if kind == Penalty.Kind.WARNING:
        if points:
            raise Refused("warning_points", "points")
    elif not 0 < points <= MOST_POINTS:
        raise Refused("penalty_range", "points", most=MOST_POINTS)
    elif points != round(points, 2):
        raise Refused("penalty_decimals", "points")


# A club's own list


@transaction.atomic
def keep_usual(
    *,
    club: Club,
    usual_id: int | None = None,
    sanction: Sanction,
    reason: str,
    by: User,
    now: dt.datetime,
) -> UsualPenalty:
    """One more of those that the club often gives, or one of the list changed; `sanction.position` other than 0: for
    one position. What stands there already is not added again."""
    lock_club(club.pk)
    check_points(sanction.kind, sanction.points)
    told = {
        "kind": sanction.kind,
        "points": sanction.points,
        "for_position": bool(sanction.position),
        "article": sanction.article,
        "reason": require_reason(reason),
    }
    if same := club.usual_penalties.filter(**told).first():
        return same
    if usual_id is None and club.usual_penalties.count() >= MOST_USUAL:
        raise Refused("usual_too_many", most=MOST_USUAL)
    usual = UsualPenalty(club=club) if usual_id is None else club.usual_penalties.filter(pk=usual_id).first()
    if usual is None:
        raise Refused("usual_unknown")
    for field, value in told.items():
        setattr(usual, field, value)
    usual.save()
    log_in_club(club, "usual_penalty_kept", now=now, by=by, reason=usual.reason)
    return usual


@transaction.atomic
def remove_usual(*, club: Club, usual_id: int, by: User, now: dt.datetime) -> None:
    """Out of the list; what was given by it stays given. Gone already, nothing changes."""
    lock_club(club.pk)
    usual = club.usual_penalties.filter(pk=usual_id).first()
    if usual is not None:
        log_in_club(club, "usual_penalty_removed", now=now, by=by, reason=usual.reason)
        usual.delete()
