"""A session's page for strangers, helpers and directors: its refresh, the live standings and publishing."""

import pytest
from django.utils import timezone

from evenings.plans.starting import unstart_session
from evenings.plays.entering import annul_play, not_played
from evenings.sessions import running
from evenings.sessions.setup import create_session
from evenings.standings import computing
from evenings.standings.computing import sessions_with_stale_standings
from pages.doors import session_url
from tests import shared_evenings
from tests.factories import (
    DATE,
    draft_session,
    enter,
    enter_all,
    make_director,
    make_helper,
    make_user,
    publish,
    started_session,
)
from tests.pages.browsing import browser_of
from tests.pages.reading import read, words
from tournaments.models import Publication
from tournaments.rules.entry import Fiche

MINUS = "−"


@pytest.fixture
def director_user(tournament):
    return make_director(tournament.club)


director = shared_evenings.browser_of_director_user


@pytest.fixture
def helper(tournament):
    return browser_of(make_helper(tournament.club))


@pytest.fixture
def session(tournament):
    return started_session(tournament)


def compute(session):
    computing.refresh(session.pk, now=timezone.now())


def desk(client, session, **asked):
    return client.get(session_url("session", session), asked)


# In preparation


def test_draft_tells_a_stranger_its_date_and_nothing_else(tournament):
    session = draft_session(tournament)
    for client in (browser_of(), browser_of(make_user("stranger")), browser_of(make_helper(tournament.club))):
        text = words(desk(client, session))
        assert "20 November 2026" in text
        assert "Nom001" not in text
        assert "Start the session" not in text


def test_draft_without_anything_tells_the_director_where_to_begin(director, tournament):
    text = words(desk(director, create_session(tournament=tournament, date=DATE)))
    for told in (
        "Nobody has a seat yet.",
        "Their number depends on tables and positions.",
        "Finish the steps above first.",
    ):
        assert told in text
    assert text.count("Seat the players") == 1


def test_draft_that_wants_nothing_can_be_started(director, tournament):
    page = desk(director, draft_session(tournament))
    text = words(page)
    for told in (
        "20 players: 5 tables, nobody rests.",
        "5 étuis are ready.",
        "Positions: 5, étuis per position: 1.",
        "Everything is ready.",
    ):
        assert told in text
    assert b"disabled" not in page.content


def test_draft_with_a_number_that_leaves_a_choice_waits_for_it(director, tournament):
    session = draft_session(tournament)
    session.entrants.filter(line="W", number=5).delete()
    page = desk(director, session)
    assert "19 players: choose tables and positions." in words(page)
    assert b"disabled" in page.content


def test_draft_with_an_empty_seat_names_it(director, tournament):
    session = draft_session(tournament)
    session.entrants.filter(line="E", number=2).update(number=9)
    assert "East at table 2 is empty: seat a player there." in words(desk(director, session))


def test_draft_with_too_few_etuis_says_how_many_are_needed(director, tournament):
    session = draft_session(tournament)
    session.etuis_per_position = 4
    session.save()
    assert "The session needs 20 étuis" in words(desk(director, session))


# Under way


def test_stranger_reads_who_sits_where_and_no_more(session):
    rows = read(desk(browser_of(), session)).rows
    assert len([row for row in rows if row and row[0].startswith("Table")]) == 5 + 25
    assert rows[1] == ["Table 1", "N Zoé Nom001", "E Zoé Nom002", "S Zoé Nom003", "W Zoé Nom004", "Étuis 1"]
    # After position 1 East moves up one table, South two, West three; the étuis go down one.
    assert rows[7] == ["Table 1", "N Zoé Nom001", "E Zoé Nom018", "S Zoé Nom015", "W Zoé Nom012", "Étuis 2"]
    assert "missing" not in words(desk(browser_of(), session))


def test_stranger_finds_the_ranking_once_it_is_published(session, director_user):
    ranking = session_url("ranking", session)
    assert ranking not in read(desk(browser_of(), session)).links
    enter_all(session, by=director_user)
    publish(session, by=director_user)
    assert ranking in read(desk(browser_of(), session)).links


def test_commitment_is_public_with_the_moment_of_its_sealing(tournament):
    session = started_session(tournament, cards=True)
    text = words(desk(browser_of(), session))
    assert session.deal_set.commitment in text
    assert "sealed on" in text
    assert session.deal_set.seed not in text


@pytest.mark.nightly("story")
def test_helper_sees_what_is_missing_with_links_to_enter_it(helper, session, director_user):
    plays = list(session.plays.select_related("table").order_by("position", "table__number"))
    for play in plays[:7]:
        enter(play, by=director_user)
    page = desk(helper, session)
    reader = read(page)
    assert reader.rows[1] == ["Position 1", *[f"table {number}{number}✓ done" for number in range(1, 6)]]
    assert reader.rows[2][2:4] == ["table 23✓ done", "table 34· missing"]
    assert "3 results awaited (7 of 25 entered)" in words(page)
    bulk = session_url("bulk", session)
    assert {f"{bulk}?position={n}&table={table}" for n in (1, 2) for table in (1, 2, 3, 4, 5)} <= set(reader.links)
    assert f"{bulk}?position=3&table=1" not in reader.links
    assert not {session_url("play", session, play.pk) for play in plays} & set(reader.links)


def test_what_is_not_played_is_neither_in_nor_missing(helper, session, director_user):
    one, other = session.plays.select_related("etui")[:2]
    enter(one, by=director_user)
    not_played(play_id=other.pk, by=director_user, now=timezone.now())
    assert "3 results awaited (1 of 25 entered)" in words(desk(helper, session))


def test_only_what_is_awaited_now_is_counted_and_never_the_evenings_future(helper, session, director_user):
    enter_all(session, by=director_user, plays=session.plays.filter(position=1).select_related("etui"))
    page = desk(helper, session)
    assert "No result awaited for now (5 of 25 entered)" in words(page)
    assert {each.state: each.count for each in page.context["progress"].legend} == {"missing": 0, "done": 5}
    running.call_position(session_id=session.pk, position=1, by=director_user, now=timezone.now())
    running.call_position(session_id=session.pk, position=2, by=director_user, now=timezone.now())
    assert "5 results awaited (5 of 25 entered)" in words(desk(helper, session))


@pytest.mark.nightly("story")
def test_helper_sees_no_figure_of_any_result(helper, session, director_user):
    for play in session.plays.select_related("etui"):
        enter(play, Fiche(play.etui.taker, 1234), by=director_user)
    compute(session)
    for page in (desk(helper, session, show="odd"), helper.get(session_url("progress", session), {"show": "odd"})):
        text = words(page)
        assert [figure for figure in ("1234", "3702", "%", "Standings", "Publish") if figure in text] == []
        assert "Every result is in" in text


def test_director_sees_live_standings_and_their_moment(director, session, director_user):
    enter_all(session, by=director_user)
    text = words(desk(director, session))
    assert "The standings are being computed…" in text
    assert "No result missing" in text
    compute(session)
    page = desk(director, session)
    session.refresh_from_db()
    first = session.standings.data["players"][0]
    name = session.entrants.get(pk=first["id"]).player.name
    assert "for directors only." in words(page)
    assert "The standings are being computed…" not in words(page)
    assert f"1 {name}" in words(page)


def test_doubts_stand_on_the_desk_with_their_figures_and_each_leads_to_the_next(director, session, director_user):
    plays = list(session.plays.select_related("etui").order_by("position", "table__number")[:2])
    for play in plays:
        enter(play, Fiche(play.etui.taker, 3), by=director_user)
    text = words(desk(director, session))
    assert "Session 1 20 November 2026 under way" in text
    assert "To look at 2 Table 1 · étui 1 disputed no result gives +3" in text
    one, other = (director.get(session_url("play", session, play.pk)) for play in plays)
    assert session_url("play", session, plays[1].pk) in read(one).links
    assert session_url("play", session, plays[0].pk) in read(other).links
    assert "Disputed: no result gives +3" in words(one)
    assert "Next doubt (1)" in words(one)


def test_director_sees_what_is_annulled(director, session, director_user):
    play = session.plays.first()
    annul_play(play_id=play.pk, reason="Étui mal fait", by=director_user, now=timezone.now())
    page = desk(director, session)
    assert "Annulled plays Étui 1, position 1, table 1" in words(page)
    assert "4 results awaited" in words(page)


@pytest.mark.nightly("story")
def test_start_can_be_taken_back_only_before_the_first_result(director, session, director_user):
    assert "Undo the start" in words(desk(director, session))
    enter(session.plays.first(), by=director_user)
    assert "Undo the start" not in words(desk(director, session))


def test_progress_says_nothing_while_nothing_changes(director, session, director_user):
    url = session_url("progress", session)
    first = director.get(url)
    seen = first.context["progress"].stamp
    assert director.get(url, {"seen": seen}).status_code == 204
    enter(session.plays.first(), by=director_user)
    again = director.get(url, {"seen": seen})
    assert again.status_code == 200
    assert "4 results awaited" in words(again)
    assert b"<html" not in again.content


def test_progress_of_a_start_taken_back_brings_the_page_back_to_the_checklist(director, session):
    unstart_session(session_id=session.pk, now=timezone.now())
    response = director.get(session_url("progress", session), headers={"hx-request": "true"})
    assert response["HX-Redirect"] == session_url("session", session)


def test_progress_keeps_the_ids_that_hold_the_focus(director, session, director_user):
    before = desk(director, session).content.decode()
    enter(session.plays.order_by("position", "table__number").last(), by=director_user)
    after = director.get(session_url("progress", session)).content.decode()
    chips = [f'id="play-{play.pk}"' for play in session.plays.all()]
    assert [chip for chip in chips if chip not in before or chip not in after] == []


@pytest.mark.nightly("crawl")
def test_session_costs_the_same_queries_however_large(tournament, director, helper, django_assert_num_queries):
    for tables, etuis in ((5, 1), (11, 4)):
        session = started_session(tournament, tables=tables, etuis_per_position=etuis)
        enter(session.plays.first(), by=make_director(tournament.club, f"d{tables}"))
        compute(session)
        with django_assert_num_queries(15):
            desk(director, session)
        with django_assert_num_queries(8):  # the director's page has already read the plays of the tables
            desk(helper, session)
        with django_assert_num_queries(4):
            desk(browser_of(), session)
        with django_assert_num_queries(5):  # the plan needs its version, and the takers of its étuis
            browser_of().get(session_url("session_plan", session))


# The plan


def test_plan_shows_each_players_way(session):
    rows = read(browser_of().get(session_url("session_plan", session))).rows
    assert rows[1] == ["N 1 Zoé Nom001", "1 1", "1 2", "1 3", "1 4", "1 5"]
    assert rows[6] == ["E 1 Zoé Nom002", "1 1", "2 3", "3 5", "4 2", "5 4"]
    assert len(rows) == 1 + 20 + 5 * 6


def test_plan_tells_the_figures_kept_with_it_and_counts_them_where_none_were(session):
    version = session.plans.get()
    for kept, etuis in (({**version.figures, "etuis": 77}, 77), ({"etuis": 77}, version.figures["etuis"])):
        session.plans.update(figures=kept)
        assert f"{etuis} étuis" in words(browser_of().get(session_url("session_plan", session)))


def test_plan_of_a_draft_leads_to_the_session(tournament):
    session = draft_session(tournament)
    assert browser_of().get(session_url("session_plan", session)).url == session_url("session", session)


# Live standings


def test_standings_are_there_before_any_job_has_come(director, session, director_user):
    enter(session.plays.select_related("etui").first(), by=director_user)
    assert session.standings.data == {}
    assert "Nothing is compared yet" in words(director.get(session_url("standings", session)))


def test_standings_rank_nobody_before_an_étui_is_compared_and_say_what_is(director, session, director_user):
    etui = session.plays.first().etui
    one, other = session.plays.filter(etui=etui).select_related("etui")[:2]
    enter(one, by=director_user)
    page = words(director.get(session_url("standings", session)))
    assert "Nothing is compared yet" in page
    assert "Zoé Nom001" not in page
    enter(other, by=director_user)
    page = words(director.get(session_url("standings", session)))
    assert "1 étui is compared so far" in page
    assert "Zoé Nom001" in page


def test_desk_asks_for_standings_that_no_job_has_computed(
    director, session, director_user, django_capture_on_commit_callbacks
):
    """Check a laptop, which computes nothing by itself now and then: a look at the desk computes the standings."""
    enter(session.plays.select_related("etui").first(), by=director_user)
    assert sessions_with_stale_standings() == [session.pk]
    with django_capture_on_commit_callbacks(execute=True):
        director.get(session_url("progress", session))
    assert sessions_with_stale_standings() == []


@pytest.mark.nightly("story")
def test_standings_feuille_and_etui_show_the_live_figures(director, session, director_user):
    play = session.plays.select_related("etui").first()
    enter(play, Fiche(play.etui.taker, -52), by=director_user)
    enter(session.plays.filter(etui=play.etui).exclude(pk=play.pk).select_related("etui")[0], by=director_user)
    compute(session)
    for name, rest in (("standings", []), ("live_feuille", [play.north_id]), ("live_etui", [1])):
        page = director.get(session_url(name, session, *rest))
        assert "For directors only: readers see only what is published." in words(page)
        if name != "standings":
            assert f"{MINUS}52" in words(page)
    links = read(director.get(session_url("standings", session))).links
    assert session_url("live_feuille", session, play.north_id) in links


@pytest.mark.parametrize("name", ["live_feuille", "live_etui"])
def test_live_pages_of_what_is_not_there_are_not_found(director, session, name):
    assert director.get(session_url(name, session, 999_999)).status_code == 404
    compute(session)
    assert director.get(session_url(name, session, 999_999)).status_code == 404


# Publishing


def test_publish_tells_its_consequence_before_anything_happens(director, session, director_user):
    enter(session.plays.first(), by=director_user)
    text = words(director.get(session_url("publish", session)))
    assert "24 results are missing." in text
    assert "The cards are not shown: the étuis were dealt at the tables" in text
    assert not Publication.objects.exists()


def test_publish_with_results_missing_wants_to_be_told_so(director, session, director_user):
    enter(session.plays.first(), by=director_user)
    refused = director.post(session_url("publish", session))
    assert "24 results are missing: enter them, or confirm that you publish without them." in words(refused)
    assert not Publication.objects.exists()
    agreed = director.post(session_url("publish", session), {"allow_missing": "on"})
    assert agreed.url == session_url("ranking", session)
    assert Publication.objects.get().version == 1


def test_publish_twice_publishes_once(director, session, director_user):
    enter_all(session, by=director_user)
    for _ in range(2):
        assert director.post(session_url("publish", session)).status_code == 302
    assert Publication.objects.count() == 1
    told = words(director.get(session_url("publish", session)))
    assert ("Nothing has changed since" in told, "marked as replaced" in told) == (True, False)


def test_publish_of_nothing_is_refused(director, session):
    assert "No result counts yet" in words(director.post(session_url("publish", session)))


def test_publish_of_a_draft_leads_back(director, tournament):
    session = draft_session(tournament)
    response = director.post(session_url("publish", session), follow=True)
    assert "The session has not started" in words(response)


@pytest.mark.nightly("story")
def test_publish_says_whether_cards_are_shown_and_why_not(director, tournament, director_user):
    session = started_session(tournament, cards=True)
    url = session_url("publish", session)
    enter_all(session, by=director_user, plays=list(session.plays.select_related("etui"))[:-1])
    assert "The cards are not shown: an étui may still be played." in words(director.get(url))
    enter(session.plays.last(), by=director_user)
    assert "The cards of every étui can be shown." in words(director.get(url))
    other = create_session(tournament=tournament, date=DATE)
    other.deal_set = session.deal_set
    other.save()
    assert "another session, not published yet, uses the same étuis" in words(director.get(url))


@pytest.mark.nightly("story")
def test_correction_after_a_publication_asks_for_a_new_one(director, session, director_user):
    enter_all(session, by=director_user)
    assert "To look at 3 See the first Publish not published Publish" in words(desk(director, session))
    publish(session, by=director_user)
    after = words(desk(director, session))
    assert "Publish version 1 Publication Put up and print Papers Make it official provisional by itself on" in after
    annul_play(play_id=session.plays.first().pk, reason="Étui mal fait", by=director_user, now=timezone.now())
    assert "results have changed since" in words(desk(director, session))


def test_publish_without_its_token_is_refused(director_user, session):
    forged = browser_of(director_user, enforce_csrf_checks=True)
    assert forged.post(session_url("publish", session)).status_code == 403
