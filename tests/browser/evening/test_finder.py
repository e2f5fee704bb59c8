"""The field that finds people by two letters, on a phone, by keyboard and by finger, wherever somebody is added."""

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from clubs.licences import read_licences, store_list
from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.sessions.setup import create_tournament
from evenings.teams.making import make_team
from pages.doors import session_url
from tests.browser.test_evening import follow, log_in
from tests.factories import draft_session, make_tournament, started_session
from wording.table import write_cells

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]
LIST = [
    ["Licence", "Nom", "Prénom", "Catégorie", "Série", "Club"],
    ["0012345", "LE GOFF", "Anaïs", "Sénior", "2", "Brest"],
    ["0012346", "LEGOUX", "Léo", "", "promotion", "Rennes"],
]


@pytest.fixture
def listed(club, director):
    add_players(club=club, lines=[RosterLine("Legrand", "Max", "77")])
    store_list(club=club, file=read_licences(write_cells(LIST)), name="liste.csv", by=director, now=timezone.now())
    return club


def options(page):
    return page.get_by_role("listbox").get_by_role("option")


def test_two_letters_and_the_arrows_seat_a_member_of_the_federation(phone, listed, director):
    session = draft_session(make_tournament(listed))
    log_in(phone, director.username)
    phone.goto(session_url("entrants", session))
    field = phone.get_by_label("Ajouter un joueur")
    expect(field).to_have_attribute("role", "combobox")
    field.press_sequentially("le")
    expect(options(phone)).to_have_count(3)
    expect(options(phone).first).to_contain_text("Legrand Max")
    expect(phone.get_by_role("status").filter(has_text="3 personnes trouvées")).to_be_visible()
    assert field.get_attribute("aria-expanded") == "true"
    field.press("Escape")
    expect(phone.get_by_role("listbox")).to_be_hidden()
    field.press_sequentially(" a")
    expect(options(phone)).to_have_count(1)
    expect(options(phone)).to_contain_text("0012345 · 2e série · senior · Brest")
    field.press("ArrowDown")
    expect(options(phone)).to_have_attribute("aria-selected", "true")
    assert field.get_attribute("aria-activedescendant") == options(phone).get_attribute("id")
    box = phone.locator(".finder:visible").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    field.press("Enter")
    expect(field).to_have_value("Le Goff; Anaïs; 0012345; catégorie: senior; série: 2; club d’origine: Brest")
    with phone.expect_navigation():
        field.press("Enter")
    found = listed.players.get(licence="0012345")
    assert (found.last_name, found.first_name, found.category, found.series, found.origin) == (
        *("Le Goff", "Anaïs"),
        *("senior", "2", "Brest"),
    )
    assert session.entrants.filter(player=found).exists()


def test_finger_chooses_for_the_line_of_the_cursor_in_a_list(phone, listed, director):
    session = draft_session(make_tournament(listed))
    log_in(phone, director.username)
    phone.goto(session_url("entrants", session))
    area = phone.locator("#join [name=text]")
    area.fill("DUPONT Marie\n")
    area.press("End")
    area.press_sequentially("lego")
    options(phone).filter(has_text="Legoux").click()
    expect(area).to_have_value("DUPONT Marie\nLegoux; Léo; 0012346; série: promotion; club d’origine: Rennes\n")
    expect(phone.get_by_role("listbox")).to_be_hidden()
    expect(phone.locator("#list-rows")).to_contain_text("Legoux")
    area.press_sequentially("legr")
    options(phone).first.click()
    expect(phone.locator("#list-rows")).to_contain_text("Legrand")  # or the button counts the letters as a name
    expect(phone.locator("#list-button")).to_contain_text("3")
    follow(phone, "button[form=join]")
    seated = session.entrants.values_list("player__last_name", "player__licence").order_by("-pk")
    assert sorted(seated[:3]) == [("DUPONT", ""), ("Legoux", "0012346"), ("Legrand", "77")]


@pytest.mark.parametrize("kind", ["arrive", "substitute"])
def test_latecomer_and_substitute_are_found_too(phone, listed, director, kind):
    session = started_session(make_tournament(listed))
    log_in(phone, director.username)
    phone.goto(session_url("change", session, kind))
    field = phone.locator("[data-find]")
    field.press_sequentially("le goff")
    options(phone).first.click()
    expect(field).to_have_value(
        "Le Goff; Anaïs; 0012345; catégorie: senior; série: 2; club d’origine: Brest" + "\n" * (kind == "arrive")
    )


def test_member_of_a_team_is_added_and_replaced(phone, listed, director):
    now = timezone.now()
    tournament = create_tournament(club=listed, name="Triplettes", format="triplettes", now=now)
    player = listed.players.get(licence="77")
    team = make_team(tournament_id=tournament.pk, players=[player.pk], by=director, now=now)
    log_in(phone, director.username)
    phone.goto(f"{reverse('prepare_teams', args=[listed.slug, tournament.slug])}?team={team.pk}")
    phone.locator("#name-add").press_sequentially("lego")
    options(phone).first.click()
    follow(phone, "#form-add button")
    phone.get_by_text("Remplacer Max Legrand").click()
    member = team.members.get(player=player)
    phone.locator(f"#name-{member.pk}").press_sequentially("le goff")
    options(phone).first.click()
    phone.locator(f"#why-{member.pk}").fill("malade")
    follow(phone, f"#form-{member.pk} button[value=replace]")
    active = team.members.filter(ended_at=None).order_by("player__licence")
    assert [member.player.licence for member in active] == ["0012345", "0012346"]


def test_player_is_added_to_the_club_and_at_the_door(phone, listed, director):
    log_in(phone, director.username)
    phone.goto(f"/clubs/{listed.slug}/players/")
    phone.locator("#names [name=text]").press_sequentially("anais le")
    options(phone).first.click()
    expect(phone.locator("#list-rows")).to_contain_text("Le Goff")
    expect(phone.locator("#list-button")).to_contain_text("1")
    follow(phone, "button[form=names]")
    assert listed.players.get(licence="0012345").series == "2"
    session = draft_session(make_tournament(listed))
    phone.goto(session_url("registration", session))
    phone.locator("#walk-in [data-find]").press_sequentially("legoux")
    options(phone).first.click()
    follow(phone, "#walk-in .button-primary")
    assert session.applicants.get().licence == "0012346"


def test_preview_follows_what_is_typed_while_an_answer_is_on_its_way(phone, listed, director):
    log_in(phone, director.username)
    phone.goto(session_url("entrants", draft_session(make_tournament(listed))))
    area, held = phone.locator("#join [name=text]"), []
    phone.route("**/players/", lambda route: route.continue_() if held else held.append(route))
    with phone.expect_request("**/players/"):
        area.fill("DUPONT Marie\n")
    area.press("End")
    area.press_sequentially("Petit Léa")
    held[0].continue_()
    expect(phone.locator("#list-rows")).to_contain_text("Petit")
