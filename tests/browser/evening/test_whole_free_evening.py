"""A whole evening of donnes libres in the browser, from its tournament to its published ranking: nine players."""

from fractions import Fraction

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.standings.computing import compute
from pages.doors import session_url
from tests.browser.conftest import LAPTOP, PHONE
from tests.browser.devices import axe, width_of
from tests.browser.evening.test_free_deals import address_of, deal
from tests.browser.test_evening import choose, follow, log_in
from tests.browser.test_first_friday import NEXT, Beginner
from tests.browser.test_languages import choose_language
from tests.factories import make_club, make_director
from tests.free_evenings import NAMES
from tournaments.models import Publication, Session

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]

WON_BY_FIRST = ("30", "-10", "-10", "-10")
AT_FIVE = ("80", "-20", "-30", "-10", "-20")
PLAYERS = 9


def prepare_evening(organiser, club):
    """Make the tournament, its session of two games and its players by the prominent buttons, and start it."""
    page = organiser.page
    page.goto(reverse("tournament_new", args=[club.slug]))
    organiser.fill(name="Donnes libres")
    choose(page, "auction", "donnes_libres")
    organiser.go_on()
    organiser.fill(positions="2", etuis_per_position="4")
    organiser.go_on()
    session = Session.objects.select_related("tournament__club").get()
    choose_mort(page, session)
    for _page in range(8):
        if page.locator("#progress").count():
            break
        if page.locator("a[href*=everybody]").count():
            organiser.press("a[href*=everybody]")
        organiser.go_on()
    page.wait_for_selector("#progress")
    session.refresh_from_db()
    return session


def choose_mort(page, session):
    """Let the dealer rest at the table of five, on the page of the games."""
    page.goto(session_url("games", session))
    page.select_option("[name=odd_tables]", "mort")
    follow(page, NEXT)


def type_sheets(page, session, *, game):
    """Type the sheet of each table of a game that waits for one, at the desk."""
    page.goto(f"{session_url('sheets', session)}?game={game}")
    for row in page.locator(".sheet-rows > *", has=page.locator("[data-cell]")).all():
        fields = row.locator("[data-cell]").all()
        if any(field.input_value() for field in fields):
            continue
        for field, figure in zip(fields, AT_FIVE if len(fields) > 4 else WON_BY_FIRST, strict=True):
            field.fill(figure)


@pytest.mark.parametrize(("language", "size"), [("fr", PHONE), ("en", LAPTOP)], ids=["fr", "en"])
def test_evening_of_nine_players(open_page, table, problems, language, size):
    club = make_club()
    add_players(club=club, lines=[RosterLine(f"Nom{place}", NAMES[place]) for place in range(PLAYERS)])
    by = make_director(club)
    with open_page(size) as desk:
        log_in(desk, by.username)
        desk.goto("/")
        choose_language(desk, language)
        session = prepare_evening(Beginner(desk, language), club)
        assert (session.status, session.odd_tables, session.plays.count()) == ("running", "mort", 9)
        five = session.plays.filter(fifth__isnull=False).first().table.number
        with table(address_of(session, five)) as phone:
            play_game_of_five(phone, session, five, language)
        type_sheets(desk, session, game=1)
        check_page(desk)
        follow(desk, "#save")
        assert compute(session.pk).figures["counts"]["missing"] == 9  # those of the game that is not seated yet
        seat_next_game(desk, session)
        type_sheets(desk, session, game=2)
        follow(desk, "#save")
        desk.goto(session_url("publish", session))
        check_page(desk)
        follow(desk, "main form .button-primary")
        assert Publication.objects.filter(session=session).count() == 1
    with open_page(size) as reader:
        reader.goto(session_url("ranking", session))
        choose_language(reader, language)
        read_evening(reader, session)


def play_game_of_five(phone, session, number, language):
    """Enter the five deals of the first game on the table's phone, and agree to the sheet of the game."""
    if phone.page.evaluate("document.documentElement.lang") != language:
        phone.tap("menu", "language", "back")
    phone.tap("write")
    for place, play in enumerate(plays_of(session, 1, number), start=1):
        deal(phone, place, play.playing_seats[0], "garde", "21+petit", points="49")
    assert axe(phone.page) == []
    assert width_of(phone.page) <= PHONE[0]
    phone.tap(f"agree-{plays_of(session, 1, number)[-1].playing_seats[1]}")
    expect(phone.page.locator(".etuis .state-done")).to_have_count(5)


def plays_of(session, game, number):
    plays = session.plays.filter(position=game, table__number=number).select_related("etui", "table")
    return list(plays.order_by("etui__number"))


def seat_next_game(page, session):
    """Close the first game, and take the tables that the site proposes by ranking."""
    page.goto(session_url("games", session))
    check_page(page)
    follow(page, "button[value=take]")
    assert session.plays.filter(position=2).count() == 9


def read_evening(page, session):
    """Read the ranking and the feuille of its first player."""
    players = page.locator("main tbody tr[id^=player-]")
    expect(players).to_have_count(PLAYERS)
    assert "%" not in page.locator("main").inner_text()
    check_page(page)
    ranked = compute(session.pk).figures["players"]
    assert sum(Fraction(each["overall"]) for each in ranked) == 0
    follow(page, "main tbody tr[id^=player-] a")
    assert "%" not in page.locator("main").inner_text()
    check_page(page)


def check_page(page):
    assert width_of(page) <= page.viewport_size["width"], page.url
    assert axe(page) == [], page.url
