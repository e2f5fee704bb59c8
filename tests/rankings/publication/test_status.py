"""The status of a published ranking: provisional, official, reopened, taken back; and what readers see of it."""

import datetime as dt

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.db import DatabaseError
from django.utils import timezone

from clubs.models import ClubSettings
from deals.sets import seal_deal_set
from evenings.plans.deal_sets import find_known_etuis, reveal_seed
from evenings.plans.starting import start_session
from evenings.sessions.setup import use_deal_set
from rankings.kinds import RankingKind
from rankings.publication.publishing import SESSIONS, Terms, is_due, switch_parts
from tests import shared_evenings
from tests.factories import draft_session, enter_all, make_director, make_tournament, publish, published_session
from tests.rankings.publication.test_publishing import correct_first
from tournaments.errors import ActionRefused
from tournaments.models import Publication, Session, Tournament
from tournaments.published import PublicPlace, Shows
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db
HOUR = dt.timedelta(hours=1)
ALL = Shows()


session = shared_evenings.published_with_cards_read_again


@pytest.fixture
def say(director):
    return lambda reason="": DirectorWord(director, timezone.now(), reason)


def end_window(session):
    newest = session.publications.order_by("-version").first()
    Publication.objects.filter(pk=newest.pk).update(official_from=timezone.now() - HOUR)


def told(session):
    return list(session.publications.order_by("version").values_list("version", "status", "reason"))


def logged(session):
    lines = session.log.exclude(action__in=["entered", "corrected", "session_closed"]).order_by("id")
    return [(line.action, line.author and line.author.username) for line in lines]


def test_ranking_is_provisional_for_the_hours_of_its_tournament(session):
    first = session.publications.get()
    assert (first.status, first.official_from) == ("provisional", first.published_at + 48 * HOUR)


def test_window_is_the_clubs_own_in_a_new_tournament(session):
    club = session.tournament.club
    ClubSettings.objects.create(club=club, window_hours=6)
    assert make_tournament(club, name="Autre").window_hours == 6


def test_window_that_ends_makes_it_official_once_by_nobody(session):
    end_window(session)
    SESSIONS.settle_all()
    SESSIONS.settle_all()
    first, second = session.publications.order_by("version")
    assert (second.status, second.published_by, second.changes) == ("official", None, [])
    assert (second.data, second.digest, second.results_version) == (first.data, first.digest, first.results_version)
    assert logged(session)[-1] == ("ranking_official", None)


def test_window_that_goes_on_is_left_alone(session):
    SESSIONS.settle_all()
    assert SESSIONS.settle(session.pk)
    assert told(session) == [(1, "provisional", "")]


def test_first_look_after_the_window_makes_it_official(session):
    end_window(session)
    stamps = [SESSIONS.look_up(PublicPlace.of(session)) for _time in range(2)]
    assert [(stamp.version, stamp.status) for stamp in stamps] == [(2, "official"), (2, "official")]
    assert told(session) == [(1, "provisional", ""), (2, "official", "")]


@pytest.mark.nightly("story")
def test_ranking_that_cannot_be_made_official_leaves_the_others_their_turn(session, director, monkeypatch, caplog):
    others = [published_session(session.tournament, by=director) for _ in range(2)]
    for each in (*others, session):
        end_window(each)
    end = RankingKind.end_window

    def end_unless(rankings, one, *more):
        if one.pk != others[0].pk:
            return end(rankings, one, *more)
        raise LookupError("its rows")

    monkeypatch.setattr(RankingKind, "end_window", end_unless)
    SESSIONS.settle_all()
    assert [told(each)[-1][1] for each in (*others, session)] == ["provisional", "official", "official"]
    assert f"settle_session of {others[0].pk} failed: the next sweep tries again" in caplog.text


def test_end_of_a_sweep_is_no_fault_of_the_ranking_at_hand(session, monkeypatch):
    def come_to_the_limit(*_given):
        raise SoftTimeLimitExceeded

    end_window(session)
    monkeypatch.setattr(RankingKind, "end_window", come_to_the_limit)
    with pytest.raises(SoftTimeLimitExceeded):
        SESSIONS.settle_all()


def test_reader_is_told_of_no_database_that_takes_nothing(session, monkeypatch, caplog):
    def refuse(*_given):
        raise DatabaseError("disk full")

    end_window(session)
    monkeypatch.setattr(RankingKind, "end_window", refuse)
    assert SESSIONS.look_up(PublicPlace.of(session)).version == 1
    assert "the next visit tries again" in caplog.text
    monkeypatch.undo()
    assert SESSIONS.look_up(PublicPlace.of(session)).version == 2


def test_directors_word_makes_it_official_at_once_and_once(session, director, say):
    made = [SESSIONS.make_official(session.pk, word=say()) for _time in range(2)]
    assert [(each.version, each.status, each.published_by) for each in made] == [(2, "official", director)] * 2
    assert logged(session)[-1] == ("ranking_official", "directrice")


def test_without_a_window_it_is_official_at_once(say, director, session):
    Tournament.objects.filter(pk=session.tournament_id).update(window_hours=0)
    correct_first(session, director)
    assert publish(session, by=director).status == "official"
    assert told(session) == [(1, "provisional", ""), (2, "provisional", ""), (3, "official", "")]


def test_correction_while_it_is_provisional_begins_a_new_window(session, director):
    correct_first(session, director)
    second = publish(session, by=director)
    assert (second.version, second.status) == (2, "provisional")
    assert second.official_from == second.published_at + 48 * HOUR
    assert second.changes[0]["code"] == "score"


@pytest.mark.nightly("story")
@pytest.mark.parametrize("how", ["by a word", "by the clock"])
def test_correction_of_an_official_ranking_wants_a_reason_and_shows_it(session, director, say, how):
    if how == "by a word":
        SESSIONS.make_official(session.pk, word=say())
    else:
        end_window(session)
    correct_first(session, director)
    with pytest.raises(ActionRefused, match="reason_missing"):
        publish(session, by=director)
    third = SESSIONS.publish(session.pk, DirectorWord(director, timezone.now(), "étui 1 relu"))
    assert (third.version, third.status, third.reason) == (3, "provisional", "étui 1 relu")
    assert told(session)[1] == (2, "official", "")
    assert logged(session)[-1] == ("published_anew", "directrice")


def test_official_ranking_is_reopened_with_the_same_figures_for_a_reason(session, director, say):
    with pytest.raises(ActionRefused, match="ranking_not_official"):
        SESSIONS.reopen(session.pk, word=say("à revoir"))
    official = SESSIONS.make_official(session.pk, word=say())
    with pytest.raises(ActionRefused, match="reason_missing"):
        SESSIONS.reopen(session.pk, word=say(" "))
    again = SESSIONS.reopen(session.pk, word=say("à revoir"))
    assert (again.status, again.reason, again.digest) == ("provisional", "à revoir", official.digest)
    assert again.official_from == again.published_at + dt.timedelta(hours=session.tournament.window_hours)
    end_window(session)
    SESSIONS.settle_all()
    assert [status for _version, status, _reason in told(session)] == [
        "provisional", "official", "provisional", "official",
    ]  # fmt: skip


def test_ranking_taken_back_comes_back_by_being_published_again(session, director, say):
    with pytest.raises(ActionRefused, match="reason_missing"):
        SESSIONS.withdraw(session.pk, word=say())
    for _time in range(2):
        SESSIONS.withdraw(session.pk, word=say("mauvaise soirée"))
    assert told(session) == [(1, "provisional", ""), (2, "withdrawn", "mauvaise soirée")]
    with pytest.raises(ActionRefused, match="ranking_withdrawn"):
        SESSIONS.make_official(session.pk, word=say())
    assert is_due(session, session.publications.get(version=2), missing=0)
    third = publish(session, by=director)
    assert (third.version, third.status, third.changes) == (3, "provisional", [])
    assert [SESSIONS.look_up(PublicPlace.of(session, version)).withdrawn for version in (1, 2, 3)] == [2, 2, None]
    assert [action for action, _ in logged(session)][-2:] == ["ranking_withdrawn", "published"]


def test_before_a_publication_there_is_nothing_to_rule_on():
    session = draft_session()
    start_session(session_id=session.pk, now=timezone.now())
    word = DirectorWord(make_director(session.tournament.club), timezone.now(), "x")
    for step in (SESSIONS.make_official, SESSIONS.withdraw, SESSIONS.reopen):
        with pytest.raises(ActionRefused, match="nothing_published"):
            step(session.pk, word=word)


def test_switches_are_logged_one_by_one_where_they_change(session, say):
    switch_parts(session_id=session.pk, shows=ALL._replace(ranking=False, feuilles=False), word=say())
    switch_parts(session_id=session.pk, shows=ALL._replace(ranking=False), word=say())
    lines = session.log.filter(action__startswith="part_").order_by("id").values_list("action", "params")
    assert list(lines) == [
        ("part_hidden", {"part": "ranking"}),
        ("part_hidden", {"part": "feuilles"}),
        ("part_shown", {"part": "feuilles"}),
    ]


@pytest.mark.nightly("story")
def test_session_is_published_with_its_switches():
    session = draft_session(cards=True)
    director = make_director(session.tournament.club)
    start_session(session_id=session.pk, now=timezone.now())
    enter_all(session, by=director)
    shows = Shows(ranking=True, etuis=False, cards=False, feuilles=True)
    SESSIONS.publish(session.pk, DirectorWord(director, timezone.now()), Terms(shows))
    session.refresh_from_db()
    assert (Shows.of(session), session.cards_shown_at) == (shows, None)
    assert SESSIONS.look_up(PublicPlace.of(session)).shows == shows


def test_cards_are_known_from_the_moment_that_they_are_shown_and_for_good(session, say):
    numbers = set(session.deal_set.etuis.values_list("number", flat=True))
    assert find_known_etuis(session.deal_set) == numbers
    switch_parts(session_id=session.pk, shows=ALL._replace(cards=False), word=say())
    SESSIONS.withdraw(session.pk, word=say("x"))
    assert find_known_etuis(session.deal_set) == numbers


@pytest.fixture
def without_cards():
    """Return a session that was published without its cards."""
    session = draft_session(cards=True)
    director = make_director(session.tournament.club)
    start_session(session_id=session.pk, now=timezone.now())
    enter_all(session, by=director)
    SESSIONS.publish(session.pk, DirectorWord(director, timezone.now()), Terms(ALL._replace(cards=False)))
    return Session.objects.select_related("tournament__club", "deal_set").get(pk=session.pk)


@pytest.mark.nightly("story")
def test_cards_never_shown_are_not_known_and_are_kept_for_who_still_plays_them(without_cards):
    session, director = without_cards, make_director(without_cards.tournament.club, "autre")
    assert find_known_etuis(session.deal_set) == set()
    other = draft_session(session.tournament)
    use_deal_set(session_id=other.pk, deal_set=session.deal_set)
    show = {"session_id": session.pk, "shows": ALL, "word": DirectorWord(director, timezone.now())}
    with pytest.raises(ActionRefused, match="cards_still_to_play"):
        switch_parts(**show)
    start_session(session_id=other.pk, now=timezone.now())
    enter_all(other, by=director)
    publish(other, by=director)
    switch_parts(**show)
    assert find_known_etuis(session.deal_set)


@pytest.mark.nightly("story")
def test_seed_is_not_revealed_before_the_cards_are_shown(without_cards):
    session, now = without_cards, timezone.now()
    if session.deal_set.sealed_at is None:
        seal_deal_set(deal_set=session.deal_set, now=now)
    with pytest.raises(ActionRefused, match="cards_not_shown"):
        reveal_seed(deal_set_id=session.deal_set_id, now=now)
    director = make_director(session.tournament.club, "autre")
    switch_parts(session_id=session.pk, shows=ALL, word=DirectorWord(director, now))
    assert reveal_seed(deal_set_id=session.deal_set_id, now=now).revealed_at is not None
