"""The files and pages of quadrettes: match points instead of percentages, teams instead of players, and no colours."""

import re

import pytest
from django.urls import reverse
from django.utils import translation

from outgoing.sheets.files import write_french_csv, write_workbook
from outgoing.sheets.ranking_tables import FEUILLES, RANKING, make_session_table
from pages.doors import session_url
from rankings.publication.report import read_report
from tests.evenings.teams.playing import play_all
from tests.evenings.teams.test_quadrettes import make_quadrettes, prepare, start
from tests.factories import make_director, publish
from tests.outgoing.workbooks import text_of_workbook
from tests.pages.browsing import browser_of
from tests.pages.reading import words

pytestmark = pytest.mark.django_db
COLOURS = {"blue", "white", "red"}


@pytest.fixture
def session(db):
    found = start(prepare(make_quadrettes(4), positions=3))
    by = make_director(found.tournament.club)
    found = play_all(found, by=by)
    publish(found, by=by)
    return found


@pytest.fixture
def desk(session):
    return browser_of(make_director(session.tournament.club, "arbitre"))


@pytest.mark.nightly("story")
def test_tables_of_quadrettes_name_match_points_and_teams(session):
    report = read_report(session.publications.get().data)
    with translation.override("en"):
        ranking, feuilles = (make_session_table(code, report) for code in (RANKING, FEUILLES))
    names = [column.label for column in ranking.columns]
    assert names == ["Général", "Number", "Team", "Players", "Deals", "Match points", "Points off"]
    assert [row[0] for row in ranking.rows] == sorted(row[0] for row in ranking.rows)
    names = [column.label for column in feuilles.columns]
    assert names[:4] == ["Line", "Number", "Team", "Général"]
    assert "Match points" in names
    assert [name for name in names if "%" in name] == []
    first = write_french_csv(ranking).decode().splitlines()[1].split(";")
    assert re.fullmatch(r"-?\d+,\d{3}", first[5])
    assert f"<v>{first[5].replace(',', '.').rstrip('0')}" in text_of_workbook(write_workbook([ranking]))


@pytest.mark.nightly("story")
def test_pages_of_links_and_of_teams_name_no_colour(session, desk):
    links = words(desk.get(session_url("personal_links", session)))
    assert "Fam101" in links
    place = session.tournament.club.slug, session.tournament.slug
    teams = words(desk.get(reverse("prepare_teams", args=place)))
    team = session.tournament.teams.get(number=2)
    one = words(desk.get(reverse("prepare_teams", args=place), {"team": team.pk}))
    for page in (links, teams, one):
        assert COLOURS & {word.strip(",.()") for word in page.split()} == set()
    assert "Three players are needed" not in one
    assert "1 Prénom02 Fam102" in teams
