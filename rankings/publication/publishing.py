"""The publication of a session: its checklist, and a dated, frozen copy of its standings, which readers see."""

import datetime as dt
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from django.db import transaction

from clubs.models import User
from evenings.plans.deal_sets import has_opened_cards, still_to_play
from evenings.plays.desk_state import CHECK_ETUI, DISPUTED, ODD, DeskPlay, hidden_etuis
from evenings.plays.free import count_unseated
from evenings.plays.rulings_given import newest_by_etui
from evenings.plays.session_plays import find_sessions_waiting
from evenings.plays.state import PlayState
from evenings.sessions.running import end_evening
from evenings.standings import computing
from evenings.standings.comparing import keep_computed
from evenings.standings.etuis import MISSING, SCORED
from evenings.standings.together import sums_now
from evenings.teams.common import MatchRefused
from rankings.publication import building
from rankings.publication.status import SESSION_RANKINGS, remember_cards, switch
from scoring.formats import find_format
from tournaments.errors import ActionRefused
from tournaments.locks import lock_running, lock_tables
from tournaments.log import log_action
from tournaments.models import CorrectionRequest, EtuiRuling, Penalty, Publication, PublishedPlayer, Session
from tournaments.models.seats import read_with_seats
from tournaments.published import Shows
from tournaments.queue import queue_careers
from tournaments.reports.session import decode_report
from tournaments.versions.steps import DirectorWord, FiguresToPublish, digest_figures, own_digest


@dataclass(frozen=True, slots=True)
class OpenPoint:
    """A point of the checklist, with a count.

    `is_open` is True if somebody still has to settle it. A point that is settled is already part of the ranking.
    """

    code: str
    count: int
    is_open: bool


class OpenRulings(NamedTuple):
    """The rulings that concern more than one play, and open requests for a correction.

    `annulled` has the ids of étuis that are annulled for all tables. `penalties` is the number of penalties and
    bonuses. `requested` has the id of an étui for each open request. `unseated` is the number of results of games that
    are not seated yet.
    """

    annulled: Collection[int]
    penalties: int
    requested: Collection[int]
    unseated: int = 0


def read_ruled(session: Session) -> OpenRulings:
    """Return the rulings and the open requests of the session.

    A warning is not counted, because it changes no percentage.
    """
    rulings = newest_by_etui(session.pk).items()
    penalties = Penalty.objects.filter(session=session, reverses=None, reversal=None)
    penalties = penalties.exclude(kind=Penalty.PenaltyKind.WARNING)  # a warning changes no percentage
    waiting = CorrectionRequest.objects.filter(play__session=session, decided_at=None, withdrawn_at=None)
    return OpenRulings(
        {etui for etui, ruling in rulings if ruling.kind == EtuiRuling.EtuiRulingKind.ANNULLED},
        penalties.count(),
        list(waiting.values_list("play__etui", flat=True)),
        count_unseated(session),
    )


def open_points(plays: Iterable[DeskPlay], ruled: OpenRulings) -> list[OpenPoint]:
    """Return the points of the checklist whose count is not 0.

    `plays` are the session's plays as the desk shows them to the reader.
    """
    plays = list(plays)
    seen = [each for each in plays if not each.closed]
    hidden = {each.play.etui_id for each in plays if each.closed}
    states = [each.state for each in seen]
    annulled = [each for each in seen if each.annulled and each.play.etui_id not in ruled.annulled]
    found = (
        OpenPoint("missing", sum(each.missing for each in plays), is_open=True),
        OpenPoint("unseated", ruled.unseated, is_open=True),
        OpenPoint("disputed", states.count(DISPUTED), is_open=True),
        OpenPoint("check_etui", states.count(CHECK_ETUI), is_open=True),
        OpenPoint("odd", states.count(ODD), is_open=True),
        OpenPoint("requests", sum(etui not in hidden for etui in ruled.requested), is_open=True),
        OpenPoint("annulled", len(annulled), is_open=False),
        OpenPoint("etuis_annulled", len(set(ruled.annulled) - hidden), is_open=False),
        OpenPoint("adjusted", sum(each.finest == PlayState.ADJUSTED for each in seen), is_open=False),
        OpenPoint("penalties", ruled.penalties, is_open=False),
    )
    return [point for point in found if point.count]


class Terms(NamedTuple):
    """The director's choices for a publication.

    `reason`: why the figures differ from the official ones. `shows`: the parts that readers see; None keeps the present
    choice.
    """

    reason: str = ""
    shows: Shows | None = None


AS_IT_IS = Terms()


@transaction.atomic
def publish_session(
    *, session_id: int, by: User, now: dt.datetime, allow_missing: bool = False, terms: Terms = AS_IT_IS
) -> Publication:
    """Publish the session's present results and return the publication.

    If the newest publication has the same figures, return that one. If no result is missing, the session is closed too.

    `allow_missing` must be True if results are missing or other sections still play, because readers, also players at
    their tables, then see all other results. In that case, a director who still has étuis to play may not publish.
    Publishing is also refused if a match has a result in only one of its two rooms. Raise `ActionRefused` if one of
    these conditions is not met, or if there is nothing to publish.
    """
    lock_tables(session_id)
    session, word = lock_running(session_id, "tournament__club", "deal_set"), DirectorWord(by, now, terms.reason)
    # The lock on the session blocks every change of results, so the standings computed here are those that are
    # published.
    computed = computing.compute(session_id)
    if computed is None or not computed.figures["counts"][SCORED]:
        raise ActionRefused("nothing_to_publish")
    missing = computed.figures["counts"][MISSING]
    others = sections_still_playing(session)
    last = SESSION_RANKINGS.find_settled(session, now)
    data = data_to_publish(session, computed, choose_cards(session, last, missing=missing))
    if last is None or last.status == last.PublicationStatus.WITHDRAWN or own_digest(last) != digest_figures(data):
        if missing and not allow_missing:
            raise ActionRefused("results_missing", "allow_missing", missing=missing)
        if others and not allow_missing:
            raise ActionRefused("sections_still_play", "allow_missing", number=others[0].number)
        if missing and find_format(session.tournament.format).has_matches:
            check_both_rooms(session, computed)
        if (missing or others) and hidden_etuis(session, by):
            raise ActionRefused("publisher_still_plays")
    keep_computed(session, computed, now=now)
    if terms.shows is not None:
        switch(session, terms.shows, word)
    # where the tables deal, nothing is compared, and a session with one table counts too
    compares = not find_format(session.tournament.format).has_free_deals
    compared = {"compared_etuis": computed.figures["topped"] if compares else None}
    figures = FiguresToPublish(data, computed.results_version, compared)
    publication = SESSION_RANKINGS.add_version(session, figures, word)
    if last is None or publication.pk != last.pk:
        log_published(session, publication, word, missing=missing)
        people = decode_report(data).people
        PublishedPlayer.objects.bulk_create(PublishedPlayer(publication=publication, player_id=pk) for pk in people)
        remember_cards(session, word)
        queue_careers(session.pk)
        if not missing and session.closed_at is None:
            end_evening(session, by=by, now=now)
    return publication


def data_to_publish(
    session: Session, computed: computing.ComputedStandings, cards_of: Collection[int]
) -> dict[str, Any]:
    """Return the report to store in a publication, with the cards of the étuis whose numbers are in `cards_of`."""
    data = building.build_report(session, computed.data, cards_of=cards_of)
    return building.with_sections(session, data, lambda each: computed.sums if each == session else sums_now(each))


def check_both_rooms(session: Session, computed: computing.ComputedStandings) -> None:
    """Raise `ActionRefused` if a half of a match has a result, and the other room has still to play its half."""
    states = {int(pk): play["state"] for pk, play in computed.data["plays"].items()}
    plays = read_with_seats(session.plays.order_by("pk"), "pk", "etui__number")
    halves = {(etui, seats["S"], seats["N"]): pk for (pk, etui), seats in plays}
    for (etui, attacking, defending), pk in sorted(halves.items(), key=lambda half: half[0][0]):
        other = halves.get((etui, defending, attacking))
        if other is not None and states[pk] == SCORED and states[other] == MISSING:
            raise MatchRefused("half_missing", "allow_missing", etui=etui)


def sections_still_playing(session: Session) -> list[Session]:
    """Return the other sections that still have étuis to play, by their numbers.

    Their players would see the results of these étuis in a publication of this session.
    """
    if session.group_id is None:
        return []
    others = list(Session.objects.filter(group=session.group_id, closed_at=None).exclude(pk=session.pk))
    waiting = find_sessions_waiting(others)
    still = [other for other in others if other.status == Session.Status.DRAFT or other.pk in waiting]
    return sorted(still, key=lambda other: other.number)


def log_published(session: Session, publication: Publication, word: DirectorWord, *, missing: int) -> None:
    """Write the publication to the session's log. `missing` is the number of missing results."""
    told: dict[str, Any] = {"version": publication.version, "missing": missing}
    if word.reason:
        log_action(session, "published_anew", now=word.now, by=word.by, words=word.reason, reason=word.reason, **told)
    else:
        log_action(session, "published", now=word.now, by=word.by, **told)


def publishable_cards(session: Session, *, missing: int) -> list[int]:
    """Return the numbers of the étuis whose cards readers may see: all étuis with cards, or none.

    None are returned while results of this session are missing. None are returned either while another session, or
    another club with a copy of the set, has still to play the same cards. In a simultaneous, none are returned before
    its public hour.
    """
    assert session.deal_set is not None
    if missing or session.held_until is not None or still_to_play(session.deal_set, but=session):
        return []
    with_cards = session.plays.exclude(etui__cards="").order_by("etui__number")
    return list(with_cards.values_list("etui__number", flat=True).distinct())


def choose_cards(session: Session, last: Publication | None, *, missing: int) -> list[int]:
    """Return the numbers of the étuis whose cards a new publication gets.

    If the public hour of a simultaneous has opened the cards, readers see them anyway. Then a new version has those of
    the version before, so that it differs only if figures differ.
    """
    if last is None or not has_opened_cards(session):
        return publishable_cards(session, missing=missing)
    return [etui.number for etui in decode_report(last.data).etuis if etui.cards]


def is_due(session: Session, last: Publication | None, *, missing: int) -> bool:
    """Return whether a publication now would show readers anything new since the publication `last`.

    If a result was corrected and then corrected back, there is nothing new.
    """
    if last is None or last.status == last.PublicationStatus.WITHDRAWN:
        return True
    cards = choose_cards(session, last, missing=missing)
    if last.results_version < session.results_version:
        return own_digest(last) != keep_digest(session.pk, versions_of(session), tuple(cards))
    return cards != [etui.number for etui in decode_report(last.data).etuis if etui.cards]


def versions_of(session: Session) -> tuple[tuple[int, ...], ...]:
    """Return the versions on which the session's figures depend, as `(id, version of the results, revision)`.

    The first is the session's own. Those of the other sections follow.
    """
    own = session.pk, session.results_version, session.revision
    if session.group_id is None:
        return (own,)
    others = Session.objects.filter(group=session.group_id).exclude(pk=session.pk).order_by("pk")
    return own, *others.values_list("pk", "results_version", "revision")


@lru_cache(maxsize=64)  # each view of the desk needs it while a correction is not published
def keep_digest(session_id: int, _versions: tuple[tuple[int, ...], ...], cards: tuple[int, ...]) -> str | None:
    """Return the digest of the figures that would be published now, or None if nothing can be computed.

    The result is cached by all arguments, because the figures depend on nothing else. Cards never change once they are
    there, so the numbers of the étuis that have cards are enough.
    """
    session = Session.objects.select_related("tournament", "group").get(pk=session_id)
    computed = computing.compute(session_id)
    return computed and digest_figures(data_to_publish(session, computed, cards))
