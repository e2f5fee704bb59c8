"""The steps of a session's ranking after its publication, and the parts of it that readers see.

A ranking can be made official, reopened or withdrawn. `versions.rankings` has these steps for every kind of ranking.
This module adds what is special for sessions: the lock and the log.
"""

from functools import partial

from django.db import transaction

from evenings.plans.deal_sets import still_to_play
from rankings.publication.differences import compare_reports
from rankings.publication.report import read_seen_report
from tournaments.errors import ActionRefused
from tournaments.locks import lock_deal_set, lock_free_session, lock_running
from tournaments.log import log_action
from tournaments.models import Publication, Session
from tournaments.published import PublicPlace, Shows, Stamp, find_published
from tournaments.queue import queue_careers
from tournaments.reports.codec import StoredRows
from tournaments.reports.session import PublishedReport, ReportedEtui
from tournaments.versions.rankings import Actions, Rankings
from tournaments.versions.steps import DirectorWord, VersionComparison


def lock_to_step(session_id: int) -> Session:
    """Return the session, locked. Raise `ActionRefused` if it is not under way."""
    return lock_running(session_id, "tournament__club")


def lock_to_settle(session_id: int) -> Session | None:
    """Return the session, locked. Return None if another transaction holds the lock."""
    return lock_free_session(session_id, "tournament__club")


def write_step(session: Session, action: str, word: DirectorWord, version: Publication) -> None:
    """Log a step of the session's ranking, and queue the job that updates its players' careers."""
    told = {"reason": version.reason} if version.reason else {}
    log_action(session, action, now=word.now, by=word.by, words=version.reason, version=version.version, **told)
    queue_careers(session.pk)


SESSION_RANKINGS = Rankings(
    model=Publication,
    owner="session",
    actions=Actions("published", "ranking_official", "ranking_withdrawn", "ranking_reopened"),
    lock=lock_to_step,
    lock_free=lock_to_settle,
    write_log=write_step,
    compared=VersionComparison(compare_reports),
    hours=lambda session: session.tournament.window_hours,
)
settle_session = SESSION_RANKINGS.settle
settle_all = SESSION_RANKINGS.settle_all
make_official = SESSION_RANKINGS.make_official
reopen_ranking = SESSION_RANKINGS.reopen
withdraw_ranking = SESSION_RANKINGS.withdraw


def look_up_session(place: PublicPlace) -> Stamp | None:
    """Return the stamp of the session's publication, which says what readers see. None if nothing is published.

    If the time for corrections is over, the version first becomes official.
    """
    return SESSION_RANKINGS.look_up(partial(find_published, place))


def read_open(session: Session) -> PublishedReport | None:
    """Return the newest report of the session with the parts that readers may see, or None if they see nothing."""
    stamp = look_up_session(PublicPlace.of(session))
    if stamp is None or stamp.withdrawn:
        return None
    return read_seen_report(Publication.objects.values_list("data", flat=True).get(pk=stamp.publication), stamp)


@transaction.atomic
def switch_parts(*, session_id: int, shows: Shows, word: DirectorWord) -> Shows:
    """Show readers exactly these parts of the session's publications, in every version."""
    switch(lock_running(session_id, "tournament__club", "deal_set"), shows, word)
    return shows


def switch(session: Session, shows: Shows, word: DirectorWord) -> None:
    """Store which parts of a locked session readers see.

    Raise `ActionRefused` if cards are to be shown that other people have still to play, unless readers have seen them
    before.
    """
    before = Shows.of(session)
    if shows.cards and not before.cards and session.cards_shown_at is None and session.deal_set_id is not None:
        deal_set = lock_deal_set(session.deal_set_id)
        if shows_cards(session) and still_to_play(deal_set, but=session):
            raise ActionRefused("cards_still_to_play", "cards")
    changed = [part for part in Shows._fields if getattr(shows, part) != getattr(before, part)]
    for part in changed:
        setattr(session, f"shows_{part}", getattr(shows, part))
        action = "part_shown" if getattr(shows, part) else "part_hidden"
        log_action(session, action, now=word.now, by=word.by, part=part)
    if changed:
        session.save(update_fields=[f"shows_{part}" for part in changed])
        queue_careers(session.pk)
    remember_cards(session, word)


def remember_cards(session: Session, word: DirectorWord) -> None:
    """Store the time at which readers first see cards in a publication. From then on these cards are known."""
    if session.shows_cards and session.cards_shown_at is None and shows_cards(session):
        session.cards_shown_at = word.now
        session.save(update_fields=["cards_shown_at"])


def shows_cards(session: Session) -> bool:
    """Return whether any version of the session has cards."""
    held = session.publications.values_list("data__etuis", flat=True)
    return any(etui.cards for etuis in held for etui in StoredRows(ReportedEtui, etuis))
