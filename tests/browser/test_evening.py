"""A whole evening by pages alone, used by a director and a table in a real browser."""

import json
from pathlib import Path

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.players import add_players
from clubs.roster import read_line
from evenings.plans.starting import start_session
from evenings.sessions.setup import create_session, prepare_deals, seats_in_order, set_entrants
from evenings.standings import computing
from pages.doors import session_url
from tests.browser.devices import width_of
from tests.factories import DATE, PASSWORD, enter, enter_all, make_club, make_director, make_tournament, publish
from tests.factories import started_session as start_evening
from tournaments.models import Play, Publication, Session

pytestmark = pytest.mark.nightly("browser")

TOPAGE = json.loads((Path(__file__).parents[1] / "golden" / "fft_duplicate.json").read_text())["topage_p17_p18"][0]
NORTH_TAKES = 4  # the number of the étui
LONG = "de La Rochefoucauld-Montmorency, Marie-Françoise Éléonore"


def type_name_and_password(page, name):
    page.goto(reverse("login"))
    page.fill("[name=username]", name)
    page.fill("[name=password]", PASSWORD)
    follow(page, "main form button")


def log_in(page, name):
    """Log in by sending the data of the form, without drawing the form or the page after it."""
    page.request.get(reverse("login"))
    token = next(cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "csrftoken")
    form = {"username": name, "password": PASSWORD, "csrfmiddlewaretoken": token}
    assert page.request.post(reverse("login"), form=form, max_redirects=0).status == 302


def follow(page, selector):
    """Press a button or link, and wait until the next page is ready, with its scripts."""
    with page.expect_navigation():
        page.click(selector)


def choose(page, field, value):
    page.check(f"[name={field}][value='{value}']", force=True)


def enter_points(page, points):
    """Enter a Garde with 2 bouts, and save it by one press once the page shows its score."""
    choose(page, "bouts", "21+petit")
    page.fill("[name=points]", str(points))
    page.wait_for_selector("#preview [name=shown]", state="attached")


def enter_fiche(page, score):
    follow(page, ".tabs a[href*=fiche]")
    choose(page, "sign", "+" if score > 0 else "-")
    page.fill("[name=figure]", str(abs(score)))
    page.wait_for_selector("#preview [name=shown]", state="attached")


def points_for(score):
    """Return the points that give this base score in a Garde with 2 bouts, whose target is 41."""
    return 41 + abs(score) // 2 - 25 if score > 0 else 41 - (abs(score) // 2 - 25)


def test_evening_from_an_empty_club_to_the_published_topage_of_the_regulation(laptop, live_server):
    club = make_club()
    make_director(club)
    type_name_and_password(laptop, "directrice")
    laptop.goto(reverse("tournament_new", args=[club.slug]))
    laptop.fill("[name=name]", "Duplicate de Noël")
    laptop.fill("[name=date]", "2026-11-20")
    follow(laptop, "main .button-primary")
    laptop.goto(session_url("session_edit", Session.objects.get()))
    laptop.fill("[name=etuis_per_position]", "1")
    follow(laptop, "main .button-primary")

    follow(laptop, "main a[href$='/players/']")
    laptop.fill("[name=text]", "\n".join(f"Joueur{number:02}, Élodie" for number in range(1, 21)))
    laptop.wait_for_selector("#list-numbers .state-done")
    follow(laptop, "button[form=join]")
    follow(laptop, "main .actions .button-primary")

    follow(laptop, "main a[href$='/etuis/']")
    assert laptop.input_value("[name=count]") == "5"
    follow(laptop, "main form .button-primary")
    follow(laptop, "main .actions .button-primary")
    follow(laptop, "form[action$='/start/'] button")
    assert laptop.url.endswith("/print/")

    session = Session.objects.get()
    plays = list(Play.objects.filter(etui__number=NORTH_TAKES).order_by("position"))
    assert [play.etui.taker for play in plays] == ["N"] * 5
    for play, score in zip(plays, TOPAGE["scores"], strict=True):
        laptop.goto(session_url("play", session, play.pk))
        if play is plays[-1]:
            enter_fiche(laptop, score)
        else:
            enter_points(laptop, points_for(score))
        sign = "+" if score > 0 else "−"
        assert laptop.inner_text(".fiche strong") == f"{sign}{abs(score)}"
        follow(laptop, "#save")
        laptop.wait_for_selector(".versions")

    laptop.goto(session_url("publish", session))
    laptop.check("[name=allow_missing]")
    follow(laptop, "main form .button-primary")
    assert laptop.url.endswith("/ranking/")
    laptop.goto(session_url("published_etui", session, Publication.objects.get().version, NORTH_TAKES))
    rows = laptop.locator("table.etui-plays tbody tr").all()
    shown = {int(row.locator("td").first.inner_text().replace("−", "-")): row.locator("td.num").all() for row in rows}
    notes = {score: [cell.inner_text().split(",")[0] for cell in cells[-2:]] for score, cells in shown.items()}
    assert notes == {
        score: [str(taker), str(defender)]
        for score, taker, defender in zip(
            TOPAGE["scores"], TOPAGE["taker_percent"], TOPAGE["defender_percent"], strict=True
        )
    }


def test_result_is_entered_by_keyboard_alone(phone, live_server):
    session = start_evening()
    make_director(session.tournament.club)
    log_in(phone, "directrice")
    play = session.plays.first()
    phone.goto(session_url("play", session, play.pk))

    def tab_to(name):
        for _ in range(30):
            phone.keyboard.press("Tab")
            if phone.evaluate("document.activeElement.name") == name:
                return
        pytest.fail(f"no way to {name} by keyboard")

    assert phone.evaluate("document.activeElement.name") == "bouts"
    phone.keyboard.press("Space")
    for _step in range(4):
        phone.keyboard.press("ArrowRight")
    tab_to("points")
    phone.keyboard.type("49")
    phone.wait_for_selector("#preview [name=shown]", state="attached")
    assert phone.evaluate("document.activeElement.name") == "points"
    phone.keyboard.press("Enter")
    phone.wait_for_selector(".versions")
    assert (play.entries.get().bouts, play.entries.get().half_points) == (2, 98)


def test_answer_to_an_old_question_is_not_saved(phone, live_server):
    """Check that a form changed between the preview and the press is not saved: only a shown result is saved."""
    session = start_evening()
    make_director(session.tournament.club)
    log_in(phone, "directrice")
    play = session.plays.first()
    phone.goto(session_url("play", session, play.pk))
    enter_points(phone, 49)
    phone.route("**/preview/", lambda route: route.abort())
    phone.evaluate("document.querySelector('[name=points]').value = '51'")
    follow(phone, "#save")
    phone.wait_for_selector(".fiche")
    assert phone.inner_text(".fiche strong") == "+70"
    assert not play.entries.exists()
    follow(phone, "#save")
    phone.wait_for_selector(".versions")
    assert play.entries.get().half_points == 102


def test_desk_is_refreshed_where_it_stands(laptop, live_server):
    """Check that a result from elsewhere changes the grid, and leaves the focus and the scroll where they are."""
    session = start_evening()
    user = make_director(session.tournament.club)
    log_in(laptop, "directrice")
    laptop.clock.install()
    laptop.goto(session_url("session", session))
    last = "at-1-5"
    laptop.focus(f"#{last}")
    laptop.evaluate("scrollTo(0, 120)")
    at = laptop.evaluate("scrollY")
    play = session.plays.filter(position=1, table__number=1).get()
    enter(play, by=user)
    laptop.clock.run_for(11_000)
    laptop.wait_for_selector(f"#play-{play.pk}.chip-done")
    assert laptop.evaluate("[document.activeElement.id, scrollY]") == [last, at]


def long_evening(user, club, tournament):
    """Make a session of 28 players in each state, with a very long name at each table."""
    names = [LONG, *(f"Nom-Composé-Très-Long-{n:02}, Maximilien-Élie" for n in range(27))]
    lines = [read_line(name) for name in names]
    ids = [player.pk for player in add_players(club=club, lines=lines)]
    sessions = []
    for count in (27, 28, 28):
        session = create_session(tournament=tournament, date=DATE, positions=7)
        set_entrants(session_id=session.pk, seats=seats_in_order(ids[:count]))
        prepare_deals(session_id=session.pk, with_cards=True, count=28, by=user, now=timezone.now())
        sessions.append(session)
    draft, running, published = sessions
    for session in (running, published):
        start_session(session_id=session.pk, now=timezone.now())
    enter_all(running, by=user, plays=running.plays.select_related("etui").filter(position__lte=3))
    enter(published.plays.select_related("etui").first(), by=user)
    publish(published, by=user, allow_missing=True)
    computing.refresh(running.pk, now=timezone.now())
    return draft, running, published


def test_no_page_of_the_director_scrolls_sideways_on_a_phone(phone, live_server):
    tournament = make_tournament(name="Duplicate individuel à Garde imposée du Tarot-Club de Châteauneuf-sur-Isère")
    club = tournament.club
    user = make_director(club)
    draft, running, published = long_evening(user, club, tournament)
    entered = running.plays.filter(position=1).first()
    missing = running.plays.filter(position=7).first()
    pages = [
        reverse("players", args=[club.slug]),
        reverse("tournament_new", args=[club.slug]),
        reverse("session_new", args=[club.slug, tournament.slug]),
        *(session_url(name, draft) for name in ("session", "session_edit", "entrants", "etuis")),
        *(session_url(name, running) for name in ("session", "session_plan", "etuis", "standings", "publish")),
        session_url("session", running) + "?cell=1-1",
        session_url("session", published),
        session_url("play", running, missing.pk),
        session_url("play", running, missing.pk) + "?kind=fiche",
        session_url("play", running, entered.pk),
        session_url("play", running, entered.pk) + "?correct",
        session_url("live_feuille", running, running.entrants.first().pk),
        session_url("live_etui", running, 1),
    ]
    log_in(phone, "directrice")
    wide = []
    for address in pages:
        phone.goto(address)
        if width_of(phone) > phone.viewport_size["width"]:
            wide.append(address)
    phone.context.clear_cookies()
    phone.goto(session_url("session", running))
    if width_of(phone) > phone.viewport_size["width"]:
        wide.append("public plan")
    assert wide == []
