"""A director and a captain in a browser: triplettes from the first page to the start, and a team that signs up."""

import os
import re

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from evenings.sessions.setup import create_session, create_tournament
from pages.doors import session_url
from registration.people.registration import set_registration
from tests.browser.test_evening import follow, log_in
from tests.factories import DATE, make_club, make_director
from tournaments.models import Applicant, Session, Team, Tournament

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]
SCREENS = [((390, 844), "fr"), ((1280, 800), "en")]
NAMES = (  # of 24 players, none like another
    *("Abeille", "Cormoran", "Étourneau", "Fauvette", "Geai", "Hirondelle", "Ibis", "Jaseur"),
    *("Kiwi", "Loriot", "Mésange", "Nandou", "Outarde", "Pélican", "Quetzal", "Rossignol"),
    *("Sittelle", "Tadorne", "Urubu", "Vanneau", "Whippoorwill", "Xérus", "Yacou", "d’Hautefeuille-Montmorency"),
)
TRIOS = zip(NAMES[::3], NAMES[1::3], NAMES[2::3], strict=True)
PASTED = "\n".join(f"Les n° {n}: Zoé {one}; Max {two}; Léo {three}" for n, (one, two, three) in enumerate(TRIOS, 1))


def shot(page: Page, name: str) -> None:
    if folder := os.environ.get("SHOTS"):
        page.screenshot(path=f"{folder}/{name}-{page.viewport_size['width']}.png", full_page=True)
    wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    assert not wide, name


@pytest.mark.parametrize(("size", "language"), SCREENS, ids=["phone", "laptop"])
def test_triplettes_from_the_first_page_to_the_start_and_a_second_session(open_page, live_server, size, language):
    club = make_club()
    make_director(club)
    with open_page(size) as page:
        page.context.set_extra_http_headers({"Accept-Language": language})
        log_in(page, "directrice")
        page.goto(reverse("tournament_new", args=[club.slug]))
        page.fill("[name=name]", "Triplettes de printemps")
        page.locator("label.choice", has_text=re.compile("triplettes", re.IGNORECASE)).click()
        shot(page, "01-new")
        follow(page, "main button.button-primary")
        shot(page, "02-session")
        page.fill("[name=positions]", "7")
        follow(page, "main form button.button-primary >> nth=-1")
        shot(page, "03-checklist-empty")
        session = Session.objects.get()
        page.goto(session_url("entrants", session))
        shot(page, "04-entrants-empty")
        teams = reverse("prepare_teams", args=[club.slug, session.tournament.slug])
        follow(page, f"a[href='{teams}'] >> nth=0")
        assert page.input_value("#teams-text") == ""
        shot(page, "05-teams-empty")
        page.fill("#teams-text", PASTED)
        page.wait_for_selector("[name=shown]", state="attached")
        shot(page, "06-pasted")
        follow(page, "button[value=paste]")
        shot(page, "07-teams")
        assert Team.objects.count() == 8
        page.goto(f"{teams}?team={Team.objects.earliest('pk').pk}")
        shot(page, "08-team")
        page.goto(session_url("entrants", session))
        shot(page, "09-entrants")
        follow(page, "button[value=draw]")
        shot(page, "10-drawn")
        page.goto(session_url("plan_choose", session))
        shot(page, "11-plan")
        follow(page, "button[value=choose] >> nth=0")
        shot(page, "12-chosen")
        page.goto(session_url("etuis", session))
        shot(page, "13-etuis")
        follow(page, "main form button.button-primary >> nth=0")
        page.goto(session_url("session", session))
        shot(page, "14-checklist")
        page.goto(reverse("tournament_rules", args=[club.slug, session.tournament.slug]))
        shot(page, "15-rules")
        page.goto(reverse("tournament", args=[club.slug, session.tournament.slug]))
        shot(page, "16-tournament")
        page.goto(session_url("session_edit", session))
        shot(page, "17-edit")
        page.goto(session_url("session", session))
        follow(page, "form[action$='start/'] button")
        shot(page, "18-desk")
        assert Session.objects.get().status == Session.Status.RUNNING
        for name in ("session_plan", "hall", "prints", "log", "changes"):
            page.goto(session_url(name, session))
            shot(page, f"19-{name}")
        page.goto(reverse("session_new", args=[club.slug, session.tournament.slug]))
        follow(page, "main form button.button-primary >> nth=-1")
        second = Session.objects.get(number=2)
        page.goto(session_url("entrants", second))
        follow(page, "button[value=number]")
        assert second.entrants.count() == 8
        page.goto(session_url("session", second))
        shot(page, "20-second")
        page.goto(reverse("club_settings", args=[club.slug]))
        shot(page, "21-settings")


@pytest.mark.parametrize(("size", "language"), SCREENS, ids=["phone", "laptop"])
def test_captain_signs_up_players_agree_and_the_door_seats_them(open_page, live_server, size, language):
    tournament = create_tournament(club=make_club(), name="Triplettes", format="triplettes", now=timezone.now())
    session = create_session(tournament=tournament, date=DATE, positions=3, etuis_per_position=4)
    user = make_director(tournament.club)
    set_registration(accepts_at_once=True, session_id=session.pk, by=user, now=timezone.now(), places=4)
    with open_page(size) as page:
        page.context.set_extra_http_headers({"Accept-Language": language})
        page.goto(session_url("sign_up", session))
        shot(page, "30-sign-up")
        page.fill("[name=last_name]", "Brun")
        page.fill("[name=first_name]", "Zoé")
        page.fill("[name=last_name_2]", "Petit")
        page.fill("[name=team_name]", "Les Bouts du Monde")
        follow(page, "main form button.button-primary")
        shot(page, "31-captain")
        page.fill("[name=last_name]", "d’Hautefeuille-Montmorency")
        page.fill("[name=first_name]", "Léopoldine")
        follow(page, "button[value=name]")
        expect(page.locator("button[value=name]")).to_have_count(0)
        shot(page, "32-captain-full")
        for last in ("Petit", "d’Hautefeuille-Montmorency"):
            page.goto(reverse("registered", args=[Applicant.objects.get(last_name=last).token]))
            shot(page, "33-named")
            follow(page, "button[value=agree]")
        expect(page.locator(".notice-success")).to_contain_text(re.compile("équipe a une place|team has a place"))
        shot(page, "34-agreed")
        page.goto(reverse("registered", args=[Applicant.objects.get(last_name="Brun").token]) + "?withdraw")
        shot(page, "35-withdraw")
        log_in(page, "directrice")
        page.goto(session_url("registration", session))
        shot(page, "36-door")
        follow(page, "button[value=team_accept]")
        follow(page, "button[value=team_here]")
        page.fill("[name=player_1] >> nth=-1", "ROUX Ida")
        page.fill("[name=player_2]", "NOIR Guy")
        follow(page, "#walk-in button.button-primary")
        shot(page, "37-door-walk-in")
        follow(page, "form#seat button")
        shot(page, "38-seated")
        page.goto(session_url("sign_up", session))
        shot(page, "39-coming")
    assert session.entrants.get().team.name == "Les Bouts du Monde"
    assert Tournament.objects.count() == 1
