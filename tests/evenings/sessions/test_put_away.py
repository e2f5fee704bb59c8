"""The sessions and tournaments made by mistake: deleted if nothing was entered, else put away and listed again."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evenings.plans.deal_sets import find_known_etuis, is_revealed, reveal_seed, sessions_with
from evenings.plays.ruling import annul_etui
from evenings.sessions.put_away import delete_session, delete_tournament, put_session_away
from evenings.sessions.setup import use_deal_set
from pages.doors import session_url
from tests import shared_evenings
from tests.factories import (
    draft_session,
    enter,
    make_director,
    make_tournament,
    published_session,
    started_session,
)
from tests.pages.browsing import browser_of
from tests.pages.reading import read, words
from tournaments.errors import ActionRefused
from tournaments.models import MatchDecision, Session, Team, Tournament
from tournaments.words.log_sentences import say_log

pytestmark = pytest.mark.django_db


@pytest.fixture
def user(tournament):
    return make_director(tournament.club)


director = shared_evenings.browser_of_user


def club_pages(tournament):
    slug = tournament.club.slug
    return [reverse("home"), reverse("club", args=[slug]), reverse("tournament", args=[slug, tournament.slug])]


def lists(tournament):
    """Return the text of every list of sessions that is public: three pages and three lists of the API."""
    doors = (
        f"/api/v1/clubs/{tournament.club.slug}/tournaments/",
        f"/api/v1/tournaments/{tournament.pk}/",
        f"/api/v1/tournaments/{tournament.pk}/sessions/",
    )
    reader = Client(headers={"accept-language": "en"})
    return "".join(reader.get(address).content.decode() for address in (*club_pages(tournament), *doors))


@pytest.mark.nightly("story")
@pytest.mark.parametrize(("make", "settings"), [(draft_session, "session"), (started_session, "session_edit")])
def test_session_without_results_is_deleted_and_its_etuis_are_free_again(director, user, tournament, make, settings):
    session = make(tournament, cards=True)
    deal_set = session.deal_set
    page = director.get(session_url(settings, session))
    assert "Delete the session" in words(page)
    done = director.post(session_url("session_delete", session), follow=True)
    assert "Session 1 is deleted." in words(done)
    assert not Session.objects.exists()
    assert not deal_set.sessions.exists()
    assert tournament.club.players.count() == 20
    other = draft_session(make_tournament(tournament.club, name="Autre"), tables=4)
    assert use_deal_set(session_id=other.pk, deal_set=deal_set).deal_set == deal_set


@pytest.mark.nightly("story")
def test_session_with_results_is_not_deleted(director, user, tournament):
    session = started_session(tournament)
    enter(session.plays.first(), by=user)
    with pytest.raises(ActionRefused, match="session_has_results"):
        delete_session(session_id=session.pk, by=user)
    page = director.post(session_url("session_delete", session), follow=True)
    assert "Session 1 has results: it cannot be deleted, but you can remove it from the lists." in words(page)
    assert "Remove the session from the lists" in words(page)
    assert session.plays.count() == 25


def test_ruling_alone_keeps_a_session_from_being_deleted(user, tournament):
    session = started_session(tournament)
    etui = session.plays.first().etui
    annul_etui(session_id=session.pk, etui=etui.number, reason="mouillé", by=user, now=timezone.now())
    with pytest.raises(ActionRefused, match="session_has_results"):
        delete_session(session_id=session.pk, by=user)


def test_session_that_is_gone_already_stays_gone(user, tournament):
    session = draft_session(tournament)
    for _ in range(2):
        delete_session(session_id=session.pk, by=user)
    assert not Session.objects.exists()


@pytest.mark.nightly("story")
def test_session_put_away_is_in_no_list_and_stays_at_its_address(director, user, tournament):
    session = published_session(tournament, by=user)
    assert "Session 1" in lists(tournament)
    assert "count neither in the players’ figures" in words(director.get(session_url("session_edit", session)))
    page = director.post(session_url("session_put_away", session), follow=True)
    assert "This session is not listed" in words(page)
    shown = lists(tournament)
    assert "Session 1" not in shown
    assert '"number":1' not in shown
    reader = browser_of()
    assert reader.get(session_url("ranking", session)).status_code == 200
    assert reader.get(session_url("session", session)).status_code == 200
    assert reader.get(f"/api/v1/sessions/{session.pk}/").status_code == 200
    drawer = director.get(club_pages(tournament)[2])
    assert "1 session not listed" in words(drawer)
    assert session_url("session", session) in read(drawer).links

    director.post(session_url("session_put_away", session), {"back": "1"})
    assert "Session 1" in lists(tournament)
    assert [say_log(line) for line in session.log.order_by("pk")][-2:] == [
        "Session removed from the lists",
        "Session listed again",
    ]


@pytest.mark.nightly("story")
def test_tournament_put_away_is_in_no_list_with_all_its_sessions(director, user, tournament):
    session = published_session(tournament, by=user)
    address = club_pages(tournament)[2]
    page = director.post(f"{address}put-away/", follow=True)
    assert "This tournament is not listed" in words(page)
    for listed in (*club_pages(tournament)[:2], f"/api/v1/clubs/{tournament.club.slug}/tournaments/"):
        assert tournament.name not in browser_of().get(listed).content.decode()
    assert browser_of().get(session_url("ranking", session)).status_code == 200
    assert address in read(director.get(club_pages(tournament)[1])).links
    director.post(f"{address}put-away/", {"back": "1"})
    assert tournament.name in lists(tournament)
    assert "Tournament removed from the lists" in [say_log(line) for line in session.log.all()]


@pytest.mark.nightly("story")
def test_tournament_without_results_is_deleted_with_its_sessions(director, user, tournament, caplog):
    for make in (draft_session, started_session):
        make(tournament)
    page = director.post(f"{club_pages(tournament)[2]}delete/", follow=True)
    assert f"The tournament “{tournament.name}” is deleted." in words(page)
    assert not Tournament.objects.exists()
    assert [record.getMessage() for record in caplog.records if "deletes" in record.getMessage()] == [
        f"account {user.pk} deletes session 1 of {tournament.slug!r}",
        f"account {user.pk} deletes session 2 of {tournament.slug!r}",
        f"account {user.pk} deletes the tournament {tournament.slug!r}",
    ]


def test_tournament_in_which_a_director_decided_a_match_is_deleted(user, tournament):
    now = timezone.now()
    winner, loser = (Team.objects.create(tournament=tournament, number=number, made_at=now) for number in (1, 2))
    told = {"winner": winner, "loser": loser, "reason": "Tirage", "made_at": now, "author": user}
    tournament.match_decisions.create(**told)
    delete_tournament(tournament_id=tournament.pk, by=user)
    assert not any(model.objects.exists() for model in (Tournament, Team, MatchDecision))


@pytest.mark.nightly("story")
def test_tournament_with_a_result_is_kept_whole(user, tournament):
    draft_session(tournament)
    enter(started_session(tournament).plays.first(), by=user)
    with pytest.raises(ActionRefused, match="session_has_results"):
        delete_tournament(tournament_id=tournament.pk, by=user)
    assert tournament.sessions.count() == 2


@pytest.mark.nightly("story")
def test_etuis_of_a_session_put_away_stay_played_and_secret(user, tournament):
    """Check that the seed waits until the session is over, and that étuis which were shown stay known."""
    running = started_session(tournament, cards=True)
    enter(running.plays.first(), by=user)
    put_session_away(session_id=running.pk, by=user, now=timezone.now())
    assert list(sessions_with(running.deal_set)) == [running]
    with pytest.raises(ActionRefused, match="sessions_still_to_play"):
        reveal_seed(deal_set_id=running.deal_set_id, now=timezone.now())
    assert not is_revealed(running.deal_set)

    played = published_session(make_tournament(tournament.club, name="Autre"), by=user, cards=True)
    known = find_known_etuis(played.deal_set)
    put_session_away(session_id=played.pk, by=user, now=timezone.now())
    assert find_known_etuis(played.deal_set) == known
