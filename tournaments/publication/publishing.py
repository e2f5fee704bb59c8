"""Publishing: a dated, frozen copy of the standings that readers see from then on."""

import datetime as dt
import hashlib
import json
from typing import Any

from django.db import transaction

from clubs.models import User
from tournaments.errors import Refused
from tournaments.locks import lock_running, lock_tables
from tournaments.log import log
from tournaments.models import Publication, PublishedPlayer, Session
from tournaments.plans.deal_sets import still_to_play
from tournaments.plays.desk_state import hidden_etuis
from tournaments.publication import report
from tournaments.sessions.closing import end_evening
from tournaments.standings import computing
from tournaments.standings.comparing import settle
from tournaments.standings.etuis import MISSING, SCORED


@transaction.atomic
def publish_session(*, session_id: int, by: User, now: dt.datetime, allow_missing: bool = False) -> Publication:
    """The publication of the results as they stand; where the same has been published already, that one.

    With results missing it wants `allow_missing`: readers, and players still at their tables, will see all the rest.
    Where nothing is awaited any more the evening is closed with it.
    So would a director who plays himself: while étuis of his own are to come, it is refused to him.
    """
    lock_tables(session_id)
    session = lock_running(session_id, "tournament__club", "deal_set")
    # The lock on the session holds every change of results back, so what is computed here is what is published.
    computed = computing.compute(session_id)
    if computed is None or not computed.figures["counts"][SCORED]:
        raise Refused("nothing_to_publish")
    missing = computed.figures["counts"][MISSING]
    last = session.publications.order_by("-version").first()
    data = report.build(session, computed.data, cards_of=publishable_cards(session, missing=missing))
    digest = digest_of(data)
    if last is not None and last.digest == digest:
        settle(session, computed, now=now)
        return last
    if missing and not allow_missing:
        raise Refused("results_missing", "allow_missing", missing=missing)
    if missing and hidden_etuis(session, by):
        raise Refused("publisher_still_plays")
    settle(session, computed, now=now)
    version = last.version + 1 if last else 1
    log(session, "published", now=now, by=by, version=version, missing=missing)
    publication = Publication.objects.create(
        session=session,
        version=version,
        results_version=computed.results_version,
        published_at=now,
        published_by=by,
        data=data,
        digest=digest,
    )
    people = report.people_of(data)
    PublishedPlayer.objects.bulk_create(PublishedPlayer(publication=publication, player_id=pk) for pk in people)
    if not missing and session.closed_at is None:
        end_evening(session, by=by, now=now)
    return publication


def digest_of(data: dict[str, Any]) -> str:
    """Of the figures alone, since there is no name among them."""
    text = json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def publishable_cards(session: Session, *, missing: int) -> list[int]:
    """Étuis whose cards may be shown: played here to the end, and kept for no other session that still plays the set.

    A copy of the set in another club counts: its players have still to meet the same cards.
    """
    assert session.deal_set is not None
    if missing or still_to_play(session.deal_set, but=session):
        return []
    with_cards = session.plays.exclude(etui__cards="").order_by("etui__number")
    return list(with_cards.values_list("etui__number", flat=True).distinct())


def is_due(session: Session, last: Publication | None, *, missing: int) -> bool:
    """Whether publishing now would show readers anything that the last publication does not."""
    if last is None or last.results_version < session.results_version:
        return True
    shown = [etui["number"] for etui in last.data["etuis"] if etui["cards"]]
    return shown != publishable_cards(session, missing=missing)
