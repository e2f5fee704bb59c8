"""The end of an evening of triplettes: the hall's podium, the ranking to pin up, the étui, the homologation sheet."""

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import ShownWord, Visibility
from clubs.shown import choose_shown
from outgoing.sheets.director_tables import make_homologation
from pages.doors import session_url
from rankings.publication.frequencies import fields_of
from rankings.publication.report import read_report
from tests.outgoing.paper.test_pdf import flat
from tests.pages.browsing import browser_of
from tests.pages.reading import words

pytestmark = pytest.mark.django_db
NAME = "Les Trois Mousquetaires de l’Excuse et du Petit au bout"


@pytest.fixture(autouse=True)
def hosts(settings):
    settings.ALLOWED_HOSTS = ["*"]


def address(name, session, *more):
    return reverse(name, args=[session.tournament.club.slug, session.tournament.slug, session.number, *more])


def hall(session, **asked):
    return words(browser_of().get(session_url("hall", session), asked, HTTP_HOST="topage.example"))


def test_hall_shows_the_podium_of_teams_without_lines_with_names_and_members(session):
    page, data = hall(session), session.publications.get().data
    assert all(row["rank_alterne"] is None for row in data["players"])
    first = [row for row in data["players"] if (row["rank_general"] or 9) <= 3]
    assert first
    assert NAME in page
    assert "Guy de La Rochefoucauld, Anaïs Œillet, Marie-Élisabeth Vandenbroucke-Desmoulins" in page
    whole = hall(session, ranking="")
    for number in (1, 2, 3, 4, 5, 6, 7, 8, 9):
        assert {2: "Les Bouts", 3: NAME}.get(number, f"Team {number}") in whole


def test_hall_names_no_hidden_member_and_no_team_that_has_their_name(evening, session):
    member = evening.member(3, 2)
    team = member.team
    team.name = "Les Œillet"
    team.save()
    told = {"by": evening.director, "now": timezone.now()}
    assert "Les Œillet" in hall(session, ranking="")
    choose_shown(player=member.player, shown=Visibility.HIDDEN, way=ShownWord.WordWay.DIRECTOR, **told)
    for page in (hall(session), hall(session, ranking="")):
        assert "Œillet" not in page
    assert "Team 3" in hall(session, ranking="")


def test_best_defence_of_an_etui_names_a_team_once(session):
    report, seen = read_report(session.publications.get().data), 0
    for etui in report.data.etuis:
        for field in fields_of(report.topage(etui), weighted=True):
            named = [player.id for player in field.defenders()]
            assert len(named) == len(set(named))
            seen += len(named)
    assert seen > 10


def test_ranking_counts_teams_and_pins_their_members_up(session):
    page = words(browser_of().get(address("ranking", session)))
    assert "9 teams · 4 tables" in page
    assert "Unranked teams are listed last" in page
    pinned = flat(browser_of().get(address("ranking_pdf", session, 1)).content)
    for word in ("Les Trois", "Œillet", "Vandenbroucke-", "Les Bouts"):
        assert word in pinned


def test_homologation_sheet_has_the_licence_of_every_member_of_a_team(evening, session):
    player = evening.member(3, 1).player
    player.licence = "AB1234567"
    player.save()
    sheet = make_homologation(session, session.publications.get())
    rows = [dict(zip([column.name for column in sheet.columns], row, strict=True)) for row in sheet.rows]
    assert len(rows) == 3 * 9 + 1  # and the substitute
    (row,) = [row for row in rows if row["licence"]]
    assert (row["licence"], row["last_name"], row["team"]) == ("AB1234567", player.last_name, NAME)
    assert {row["last_name"] for row in rows if row["team"] == "Équipe 4"} == {
        "Fam104",
        "Fam204",
        "Remplaçante",
        "Fam304",
    }


def test_shared_text_of_a_feuille_says_team_or_member(evening, session):
    url = address("feuille", session, 1, evening.entrant(3).pk)
    team, member = (browser_of().get(url + query).content.decode() for query in ("", "?member=2"))
    assert f"{NAME}, Triplettes d’été, session 1, 20 November 2026: " in team
    assert f"Anaïs Œillet ({NAME}), Triplettes d’été, session 1, 20 November 2026: " in member
