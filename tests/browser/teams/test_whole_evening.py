"""A whole evening of eight triplettes by pages alone, at 390 px and in English: from names to the ranking."""

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from evenings.sessions.setup import create_tournament
from pages.doors import session_url
from tests.browser.conftest import LOW_PHONE, PHONE
from tests.browser.devices import Table, words
from tests.browser.teams.steps import look
from tests.browser.test_evening import follow, log_in
from tests.browser.test_languages import choose_language
from tests.evenings.tables.phones import tokens_of
from tests.evenings.teams.independent_triplettes import find_percentages, find_ranks
from tests.evenings.teams.test_standings import list_plays
from tests.factories import enter, garde, make_club, make_director
from tournaments.models import Publication, ResultEntry, Session, Team, TeamMember

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]

LONG = "Rochefoucauld-Montbelliard"
TOWNS = ("Aix", "Blois", "Caen", "Dax", "Évry", "Foix")
PASTED = "\n".join(
    [
        f"Excuse 21: Zoé {LONG}, Éric Petit, Anne Brun",
        "Jean Morel; Inès Roux; Hugo Girard",
        *(
            f"{name}: Marie {name}un, Léo {name}deux, Ève {name}trois"
            for name in ["Aix", "Blois", "Caen", "Dax", "Évry", "Foix"]
        ),
    ]
)
POSITIONS, ETUIS = 3, 2


@pytest.mark.usefixtures("live_server")
@pytest.mark.parametrize("language", ["en"])  # the afternoon of quadrettes is in French
def test_evening_of_eight_triplettes_from_pasted_names_to_the_ranking(open_page, language):
    club = make_club()
    make_director(club)
    tournament = create_tournament(club=club, name="Triplettes d’automne", format="triplettes", now=timezone.now())
    with open_page(PHONE) as desk:
        desk.goto(reverse("login"))
        choose_language(desk, language)
        log_in(desk, "directrice")
        session = prepare_evening(desk, tournament)
        play_at_the_table(open_page, session, language)
        play_the_rest(session, desk)
        check_pages_of_the_evening(desk, session)
        publish_evening(desk, session)
        check_ranking(desk, session, language)


def prepare_evening(desk, tournament):
    """Go from pasted teams to the started session, by the prominent buttons."""
    place = tournament.club.slug, tournament.slug
    desk.goto(reverse("prepare_teams", args=place))
    look(desk, "01-teams-empty")
    desk.fill("[name=text]", PASTED)
    desk.wait_for_selector("[name=shown]", state="attached")
    look(desk, "02-teams-read")
    follow(desk, "button[name=action][value=paste]")
    assert Team.objects.count() == 8
    assert TeamMember.objects.count() == 24
    look(desk, "03-teams-made")
    desk.goto(reverse("session_new", args=place))
    desk.fill("[name=date]", "2026-11-20")
    desk.fill("[name=positions]", str(POSITIONS))
    desk.fill("[name=etuis_per_position]", str(ETUIS))
    follow(desk, "main .button-primary")
    session = Session.objects.get()
    look(desk, "04-session-draft")
    desk.goto(session_url("entrants", session))
    look(desk, "05-numbers")
    follow(desk, "button[name=action][value=number]")
    look(desk, "06-numbered")
    desk.goto(session_url("plan_choose", session))
    look(desk, "07-movement")
    follow(desk, "main button[value=choose]")
    look(desk, "08-movement-chosen")
    desk.goto(session_url("etuis", session))
    look(desk, "09-etuis")
    follow(desk, "main form .button-primary")
    desk.goto(session_url("session", session))
    look(desk, "10-ready")
    follow(desk, "form[action$='/start/'] button")
    desk.wait_for_selector("#progress")
    look(desk, "11-started")
    return Session.objects.get()


def play_at_the_table(open_page, session, language):
    """Play position 1 at table 1 on its phone: one attacker in turn, one out of turn."""
    Session.objects.filter(pk=session.pk).update(position=1, check_by="same")
    first, second = session.plays.filter(position=1, table__number=1).select_related("etui").order_by("etui__number")
    with open_page(LOW_PHONE) as page:
        phone = Table(page, reverse("table_screen", args=[tokens_of(session)[1]]))
        expect(page.locator(".greeted li")).to_have_count(2)
        if language == "en":  # the browser is French
            phone.tap("menu", "language", "back")
        phone.tap("write")
        expect(phone.heading).to_have_text(words("ask.etui", language))
        phone.etui(first.etui.number)
        expect(phone.heading).to_have_text(words("ask.attacker", language, team=first.seats[first.taker].own_name))
        phone.tap(f"attacker-{first.badge}")
        phone.facts(points=51)
        phone.tap("save")
        expect(page.locator("[data-key=agree]")).to_be_visible()
        phone.tap("agree", "skip")
        expect(phone.row(first.etui.number)).to_contain_text(words("state.confirmed", language))
        phone.etui(second.etui.number)
        phone.tap(f"attacker-{second.badge % 3 + 1}")
        phone.facts(points=36)
        phone.tap("save", "agree", "skip")
        expect(phone.row(second.etui.number)).to_contain_text(words("state.confirmed", language))
        expect(page.locator(".next li")).to_have_count(2)
        assert phone.fits() or page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    rows = ResultEntry.objects.filter(play__in=(first, second)).order_by("play__etui__number")
    assert [row.attacker and row.attacker.place for row in rows] == [None, second.badge % 3 + 1]


def play_the_rest(session, desk):
    """Enter one result at the desk without scripts, and all others by the service."""
    by = session.tournament.club.memberships.get().user
    play = session.plays.filter(entries=None).select_related("etui").order_by("position", "table", "etui").first()
    desk.goto(session_url("play", session, play.pk) + "?kind=fiche")
    look(desk, "30-desk-entry")
    desk.check("[name=sign][value='+']", force=True)
    desk.fill("[name=figure]", "62")
    desk.check(f"[name=attacker][value='{play.badge}']", force=True)
    desk.wait_for_selector("#preview [name=shown]", state="attached")
    follow(desk, "#save")
    desk.wait_for_selector(".versions")
    look(desk, "32-desk-saved")
    for number, left in enumerate(session.plays.filter(entries=None).select_related("etui").order_by("pk")):
        enter(left, garde(left.etui.taker, points=38 + number * 7 % 20), by=by)
    Session.objects.filter(pk=session.pk).update(position=POSITIONS)


def check_pages_of_the_evening(desk, session):
    for number, name in enumerate(("session", "session_plan", "hall", "changes", "bulk", "standings"), start=40):
        desk.goto(session_url(name, session))
        look(desk, f"{number}-{name}")
    desk.goto(session_url("hall", session) + "?by=table")
    look(desk, "46-hall-by-table")
    expect(desk.locator(".hall-tables > li")).to_have_count(4)
    desk.goto(session_url("hall", session) + "?q=montbell")
    look(desk, "49-hall-member")
    expect(desk.locator(".hall-mine h2")).to_have_text("Excuse 21")
    for number, kind in enumerate(("swap", "wrong_etuis"), start=47):
        desk.goto(session_url("change", session, kind))
        look(desk, f"{number}-{kind}")


def publish_evening(desk, session):
    desk.goto(session_url("publish", session))
    look(desk, "50-publish")
    follow(desk, "form.form button.button-primary")
    look(desk, "51-published")


def check_ranking(desk, session, language):
    """Compare the ranking that readers see with an independent computation, and look at the pages of the results."""
    found = find_percentages(list_plays(session), {})
    ranks = find_ranks({team: figures[2] for team, figures in found.items()})
    names = dict(Team.objects.values_list("number", "name"))
    desk.goto(session_url("ranking", session))
    look(desk, "60-ranking")
    shown = desk.locator("table.ranking tbody tr").all_inner_texts()
    for team, rank in ranks.items():
        unnamed = {"fr": f"Équipe {team}", "en": f"Team {team}"}[language]
        (row,) = [text for text in shown if (names[team] or unnamed) in text]
        assert row.split()[0].rstrip("eᵉʳ.") == str(rank), row
    version = Publication.objects.get().version
    entrant = session.entrants.get(team__number=1)
    pages = {
        "61-feuille": session_url("feuille", session, version, entrant.pk),
        "62-etui": session_url("published_etui", session, version, 1),
        "63-session": session_url("session", session),
        "64-tournament": reverse("tournament", args=(session.tournament.club.slug, session.tournament.slug)),
        "65-hall": session_url("hall", session),
    }
    for name, url in pages.items():
        desk.goto(url)
        look(desk, name)
    assert desk.locator(".podium li").count() >= 3
