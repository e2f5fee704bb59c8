"""The steps of a session's ranking after its publication, and the parts of it that readers see.

The ranking may become official, be reopened or be withdrawn. The steps are those of every ranking
(`versions.rankings`); this module locks a session for a step, and writes its log.
"""

from functools import partial
from typing import Any

from django.db import transaction

from tournaments.errors import ActionRefused
from tournaments.locks import lock_deal_set, lock_free_session, lock_running
from tournaments.log import log_action
from tournaments.models import Publication, Session
from tournaments.plans.deal_sets import still_to_play
from tournaments.publication.differences import compare_reports
from tournaments.publication.report import cut_report
from tournaments.published import PublicPlace, Shows, Stamp, find_published
from tournaments.queue import queue_careers
from tournaments.versions.rankings import Actions, Rankings
from tournaments.versions.steps import DirectorWord, VersionComparison


def lock_to_step(session_id: int) -> Session:
    """Return the session, locked. Raise `ActionRefused` if it is not under way."""
    return lock_running(session_id, "tournament__club")


def lock_to_settle(session_id: int) -> Session | None:
    """Return the session, locked, or None if another write has it."""
    return lock_free_session(session_id, "tournament__club")


def write_step(session: Session, action: str, word: DirectorWord, version: Publication) -> None:
    """Log a step of the session's ranking, and queue the careers of its players."""
    told = {"reason": version.reason} if version.reason else {}
    log_action(session, action, now=word.now, by=word.by, words=version.reason, version=version.version, **told)
    queue_careers(session.pk)


SESSION_RANKINGS = Rankings(
    model=Publication,
    owner="session",
    actions=Actions("ranking_official", "ranking_withdrawn", "ranking_reopened"),
    lock=lock_to_step,
    lock_free=lock_to_settle,
    write_log=write_step,
    compared=VersionComparison(compare_reports),
    hours=lambda session: session.tournament.window_hours,
)
settle_session = SESSION_RANKINGS.settle
settle_all = SESSION_RANKINGS.settle_all


def make_official(*, session_id: int, word: DirectorWord) -> Publication:
    """Make the ranking official as it is published, before its window ends."""
    return SESSION_RANKINGS.make_official(session_id, word)


def withdraw_ranking(*, session_id: int, word: DirectorWord) -> Publication:
    """Withdraw the ranking, with all of its versions, until it is published again."""
    return SESSION_RANKINGS.withdraw(session_id, word)


def reopen_ranking(*, session_id: int, word: DirectorWord) -> Publication:
    """Make the official ranking provisional again, for as long as a new one would be."""
    return SESSION_RANKINGS.reopen(session_id, word)


def look_up_session(place: PublicPlace) -> Stamp | None:
    """Return the stamp of what is published. A version whose window has ended becomes official first."""
    return SESSION_RANKINGS.look_up(partial(find_published, place))


def read_open(session: Session) -> dict[str, Any] | None:
    """Return the newest report of a session as readers may see it, or None."""
    stamp = look_up_session(PublicPlace.of(session))
    if stamp is None or stamp.withdrawn:
        return None
    return cut_report(Publication.objects.values_list("data", flat=True).get(pk=stamp.publication), stamp.shows)


@transaction.atomic
def switch_parts(*, session_id: int, shows: Shows, word: DirectorWord) -> Shows:
    """Show readers these parts of what is published, in every version, and no others."""
    switch(lock_running(session_id, "tournament__club", "deal_set"), shows, word)
    return shows


def switch(session: Session, shows: Shows, word: DirectorWord) -> None:
    """Switch the parts of a locked session.

    Raise `ActionRefused` for cards that others have still to play, unless they were shown before.
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
    """Save the time at which a publication first shows cards: from then on they are known."""
    if session.shows_cards and session.cards_shown_at is None and shows_cards(session):
        session.cards_shown_at = word.now
        session.save(update_fields=["cards_shown_at"])


def shows_cards(session: Session) -> bool:
    """Return whether any version of the session has cards."""
    held = session.publications.values_list("data__etuis", flat=True)
    return any(etui["cards"] for etuis in held for etui in etuis)
