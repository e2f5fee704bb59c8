"""The director's list of applicants: settings, accepted names, walk-ins, people present, and their seats."""

from contextlib import nullcontext
from urllib.parse import urlencode

import pytest
from django.contrib.auth.hashers import make_password
from django.utils import timezone

from clubs.models import Player
from clubs.players import add_players
from clubs.roster import RosterLine
from pages.doors import session_url
from pages.registration.forms import read_person, write_option
from registration.people.applicants import NewApplicant
from registration.people.registration import register, set_registration
from tests import shared_evenings
from tests.factories import make_director
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.codes import UNMISTAKABLE
from tournaments.errors import ActionRefused
from tournaments.models import Applicant, Entrant, Registration

session = shared_evenings.new_session


director = shared_evenings.browser_of_session_director


@pytest.fixture
def down(session):
    """Return a function that signs people up on the public page's way."""
    user = make_director(session.tournament.club, "autre")
    set_registration(accepts_at_once=True, session_id=session.pk, by=user, now=timezone.now())

    def put(*names):
        return [register(session_id=session.pk, asked=NewApplicant(*name), now=timezone.now()) for name in names]

    return put


def say(director, session, applicant, word):
    return director.post(session_url("applicant", session, applicant.pk), {"word": word}, follow=True)


def seat(director, session, **answers):
    typed, kind = urlencode(answers), "application/x-www-form-urlencoded"
    return director.post(session_url("seat_present", session), typed, content_type=kind, follow=True)


def test_empty_list_says_what_comes_here(session, director):
    page = words(director.get(session_url("registration", session)))
    assert "Nobody has signed up yet" in page
    assert ("Open registration" in page, "seated already" in page) == (True, False)


def test_empty_list_beside_seated_players_counts_them(session, director):
    lines = [RosterLine("Brun", "Zoé"), RosterLine("Petit", "Max")]
    seats = enumerate(add_players(club=session.tournament.club, lines=lines), start=1)
    Entrant.objects.bulk_create(Entrant(session=session, line="N", number=n, player=player) for n, player in seats)
    assert "2 players are seated already" in words(director.get(session_url("registration", session)))


def test_settings_are_kept_and_the_password_is_drawn_once(session, director):
    typed = {"action": "settings", "is_open": "on", "way": "password", "places": "28", "closes_at": ""}
    address = session_url("registration", session)
    page = words(director.post(address, typed, follow=True))
    first = Registration.objects.get().code
    assert (len(first), set(first) <= set(UNMISTAKABLE)) == (6, True)
    assert f"Password that the club gives out: {first}" in page
    director.post(address, typed | {"places": "32"})
    kept = Registration.objects.get()
    assert (kept.code, kept.places, kept.is_open) == (first, 32, True)
    director.post(address, typed | {"draws": "on"})
    assert Registration.objects.get().code not in ("", first)
    assert "Write 1 to 800 places" in words(director.post(address, typed | {"places": "0"}))


def test_password_that_was_chosen_before_stays_until_a_new_one_is_drawn(session, director):
    Registration.objects.create(session=session, way="password", password=make_password("doudou"))
    address = session_url("registration", session)
    assert "The password chosen before is still required" in words(director.get(address))
    typed = {"action": "settings", "is_open": "on", "way": "password", "places": "", "closes_at": ""}
    director.post(address, typed)
    register(session_id=session.pk, asked=NewApplicant("Un"), now=timezone.now(), password="doudou")
    director.post(address, typed | {"draws": "on"})
    for password, refused in (("doudou", True), (Registration.objects.get().code, False)):
        told = {"session_id": session.pk, "asked": NewApplicant("Deux"), "now": timezone.now(), "password": password}
        with pytest.raises(ActionRefused) if refused else nullcontext():
            register(**told)


@pytest.mark.nightly("story")
def test_directors_word_shows_a_name_and_strikes_it_off(session, director, down):
    one, two = down(("Un",), ("Deux",))
    say(director, session, one, "accept")
    page = words(browser_of().get(session_url("sign_up", session)))
    assert ("Un" in page.split(), "Deux" in page.split()) == (True, False)
    say(director, session, two, "decline")
    two.refresh_from_db()
    assert (two.declined, two.withdrawn_at is None) == (True, False)
    assert "Nobody with that number" in words(say(director, session, two, "here"))


@pytest.mark.nightly("story")
def test_those_who_are_there_are_seated_and_nobody_else(session, director, down):
    add_players(club=session.tournament.club, lines=[RosterLine("Dupont", "Éva"), RosterLine("Étienne", "Zoé")])
    eva, zoe, new, absent = down(("Dupont", "Éva"), ("Étienne", "Zoé"), ("Nouveau", "Noé"), ("Absent",))
    for applicant in (new, eva, zoe):
        say(director, session, applicant, "here")
    director.post(
        session_url("registration", session), {"action": "walk_in", "last_name": "Passant", "first_name": "Paul"}
    )
    page = seat(director, session)
    assert "4 players are seated." in words(page)
    assert [entrant.player.name for entrant in session.entrants.order_by("id")] == [
        "Noé Nouveau", "Éva Dupont", "Zoé Étienne", "Paul Passant",
    ]  # fmt: skip
    assert Player.objects.count() == 4
    say(director, session, zoe, "away")
    seat(director, session)
    assert sorted(entrant.player.last_name for entrant in session.entrants.all()) == ["Dupont", "Nouveau", "Passant"]
    assert Applicant.objects.get(pk=absent.pk).player is None


@pytest.mark.nightly("story")
def test_who_is_in_doubt_is_asked_and_never_guessed(session, director, down):
    (known,) = add_players(club=session.tournament.club, lines=[RosterLine("Lefèvre", "Côme")])
    (applicant,) = down(("Lefevre", "Come"))
    page = say(director, session, applicant, "here")
    assert "Who is it?" in words(page)
    assert f'value="{known.pk}"' in page.content.decode()
    assert "Choose who Come Lefevre is" in words(seat(director, session))
    assert "Choose who Come Lefevre is" in words(seat(director, session, **{f"who-{applicant.pk}": "999999"}))
    assert not session.entrants.exists()
    seat(director, session, **{f"who-{applicant.pk}": str(known.pk)})
    assert session.entrants.get().player == known
    assert Player.objects.count() == 1


@pytest.mark.nightly("story")
@pytest.mark.parametrize(
    "number", ["9" * 5000, "٣", "-1", "0", "1e3", ""], ids=["long", "arabic", "negative", "none", "float", "empty"]
)
def test_answer_that_is_no_number_is_no_answer(session, director, down, number):
    add_players(club=session.tournament.club, lines=[RosterLine("Lefèvre", "Côme")])
    (applicant,) = down(("Lefevre", "Come"))
    say(director, session, applicant, "here")
    for answers in ({f"who-{applicant.pk}": number}, {f"who-{number}": "new"}, {f"who-{number}": number}):
        assert "Choose who Come Lefevre is" in words(seat(director, session, **answers))
    assert not session.entrants.exists()


@pytest.mark.nightly("story")
def test_somebody_new_of_a_like_name_is_new(session, director, down):
    add_players(club=session.tournament.club, lines=[RosterLine("Lefèvre", "Côme")])
    (applicant,) = down(("Lefevre", "Come"))
    say(director, session, applicant, "here")
    seat(director, session, **{f"who-{applicant.pk}": "new"})
    assert session.entrants.get().player.name == "Come Lefevre"


def test_walk_in_who_is_down_already_is_told_so(session, director, down):
    down(("Dupont", "Éva"))
    address = session_url("registration", session)
    page = director.post(address, {"action": "walk_in", "last_name": "DUPONT", "first_name": "Eva"})
    assert "has already signed up for this session" in words(page)
    assert Applicant.objects.count() == 1


def test_nobody_there_seats_nobody(session, director, down):
    down(("Dupont",))
    assert "Nobody is present yet" in words(seat(director, session))


def test_contact_and_licence_are_for_directors(session, director, down):
    down(("Dupont", "Éva", "4711", "eva@example.org"))
    page = words(director.get(session_url("registration", session)))
    assert "4711 · eva@example.org" in page


@pytest.mark.parametrize(
    ("typed", "licence", "known"),
    [
        ("Dupont, Marie, 123456", "123456", True),
        ("marie dupont", "123456", True),
        ("Marie Durand", "", False),
    ],
    ids=["the option", "the name in another order", "another name"],
)
def test_typed_person_is_the_player_of_the_list_where_the_match_is_sure(typed, licence, known):
    player = Player(pk=7, last_name="Dupont", first_name="Marie", licence="123456")
    found = read_person(typed, {write_option(player): player})
    assert (found.player, found.asked.licence) == (player if known else None, licence)
