"""The crawl of a club's pages before and after each hour of a simultaneous: no card and no seed is shown too early."""

import datetime as dt
from fractions import Fraction

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.accounts.players import tie
from deals.models import DealSet
from evenings.plans.deal_sets import find_known_etuis
from evenings.plans.starting import start_session
from evenings.requests.asking import ask_correction
from evenings.requests.links import ensure_links
from evenings.sessions.setup import use_deal_set
from outgoing.mailing.feuilles import TRIED_FOR, find_unsent, send_feuilles
from outgoing.mailing.wishes import want_feuilles
from pages.doors import session_url
from rankings.publication.publishing import SESSIONS, is_due
from rankings.simultaneous.field.publishing import FIELDS
from rankings.simultaneous.hours import FieldHours, open_all_due
from rankings.simultaneous.membership import join_by_link
from rankings.simultaneous.setup import SimultaneousGiven, create_simultaneous
from tests.factories import draft_session, enter_all, make_club, make_director, make_tournament, make_user, publish
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tests.test_access import PAGES, address, text_of
from tournaments.errors import ActionRefused
from tournaments.models import FeuilleMail, PersonalLink, Play, Session, Simultaneous, Tournament
from tournaments.models.seats import sits_at_play
from tournaments.permissions import Can
from tournaments.versions import DirectorWord

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


@pytest.mark.nightly("print")
def test_readers_see_no_card_and_no_seed_before_the_public_hour(evening):
    readers = readers_of(evening)
    assert {"published_etui", "feuille", "published_etuis", "results_csv"} <= set(READ_HERE)
    for passed in (-2, 0, 1.5):  # before the opening hour, while clubs play, after the closing hour
        move_clock(evening, passed)
        for reader in readers:
            assert find_secrets(evening, crawl(evening, reader)) == set()


@pytest.mark.nightly("story")
def test_seed_and_cards_are_open_to_everybody_after_the_public_hour(evening):
    session = evening["published"]
    stored = session.publications.get()
    move_clock(evening, 2.5)
    opened = {"verify_set", "published_etui"}
    assert opened <= find_secrets(evening, crawl(evening, Client()))
    assert session.publications.get().data == stored.data  # the publication itself stays as it was frozen
    assert not any(etui["cards"] for etui in stored.data["etuis"])


@pytest.mark.nightly("story")
def test_files_and_programs_have_the_cards_after_the_public_hour(evening):
    session = evening["published"]
    place = f"/api/v1/sessions/{session.pk}/"
    addresses = [f"{place}publications/latest/etuis/1/", f"{place}publications/latest/", f"{place}publications/1/"]
    table = f"{session_url('published_file', session, 1)}?table=etuis&kind=json"
    for reader in readers_of(evening):
        assert find_secrets(evening, {each: text_of(reader.get(each)) for each in (*addresses, table)}) == set()
    move_clock(evening, 2.5)
    cards = evening["made"].deal_set.etuis.get(number=1).cards
    assert Client().get(addresses[0]).json()["cards"] == cards
    for publication in addresses[1:]:
        assert {etui["number"]: etui["cards"] for etui in Client().get(publication).json()["etuis"]}[1] == cards
    assert cards in text_of(Client().get(table))


@pytest.mark.nightly("crawl")
def test_hidden_cards_of_a_club_stay_hidden_after_the_public_hour(evening):
    Session.objects.filter(pk=evening["published"].pk).update(shows_cards=False)
    move_clock(evening, 2.5)
    assert "published_etui" not in find_secrets(evening, crawl(evening, Client()))
    assert (
        Client().get(f"/api/v1/sessions/{evening['published'].pk}/publications/latest/etuis/1/").json()["cards"] == ""
    )


@pytest.mark.nightly("story")
def test_the_public_hour_asks_no_club_to_publish_again(evening):
    move_clock(evening, 2.5)
    session = Session.objects.get(pk=evening["published"].pk)
    first = session.publications.get()
    assert not is_due(session, first, missing=0)
    assert publish(session, by=session.tournament.club.memberships.get().user) == first


@pytest.mark.nightly("story")
def test_opened_set_is_known_to_clubs_that_would_play_it(evening):
    copy = evening["copy"]
    assert find_known_etuis(copy) == set()
    move_clock(evening, 2.5)
    assert find_known_etuis(copy) == {1, 2, 3, 4, 5}


def make_official(session):
    by = session.tournament.club.memberships.get().user
    return SESSIONS.make_official(session.pk, DirectorWord(by, timezone.now()))


@pytest.mark.nightly("story")
def test_players_can_report_a_mistake_after_the_public_hour(evening):
    session = evening["published"]
    Tournament.objects.update(window_hours=24)
    make_official(session)
    link = ensure_links(session, now=timezone.now())[evening["entrant"]["published"]]
    page = reverse("personal", args=[link.token])
    play = find_plays_of(link)[0]
    asked = {"link": link, "play_id": play, "text": "le petit était au bout"}
    before = words(browser_of().get(page))
    assert "Other clubs still play these étuis" in before
    assert "You can then report a mistake until" in before
    with pytest.raises(ActionRefused, match="not"):
        ask_correction(**asked, now=timezone.now())
    move_clock(evening, 2.5)
    link = PersonalLink.objects.get(pk=link.pk)
    late = Simultaneous.objects.get(pk=evening["made"].pk).public_at + 25 * HOUR
    with pytest.raises(ActionRefused, match="over"):
        ask_correction(**(asked | {"link": link}), now=late)
    text = words(browser_of().get(page))
    assert "The ranking is official already" in text
    assert "Report an error" in text
    ask_correction(**(asked | {"link": link}), now=timezone.now())
    assert "even if the ranking is official" in words(browser_of_club(session).get(requests_of(session)))


def find_plays_of(link):
    return list(Play.objects.filter(sits_at_play(link.entrant)).values_list("pk", flat=True))


def browser_of_club(session):
    return browser_of(session.tournament.club.memberships.get().user)


def requests_of(session):
    return session_url("session_requests", session)


@pytest.mark.nightly("story")
def test_feuilles_show_the_place_over_all_clubs(evening):
    made, session, entrant = evening["made"], evening["published"], evening["entrant"]["published"]
    reader = browser_of()
    link = ensure_links(session, now=timezone.now())[entrant]
    pages = [session_url("feuille", session, 1, entrant), reverse("personal", args=[link.token])]
    ranking = reverse("field", args=["federation", made.slug])
    program = f"/api/v1/sessions/{session.pk}/entrants/{entrant}/"
    club_ranking = session_url("ranking", session)
    assert ranking not in text_of(reader.get(club_ranking))
    FIELDS.publish(made.pk, DirectorWord(evening["by"], timezone.now()))
    assert ranking in text_of(reader.get(club_ranking))
    assert ranking in text_of(reader.get(pages[1]))  # before the hour the personal page has the link alone
    assert "Rank over all clubs" not in words(reader.get(pages[1]))
    move_clock(evening, 2.5)
    (row,) = (each for each in made.publications.get().data["players"] if each["id"] == entrant)
    ranked = sum(each["rank_general"] is not None for each in made.publications.get().data["players"])
    for page in pages:
        answer = reader.get(page)
        assert f"{row['rank_general']} of {ranked}" in words(answer)
        assert f"{float(Fraction(row['overall'])):.2f}" in words(answer)
        assert reverse("field_feuille", args=["federation", made.slug, entrant]) in text_of(answer)
    told = reader.get(program).json()["over_all_clubs"]
    assert (told["club"], told["simultaneous"], told["rank"]) == ("federation", made.slug, row["rank_general"])
    FIELDS.withdraw(made.pk, DirectorWord(evening["by"], timezone.now(), "erreur"))
    assert all("Rank over all clubs" not in words(reader.get(page)) for page in pages)
    assert reader.get(program).json()["over_all_clubs"] is None


@pytest.fixture
def subscriber(evening, settings):
    """Return the player of the evening who wants feuilles by mail, since the day before."""
    settings.MAIL, settings.SITE_URL = True, "https://tarot.example.org"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    player = evening["published"].entrants.first().player
    player.refresh_from_db()
    EmailAddress.objects.create(user=player.account, email="joueuse@example.org", verified=True, primary=True)
    assert want_feuilles(player.account, now=timezone.now() - 24 * HOUR)
    return player


@pytest.mark.nightly("story")
def test_feuilles_by_mail_wait_for_the_public_hour(evening, subscriber):
    session = evening["published"]
    now = timezone.now()
    assert (find_unsent(now), send_feuilles(session.pk, now=now), mail.outbox) == ([], 0, [])
    # the evening may be long ago when its étuis open
    session.publications.update(published_at=now - 10 * TRIED_FOR)
    FeuilleMail.objects.update(asked_at=now - 11 * TRIED_FOR)
    move_clock(evening, 2.5)
    assert find_unsent(now) == [session.pk]
    assert send_feuilles(session.pk, now=now) == 1
    (letter,) = mail.outbox
    assert letter.to == ["joueuse@example.org"]
    assert letter.body.count("Étui ") == 5
    assert find_unsent(now) == []


@pytest.mark.nightly("story")
def test_feuilles_that_opened_long_ago_are_not_sent(evening, subscriber):
    move_clock(evening, 2.5)
    assert find_unsent(timezone.now()) == [evening["published"].pk]
    evening["published"].publications.update(published_at=timezone.now() - 10 * TRIED_FOR)
    FeuilleMail.objects.update(asked_at=timezone.now() - 11 * TRIED_FOR)
    assert find_unsent(timezone.now()) == [evening["published"].pk]
    assert find_unsent(timezone.now() + TRIED_FOR) == []
