"""The director's pages of correction requests: counted at the desk, shown with the stored results, decided."""

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from evenings.plays.entering import withdraw_result
from evenings.plays.ruling import declare_playing
from evenings.requests.links import ensure_links
from pages.doors import session_url
from tests import shared_evenings
from tests.evenings.requests.world import WRONG, Four, only, visit
from tests.factories import garde, make_director, make_helper, publish, published_session
from tests.pages.browsing import browser_of, fields
from tests.pages.reading import read, words
from tournaments.models import CorrectionRequest, PersonalLink, Session


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    return published_session(cards=True)


session = shared_evenings.evening_read_again


@pytest.fixture
def desk(director):
    return browser_of(director)


@pytest.fixture
def four(session):
    """Return a play with facts, which can be corrected, and its four links."""
    play = session.plays.filter(entries__kind="facts").select_related("etui", "table").order_by("pk").first()
    return Four(session, play)


def page(desk, session, name="session_requests", *rest):
    return desk.get(session_url(name, session, *rest))


def test_list_says_what_there_is_to_do_where_nobody_asks(session, desk):
    found = page(desk, session)
    assert "Nobody has asked for a correction" in words(found)
    assert "Players can ask until" in words(found)
    assert "corrections are requested" not in words(page(desk, session, "session"))


def test_list_says_why_nothing_comes_in_while_the_ranking_is_taken_back(session, desk):
    desk.post(session_url("publication_step", session, "withdraw"), {"reason": "relu"})
    told = words(page(desk, session))
    assert "players can ask again once it is published again" in told
    assert "The time to ask is over" not in told


def test_desk_counts_what_waits_without_another_question(session, desk, four):
    before = page(desk, session, "session")
    with CaptureQueriesContext(connection) as free:
        page(desk, session, "session")
    four.ask()
    with CaptureQueriesContext(connection) as asked:
        after = page(desk, session, "session")
    assert "correction is requested" not in words(before)
    assert "1 correction is requested" in words(after)
    assert session_url("session_requests", session) in read(after).links
    # The play's table was written to and so is read again. No other query is added.
    assert [query["sql"] for query in asked if "correctionrequest" in query["sql"]] == [
        query["sql"] for query in asked if "tournaments_table" in query["sql"] and "correctionrequest" in query["sql"]
    ]
    assert len(free) <= len(asked) <= len(free) + 3


def test_request_is_seen_with_all_that_is_stored_of_the_play(session, desk, four):
    request = four.ask(now=timezone.now() - dt.timedelta(hours=25))
    four.agree(request, link=four.others[0])
    assert "1 of 3 agrees" in words(page(desk, session))
    assert "no answer for a day" in words(page(desk, session))
    found = words(page(desk, session, "session_request", request.pk))
    entry = four.play.entries.get(current=True)
    said = [
        WRONG,
        four.asker.entrant.name,
        "no answer for a day",
        "Version 1",
        entry.author.username,
        "at the other tables",
    ]
    assert [each for each in said if each not in found] == []
    assert "The cards" in found


def test_cards_that_readers_are_not_shown_are_not_shown_here(session, desk, four):
    Session.objects.filter(pk=session.pk).update(shows_cards=False)
    assert "The cards" not in words(page(desk, session, "session_request", four.ask().pk))


@pytest.mark.nightly("story")
def test_granted_by_the_corrected_result_in_one_go(session, director, desk, four):
    request = four.ask()
    address = f"{session_url('play', session, four.play.pk)}?correct&request={request.pk}"
    assert address in [
        link.replace("&amp;", "&") for link in read(page(desk, session, "session_request", request.pk)).links
    ]
    form = fields(desk.get(address))
    assert WRONG in form["reason"]
    assert four.asker.entrant.name in form["reason"]
    form |= {"points": "61", "counted": "attack"}
    shown = desk.post(session_url("play", session, four.play.pk), form)
    form["shown"] = fields(shown)["shown"]
    assert "Save the correction" in words(shown)
    assert (only().decided_at, fields(shown)["request"]) == (None, str(request.pk))
    saved = desk.post(session_url("play", session, four.play.pk), form)
    assert saved.url == session_url("session_requests", session)
    asked = only()
    assert (asked.accepted, asked.entry.version, asked.entry.half_points, asked.decided_by) == (True, 2, 122, director)
    assert "Granted" in words(visit(four.asker))
    assert "by version 2" in words(page(desk, session, "session_request", request.pk))
    publish(session, by=director)
    assert session.publications.first().version == 2


def test_granted_otherwise_with_an_answer(session, desk, four):
    request = four.ask()
    desk.post(session_url("request_accept", session, request.pk), {"answer": "Étui annulé pour tous"})
    assert (only().accepted, only().entry) == (True, None)
    assert "Granted The director says: Étui annulé pour tous" in words(visit(four.asker))


@pytest.mark.nightly("story")
def test_refused_wants_a_reason_which_the_player_reads(session, desk, four):
    request = four.ask()
    bare = desk.post(session_url("request_refuse", session, request.pk), {"reason": " "})
    assert (bare.status_code, only().decided_at) == (200, None)
    desk.post(session_url("request_refuse", session, request.pk), {"reason": "La fiche signée dit +56"})
    assert "Refused The director says: La fiche signée dit +56" in words(visit(four.asker))
    again = desk.post(session_url("request_accept", session, request.pk), follow=True)
    assert "Another director has decided this in the meantime" in words(again)
    assert only().accepted is False


def test_a_play_without_result_is_granted_otherwise_alone(session, director, desk, four):
    request = four.ask()
    seen = four.play.entries.get(current=True).version
    withdraw_result(play_id=four.play.pk, seen_version=seen, reason="x", by=director, now=timezone.now())
    found = words(page(desk, session, "session_request", request.pk))
    assert "Grant: correct the result" not in found
    assert "Grant, but settle it another way" in found


def test_director_who_has_the_etui_before_him_sees_the_place_alone(session, director, desk, four):
    request = four.ask()
    still = session.plays.filter(etui=four.play.etui).exclude(pk=four.play.pk).first()
    still.entries.all().update(current=False)
    declare_playing(session_id=session.pk, entrant_id=still.north_id, by=director, now=timezone.now())
    listed = words(page(desk, session))
    assert (WRONG in listed, "another director decides" in listed) == (False, True)
    assert page(desk, session, "session_request", request.pk).status_code == 403
    assert desk.post(session_url("request_accept", session, request.pk)).status_code == 403
    assert only().decided_at is None


def test_request_of_another_session_or_form_for_another_play_does_nothing(session, desk, four):
    request = four.ask()
    assert page(desk, session, "session_request", 10**17).status_code == 404
    other = session.plays.exclude(pk=four.play.pk).filter(entries__kind="facts").first()
    form = fields(desk.get(f"{session_url('play', session, other.pk)}?correct&request={request.pk}"))
    assert (form["reason"], "request" in form) == ("", False)


def test_helper_who_corrects_decides_nothing(session, desk, four):
    request = four.ask()
    helper = make_helper(session.tournament.club)
    four.play.entries.update(author=helper)
    client = browser_of(helper)
    form = fields(client.get(f"{session_url('play', session, four.play.pk)}?correct&request={request.pk}"))
    assert "request" not in form
    form |= {"points": "61", "counted": "attack", "reason": "x", "request": request.pk}
    form["shown"] = fields(client.post(session_url("play", session, four.play.pk), form))["shown"]
    client.post(session_url("play", session, four.play.pk), form)
    assert (only().decided_at, four.play.entries.get(current=True).version) == (None, 2)


@pytest.mark.nightly("story")
def test_links_are_taken_back_and_made_anew_and_what_they_open_is_not_shown(session, desk, four):
    pk = four.asker.entrant_id
    listed = page(desk, session, "personal_links")
    secrets = PersonalLink.objects.values_list("token", "code")
    assert [each for pair in secrets for each in pair if each in listed.content.decode()] == []
    desk.post(session_url("link_revoke", session, pk))
    assert "link withdrawn" in words(page(desk, session, "personal_links"))
    assert visit(four.asker).status_code == 410
    desk.post(session_url("link_renew", session, pk))
    assert visit(ensure_links(session, now=timezone.now())[pk]).status_code == 200
    assert page(desk, session, "prints_pdf").status_code == 302
    one = desk.get(session_url("prints_pdf", session), {"document": "guides", "entrant": pk})
    assert one.content.startswith(b"%PDF")
    assert desk.get(session_url("prints_pdf", session), {"document": "guides", "entrant": 10**17}).status_code == 404


def test_two_directors_have_one_list(session, desk, four):
    four.ask()
    other = browser_of(make_director(session.tournament.club, "autre"))
    other.post(session_url("request_refuse", session, only().pk), {"reason": "non"})
    assert "refused" in words(page(desk, session))
    assert CorrectionRequest.objects.count() == 1


def test_corrected_by_request_is_the_plain_correction(session, desk, four):
    """Check that the form of a correction without a request is the same as before."""
    form = fields(desk.get(f"{session_url('play', session, four.play.pk)}?correct"))
    assert "request" not in form
    assert garde(four.play.etui.taker).kind == form["kind"]
