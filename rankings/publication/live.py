"""The present report of a session, for directors: the newest standings, with only the plays that a page shows.

The standings are those that a job has stored. They are computed anew if there are none, or if the plan was changed
since.
"""

from collections.abc import Collection
from typing import Any

from evenings.plays.session_plays import plays_of
from evenings.standings import computing
from rankings.publication.building import build_report, with_sections
from tournaments.models import EtuiStandings, Session
from tournaments.models.seats import sits_at_play


def read_live_ranking(session: Session) -> dict[str, Any] | None:
    """Return the report without plays, or None if the session has no plays, for example before its start.

    The other functions of this module return None in the same case.
    Its `topped` is the number of étuis of which at least two plays can be compared. As long as it is 0, every note is
    50.
    """
    data = build_live(session, pk__in=[])
    return data and with_sections(session, data)


def feuille(session: Session, entrant_id: int) -> dict[str, Any] | None:
    """Return the report with only the plays of this entrant."""
    plays = session.plays.filter(sits_at_play(entrant_id)).order_by().values_list("pk", flat=True)
    return build_live(session, pk__in=list(plays))


def etui(session: Session, number: int) -> dict[str, Any] | None:
    """Return the report with only the plays of one étui. The other étuis are listed by number, without plays."""
    data = build_live(session, etui__number=number)
    if data is not None:
        numbers = session.plays.order_by("etui__number").values_list("etui__number", flat=True).distinct()
        known = {etui["number"]: etui for etui in data["etuis"]}
        data["etuis"] = [known.get(other, {"number": other, "plays": []}) for other in numbers]
    return data


def build_live(session: Session, **where: Any) -> dict[str, Any] | None:
    """Return the report with the plays that match `where`, which are Django filter arguments for plays."""
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
    return build_report(session, figures, plays=there) | {"topped": figures["topped"]}


def plays_kept(session: Session, etuis: Collection[int]) -> dict[str, Any]:
    """Return the stored figures of all plays of these étuis (given by id), by the play's id as text."""
    kept = EtuiStandings.objects.filter(standings=session.pk, etui__in=etuis)
    return {pk: play for plays in kept.values_list("plays", flat=True) for pk, play in plays.items()}
