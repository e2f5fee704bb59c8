"""A published session, and the personal links of its players."""

import datetime as dt

from django.urls import reverse
from django.utils import timezone

from evenings.requests.asking import answer_by_link, ask_correction
from evenings.requests.links import ensure_links
from tests.pages.browsing import browser_of
from tournaments.models import CorrectionRequest, Publication

WRONG = "Le score est faux – 46 au lieu de 56"


class Four:
    """A play of a published session with the links of its four players. The first of them asks for corrections."""

    def __init__(self, session, play=None):
        self.session = session
        self.play = play or session.plays.select_related("etui", "table").order_by("pk").first()
        links = ensure_links(session, now=timezone.now())
        self.links = [links[entrant.pk] for entrant in self.play.seats.values()]
        self.asker, *self.others = self.links
        self.stranger = next((link for link in links.values() if link not in self.links), None)

    def ask(self, text=WRONG, *, link=None, now=None):
        now = now or timezone.now()
        return ask_correction(link=link or self.asker, play_id=self.play.pk, text=text, now=now)

    def agree(self, request, *, link, agrees=True):
        return answer_by_link(link=link, request_id=request.pk, agrees=agrees, now=timezone.now())


def visit(link, name="personal", *more, client=None):
    return (client or browser_of()).get(reverse(name, args=[link.token, *more]))


def send(link, name, *more, client=None, **typed):
    client = client or browser_of(enforce_csrf_checks=True)
    return client.post(reverse(name, args=[link.token, *more]), typed)


def end_window(session):
    """Let the provisional time of the ranking be over, before anybody has looked at it."""
    Publication.objects.filter(session=session).update(official_from=timezone.now() - dt.timedelta(hours=52))


def only():
    return CorrectionRequest.objects.get()
