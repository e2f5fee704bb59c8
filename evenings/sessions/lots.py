"""The drawing of lots among players who share a rank. The site draws at random, and the log records it.

A player keeps the lot from the first draw. A later draw adds other players at random places. So nobody can repeat a
draw to get a better result. A director can cancel all lots, but must give a reason.
"""

import datetime as dt
import secrets
from collections.abc import Iterable, Mapping, Sequence

from django.db import transaction

from clubs.models import User
from evenings.plays.entering import raise_results_version
from evenings.standings.computing import compute
from evenings.standings.field import DRAWS
from scoring.ties import TieBreak, find_equals
from tournaments.errors import ActionRefused
from tournaments.locks import lock_running
from tournaments.log import log_action
from tournaments.models import Entrant, Session, TieDraw


@transaction.atomic
def draw_lots(*, session_id: int, by: User, now: dt.datetime) -> TieDraw:
    """Draw lots for all players who share a rank, and return the draw.

    Raise `ActionRefused` if nobody shares a rank, or if the tournament's ties are not separated by lots.
    """
    session = lock_running(session_id, "tournament")
    if TieBreak.DRAW not in session.tournament.ties:
        raise ActionRefused("lots_not_drawn")
    computed = compute(session_id)
    players = computed.figures["players"] if computed else []
    equals = equals_of({player["id"]: player["rank_general"] for player in players})
    if not equals:
        raise ActionRefused("no_equals")
    people = {entrant.pk: entrant for entrant in session.entrants.select_related("player", "stand_in", "team")}
    order = put_among(draw_in_force(session), [people[pk].competitor for group in equals for pk in group])
    draw = TieDraw.objects.create(tournament=session.tournament, session=session, order=order, author=by, drawn_at=now)
    told = "; ".join(name_in_order((people[pk] for pk in group), order) for group in equals)
    log_action(session, "lots_drawn", now=now, by=by, words=told, names=told)
    raise_results_version(session_id, etuis=[])
    return draw


@transaction.atomic
def take_back_lots(*, session_id: int, reason: str, by: User, now: dt.datetime) -> None:
    """Cancel all lots of the session. Raise `ActionRefused` if the reason is empty, or if there are no lots."""
    session = lock_running(session_id, "tournament")
    if not reason.strip():
        raise ActionRefused("reason_missing", "reason")
    if not draw_in_force(session):
        raise ActionRefused("no_lots")
    TieDraw.objects.create(tournament=session.tournament, session=session, order=[], author=by, drawn_at=now)
    log_action(session, "lots_taken_back", now=now, by=by, reason=reason.strip()[:300])
    raise_results_version(session_id, etuis=[])


def draw_in_force(session: Session) -> list[int]:
    """Return the competitors in the order of their lots, the first drawn first. Return [] without a draw."""
    return [player for draw in DRAWS(session.pk) for player in draw.order]


def equals_of(ranks: Mapping[int, int | None]) -> list[list[int]]:
    """Return the ids of the entrants who share a rank, one list for each shared rank. `ranks` has the ranks by id."""
    return find_equals({entrant: rank for entrant, rank in ranks.items() if rank is not None})


def put_among(order: Sequence[int], coming: Iterable[int]) -> list[int]:
    """Return the order with each new player of `coming` at a random place. All resulting orders are equally likely."""
    order = list(order)
    for player in coming:
        if player not in order:
            order.insert(secrets.randbelow(len(order) + 1), player)
    return order


def name_in_order(entrants: Iterable[Entrant], order: Sequence[int]) -> str:
    return ", ".join(each.name for each in sorted(entrants, key=lambda each: order.index(each.competitor)))
