"""Publishing: a dated, frozen copy of the standings that readers see from then on."""

import datetime as dt
import hashlib
import json

from django.db import transaction

from clubs.models import User
from tournaments import report, standings
from tournaments.errors import Refused
from tournaments.models import Publication, Session, SessionStandings
from tournaments.services.deal_sets import sessions_to_wait_for


@transaction.atomic
def publish_session(*, session_id: int, by: User, now: dt.datetime, allow_missing: bool = False) -> Publication:
    """The publication of the results as they stand; where they have been published already, that one.

    With results missing it wants `allow_missing`: readers, and players still at their tables, will see all the rest.
    """
    session = (
        Session.objects.select_for_update(of=("self",))
        .select_related("tournament__club", "deal_set")
        .get(pk=session_id)
    )
    if session.status != Session.Status.RUNNING:
        raise Refused("session_not_started")
    # The lock on the session holds every change of results back, so what is computed here is what is published.
    computed = standings.compute(session_id)
    if computed is None or not computed.data["counts"][standings.SCORED]:
        raise Refused("nothing_to_publish")
    missing = computed.data["counts"][standings.MISSING]
    last = session.publications.order_by("-version").first()
    if last is not None and last.results_version == computed.results_version:
        return last
    if missing and not allow_missing:
        raise Refused("results_missing", "allow_missing", missing=missing)
    SessionStandings.objects.filter(session=session, results_version__lt=computed.results_version).update(
        results_version=computed.results_version, computed_at=now, data=computed.data
    )
    data = report.build(session, computed.data, cards_of=publishable_cards(session, missing=missing))
    text = json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return Publication.objects.create(
        session=session,
        version=last.version + 1 if last else 1,
        results_version=computed.results_version,
        published_at=now,
        published_by=by,
        data=data,
        digest=hashlib.sha256(text.encode()).hexdigest(),
    )


def publishable_cards(session: Session, *, missing: int) -> list[int]:
    """Étuis whose cards may be shown: played here to the end, and kept for no other session that still plays the set.

    A copy of the set in another club counts: its players have still to meet the same cards.
    """
    assert session.deal_set is not None
    if missing or sessions_to_wait_for(session.deal_set).exclude(pk=session.pk).exists():
        return []
    return list(session.plays.values_list("etui__number", flat=True).distinct())
