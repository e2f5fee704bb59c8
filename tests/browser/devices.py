"""A device at a table, with methods for what fingers do on it, and helpers that check the evening it plays."""

from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse

from evenings.tables import words as table_words
from tests.evenings.tables.phones import tokens_of
from tests.factories import make_tournament, started_session
from tournaments.models import Play, ResultEntry, Session

NAMED = ["none", "21", "21+petit", "21+petit+excuse"]  # the bouts that a test taps for each number of bouts
FIELDS = [field for field in Play._meta.concrete_fields if not field.primary_key]
CONTROLLED = """() => new Promise((done) => navigator.serviceWorker.controller
    ? done() : navigator.serviceWorker.addEventListener("controllerchange", () => done()))"""


def evening(check="same", auction="imposed", etuis=4):
    """Return a session whose first position is called, and the address of the screen of its table 1."""
    session = started_session(make_tournament(auction=auction), tables=5, etuis_per_position=etuis)
    Session.objects.filter(pk=session.pk).update(position=1, check_by=check)
    return session, reverse("table_screen", args=[tokens_of(session)[1]])


class Table:
    """A device at the table, used by fingers. `taps` counts the taps."""

    def __init__(self, page, address):
        self.page, self.taps = page, 0
        page.goto(address)

    def tap(self, *keys):
        for key in keys:
            self.page.locator(f"[data-key='{key}']").first.click()
            self.taps += 1

    def etui(self, number):
        self.page.locator(".etui", has=self.page.locator(f"strong:text-is('{number}')")).click()
        self.taps += 1

    def points(self, points):
        self.tap(*(f"digit-{digit}" for digit in str(points)), "next")

    def facts(self, bouts=2, points=49):
        """Tap the facts of a result without a bonus, from the bouts to the fiche."""
        self.tap(NAMED[bouts])
        self.points(points)
        self.tap("petit-none")

    def enter(self, number, **facts):
        self.etui(number)
        self.facts(**facts)
        self.tap("save")

    def row(self, number):
        return self.page.locator(".etui", has=self.page.locator(f"strong:text-is('{number}')")).locator(".state")

    @property
    def heading(self):
        return self.page.locator("h1")

    @property
    def status(self):
        return self.page.locator("#status")

    def is_kept(self):
        """Wait until the screen can open without network."""
        self.page.evaluate(CONTROLLED)

    def look(self):
        """Tell the screen that the network is back. Otherwise it polls again after a few seconds."""
        self.page.evaluate("dispatchEvent(new Event('online'))")

    def fits(self):
        """Return whether the page needs no scrolling, and its last row is only as high as its buttons."""
        return self.page.evaluate(
            "document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight"
            " && document.getElementById('foot').offsetHeight < 100"
        )


def width_of(page):
    """Return the width of what the page holds, in px. A page that a click has just opened is loaded first."""
    page.wait_for_load_state()
    return page.evaluate("document.documentElement.scrollWidth")


def words(key, language="fr", **params):
    text = table_words.catalogue()[language][key]
    return (text if isinstance(text, str) else text[params["count"] > 1]) % params


def current(session):
    """Return the current version of the result of each étui at table 1. No play has two current results."""
    rows = ResultEntry.objects.filter(play__session=session, current=True).select_related("play__etui")
    assert len({row.play_id for row in rows}) == len(rows)
    return {row.play.etui.number: row.version for row in rows}


# The outline of a page: its elements with their classes and roles, its language and theme. No texts are in it.
OUTLINE = """() => [
    document.documentElement.lang,
    matchMedia("(prefers-color-scheme: dark)").matches,
    ...Array.from(document.querySelectorAll("*"), (one) => [
        one.tagName, one.className.baseVal ?? one.className, one.getAttribute("role"), one.hidden, one.disabled,
        one.hasAttribute("aria-label") || one.hasAttribute("alt"), one.getAttribute("style")
    ].join(" ")),
].join(";")"""
seen: set[tuple[str, int | None]] = set()


def axe(page):
    """Return the faults that axe finds, and where. It lists no rules that pass, which would cost as much again.

    A page with an outline that this process has examined at this width has none. Its contrast is examined at one width.
    """
    page.wait_for_load_state()
    outline = page.evaluate(OUTLINE)
    if (outline, page.viewport_size["width"]) in seen:
        return []
    contrast = (outline, None) not in seen
    seen.update({(outline, page.viewport_size["width"]), (outline, None)})
    levels = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
    return ask_axe(page, {"runOnly": levels, "rules": {"color-contrast": {"enabled": contrast}}})


def find_faint(page):
    """Return what has too little contrast on the page as it is now: its theme may have changed since it was loaded."""
    return ask_axe(page, {"runOnly": {"type": "rule", "values": ["color-contrast"]}})


def ask_axe(page, options):
    results = Axe().run(page, options=options | {"resultTypes": ["violations"]})
    return [(found["id"], [node["html"] for node in found["nodes"][:3]]) for found in results.response["violations"]]
