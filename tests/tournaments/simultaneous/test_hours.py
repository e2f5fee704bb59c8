"""The crawl of a club's pages before and after each hour of a simultaneous: no card and no seed is shown too early."""

import datetime as dt

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.accounts.players import tie
from deals.models import DealSet
from tests.factories import draft_session, enter_all, make_club, make_director, make_tournament, make_user, publish
from tests.test_access import PAGES, address, text_of
from tests.tournaments.browsing import browser_of
from tournaments.models import Session, Simultaneous
from tournaments.permissions import Can
from tournaments.plans.starting import start_session
from tournaments.sessions.setup import use_deal_set
from tournaments.simultaneous.hours import FieldHours
from tournaments.simultaneous.membership import join_by_link
from tournaments.simultaneous.opening import open_all_due
from tournaments.simultaneous.setup import SimultaneousGiven, create_simultaneous
from tournaments.web.doors import session_url

pytestmark = pytest.mark.django_db
HOUR = dt.timedelta(hours=1)
SHOWN = ("running", "published")
READ_HERE = [
    name
    for name, (method, need, where) in PAGES.items()
    if method == "GET" and need == Can.READ and where and (where.split()[0] in SHOWN or where in ("club", "tournament"))
]


@pytest.fixture
def evening():
    """Return the pages of a club that has played and published its copy, with the organiser's secrets."""
    now = timezone.now()
    organiser, club = make_club("federation"), make_club("lyon")
    by, theirs = make_director(organiser, "presidente"), make_director(club, "lyonnaise")
    hours = FieldHours(now - HOUR, now + HOUR, now + 2 * HOUR)
    given = {"given": SimultaneousGiven("Nuit"), "hours": hours, "etuis": 5, "by": by, "now": now}
    made = create_simultaneous(club=organiser, **given)
    row = join_by_link(club=club, token=made.token, by=theirs, now=now)
    session = draft_session(make_tournament(club))
    use_deal_set(session_id=session.pk, deal_set=row.deal_set)
    session = start_session(session_id=session.pk, by=theirs, now=now)
    enter_all(session, by=theirs)
    publish(session, by=theirs)
    entrant = session.entrants.first()
    tie(entrant.player, make_user("joueuse"), by=theirs, now=now)
    world = dict.fromkeys(SHOWN, session) | {"club": club, "tournament": session.tournament, "request": 1}
    world |= {"entrant": dict.fromkeys(SHOWN, entrant.pk), "play": dict.fromkeys(SHOWN, session.plays.first().pk)}
    return world | {"made": made, "by": by, "copy": row.deal_set, "named": {}}


def readers_of(evening):
    """Return a client of a stranger, of a player of the session, and of a director of a third club."""
    player = evening["published"].entrants.first().player
    player.refresh_from_db()
    return [Client(), browser_of(player.account), browser_of(make_director(make_club("tiers"), "tierce"))]


def crawl(evening, client):
    """Return the texts of all pages by name, those of the simultaneous and of its sets too."""
    for each in caches:
        caches[each].clear()
    made, copy = evening["made"], evening["copy"]
    addresses = {name: address(evening, name) for name in READ_HERE}
    addresses["simultaneous"] = reverse("simultaneous", args=["federation", made.slug])
    for deal_set in (made.deal_set, copy):
        for name in ("deal_set", "deal_set_cards", "deal_set_print"):
            addresses[f"{name} {deal_set.pk}"] = reverse(name, args=[deal_set.club.slug, deal_set.pk])
    addresses["verify_set"] = reverse("verify_set", args=[copy.commitment])
    return {name: text_of(client.get(url)) for name, url in addresses.items()}


def move_clock(evening, hours):
    """Set the three hours as if so many hours had passed."""
    made, away = evening["made"], hours * HOUR
    times = {name: getattr(made, name) - away for name in ("opens_at", "closes_at", "public_at")}
    Simultaneous.objects.update(**times)
    DealSet.objects.exclude(held_until=None).update(opens_at=times["opens_at"], held_until=times["public_at"])
    Session.objects.exclude(held_until=None).update(held_until=times["public_at"])
    open_all_due(timezone.now())


def find_secrets(evening, texts):
    """Return the names of the pages that have the seed, the cards of an étui, or a card as pages draw it."""
    master = DealSet.objects.get(pk=evening["made"].deal_set_id)
    secrets = (master.seed, *master.etuis.values_list("cards", flat=True), "card-face")
    return {name for name, text in texts.items() if any(secret in text for secret in secrets)}


def test_readers_see_no_card_and_no_seed_before_the_public_hour(evening):
    readers = readers_of(evening)
    assert {"published_etui", "feuille", "published_etuis", "results_csv"} <= set(READ_HERE)
    for passed in (-2, 0, 1.5):  # before the opening hour, while clubs play, after the closing hour
        move_clock(evening, passed)
        for reader in readers:
            assert find_secrets(evening, crawl(evening, reader)) == set()


def test_seed_and_cards_are_open_to_everybody_after_the_public_hour(evening):
    move_clock(evening, 2.5)
    session = evening["published"]
    again = publish(session, by=session.tournament.club.memberships.get().user)
    etui = session_url("published_etui", session, again.version, 1)
    texts = crawl(evening, Client())
    texts["etui with cards"] = text_of(Client().get(etui))
    assert {"verify_set", "etui with cards"} <= find_secrets(evening, texts)
