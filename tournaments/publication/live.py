"""The report of a session as things stand, for directors: of the standings kept, as many plays as a page shows.

Of the rows, before any job has come, and where a change of the plan has left the standings kept behind.
"""

from collections.abc import Collection
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Q

from tournaments.models import EtuiStandings, Session
from tournaments.models.evening import SEAT_FIELDS
from tournaments.plays.session_plays import plays_of
from tournaments.publication.report import build, with_sections
from tournaments.standings import computing


def whole(session: Session) -> dict[str, Any] | None:
    """The whole report. None without plays, as before the start, here as in the parts below."""
    return build_live(session)


def ranking(session: Session) -> dict[str, Any] | None:
    """Without plays; with `topped`, how many étuis two plays at least compare: before, every note is 50."""
    data = build_live(session, pk__in=[])
    return data and with_sections(session, data)


def feuille(session: Session, entrant_id: int) -> dict[str, Any] | None:
    """With the plays of one player."""
    seated = reduce(or_, (Q(**{seat: entrant_id}) for seat in SEAT_FIELDS))
    plays = session.plays.filter(seated).order_by().values_list("pk", flat=True)
    return build_live(session, pk__in=list(plays))


def board(session: Session, number: int) -> dict[str, Any] | None:
    """With the plays of the étui of that number; of the others the numbers alone."""
    data = build_live(session, etui__number=number)
    if data is not None:
        numbers = session.plays.order_by("etui__number").values_list("etui__number", flat=True).distinct()
        known = {etui["number"]: etui for etui in data["etuis"]}
        data["etuis"] = [known.get(other, {"number": other, "plays": []}) for other in numbers]
    return data


def build_live(session: Session, **where: Any) -> dict[str, Any] | None:
    """The report with those plays."""
    if session.status == Session.Status.DRAFT:
        return None
    listed = plays_of(session, **where)
    if session.standings.data and not session.changed_etuis.filter(etui=None).exists():
        figures = session.standings.data | {"plays": plays_kept(session, {each.play.etui_id for each in listed})}
    elif computed := computing.compute(session.pk):
        figures = computed.data if listed else computed.figures | {"plays": {}}
    else:
        return None
    there = [each for each in listed if str(each.play.pk) in figures["plays"]]
    return build(session, figures, plays=there) | {"topped": figures["topped"]}


def plays_kept(session: Session, etuis: Collection[int]) -> dict[str, Any]:
    """The figures kept of the plays of these étuis, by their ids as JSON has them."""
    kept = EtuiStandings.objects.filter(standings=session.pk, etui__in=etuis)
    return {pk: play for plays in kept.values_list("plays", flat=True) for pk, play in plays.items()}
