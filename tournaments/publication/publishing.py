"""Publishing: a dated, frozen copy of the standings that readers see from then on."""

import datetime as dt
from typing import Any, NamedTuple

from django.db import transaction

from clubs.models import User
from tournaments.errors import Refused
from tournaments.locks import lock_running, lock_tables
from tournaments.log import log
from tournaments.models import Publication, PublishedPlayer, Session
from tournaments.plans.deal_sets import still_to_play
from tournaments.plays.desk_state import hidden_etuis
from tournaments.plays.session_plays import find_sessions_waiting
from tournaments.publication import report, versions
from tournaments.publication.differences import compare
from tournaments.publication.standing import end_session_window, remember_cards, switch
from tournaments.publication.versions import Compared, Figures, Word
from tournaments.published import Shows
from tournaments.queue import queue_careers
from tournaments.sessions.closing import end_evening
from tournaments.standings import computing
from tournaments.standings.comparing import settle
from tournaments.standings.etuis import MISSING, SCORED
from tournaments.standings.together import sums_now


class Terms(NamedTuple):
    """How something is published: why other figures than the official ones are, and what of it readers see; None: what
    they see already."""

    reason: str = ""
    shows: Shows | None = None


AS_IT_IS = Terms()


@transaction.atomic
def publish_session(
    *, session_id: int, by: User, now: dt.datetime, allow_missing: bool = False, terms: Terms = AS_IT_IS
) -> Publication:
    """The publication of the results as they stand; where the same has been published already, that one.

    With results missing it wants `allow_missing`: readers, and players still at their tables, will see all the rest.
    Where nothing is awaited any more the evening is closed with it.
    So would a director who plays himself: while étuis of his own are to come, it is refused to him.
    """
    lock_tables(session_id)
    session, word = lock_running(session_id, "tournament__club", "deal_set"), Word(by, now, terms.reason)
    # The lock on the session holds every change of results back, so what is computed here is what is published.
    computed = computing.compute(session_id)
    if computed is None or not computed.figures["counts"][SCORED]:
        raise Refused("nothing_to_publish")
    missing = computed.figures["counts"][MISSING]
    data = report.build(session, computed.data, cards_of=publishable_cards(session, missing=missing))
    data = report.with_sections(session, data, lambda each: computed.sums if each == session else sums_now(each))
    others = sections_still_playing(session)
    last = versions.newest_version(session)
    last = last and end_session_window(session, last, word)
    if last is None or last.status == last.Status.WITHDRAWN or last.digest != versions.digest_of(data):
        if missing and not allow_missing:
            raise Refused("results_missing", "allow_missing", missing=missing)
        if others and not allow_missing:
            raise Refused("sections_still_play", "allow_missing", number=others[0].number)
        if (missing or others) and hidden_etuis(session, by):
            raise Refused("publisher_still_plays")
    settle(session, computed, now=now)
    if terms.shows is not None:
        switch(session, terms.shows, word)
    compared = {"compared_etuis": computed.figures["topped"]}
    figures = Figures(data, computed.results_version, compared)
    publication: Publication = versions.publish_figures(session, figures, word, Compared(compare))
    if last is None or publication.pk != last.pk:
        log_published(session, publication, word, missing=missing)
        people = report.people_of(data)
        PublishedPlayer.objects.bulk_create(PublishedPlayer(publication=publication, player_id=pk) for pk in people)
        remember_cards(session, word)
        queue_careers(session.pk)
        if not missing and session.closed_at is None:
            end_evening(session, by=by, now=now)
    return publication


def sections_still_playing(session: Session) -> list[Session]:
    """Return the other sections that have étuis to play yet: their players would see what these are worth."""
    if session.group_id is None:
        return []
    others = list(Session.objects.filter(group=session.group_id, closed_at=None).exclude(pk=session.pk))
    waiting = find_sessions_waiting(others)
    still = [other for other in others if other.status == Session.Status.DRAFT or other.pk in waiting]
    return sorted(still, key=lambda other: other.number)


def log_published(session: Session, publication: Publication, word: Word, *, missing: int) -> None:
    told: dict[str, Any] = {"version": publication.version, "missing": missing}
    if word.reason:
        log(session, "published_anew", now=word.now, by=word.by, words=word.reason, reason=word.reason, **told)
    else:
        log(session, "published", now=word.now, by=word.by, **told)


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
    if last is None or last.status == last.Status.WITHDRAWN or last.results_version < session.results_version:
        return True
    shown = [etui["number"] for etui in last.data["etuis"] if etui["cards"]]
    return shown != publishable_cards(session, missing=missing)
