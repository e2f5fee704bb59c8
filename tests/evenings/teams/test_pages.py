"""The pages and files of a published event of triplettes, as readers and directors get them."""

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import ShownWord, Visibility
from clubs.shown import choose_shown
from outgoing.sheets.director_tables import make_homologation
from rankings.events import counting as events
from rankings.events.publishing import TOURNAMENTS
from tests.evenings.teams.playing import play_event
from tests.factories import publish
from tests.pages.browsing import browser_of
from tests.worlds import kept_world
from tournaments.models import TeamMember
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return publish_event()


@kept_world
def publish_event():
    """Return the sessions of a published event, and its director. The second session has two lines."""
    tournament, sessions, by = play_event()
    for session in sessions:
        publish(session, by=by, allow_missing=True)
    events.refresh(tournament.pk, now=timezone.now())
    TOURNAMENTS.publish(tournament.pk, DirectorWord(by, timezone.now(), ""))
    return sessions, by


def address(name, session, *more):
    return reverse(name, args=[session.tournament.club.slug, session.tournament.slug, session.number, *more])


def read(browser, url):
    answer = browser.get(url)
    assert answer.status_code == 200, url
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def read_text(browser, url):
    return " ".join(read(browser, url).decode().split())


PAGES = ("ranking", "ranking_embedded", "versions")
OF_VERSION = ("ranking_version", "ranking_pdf", "feuilles_pdf", "podium", "published_etuis", "results_csv")


@pytest.mark.nightly("story")
@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_page_and_file_of_a_session_of_teams_answers(event, place, language):
    session, browser = event[0][place], browser_of()
    browser.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    for name in PAGES:
        assert read(browser, address(name, session))
    for name in OF_VERSION:
        assert read(browser, address(name, session, 1))
    for by in ("general", "alterne", "line", "category"):
        assert read(browser, address("ranking", session) + f"?by={by}&sort=seat&q=fam")
    for entrant in session.entrants.all():
        assert read(browser, address("feuille", session, 1, entrant.pk))
    for number in session.plays.values_list("etui__number", flat=True).distinct():
        assert read(browser, address("published_etui", session, 1, number))


def test_ranking_names_the_team_by_number_and_its_players_as_they_are_shown(event):
    session = event[0][1]
    member = TeamMember.objects.get(team__number=2, place=3)
    choose_shown(
        player=member.player, shown=Visibility.INITIALS, way=ShownWord.WordWay.DIRECTOR, by=event[1], now=timezone.now()
    )
    page = read_text(browser_of(), address("ranking", session))
    assert "Les Bouts" in page
    assert "Prénom02 Fam102" in page
    assert "Fam302" not in page
    assert "North-South" in page
    assert ">Alterné</a>" in page
    assert "Global = ½ of the attack and ½ of the defence." in page
    without = read_text(browser_of(), address("ranking", event[0][0]))
    assert ">Alterné</a>" not in without
    assert "all teams by global percentage" in without


def test_feuille_shows_who_attacked(event):
    session = event[0][1]
    entrant = session.entrants.get(team__number=3)
    page = read_text(browser_of(), address("feuille", session, 1, entrant.pk))
    assert "from position 2" in page
    assert "white, position 1<" in page
    assert "blue" in page
    member = TeamMember.objects.get(team__number=3, place=1)
    assert page.count(member.player.name) >= 2


@pytest.mark.nightly("story")
def test_pages_of_the_tournament_of_teams_answer(event):
    session, browser = event[0][0], browser_of()
    place = [session.tournament.club.slug, session.tournament.slug]
    page = read_text(browser, reverse("tournament_ranking", args=place))
    assert "Les Bouts" in page
    assert "Prénom02 Fam102" in page
    for name in ("tournament_versions", "tournament_embedded"):
        assert read(browser, reverse(name, args=place))
    for name in ("tournament_pdf", "tournament_podium", "tournament_csv"):
        assert read(browser, reverse(name, args=[*place, 1]))


@pytest.mark.nightly("story")
def test_directors_pages_of_teams_answer(event):
    session, browser = event[0][1], browser_of(event[1])
    page = read_text(browser, address("standings", session))
    assert "Les Bouts" in page
    entrant = session.entrants.get(team__number=2)
    assert "Les Bouts" in read_text(browser, address("live_feuille", session, entrant.pk))
    number = session.plays.filter(north=entrant).first().etui.number
    assert "Les Bouts" in read_text(browser, address("live_etui", session, number))
    assert read(browser, address("hall", session))


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("table", ["ranking", "etuis", "plays", "feuilles"])
def test_tables_of_a_session_of_teams_are_files(event, place, table):
    session, browser = event[0][place], browser_of()
    for kind in ("csv", "xlsx", "json"):
        assert read(browser, address("published_file", session, 1) + f"?table={table}&format={kind}")


def test_homologation_sheet_has_every_member_with_the_team(event):
    session = event[0][1]
    sheet = make_homologation(session, session.publications.get())
    names = [column.name for column in sheet.columns]
    rows = [dict(zip(names, row, strict=True)) for row in sheet.rows]
    assert len(rows) == 25
    assert {row["team"] for row in rows if row["first_name"] == "Prénom02"} == {"Les Bouts"}
