"""The check-in at the door: applicants found by name, walk-ins chosen from the club's list, withdrawals shown."""

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.players import add_players
from clubs.roster import RosterLine
from pages.doors import session_url
from registration.people.applicants import NewApplicant
from registration.people.registration import register, set_registration, withdraw
from tests import shared_evenings
from tests.factories import make_director
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import Applicant

session = shared_evenings.new_session


@pytest.fixture
def user(session):
    return make_director(session.tournament.club)


director = shared_evenings.browser_of_user


@pytest.fixture
def address(session):
    return session_url("registration", session)


@pytest.fixture
def down(session, user):
    """Return a function that signs people up on the public page's way, for so many places."""

    def put(*names, places=None):
        set_registration(accepts_at_once=True, session_id=session.pk, by=user, now=timezone.now(), places=places)
        return [register(session_id=session.pk, asked=NewApplicant(*name), now=timezone.now()) for name in names]

    return put


def rows(page):
    """Return the names of the list that are visible, in the order of the page."""
    html = page.content.decode().partition('<ul class="list check-in"')[2].partition("</ul>")[0]
    parts = html.split('<li id="applicant-')[1:]
    return [part.split("<strong>")[1].split("<")[0] for part in parts if "hidden>" not in part.split("\n")[0]]


def test_list_is_in_the_order_of_the_alphabet(director, address, down):
    down(("Zola", "Émile"), ("étienne", "Zoé"), ("De Gaulle", "Anne"), ("Étienne", "Alex"))
    assert rows(director.get(address)) == ["De Gaulle Anne", "Étienne Alex", "étienne Zoé", "Zola Émile"]


def test_search_without_script_leaves_those_who_are_called_so(director, address, down):
    down(("Zola", "Émile"), ("Étienne", "Zoé"), ("Étienne", "Alex", "4711"))
    assert rows(director.get(address, {"q": "ETIENNE"})) == ["Étienne Alex", "Étienne Zoé"]
    assert rows(director.get(address, {"q": "4711"})) == ["Étienne Alex"]
    nobody = director.get(address, {"q": "Nemo"})
    assert rows(nobody) == []
    assert "Nobody of that name is on the list" in words(nobody)


def test_those_who_are_there_are_counted_whatever_is_looked_for(director, session, address, down):
    one, _two = down(("Zola", "Émile"), ("Étienne", "Zoé"))
    director.post(session_url("applicant", session, one.pk), {"word": "here"})
    assert "Present: 1 of 2 signed up" in words(director.get(address, {"q": "etienne"}))


def test_names_of_the_club_are_offered_to_who_walks_in_but_not_those_who_are_down(director, session, address, down):
    add_players(
        club=session.tournament.club,
        lines=[RosterLine("Dupont", "Éva", "123456"), RosterLine("Étienne", "Zoé"), RosterLine("Noir", "Al")],
    )
    down(("ETIENNE", "Zoe"))
    html = director.get(address).content.decode()
    assert [part.split('"')[0] for part in html.split('<option value="')[1:]] == ["Dupont, Éva, 123456", "Noir, Al"]


@pytest.mark.parametrize("typed", ["Dupont, Éva, 123456", "123456", "Éva Dupont", "DUPONT Éva"])
def test_who_walks_in_is_the_player_of_the_list(director, session, address, typed):
    eva, _other = add_players(
        club=session.tournament.club, lines=[RosterLine("Dupont", "Éva", "123456"), RosterLine("Dupont", "Yves")]
    )
    director.post(address, {"action": "walk_in", "listed": typed})
    applicant = Applicant.objects.get()
    assert (applicant.player, applicant.name, applicant.present_at is not None) == (eva, "Éva Dupont", True)
    director.post(session_url("seat_present", session))
    assert session.entrants.get().player == eva


def test_namesake_who_is_chosen_is_not_asked_about_again(director, session, address):
    lines = [RosterLine("Dupont", "Éva", "1111"), RosterLine("Dupont", "Éva", "2222")]
    _one, two = add_players(club=session.tournament.club, lines=lines)
    page = director.post(address, {"action": "walk_in", "listed": "Dupont, Éva, 2222"}, follow=True)
    assert "Who is it?" not in words(page)
    director.post(session_url("seat_present", session))
    assert session.entrants.get().player == two


def test_name_that_is_on_no_list_is_taken_as_it_is_typed(director, address):
    director.post(address, {"action": "walk_in", "listed": "PASSANT Paul"})
    assert Applicant.objects.get().listed == "PASSANT Paul"


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ({"listed": ""}, "Choose somebody on the club’s list, or write the family name."),
        ({"listed": "12"}, "Write the family name and the first name."),
        ({"listed": "A" * 81 + " B"}, "Write the family name and the first name."),
    ],
)
def test_what_is_no_name_is_refused_and_kept(director, address, typed, told):
    page = director.post(address, {"action": "walk_in", **typed})
    assert told in words(page)
    assert f'value="{typed["listed"]}"' in page.content.decode() or not typed["listed"]
    assert not Applicant.objects.exists()


def test_who_withdrew_is_shown_and_who_came_back_is_not(director, session, address, down):
    one, two, three = down(("Zola", "Émile"), ("Étienne", "Zoé"), ("Noir", "Al"))
    for applicant in (one, two):
        withdraw(token=applicant.token, now=timezone.now())
    director.post(session_url("applicant", session, three.pk), {"word": "decline"})
    page = words(director.get(address))
    assert "3 people withdrew" in page
    assert "Noir Al removed by a director" in page
    down(("Étienne", "Zoé"))
    assert "2 people withdrew" in words(director.get(address))


def test_withdrawing_asks_once_and_says_where_the_place_goes(down):
    one, _waiting = down(("Zola", "Émile"), ("Étienne", "Zoé"), places=1)
    reader = browser_of()
    first = reader.get(reverse("registered", args=[one.token]))
    assert '<form method="post"' not in first.content.decode().partition("<main")[2]
    assert "I am not coming: withdraw" in words(first)
    second = reader.get(reverse("registered", args=[one.token]), {"withdraw": ""})
    assert "Somebody is waiting and gets your place at once." in words(second)
    assert Applicant.objects.get(pk=one.pk).withdrawn_at is None
    reader.post(reverse("registered", args=[one.token]))
    assert Applicant.objects.get(pk=one.pk).withdrawn_at is not None


def test_who_waits_and_who_hands_a_place_to_nobody_is_asked_too(down):
    one, two = down(("Zola", "Émile"), ("Étienne", "Zoé"), places=1)
    reader = browser_of()
    assert "You leave the waiting list" in words(reader.get(reverse("registered", args=[two.token]), {"withdraw": ""}))
    withdraw(token=two.token, now=timezone.now())
    page = words(reader.get(reverse("registered", args=[one.token]), {"withdraw": ""}))
    assert "Your place becomes free for others." in page


def test_striking_off_asks_once_and_names_who_moves_up(director, session, address, down):
    one, _two = down(("Zola", "Émile"), ("Étienne", "Zoé"), places=1)
    assert 'value="decline"' not in director.get(address).content.decode()
    page = director.get(address, {"strike": one.pk})
    assert "Remove Émile Zola? The place goes to Zoé Étienne at once." in words(page)
    assert page.content.decode().count('value="decline"') == 1
    director.post(session_url("applicant", session, one.pk), {"word": "decline"})
    assert Applicant.objects.get(pk=one.pk).declined
