"""What becomes of a session's ranking once it is published: official, reopened, taken back; what of it readers see.

Each is a director's word with its line in the log, but for the end of the window, which nobody has to be there for: the
sweep writes it, or whoever asks for the ranking first.
"""

import logging
from collections.abc import Callable
from typing import Any

from django.db import DatabaseError, transaction
from django.utils import timezone

from tournaments.errors import Refused
from tournaments.locks import lock_deal_set, lock_free_session, lock_running
from tournaments.log import log
from tournaments.models import Publication, Session
from tournaments.plans.deal_sets import still_to_play
from tournaments.publication import versions
from tournaments.publication.report import cut
from tournaments.publication.versions import Word
from tournaments.published import Place, Shows, Stamp, find_published
from tournaments.queue import queue_careers

logger = logging.getLogger(__name__)
Step = Callable[[Session, Publication], Publication]


def make_official(*, session_id: int, word: Word) -> Publication:
    """The ranking as it is published, official before its window ends."""
    return take_step(session_id, "ranking_official", word, lambda _, last: versions.make_official(last, word))


def withdraw_ranking(*, session_id: int, word: Word) -> Publication:
    """Takes the ranking off, with all of its versions, until it is published again."""
    return take_step(session_id, "ranking_withdrawn", word, lambda _, last: versions.withdraw(last, word))


def reopen_ranking(*, session_id: int, word: Word) -> Publication:
    """The official ranking, provisional again for as long as a new one would be."""

    def step(session: Session, last: Publication) -> Publication:
        return versions.reopen(last, word, hours=versions.window_of(session))

    return take_step(session_id, "ranking_reopened", word, step)


@transaction.atomic
def take_step(session_id: int, action: str, word: Word, step: Step) -> Publication:
    """`Refused("nothing_published")` before the first publication. What is so already is written once."""
    session = lock_running(session_id, "tournament__club")
    last = versions.newest_version(session)
    if last is None:
        raise Refused("nothing_published")
    last = end_session_window(session, last, word)
    version = step(session, last)
    if version.pk != last.pk:
        told = {"reason": version.reason} if version.reason else {}
        log(session, action, now=word.now, by=word.by, words=version.reason, version=version.version, **told)
        queue_careers(session_id)
    return version


def end_session_window(session: Session, last: Publication, word: Word) -> Publication:
    version = versions.end_window(last, word.now)
    if version.pk != last.pk:
        log(session, "ranking_official", now=word.now, version=version.version)
        queue_careers(session.pk)
    return version


def settle_session(session_id: int) -> bool:
    """Makes a ranking official whose window has ended. Whether it has: who comes while another writes leaves it to him,
    and a reader is never told of a database that takes nothing."""
    try:
        with transaction.atomic():
            session = lock_free_session(session_id, "tournament__club")
            if session is None:
                return False
            end_session_window(session, versions.newest_version(session), Word(None, timezone.now()))
    except DatabaseError:
        logger.warning("The ranking of session %s could not be made official: the next visit tries again.", session_id)
        return False
    return True


def settle_all() -> None:
    """Every session whose ranking nobody has asked for since its window ended."""
    versions.settle_each(versions.owners_to_settle(Publication, "session", timezone.now()), settle_session)


def look_up(place: Place) -> Stamp | None:
    """What is published, official where it has become so by now."""
    stamp = find_published(place, timezone.now())
    if stamp is not None and stamp.over and settle_session(stamp.session):
        return find_published(place, timezone.now())
    return stamp


def read_open(session: Session) -> dict[str, Any] | None:
    """The newest report of a session as readers may have it; None where there is none."""
    stamp = look_up(Place.of(session))
    if stamp is None or stamp.withdrawn:
        return None
    return cut(Publication.objects.values_list("data", flat=True).get(pk=stamp.publication), stamp.shows)


@transaction.atomic
def switch_parts(*, session_id: int, shows: Shows, word: Word) -> Shows:
    """Shows readers these parts of what is published, in every version, and no others."""
    switch(lock_running(session_id, "tournament__club", "deal_set"), shows, word)
    return shows


def switch(session: Session, shows: Shows, word: Word) -> None:
    """Of a session that is locked. Cards that others have still to play stay hidden, unless they were shown before."""
    before = Shows.of(session)
    if shows.cards and not before.cards and session.cards_shown_at is None and session.deal_set_id is not None:
        deal_set = lock_deal_set(session.deal_set_id)
        if shows_cards(session) and still_to_play(deal_set, but=session):
            raise Refused("cards_still_to_play", "cards")
    changed = [part for part in Shows._fields if getattr(shows, part) != getattr(before, part)]
    for part in changed:
        setattr(session, f"shows_{part}", getattr(shows, part))
        action = "part_shown" if getattr(shows, part) else "part_hidden"
        log(session, action, now=word.now, by=word.by, part=part)
    if changed:
        session.save(update_fields=[f"shows_{part}" for part in changed])
        queue_careers(session.pk)
    remember_cards(session, word)


def remember_cards(session: Session, word: Word) -> None:
    """Once a publication shows cards they are known for good."""
    if session.shows_cards and session.cards_shown_at is None and shows_cards(session):
        session.cards_shown_at = word.now
        session.save(update_fields=["cards_shown_at"])


def shows_cards(session: Session) -> bool:
    """Whether any of its versions holds cards."""
    held = session.publications.values_list("data__etuis", flat=True)
    return any(etui["cards"] for etuis in held for etui in etuis)
