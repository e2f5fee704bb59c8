"""A guest at the table of a room, in Chromium: opens the page, and answers what it asks."""

from contextlib import contextmanager

from django.urls import reverse
from playwright.sync_api import expect

from rooms.visitors.finding import VISITOR_COOKIE

QUICK = "localStorage.setItem('topage-room-quick', 'yes')"
LEGAL = "button[data-card]:not([aria-disabled])"


class Sitting:
    """The page of a table in the hands of a player. `quick` leaves out the pauses between the cards."""

    def __init__(self, page, site, seated, *, etui=None, quick=True):
        self.page, self.seated = page, seated
        page.context.add_cookies([{"name": VISITOR_COOKIE, "value": seated.token, "url": site}])
        if quick:
            page.context.add_init_script(QUICK)
        self.load(etui)

    def load(self, etui=None):
        self.page.goto(reverse("room_play", args=[self.seated.room.pk]) + (f"?etui={etui}" if etui else ""))

    @property
    def form(self):
        return self.page.locator("[data-play]")

    @property
    def kind(self):
        """The kind of question, when the page has drawn everything."""
        expect(self.page.locator("[data-room-table]:not([data-busy])")).to_be_attached()
        return self.form.get_attribute("data-kind")

    @property
    def length(self):
        return int(self.form.get_attribute("data-length"))

    @property
    def refused(self):
        return self.page.locator("[data-refused]")

    @property
    def legal(self):
        return self.page.locator(LEGAL)

    @property
    def hand(self):
        return [int(card.get_attribute("data-card")) for card in self.page.locator("[data-hand] [data-card]").all()]

    def answer(self, press):
        """Answer the present question by pressing elements with `press`."""
        kind = self.kind
        if kind == "ecart":
            for box in self.page.locator("input[name=ecart]").all()[:6]:
                press(box)
            press(self.page.locator("[data-key=ecart]"))
        elif kind == "card":
            press(self.legal.first)
        else:
            press(self.page.locator(".bids button").first)
        return kind

    def height(self):
        """Return how far down the table with its answers reaches, in px, if the page is not scrolled."""
        return self.page.evaluate("document.querySelector('.room-play').getBoundingClientRect().bottom + scrollY")


@contextmanager
def sit(open_page, site, seated, *, size=(390, 700), scripts=True, **more):
    """Open the table of a guest as a page of this size."""
    with open_page(size, scripts=scripts) as page:
        yield Sitting(page, site, seated, **more)
