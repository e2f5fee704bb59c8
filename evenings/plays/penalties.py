"""The penalties, bonuses and warnings that directors give to players, and a club's list of those that it often gives.

Giving and cancelling each add a row, and are idempotent. A penalty or bonus changes only the overall percentage of the
player, by its points. If it is for one position, its points are divided by the number of positions. Where match points
are added up, they count in full.
"""

import datetime as dt
from dataclasses import asdict, dataclass
from decimal import Decimal
from fractions import Fraction

from django.db import transaction

from clubs.log import log_club_action as log_in_club
from clubs.models import Club, User
from evenings.plays.entering import raise_results_version
from evenings.plays.rulings_given import require_reason
from scoring.formats import Format, Total, Unit, find_format
from tournaments.errors import ActionRefused, Conflict
from tournaments.locks import lock_club, lock_running
from tournaments.log import log_action
from tournaments.models import Penalty, Session, UsualPenalty

MOST_POINTS = Decimal(100)
MOST_MARKS = Decimal(9_999)
SUFFIXES = {Unit.PER_CENT: "", Unit.MATCH_POINTS: "_mp", Unit.MARKS: "_marks"}
MOST_USUAL = 60  # entries in the list of one club


@dataclass(frozen=True, slots=True)
class Sanction:
    """A penalty, bonus or warning to give: its points (0 for a warning), and where it applies.

    The points are percentage points, or match points or marks where the format adds those up.

    `position` is 0 for the whole session. `article` is the article of the regulation, or "".
    """

    kind: str = Penalty.PenaltyKind.PENALTY
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
    """Give a player a penalty, bonus or warning, and return its row. If the same request comes twice, give it once.

    `seen` is the highest id of a penalty in the session that the director saw, 0 if there was none. An equal penalty of
    the player with a higher id is returned, and none is added. If the player has got another one since, raise
    `Conflict`. Without `seen`, an equal penalty in force is returned, and none is added.
    """
    session = lock_running(session_id)
    entrant = session.entrants.select_related("player", "stand_in", "team").filter(pk=entrant_id).first()
    if entrant is None:
        raise ActionRefused("entrant_unknown", "entrant")
    check_points(sanction.kind, sanction.points, find_most_points(find_format(session.tournament.format)))
    if not 0 <= sanction.position <= session.positions:
        raise ActionRefused("penalty_position", "position", most=session.positions)
    told = asdict(sanction) | {"position": sanction.position or None, "reason": require_reason(reason)}
    given = session.penalties.filter(entrant=entrant, reverses=None, reversal=None)
    same = given.filter(**told).last()
    if same is not None and (seen is None or same.pk > seen):
        return same
    if seen is not None and newest_word(session, entrant_id) > seen:
        raise Conflict("penalised_meanwhile", "entrant", name=entrant.name)
    penalty = Penalty.objects.create(session=session, entrant=entrant, author=by, given_at=now, **told)
    return record_penalty(penalty)


@transaction.atomic
def take_back_penalty(*, session_id: int, penalty_id: int, reason: str, by: User, now: dt.datetime) -> Penalty:
    """Cancel a penalty, bonus or warning: add and return a row that reverses it. Both rows stay on record."""
    session = lock_running(session_id)
    penalties = session.penalties.select_related("entrant__player", "entrant__stand_in", "entrant__team")
    penalty = penalties.filter(pk=penalty_id, reverses=None).first()
    if penalty is None:
        raise ActionRefused("penalty_unknown")
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
    return record_penalty(back)


def name_penalty_action(penalty: Penalty, format: Format) -> str:
    """Return the code of the log's sentence about a penalty, a bonus, a warning, or its withdrawal."""
    action = str(penalty.kind)
    if penalty.reverses_id is not None:
        action += "_taken_back"
    elif penalty.position:
        action += "_position"
    with_points = penalty.kind != Penalty.PenaltyKind.WARNING
    return action + SUFFIXES[format.unit] if with_points else action


def record_penalty(penalty: Penalty) -> Penalty:
    """Log a penalty. Queue new standings, except for a warning. Return the penalty."""
    name = penalty.entrant.name
    if penalty.kind != Penalty.PenaltyKind.WARNING:
        raise_results_version(penalty.session_id, etuis=[])
    log_action(
        penalty.session_id,
        name_penalty_action(penalty, find_format(penalty.session.tournament.format)),
        now=penalty.given_at,
        by=penalty.author,
        words=f"{name} {penalty.article} {penalty.reason}",
        name=name,
        points=str(penalty.points),
        position=penalty.position,
    )
    return penalty


def newest_word(session: Session, entrant_id: int) -> int:
    """Return the id of the player's newest penalty, bonus, warning or cancellation, or 0 if there is none."""
    return session.penalties.filter(entrant=entrant_id).order_by("-id").values_list("pk", flat=True).first() or 0


def weigh_penalty(kind: str, points: Decimal, position: int | None, positions: int, format: str) -> Fraction:
    """Return the points that a penalty takes off a total in the format of this name. Negative for a bonus.

    The points of a penalty for one `position` are divided by `positions`, the number of positions of the session. Where
    match points are added up, they count in full.
    """
    divided = position and find_format(format).total is Total.MEAN
    share = Fraction(points) / (positions if divided else 1)
    return -share if kind == Penalty.PenaltyKind.BONUS else share


def find_most_points(format: Format) -> Decimal:
    """Return the most points that a penalty can have in this format: percentage points, match points or marks."""
    return MOST_MARKS if format.unit is Unit.MARKS else MOST_POINTS


def check_points(kind: str, points: Decimal, most: Decimal = MOST_POINTS) -> None:
    """Raise `ActionRefused` if a penalty of this kind cannot have these points. `most`: the most that it can have."""
    if kind not in Penalty.PenaltyKind.values:
        raise ActionRefused("penalty_kind", "kind")
    if kind == Penalty.PenaltyKind.WARNING:
        if points:
            raise ActionRefused("warning_points", "points")
    elif not 0 < points <= most:
        raise ActionRefused("penalty_range", "points", most=most)
    elif points != round(points, 2):
        raise ActionRefused("penalty_decimals", "points")


# The club's list of usual penalties


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
    """Add an entry to the club's list of usual penalties, or change the entry `usual_id`. Return the entry.

    If the list has an equal entry, return that one. If `sanction.position` is not 0, the entry is for one position.
    """
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
        raise ActionRefused("usual_too_many", most=MOST_USUAL)
    usual = UsualPenalty(club=club) if usual_id is None else club.usual_penalties.filter(pk=usual_id).first()
    if usual is None:
        raise ActionRefused("usual_unknown")
    for field, value in told.items():
        setattr(usual, field, value)
    usual.save()
    log_in_club(club, "usual_penalty_kept", now=now, by=by, reason=usual.reason)
    return usual


@transaction.atomic
def remove_usual(*, club: Club, usual_id: int, by: User, now: dt.datetime) -> None:
    """Remove an entry from the club's list of usual penalties. Penalties already given stay in force.

    The call is idempotent.
    """
    lock_club(club.pk)
    usual = club.usual_penalties.filter(pk=usual_id).first()
    if usual is not None:
        log_in_club(club, "usual_penalty_removed", now=now, by=by, reason=usual.reason)
        usual.delete()
