"""A league of team matches by pages alone, at 390 px in French: from the first page to the start, and its matches."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from pages.doors import session_url
from tests.browser.conftest import PHONE
from tests.browser.teams.test_whole_evening import look
from tests.browser.test_evening import follow, log_in
from tests.evenings.teams.matches.evening import play_matches
from tests.factories import make_club, make_director
from tournaments.models import LineUp, Session, Team, Tournament

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]
PASTED = "\n".join(
    f"{name}: Zoé {name}un; Max {name}deux; Léo {name}trois; Ève {name}quatre; Guy {name}cinq"
    for name in ("Aix", "Blois", "Caen", "Dax")
)


@pytest.mark.usefixtures("live_server")
def test_league_from_the_first_page_to_its_table(open_page):
    club = make_club()
    by = make_director(club)
    with open_page(PHONE) as desk:
        log_in(desk, "directrice")
        desk.goto(reverse("tournament_new", args=[club.slug]))
        expect(desk.locator(".only-matches")).to_be_hidden()
        desk.fill("[name=name]", "Matchs d’hiver")
        desk.click("summary:has-text('Autres formules')")
        desk.check("[name=auction][value=team_match]", force=True)
        expect(desk.locator(".only-matches")).to_be_visible()
        look(desk, "new")
        desk.check("[name=meeting][value=league]", force=True)
        follow(desk, "main button.button-primary")
        look(desk, "session")
        expect(desk.locator("[name=positions]")).to_be_disabled()
        follow(desk, "main form button.button-primary >> nth=-1")
        tournament, session = Tournament.objects.get(), Session.objects.get()
        assert (tournament.format, tournament.meeting) == ("team_match", "league")
        assert (session.positions, session.etuis_per_position) == (4, 4)
        desk.goto(reverse("prepare_teams", args=[club.slug, tournament.slug]))
        desk.fill("#teams-text", PASTED)
        desk.wait_for_selector("[name=shown]", state="attached")
        follow(desk, "button[value=paste]")
        assert Team.objects.count() == 4
        prepare_round(desk, tournament, session)
        play_matches(session, by=by)
        Session.objects.filter(pk=session.pk).update(position=4)
        desk.goto(session_url("publish", session))
        follow(desk, "form.form button.button-primary")
        desk.goto(reverse("matches", args=[club.slug, tournament.slug]))
        look(desk, "league")
        expect(desk.locator("table.league tbody tr")).to_have_count(4)
        expect(desk.locator(".tree-side.is-won")).to_have_count(2)


def prepare_round(desk, tournament, session):
    """Give the first round its numbers from the page of the matches, make the étuis, and start with the line-ups."""
    desk.goto(reverse("matches", args=[tournament.club.slug, tournament.slug]))
    look(desk, "rounds")
    follow(desk, "button[value=number] >> nth=0")
    assert session.entrants.count() == 4
    desk.goto(session_url("etuis", session))
    follow(desk, "main form button.button-primary >> nth=0")
    desk.goto(session_url("session", session))
    look(desk, "checklist")
    follow(desk, "form[action$='/start/'] button")
    desk.goto(session_url("line_ups", session) + "?quarter=1")
    look(desk, "line-ups")
    follow(desk, "button[value=without]")
    assert LineUp.objects.filter(quarter=1).count() == 4
