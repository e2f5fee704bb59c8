"""The publication of a session: its checklist, and a dated, frozen copy of its standings, which readers see.

`rankings.kinds` has the steps for every kind of ranking. Here is what is special for sessions: the director's choices
of what readers see, what refuses a publication, the locks and the log.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from operator import itemgetter
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from evenings.plans.deal_sets import has_opened_cards, still_to_play
from evenings.plays.desk_state import CHECK_ETUI, DISPUTED, ODD, DeskPlay, hidden_etuis
from evenings.plays.free import count_unseated
from evenings.plays.rulings_given import newest_by_etui
from evenings.plays.session_plays import find_sessions_waiting
from evenings.plays.state import PlayState
from evenings.reference import find_reference, is_beside
from evenings.sessions.running import end_evening
from evenings.standings import computing
from evenings.standings.comparing import keep_computed
from evenings.standings.etuis import MISSING, SCORED
from evenings.standings.together import sums_now
from evenings.teams.common import MatchRefused
from rankings.kinds import Actions, RankingAddresses, RankingKind, Whose
from rankings.publication import building
from rankings.publication.differences import compare_reports
from rankings.publication.order import read_podiums
from rankings.publication.report import read_seen_report
from scoring.formats import TEAM_MATCH, find_format
from tournaments.errors import ActionRefused
from tournaments.locks import lock_deal_set, lock_free_session, lock_running, lock_tables
from tournaments.log import log_action
from tournaments.models import (
    CorrectionRequest,
    EtuiRuling,
    Penalty,
    Publication,
    PublishedPlayer,
    Session,
    Tournament,
)
from tournaments.models.seats import read_with_seats
from tournaments.published import PublicPlace, Shows, find_published
from tournaments.queue import queue_careers
from tournaments.reports.codec import StoredRows
from tournaments.reports.session import PublishedReport, ReportedEtui, decode_report
from tournaments.rules.formats import list_settings
from tournaments.versions import (
    DirectorWord,
    FiguresToPublish,
    VersionComparison,
    digest_figures,
    has_figures,
    own_digest,
)


@dataclass(frozen=True, slots=True)
class OpenPoint:
    """A point of the checklist, with a count.

    `is_open` is True if somebody still has to settle it. A point that is settled is already part of the ranking.
    """

    code: str
    count: int
    is_open: bool


def open_points(session: Session, plays: Iterable[DeskPlay]) -> list[OpenPoint]:
    """Return the points of the checklist whose count is not 0.

    `plays` are the session's plays as the desk shows them to the reader. A warning is not counted as a penalty, because
    it changes no percentage.
    """
    plays = list(plays)
    seen = [each for each in plays if not each.closed]
    hidden = {each.play.etui_id for each in plays if each.closed}
    states = [each.state for each in seen]
    rulings = newest_by_etui(session.pk).items()
    for_all = {etui for etui, ruling in rulings if ruling.kind == EtuiRuling.EtuiRulingKind.ANNULLED}
    annulled = [each for each in seen if each.annulled and each.play.etui_id not in for_all]
    penalties = Penalty.objects.filter(session=session, reverses=None, reversal=None)
    waiting = CorrectionRequest.objects.filter(play__session=session, decided_at=None, withdrawn_at=None)
    requested = waiting.values_list("play__etui", flat=True)
    found = (
        OpenPoint("missing", sum(each.missing for each in plays), is_open=True),
        OpenPoint("unseated", count_unseated(session), is_open=True),
        OpenPoint("disputed", states.count(DISPUTED), is_open=True),
        OpenPoint("check_etui", states.count(CHECK_ETUI), is_open=True),
        OpenPoint("odd", states.count(ODD), is_open=True),
        OpenPoint("requests", sum(etui not in hidden for etui in requested), is_open=True),
        OpenPoint("annulled", len(annulled), is_open=False),
        OpenPoint("etuis_annulled", len(for_all - hidden), is_open=False),
        OpenPoint("adjusted", sum(each.finest == PlayState.ADJUSTED for each in seen), is_open=False),
        OpenPoint("penalties", penalties.exclude(kind=Penalty.PenaltyKind.WARNING).count(), is_open=False),
    )
    return [point for point in found if point.count]


class Terms(NamedTuple):
    """The director's choices for a publication.

    `shows`: the parts that readers see; None keeps the present choice. `allow_missing` must be True if results are
    missing or other sections still play, because readers, also players at their tables, then see all other results.
    """

    shows: Shows | None = None
    allow_missing: bool = False


def lock_to_publish(session_id: int) -> Session:
    """Return the session, locked with its tables. Raise `ActionRefused` if it is not under way.

    The lock blocks every change of results, so the standings that are computed now are those that are published.
    """
    lock_tables(session_id)
    return lock_running(session_id, "tournament__club", "deal_set")


def session_to_publish(session: Session, last: Publication | None) -> FiguresToPublish:
    """Return the figures that would be published now. Raise `ActionRefused` if no result counts."""
    computed = computing.compute(session.pk)
    if computed is None or not computed.figures["counts"][SCORED]:
        raise ActionRefused("nothing_to_publish")
    missing = computed.figures["counts"][MISSING]
    data = data_to_publish(session, computed, choose_cards(session, last, missing=missing))
    # where the tables deal, nothing is compared, and a session with one table counts too
    has_etuis = list_settings(find_format(session.tournament.format), ("etuis",))
    compared = {"compared_etuis": computed.figures["topped"] if has_etuis else None}
    return FiguresToPublish(data, computed.results_version, compared, computed)


def check_session(
    session: Session, last: Publication | None, figures: FiguresToPublish, word: DirectorWord, terms: Terms | None
) -> None:
    """Store the standings that are published, and the director's choice of what readers see.

    New figures are refused while results are missing or other sections still play, unless the director allows that. In
    that case, a director who still has étuis to play may not publish. They are also refused if a match has a result in
    only one of its two rooms.
    """
    computed, (shows, allow_missing) = figures.computed, terms or Terms()
    missing = computed.figures["counts"][MISSING]
    others = sections_still_playing(session)
    if not has_figures(last, figures.data):
        if missing and not allow_missing:
            raise ActionRefused("results_missing", "allow_missing", missing=missing)
        if others and not allow_missing:
            raise ActionRefused("sections_still_play", "allow_missing", number=others[0].number)
        if missing:
            for check in CHECKS.get(session.tournament.format, ()):
                check(session, computed)
        if (missing or others) and word.by is not None and hidden_etuis(session, word.by):
            raise ActionRefused("publisher_still_plays")
    keep_computed(session, computed, now=word.now)
    if shows is not None:
        switch(session, shows, word)


def follow_publication(session: Session, publication: Publication, word: DirectorWord) -> None:
    """Remember whom a new publication names, and which cards readers now know.

    If no result is missing, the session is closed too.
    """
    people = decode_report(publication.data).people
    PublishedPlayer.objects.bulk_create(PublishedPlayer(publication=publication, player_id=pk) for pk in people)
    remember_cards(session, word)
    if word.by is not None and not publication.data["counts"][MISSING] and session.closed_at is None:
        end_evening(session, by=word.by, now=word.now)


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


# By format: the checks before a session is published of which results are missing.
CHECKS: Mapping[str, Sequence[Callable[[Session, computing.ComputedStandings], None]]] = {
    TEAM_MATCH.name: (check_both_rooms,),
}


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


def write_step(session: Session, action: str, word: DirectorWord, version: Publication) -> None:
    """Log a step of the session's ranking, and queue the job that updates its players' careers."""
    told: dict[str, Any] = {"version": version.version}
    reason = version.reason
    if action == SESSIONS.actions.published:
        reason, told["missing"] = word.reason, version.data["counts"][MISSING]
        action = "published_anew" if reason else action
    if reason:
        told["reason"] = reason
    log_action(session, action, now=word.now, by=word.by, words=reason, **told)
    queue_careers(session.pk)


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

    If a result was corrected and then corrected back, there is nothing new. `missing` results are known to the caller.
    """
    if last is None or last.status == last.PublicationStatus.WITHDRAWN:
        return True
    cards = choose_cards(session, last, missing=missing)
    if last.results_version < session.results_version:
        return own_digest(last) != keep_digest(session.pk, versions_of(session), tuple(cards))
    return cards != [etui.number for etui in decode_report(last.data).etuis if etui.cards]


def count_missing(session: Session) -> int:
    """Return how many results are missing, or 1 for any number of results of plays that are seated."""
    return len(find_sessions_waiting([session])) + count_unseated(session)


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


def name_session(version: Publication) -> str:
    session = version.session
    values = {
        "name": session.tournament.name,
        "number": session.number,
        "date": date_format(session.date, "DATE_FORMAT"),
    }
    return _("%(name)s, session %(number)s, %(date)s") % values


def find_rank_of_podium(stored: Mapping[str, Any]) -> str:
    """Return the key of the ranks of a session's podium, which is that of its reference."""
    has_alterne, together = (
        any(map(itemgetter("rank_alterne"), stored["data__players"])),
        bool(stored["data__together"]),
    )
    return find_reference(alone=not stored["beside"], has_alterne=has_alterne, together=together).rank


def find_shown_sessions(whose: Whose) -> QuerySet[Session]:
    tournaments = Tournament.objects.filter(whose.choose("tournament")).order_by()
    return Session.objects.filter(put_away_at=None, shows_ranking=True, tournament__in=tournaments)


SESSIONS = RankingKind(
    name="session",
    model=Publication,
    owner="session",
    club="session__tournament__club",
    steps="publication_step",
    actions=Actions("published", "ranking_official", "ranking_withdrawn", "ranking_reopened"),
    lock=lambda session_id: lock_running(session_id, "tournament__club"),
    lock_free=lambda session_id: lock_free_session(session_id, "tournament__club"),
    lock_to_publish=lock_to_publish,
    write_log=write_step,
    compared=VersionComparison(compare_reports),
    hours=lambda session: session.tournament.window_hours,
    find_figures=session_to_publish,
    find_stamp=find_published,
    check=check_session,
    follow_up=follow_publication,
    is_due=lambda session, last: is_due(session, last, missing=count_missing(session)),
    find_owners=find_shown_sessions,
    podiums=partial(
        read_podiums,
        find_rank=find_rank_of_podium,
        figure="overall",
        place=F("session__tournament"),
        beside=is_beside("session", "session__tournament"),
    ),
    addresses=RankingAddresses(
        *("ranking", "ranking_version", "versions", "podium", "ranking_pdf", "api_latest", "tournament_feed"),
        by_id=True,
    ),
    find_place=lambda session: (session.tournament.club.slug, session.tournament.slug, session.number),
    title=name_session,
    name_owner=lambda session: session.tournament.name,
    tell_owner=lambda session: (session.number, session.date),
)


def read_open(session: Session) -> PublishedReport | None:
    """Return the newest report of the session with the parts that readers may see, or None if they see nothing."""
    stamp = SESSIONS.look_up(PublicPlace.of(session))
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
