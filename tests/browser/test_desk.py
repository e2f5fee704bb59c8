"""The director's desk on a laptop: slips typed by the keyboard alone, the grid on one screen, visible calls."""

import datetime as dt
import re
import uuid

import pytest
from django.utils import timezone
from django.utils.translation import override
from playwright.sync_api import expect

from evenings.plays.entering import SentEntry, enter_result
from pages.doors import session_url
from scoring.contract import Contract
from tests.browser.conftest import LAPTOP, PHONE
from tests.browser.devices import axe, width_of
from tests.browser.test_evening import follow, log_in
from tests.factories import enter, garde, make_director, make_tournament, started_session
from tournaments.models import ArbiterCall, EntryCheck, ResultEntry, Session
from tournaments.rules.entry import Fiche
from tournaments.words.figures import say_made

pytestmark = pytest.mark.django_db(transaction=True)

MOST_KEYS = 8


@pytest.fixture
def session(db):
    """Start a session of seven tables and seven positions, the evening of 28 players."""
    session = started_session(make_tournament(), tables=7, positions=7, etuis_per_position=4)
    make_director(session.tournament.club)
    return session


def figure(number):
    """Return the base score of slip `number`: a Garde between −104 and +104."""
    return (50 + 2 * number) * (1 if number % 3 else -1)


class Keyboard:
    """A keyboard that types on a page and counts the keys."""

    def __init__(self, page):
        self.page, self.pressed = page, 0

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)
            self.pressed += 1


def scores(session, **where):
    rows = ResultEntry.objects.filter(play__session=session, current=True, **where)
    return list(
        rows.order_by("play__position", "play__table__number", "play__etui__number").values_list(
            "fiche_score", flat=True
        )
    )


@pytest.mark.guard("a position is typed at the desk")
def test_28_slips_are_typed_by_the_keyboard_alone(laptop, session):
    log_in(laptop, "directrice")
    laptop.goto(session_url("bulk", session) + "?position=1")
    keyboard = Keyboard(laptop)
    for number in range(28):
        keyboard.press(*str(figure(number)), "Enter")
    with laptop.expect_navigation():
        keyboard.press("Enter")
    assert scores(session) == [figure(number) for number in range(28)]
    assert keyboard.pressed / 28 <= MOST_KEYS
    expect(laptop.locator("main .notices")).to_contain_text("28")


@pytest.mark.nightly("browser")
def test_fiche_of_an_etui_is_typed_in_its_columns_by_the_keyboard_alone(laptop, session):
    """Check that rows with a result are skipped."""
    director = session.tournament.club.memberships.get().user
    for position, number in ((1, 0), (4, 3)):
        play = session.plays.select_related("etui").get(position=position, etui__number=5)
        enter(play, Fiche(play.etui.taker, figure(number)), by=director)
    log_in(laptop, "directrice")
    laptop.goto(session_url("bulk", session) + "?etui=5")
    keyboard = Keyboard(laptop)
    for number in (1, 2, 4, 5, 6):
        keyboard.press(*(() if figure(number) > 0 else ("Tab",)), *str(abs(figure(number))), "Enter")
    with laptop.expect_navigation():
        keyboard.press("Enter")
    assert scores(session) == [figure(number) for number in range(7)]
    assert keyboard.pressed / 5 <= MOST_KEYS


@pytest.mark.nightly("browser")
def test_what_is_typed_outlives_a_login_that_has_expired(laptop, session):
    log_in(laptop, "directrice")
    grid = session_url("bulk", session) + "?position=2"
    laptop.goto(grid)
    for key in (*"106", "Enter", *"-52", "Enter"):
        laptop.keyboard.press(key)
    laptop.context.clear_cookies(name="sessionid")
    follow(laptop, "#save")
    assert scores(session) == []
    laptop.fill("[name=username]", "directrice")
    laptop.fill("[name=password]", "a long passphrase for tests")
    follow(laptop, "main form button")
    assert laptop.url.endswith(grid)
    assert [field.input_value() for field in laptop.locator(".figure-in").all()[:3]] == ["106", "-52", ""]
    follow(laptop, "#save")
    assert scores(session) == [106, -52]
    laptop.goto(grid)
    assert laptop.evaluate("sessionStorage.getItem(document.querySelector('form.bulk-form').dataset.kept)") == "{}"


@pytest.mark.nightly("browser")
def test_grid_fits_one_screen_and_calls_are_noticed_without_a_reload(laptop, session):
    Session.objects.filter(pk=session.pk).update(position=1)
    log_in(laptop, "directrice")
    laptop.clock.install()
    laptop.goto(session_url("session", session))
    box = laptop.locator("#grid").bounding_box()
    assert box["y"] + box["height"] <= 760
    assert laptop.locator(".button-primary:visible").count() == 1
    plays = list(session.plays.filter(position=1).order_by("table__number", "etui__number"))
    laptop.focus("#at-1-1")
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft"):
        laptop.keyboard.press(key)
    focused = "document.activeElement.id"
    assert laptop.evaluate(focused) == "at-1-1"

    table = session.tables.get(number=3)
    ArbiterCall.objects.create(session=session, table=table, key=uuid.uuid4(), called_at=timezone.now())
    entry = garde(plays[1].etui.taker)
    enter_result(play_id=plays[1].pk, entry=entry, now=timezone.now(), sent=SentEntry("Table 1", uuid.uuid4(), "N"))
    laptop.clock.run_for(11_000)
    laptop.wait_for_selector(".calls")
    expect(laptop.locator(f"#play-{plays[1].pk}")).to_have_class("chip chip-unconfirmed")
    expect(laptop).to_have_title(re.compile(r"^\(1\) "))
    assert laptop.evaluate(focused) == "at-1-1"
    laptop.click(".calls button")
    expect(laptop.locator(".calls")).to_have_count(0)
    expect(laptop).to_have_title(re.compile(r"^[^(]"))
    assert ArbiterCall.objects.get().answered_by.get_username() == "directrice"
    laptop.reload()
    assert laptop.evaluate("document.documentElement.scrollHeight") <= 1100
    assert laptop.locator("main a[href]:visible").count() <= 50


@pytest.mark.nightly("browser")
def test_result_changes_its_cell_alone_and_moves_nothing(laptop, db):
    """Check that everything else stays the same element, with the focus, the scroll and the announcements unchanged."""
    session = started_session(make_tournament(), tables=30, positions=3, etuis_per_position=4)
    director = make_director(session.tournament.club)
    Session.objects.filter(pk=session.pk).update(position=1)
    plays = {play.table.number: play for play in session.plays.filter(position=1).select_related("etui", "table")}
    log_in(laptop, "directrice")
    laptop.clock.install()
    laptop.goto(session_url("session", session))
    laptop.focus("#at-1-7")
    laptop.evaluate("scrollTo(0, 200)")
    laptop.evaluate("for (const each of document.querySelectorAll('#progress, #progress *')) each.known = true")
    enter(plays[7], by=director)
    laptop.clock.run_for(11_000)
    expect(laptop.locator(f"#play-{plays[7].pk}")).to_have_class(re.compile("chip-done"))
    expect(laptop.locator("#desk-status")).to_contain_text("1")
    new = laptop.evaluate(
        "[...document.querySelectorAll('#grid *')].filter(each => !each.known).map(each => each.closest('td').id)"
    )
    assert set(new) == {"cell-1-7"}
    stay = "#grid td, #progress > :not(#desk-poll), #desk-status"
    assert laptop.evaluate("stay => [...document.querySelectorAll(stay)].every(each => each.known)", stay)
    assert laptop.evaluate("document.activeElement.id") == "at-1-7"
    assert laptop.evaluate("scrollY") == 200
    laptop.keyboard.press("ArrowRight")
    assert laptop.evaluate("document.activeElement.closest('td').id") == "cell-1-8"
    enter(plays[8], by=director)
    laptop.clock.run_for(11_000)
    expect(laptop.locator(f"#play-{plays[8].pk}")).to_have_class(re.compile("chip-done"))


SIZES = {"phone": PHONE, "tablet": (768, 1024), "laptop": LAPTOP, "small laptop": (1366, 657)}


@pytest.mark.nightly("browser")
@pytest.mark.parametrize("tables", [8, 25, 40])
def test_desk_fits_every_screen_with_the_position_called_in_sight(open_page, db, tables):
    """Check that nothing scrolls sideways, no figure breaks, headers are apart, other positions are one press away."""
    session = started_session(make_tournament(), tables=tables, positions=5, etuis_per_position=4)
    make_director(session.tournament.club)
    Session.objects.filter(pk=session.pk).update(position=3, clock_ends_at=timezone.now() + dt.timedelta(minutes=20))
    chip = session.plays.filter(position=3, table__number=1).first()
    wide, unseen, broken = [], [], []
    with open_page(LAPTOP) as page:
        log_in(page, "directrice")
        for name, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            page.goto(session_url("session", session))
            if width_of(page) > width:
                wide.append(name)
            box = page.locator(f"#play-{chip.pk}").bounding_box()
            if box["y"] + box["height"] > height:
                unseen.append((name, box))
            lines = page.locator("#grid tr.is-called .chip-number").evaluate_all(
                "all => new Set(all.map(each => each.getBoundingClientRect().height)).size"
            )
            heads = page.locator("#grid thead th:visible").evaluate_all(
                "all => all.filter(each => each.scrollWidth > each.clientWidth).length"
            )
            tight = page.locator("#grid tr.is-shown a.chip:visible").evaluate_all(
                "all => all.filter(each => each.clientWidth < each.firstChild.getBoundingClientRect().width + 4).length"
            )
            if (lines, heads, tight) != (1, 0, 0):
                broken.append((name, lines, heads, tight))
    assert (wide, unseen, broken) == ([], [], [])


@pytest.mark.nightly("browser")
def test_positions_of_many_tables_are_shown_one_at_a_time_and_stay_so(laptop, db):
    session = started_session(make_tournament(), tables=9, positions=3, etuis_per_position=1)
    director = make_director(session.tournament.club)
    Session.objects.filter(pk=session.pk).update(position=2)
    first, second = (session.plays.filter(position=position).first() for position in (1, 2))
    log_in(laptop, "directrice")
    laptop.clock.install()
    laptop.goto(session_url("session", session))
    expect(laptop.locator(f"#play-{second.pk}")).to_be_visible()
    expect(laptop.locator(f"#play-{first.pk}")).to_be_hidden()
    laptop.focus("#at-2-1")
    laptop.keyboard.press("ArrowDown")
    assert laptop.evaluate("document.activeElement.id") == "at-2-2"
    laptop.click("#position-1")
    expect(laptop.locator(f"#play-{first.pk}")).to_be_visible()
    enter(first, by=director)
    laptop.clock.run_for(11_000)
    expect(laptop.locator(f"#play-{first.pk}")).to_have_class(re.compile("chip-done"))
    expect(laptop.locator(f"#play-{first.pk}")).to_be_visible()
    assert laptop.evaluate("document.activeElement.id") == "position-1"


@pytest.mark.nightly("browser")
@pytest.mark.parametrize(
    ("size", "scheme", "names"),
    [(LAPTOP, "light", ("session", "facts", "log")), (PHONE, "dark", ("look", "play", "bulk", "penalties", "adjust"))],
)
def test_desk_is_open_to_everybody(open_page, db, size, scheme, names):
    """Check that axe finds no fault and nothing is wider than the screen, with every kind of thing on the pages."""
    session = started_session(etuis_per_position=2)
    director = make_director(session.tournament.club)
    plays = list(session.plays.filter(etui__number=1).select_related("etui", "table"))
    for play, points in zip(plays, (50, 51, 49, 50, 85), strict=True):
        enter(play, garde(play.etui.taker, points=points), by=director)
    dispute = session.plays.select_related("etui", "table").filter(etui__number=2).first()
    for points in (40, 50):
        sent = SentEntry("Table 1 · a81f2c", uuid.uuid4(), "N")
        enter_result(play_id=dispute.pk, entry=garde(dispute.etui.taker, points=points), now=timezone.now(), sent=sent)
    enter(session.plays.get(position=1, etui__number=3), by=director)
    ArbiterCall.objects.create(session=session, table=dispute.table, key=uuid.uuid4(), called_at=timezone.now())
    pages = {
        "session": session_url("session", session),
        "look": session_url("session", session) + "?show=look",
        "play": session_url("play", session, dispute.pk),
        "bulk": session_url("bulk", session) + "?position=1",
        "facts": session_url("bulk", session) + "?etui=1&by=facts",
        "log": session_url("log", session),
        "penalties": session_url("penalties", session),
        "adjust": session_url("play_adjust", session, plays[0].pk),
    }
    with open_page(size) as page:
        page.emulate_media(color_scheme=scheme)
        log_in(page, "directrice")
        found, wide = {}, {}
        for name in names:
            page.goto(pages[name])
            found[name] = axe(page)
            wide[name] = width_of(page) > page.viewport_size["width"]
    assert (found, wide) == ({name: [] for name in names}, dict.fromkeys(names, False))


@pytest.mark.nightly("browser")
def test_enter_on_a_doubtful_result_corrects_it_and_confirms_nothing(laptop, session):
    """Check that the focus is then on the answer that is chosen."""
    director = session.tournament.club.memberships.get().user
    plays = list(session.plays.filter(etui__number=1).select_related("etui"))[:5]
    for play, points in zip(plays, (50, 51, 49, 50, 85), strict=True):
        enter(play, garde(play.etui.taker, points=points), by=director)
    log_in(laptop, "directrice")
    laptop.goto(session_url("play", session, plays[4].pk))
    expect(laptop.locator(".others tr")).to_have_count(4)
    laptop.keyboard.press("Enter")
    expect(laptop).to_have_url(re.compile(r"\?correct$"))
    expect(laptop.locator("[name=bouts][value='2']")).to_be_focused()
    assert not EntryCheck.objects.exists()


@pytest.mark.nightly("browser")
def test_grid_says_while_typing_what_the_site_says_of_a_figure_once_it_is_saved(laptop, session):
    log_in(laptop, "directrice")
    laptop.goto(session_url("bulk", session) + "?position=1")
    field = laptop.locator("tr[data-row] input[name^=score-]").first
    said = laptop.locator("tr[data-row] [data-made]").first
    with override("fr"):
        told = {score: say_made(score, Contract.GARDE) for score in range(-180, 181, 2)}
    for score, text in told.items():
        field.fill(str(score))
        assert said.inner_text() == text, score
    field.fill("−74")
    expect(said).to_have_text("chuté de 12")
    laptop.goto(session_url("bulk", session) + "?etui=1")
    minus = laptop.locator("tr[data-row] input[name^=minus-]").first
    minus.fill("74")
    expect(laptop.locator("tr[data-row] [data-made]").first).to_have_text("chuté de 12")
    minus.fill("")
    laptop.locator("tr[data-row] input[name^=plus-]").first.fill("74")
    expect(laptop.locator("tr[data-row] [data-made]").first).to_have_text("réussi de 12")
