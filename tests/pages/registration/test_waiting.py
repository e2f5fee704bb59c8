"""The registrations that wait for the director, and the limits of a network address."""

import datetime as dt

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from clubs.accounts.players import tie
from clubs.players import add_players
from clubs.roster import RosterLine
from jobs.tasks import sweep_publications
from pages.doors import session_url
from registration.people.applicants import NewApplicant, find_seated, list_down, list_teams_down
from registration.people.links import count_sign_ups, digest_address
from registration.people.registration import accept_applicant, register, set_registration, walk_in
from registration.people.teams import accept_team, agree, register_team
from tests import shared_evenings
from tests.factories import make_director, make_user
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import Applicant

pytestmark = pytest.mark.django_db
session = shared_evenings.new_session
teams = shared_evenings.new_session_of_teams


@pytest.fixture(autouse=True)
def empty_cache():
    cache.clear()


def open_to(session, **settings):
    """Open the registration as a director does who changes nothing else, and return the director."""
    by = session.tournament.club.memberships.first()
    user = by.user if by else make_director(session.tournament.club)
    set_registration(session_id=session.pk, by=user, now=timezone.now(), **settings)
    return user


def put(session, *names, **more):
    now = timezone.now()
    return [register(session_id=session.pk, asked=NewApplicant(name), now=now, **more) for name in names]


def sign_up(session, last, address="192.0.2.1", **typed):
    client = Client(REMOTE_ADDR=address, headers={"accept-language": "en"})
    return client.post(session_url("sign_up", session), {"last_name": last} | typed, follow=True)


def states(session):
    """Return the applicants with their numbers on the waiting list, or "held"."""
    return {each.applicant.last_name: "held" if each.held else each.waits for each in list_down(session)}


def test_new_registration_takes_no_place_before_the_director_accepts_it(session):
    open_to(session, places=2)
    held = put(session, *(f"Robot{number}" for number in range(9)))
    assert find_seated(session) == set()
    accept_applicant(session_id=session.pk, applicant_id=held[4].pk, now=timezone.now())
    assert find_seated(session) == {held[4].pk}
    assert states(session)["Robot0"] == "held"


def test_later_acceptance_takes_nobodys_place(session):
    open_to(session, places=1)
    first, second = put(session, "Premier", "Second")
    for each in (second, first):
        accept_applicant(session_id=session.pk, applicant_id=each.pk, now=timezone.now())
    assert states(session) == {"Second": 0, "Premier": 1}


def test_registration_that_accepts_at_once_gives_places_at_once(session):
    open_to(session, places=1, accepts_at_once=True)
    put(session, "Un", "Deux")
    assert states(session) == {"Un": 0, "Deux": 1}


def test_change_of_the_setting_leaves_everybody_what_they_have(session):
    open_to(session, places=2, accepts_at_once=True)
    put(session, "Un")
    open_to(session, accepts_at_once=False)
    put(session, "Deux")
    open_to(session, accepts_at_once=True)
    assert states(session) == {"Un": 0, "Deux": "held"}


def test_player_of_the_club_with_an_account_does_not_wait(session):
    director, user = open_to(session, way="account"), make_user("zoe")
    (player,) = add_players(club=session.tournament.club, lines=[RosterLine("Quinet", "")])
    tie(player, user, by=director, now=timezone.now())
    put(session, "Quinet", "Autre", user=user)
    assert states(session) == {"Quinet": 0, "Autre": "held"}


def test_people_who_wait_shut_nobody_out(session, monkeypatch):
    monkeypatch.setattr("registration.people.registration.MOST", 2)
    director = open_to(session)
    put(session, "Un", "Deux")
    walk_in(session_id=session.pk, asked=NewApplicant("Porte"), by=director, now=timezone.now())
    assert states(session) == {"Porte": 0, "Un": "held", "Deux": "held"}


def test_team_waits_until_its_captain_is_accepted(teams):
    open_to(teams, places=1)
    named = [NewApplicant("Petit"), NewApplicant("Adam")]
    captain = register_team(session_id=teams.pk, captain=NewApplicant("Brun"), named=named, now=timezone.now())
    for each in captain.named.all():
        agree(token=each.token, now=timezone.now())
    (team,) = list_teams_down(teams)
    assert (team.held, team.complete_at, find_seated(teams)) == (True, None, set())
    page = words(browser_of().get(f"/r/{captain.token}/"))
    assert "Your team has no place yet" in page
    accept_team(session_id=teams.pk, captain_id=captain.pk, now=timezone.now())
    assert len(find_seated(teams)) == 3
    assert Applicant.objects.exclude(moved_up_at=None).count() == 0


@pytest.mark.parametrize(
    ("language", "told", "waits"),
    [
        ("en", "Before that, you have no place", "you have no place yet"),
        ("fr", "Avant cela, vous n’avez pas de place", "vous n’avez pas encore de place"),
    ],
)
def test_pages_tell_applicants_that_they_wait(session, language, told, waits):
    open_to(session)
    client = Client(headers={"accept-language": language})
    address = session_url("sign_up", session)
    assert told in words(client.get(address))
    assert waits in words(client.post(address, {"last_name": "Brun"}, follow=True))
    open_to(session, accepts_at_once=True)
    assert told not in words(client.get(address))


def test_director_accepts_or_refuses_those_who_wait_together(session):
    director = browser_of(open_to(session, places=1))
    one, two, three = put(session, "Un", "Deux", "Trois")
    address = session_url("registration", session)
    page = words(director.get(address))
    assert ("3 people wait for your answer" in page, "waits for your answer" in page) == (True, True)
    director.post(address, {"action": "refuse_all", "applicant": [one.pk, "x"]})
    page = words(director.post(address, {"action": "accept_all", "applicant": [one.pk, two.pk, three.pk]}, follow=True))
    assert "2 registrations are accepted." in page
    assert states(session) == {"Deux": 0, "Trois": 1}
    assert Applicant.objects.get(pk=one.pk).declined


@pytest.mark.nightly("story")
def test_rows_of_one_address_are_refused_together(session):
    director = browser_of(open_to(session))
    for number in range(3):
        sign_up(session, f"Robot{number}", address=f"2001:db8:1:2::{number}")
    sign_up(session, "Brun", address="2001:db8:1:3::1")
    assert Applicant.objects.values("address_digest").distinct().count() == 2
    page = director.get(session_url("registration", session))
    assert "3 registrations of today came from one address" in words(page)
    (group,) = page.context["senders"]
    ids = [each.pk for each in group]
    director.post(session_url("registration", session), {"action": "refuse_all", "applicant": ids})
    assert states(session) == {"Brun": "held"}


def test_refusal_together_spares_accepted_applicants(session):
    director = browser_of(open_to(session))
    first, second = put(session, "Un", "Deux", address_digest="d")
    accept_applicant(session_id=session.pk, applicant_id=first.pk, now=timezone.now())
    ids = [first.pk, second.pk]
    director.post(session_url("registration", session), {"action": "refuse_all", "applicant": ids})
    assert states(session) == {"Un": 0}


def test_address_signs_up_twenty_people_a_minute_and_three_hundred_a_day():
    minute, day = count_sign_ups("192.0.2.1")
    assert [(each.most, each.seconds) for each in (minute, day)] == [(20, 60), (300, 86_400)]


@pytest.mark.nightly("story")
def test_full_address_waits_a_minute_and_keeps_the_form(session, monkeypatch, clock):
    monkeypatch.setattr("registration.people.links.SIGN_UPS_A_MINUTE", 2)
    monkeypatch.setattr("registration.people.links.SIGN_UPS_A_DAY", 3)
    open_to(session)
    assert [sign_up(session, name).status_code for name in ("Un", "Deux", "Trois")] == [200, 200, 429]
    page = sign_up(session, "Trois", contact="06 12")
    assert ("wait a minute" in words(page), 'value="06 12"' in page.content.decode()) == (True, True)
    assert sign_up(session, "Ailleurs", address="192.0.2.2").status_code == 200
    clock.now += 60
    assert [sign_up(session, name).status_code for name in ("Trois", "Quatre")] == [200, 429]
    assert "today" in words(sign_up(session, "Quatre"))


@pytest.mark.nightly("story")
def test_hall_of_25_people_behind_one_address_signs_up_within_a_minute(session, clock):
    open_to(session, way="word", accepts_at_once=True)
    names = [f"Nom{number:02}" for number in range(25)]
    assert [sign_up(session, name).status_code for name in names] == [200] * 20 + [429] * 5
    clock.now += 60
    assert [sign_up(session, name).status_code for name in names[20:]] == [200] * 5
    assert Applicant.objects.filter(session=session).count() == 25


def test_same_form_sent_twice_counts_once(session, monkeypatch):
    monkeypatch.setattr("registration.people.links.SIGN_UPS_A_MINUTE", 2)
    open_to(session)
    answers = [sign_up(session, name, once=name * 16).status_code for name in ("Un", "Un", "Deux", "Trois")]
    assert answers == [200, 200, 200, 429]


def test_digest_names_no_address_and_is_gone_when_its_day_is_over(session):
    open_to(session)
    now = timezone.now()
    digest = digest_address("192.0.2.1", now)
    (old,) = put(session, "Hier", address_digest=digest)
    put(session, "Jour", address_digest=digest)
    Applicant.objects.filter(pk=old.pk).update(registered_at=now - dt.timedelta(days=1))
    assert ("192" in digest, digest_address("192.0.2.1", now + dt.timedelta(days=1)) == digest) == (False, False)
    sweep_publications()
    kept = Applicant.objects.order_by("last_name").values_list("last_name", "address_digest")
    assert list(kept) == [("Hier", ""), ("Jour", digest)]
