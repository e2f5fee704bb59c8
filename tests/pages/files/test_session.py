"""The files that only directors may have: what is in each, and that each homologation sheet taken is logged."""

import csv
import datetime as dt
import io
from decimal import Decimal

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import Player, ShownWord
from clubs.shown import choose_shown
from evenings.plays.entering import annul_play
from evenings.plays.penalties import Sanction, give_penalty, take_back_penalty
from evenings.plays.ruling import annul_etui
from pages.doors import session_url
from rankings.publication.publishing import SESSIONS
from registration.people.applicants import NewApplicant
from registration.people.registration import set_registration, walk_in
from tests import shared_evenings
from tests.factories import draft_session, make_director
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import Applicant
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db


session = shared_evenings.published


@pytest.fixture
def browser(director):
    browser = browser_of(director)
    browser.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    return browser


def read_csv(answer):
    assert "no-store" in answer["Cache-Control"]
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig")), delimiter=";"))


def take(browser, session):
    return browser.post(session_url("homologation", session), {"kind": "csv"})


def test_homologation_sheet_begins_with_players_without_licence(session, browser):
    ranked = sorted(session.publications.get().data["players"], key=lambda player: player["rank_alterne"])
    with_licence = [ranked[place]["player"] for place in (0, 1, 7)]
    for number, pk in enumerate(with_licence):
        Player.objects.filter(pk=pk).update(licence=f"KX{number}", origin="Autre club" * (number == 0))
    rows = read_csv(take(browser, session))
    assert len(rows) == 20
    assert [bool(row["Licence"]) for row in rows] == [False] * 17 + [True] * 3
    ranks = [int(row["Rank, alterné"]) for row in rows]
    assert (ranks[:17], ranks[17:]) == (sorted(ranks[:17]), [ranked[place]["rank_alterne"] for place in (0, 1, 7)])
    assert {row["Club"] for row in rows[:17]} == {"Club des Étuis"}
    assert [row["Club"] for row in rows].count("Autre club") == 1
    assert set(rows[0]) == {
        *("Licence", "Family name", "First name", "Club", "Line", "Number", "Rank, alterné", "Global (%)")
    }


def test_homologation_sheet_names_a_player_who_is_hidden_in_public(session, browser, director):
    player = session.entrants.first().player
    choose_shown(player=player, shown="hidden", way=ShownWord.WordWay.DIRECTOR, by=director, now=timezone.now())
    assert player.last_name in {row["Family name"] for row in read_csv(take(browser, session))}


def test_each_homologation_sheet_taken_stands_in_the_log(session, browser):
    for _time in range(2):
        take(browser, session)
    assert session.log.filter(action="homologation_taken").count() == 2
    said = "Homologation sheet downloaded (version 1)"
    assert words(browser.get(session_url("log", session))).count(said) == 2


def test_homologation_sheet_of_a_withdrawn_ranking_is_refused_and_not_logged(session, browser, director):
    SESSIONS.withdraw(session.pk, word=DirectorWord(director, timezone.now(), "relu"))
    answer = browser.post(session_url("homologation", session), {"kind": "csv"}, follow=True)
    assert "Publish the ranking first" in words(answer)
    assert not session.log.filter(action="homologation_taken").exists()


def test_homologation_sheet_of_an_unknown_kind_is_not_logged(session, browser):
    assert browser.post(session_url("homologation", session), {"kind": "exe"}).status_code == 404
    assert not session.log.filter(action="homologation_taken").exists()


def test_page_by_which_one_publishes_offers_the_files(session, browser, director):
    page = browser.get(session_url("publish", session)).content.decode()
    offered = (session_url("homologation", session), session_url("ranking_pdf", session, 1), "?document=feuilles")
    assert [address for address in offered if address not in page] == []
    SESSIONS.withdraw(session.pk, word=DirectorWord(director, timezone.now(), "relu"))
    assert session_url("homologation", session) not in browser.get(session_url("publish", session)).content.decode()


def test_rulings_are_in_the_order_of_time_with_their_reasons(session, browser, director):
    told = {"by": director, "now": timezone.now()}
    play = session.plays.select_related("etui", "table").first()
    entrant = session.entrants.first()
    sanction = Sanction(points=Decimal("2.5"), article="A 4")
    given = give_penalty(session_id=session.pk, entrant_id=entrant.pk, sanction=sanction, reason="=retard", **told)
    told["now"] += dt.timedelta(minutes=1)
    annul_play(play_id=play.pk, reason="1/2", **told)
    told["now"] += dt.timedelta(minutes=1)
    annul_etui(session_id=session.pk, etui=3, reason="vu", article="", seen_ruling=0, **told)
    take_back_penalty(session_id=session.pk, penalty_id=given.pk, reason="erreur", **told)
    answer = browser.get(session_url("rulings_file", session), {"kind": "csv"})
    rows = read_csv(answer)
    assert [(row["About"], row["Étui"], row["Reason"]) for row in rows] == [
        (entrant.name, "", "'=retard"),
        ("play", str(play.etui.number), "'1/2"),
        ("étui", "3", "vu"),
    ]
    assert (rows[0]["Percentage points"], rows[0]["Article"], bool(rows[0]["Withdrawn"])) == ("-2,50", "A 4", True)
    assert session_url("rulings_file", session) in browser.get(session_url("penalties", session)).content.decode()


def test_director_who_plays_gets_no_file_of_what_is_hidden(session, browser, monkeypatch):
    etui = session.plays.first().etui
    play = session.plays.filter(etui=etui).first()
    director = session.tournament.club.memberships.get(role="director").user
    annul_play(play_id=play.pk, reason="secret", by=director, now=timezone.now())
    assert len(read_csv(browser.get(session_url("rulings_file", session), {"kind": "csv"}))) == 1
    assert browser.get(session_url("standings_file", session)).status_code == 200
    for module in ("pages.files.session", "outgoing.filing"):
        monkeypatch.setattr(f"{module}.hidden_etuis", lambda *_: frozenset({etui.pk}))
    assert read_csv(browser.get(session_url("rulings_file", session), {"kind": "csv"})) == []
    assert browser.get(session_url("standings_file", session)).status_code == 404


def test_standings_so_far_are_a_file_for_directors(session, browser):
    rows = read_csv(browser.get(session_url("standings_file", session), {"kind": "csv"}))
    published = session.publications.get().data["players"]
    assert sorted(int(row["Alterné"]) for row in rows) == sorted(player["rank_alterne"] for player in published)
    assert session_url("standings_file", session) in browser.get(session_url("standings", session)).content.decode()


def test_registrations_have_everybody_and_what_only_directors_see():
    session = draft_session()
    director = make_director(session.tournament.club)
    browser, told = browser_of(director), {"by": director, "now": timezone.now()}
    set_registration(accepts_at_once=True, session_id=session.pk, places=1, **told)
    for asked in (NewApplicant("Un", "Zoé", "KX1", "06 12 34 56 78"), NewApplicant("Deux", "Zoé", "KX2", "@zoe")):
        walk_in(session_id=session.pk, asked=asked, player=None, **told)
    gone = Applicant.objects.get(last_name="Un")
    where = session_url("registrations_file", session)
    rows = read_csv(browser.get(where, {"kind": "csv"}, headers={"accept-language": "en"}))
    assert [(row["Licence"], row["Contact"]) for row in rows] == [("KX1", "'06 12 34 56 78"), ("KX2", "'@zoe")]
    assert [row["State"] for row in rows] == ["has a place", "waits, number 1"]
    assert all(row["Present since"] for row in rows)
    gone.withdrawn_at = timezone.now()
    gone.save()
    rows = read_csv(browser.get(where, {"kind": "csv"}, headers={"accept-language": "en"}))
    assert [(row["Family name"], row["State"]) for row in rows] == [("Deux", "has a place"), ("Un", "withdrew")]
    assert where in browser.get(session_url("registration", session)).content.decode()


@pytest.mark.nightly("story")
def test_members_are_those_of_the_list_or_those_removed(session, browser):
    club = session.tournament.club
    player = club.players.first()
    player.put_away_at, player.licence, player.series = timezone.now(), "0123", "2"
    player.save()
    where = reverse("members_file", args=[club.slug])
    listed = read_csv(browser.get(where, {"kind": "csv"}))
    assert (len(listed), player.last_name in {row["Family name"] for row in listed}) == (19, False)
    assert [row["Family name"] for row in listed] == sorted(row["Family name"] for row in listed)
    (row,) = read_csv(browser.get(where, {"kind": "csv", "away": ""}))
    assert (row["Licence"], row["Family name"], row["Series"]) == ("'0123", player.last_name, "series 2")
    page = browser.get(reverse("players", args=[club.slug])).content.decode()
    assert f"{where}?kind=xlsx" in page
    assert f"{where}?kind=xlsx&amp;away" in browser.get(reverse("players", args=[club.slug]) + "?away").content.decode()
