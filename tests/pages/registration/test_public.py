"""The public registration: signing up, moving up, withdrawing by a personal link; and what stays secret."""

import datetime as dt
import re

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from clubs.accounts.players import tie
from clubs.guard import note_tries
from clubs.guard.counting import count_of_session
from clubs.models import Person, Visibility
from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.plans.starting import start_session
from evenings.sessions.put_away import delete_session, put_session_away
from pages.doors import session_url
from registration.people.applicants import NewApplicant, list_down
from registration.people.registration import accept_applicant, register, set_registration, withdraw
from tests.factories import draft_session, make_club, make_director, make_user
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import Applicant, Session


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    session = draft_session()
    make_director(session.tournament.club)
    return session.pk


@pytest.fixture
def session(db, evening):
    cache.clear()
    return Session.objects.select_related("tournament__club").get(pk=evening)


@pytest.fixture
def open_to(session, director):
    def set_(way="word", **settings):
        return set_registration(
            accepts_at_once=True, session_id=session.pk, by=director, now=timezone.now(), way=way, **settings
        ).code

    return set_


def put_down(session, last, first="", client=None, **typed):
    client = client or browser_of()
    return client.post(session_url("sign_up", session), {"last_name": last, "first_name": first} | typed, follow=True)


def link_of(name):
    return reverse("registered", args=[Applicant.objects.get(last_name=name, withdrawn_at=None).token])


def shown(session):
    return words(browser_of().get(session_url("sign_up", session)))


def test_session_that_nobody_opened_says_kindly_that_it_is_not_open_yet(session, director):
    address = session_url("sign_up", session)
    for page in (browser_of().get(address), browser_of().post(address, {"last_name": "Un"})):
        assert page.status_code == 404
        assert "no-store" in page["Cache-Control"]
        assert "Registration is not open yet" in words(page)
        assert session.tournament.name in words(page)
        assert date_format(session.date, "DATE_FORMAT") in words(page)
        assert f'href="{session_url("session", session)}"' in page.content.decode()
    assert not Applicant.objects.exists()
    put_session_away(session_id=session.pk, by=director, now=timezone.now())
    assert "This evening will not take place" in words(browser_of().get(address))


def test_session_that_began_without_registration_says_so(session, director):
    start_session(session_id=session.pk, by=director, now=timezone.now())
    page = browser_of().get(session_url("sign_up", session))
    assert (page.status_code, "has started" in words(page)) == (404, True)


def test_registration_of_a_session_for_practice_is_told_to_nobody(session):
    club = session.tournament.club
    club.practice_of = make_club("autre")
    club.save()
    page = browser_of().get(session_url("sign_up", session))
    assert (page.status_code, session.tournament.name in words(page)) == (404, False)


def test_session_that_nobody_opened_offers_no_registration(session):
    assert "Sign up" not in words(browser_of().get(session_url("session", session)))


def test_name_waits_for_the_directors_word_and_the_link_tells(session, open_to):
    open_to()
    assert "Sign up" in words(browser_of().get(session_url("session", session)))
    page = put_down(session, "Ördek-Île", "Éléonore", licence="12345", contact="06 12 34 56 78")
    assert "You have a place." in words(page)
    assert page.redirect_chain[0][0] == link_of("Ördek-Île")
    assert ("Ördek" in shown(session), "1 more person, whose name" in shown(session)) == (False, True)
    accept_applicant(session_id=session.pk, applicant_id=Applicant.objects.get().pk, now=timezone.now())
    assert "Éléonore Ördek-Île" in shown(session)
    assert [secret for secret in ("12345", "06 12", Applicant.objects.get().token) if secret in shown(session)] == []


@pytest.mark.nightly("story")
@pytest.mark.parametrize(
    ("spell", "status"),
    [
        (lambda code: "", 200),
        (lambda code: "faux", 409),
        (lambda code: code, 200),
        (lambda code: f" {code[:3].lower()}-{code[3:]} ", 200),
    ],
)
def test_password_of_the_club_is_asked_for(session, open_to, spell, status):
    code = open_to("password")
    typed = spell(code)
    page = put_down(session, "Aubert", "Zoé", password=typed)
    assert page.status_code == status
    assert Applicant.objects.count() == (typed not in ("", "faux"))
    assert status == 200 or 'value="faux"' in page.content.decode()
    assert "Zoé Aubert" not in shown(session)  # a director has not accepted the name yet
    for applicant in Applicant.objects.all():
        accept_applicant(session_id=session.pk, applicant_id=applicant.pk, now=timezone.now())
        assert "Zoé Aubert" in shown(session)


@pytest.mark.nightly("story")
def test_right_answers_are_not_counted_and_wrong_passwords_by_the_address(session, open_to, clock):
    """Check a whole hall that signs up at once, with a joker who guesses passwords."""
    code = open_to("password")
    assert {put_down(session, f"Nom{number}x" * 2, password=code).status_code for number in range(40)} == {200}
    wrong = [put_down(session, "Joker", password="AAAAAA").status_code for _time in range(6)]
    assert wrong == [409] * 5 + [429]
    page = put_down(session, "Retard", password=code)
    assert (page.status_code, "wait ten seconds" in words(page), code in page.content.decode()) == (429, True, True)
    elsewhere = Client(REMOTE_ADDR="192.0.2.9", headers={"accept-language": "en"})
    assert "You have a place" in words(put_down(session, "Ailleurs", client=elsewhere, password=code))
    clock.now += 10
    assert put_down(session, "Retard", password=code).status_code == 200


def test_device_that_typed_the_password_before_is_kept_out_by_nobody(session, open_to):
    code, known = open_to("password"), browser_of()
    put_down(session, "Un", password=code, client=known)
    for _time in range(6):
        put_down(session, "Joker", password="AAAAAA")
    assert put_down(session, "Deux", password=code, client=known).status_code == 200


def test_password_that_is_guessed_at_all_day_gives_way_to_the_directors_word(session, open_to, director):
    """Check that nobody is locked out, and that a right guess is not told from a wrong one."""
    open_to("password")
    note_tries([count_of_session(session.pk)] * 239)
    user = make_user("zoe")
    (player,) = add_players(club=session.tournament.club, lines=[RosterLine("Quinet", "Zoé")])
    tie(player, user, by=user, now=timezone.now())
    assert put_down(session, "Joker", password="AAAAAA").status_code == 409
    page = put_down(session, "Quinet", "Zoé", client=browser_of(user))
    assert "the director must accept you first" in words(page)
    assert Applicant.objects.get().accepted_at is None
    assert "Too many wrong passwords" in words(browser_of(director).get(session_url("registration", session)))


@pytest.mark.nightly("story")
def test_account_is_asked_for(session, open_to):
    open_to("account")
    assert "log in, then sign up" in shown(session)
    put_down(session, "Aubert")
    assert not Applicant.objects.exists()
    user = make_user("joueuse")
    put_down(session, "Aubert", client=browser_of(user))
    assert Applicant.objects.get().user == user


@pytest.mark.nightly("story")
def test_waiting_list_moves_up_and_says_so(session, open_to):
    code = open_to("password", places=1)
    for name in ("Un", "Deux", "Trois"):
        put_down(session, name, password=code)
    client = browser_of()
    assert "you are number 1 on the waiting list" in words(client.get(link_of("Deux")))
    assert "you are number 2" in words(client.get(link_of("Trois")))
    assert "All places are taken" in shown(session)
    assert "You have withdrawn" in words(client.post(link_of("Un"), follow=True))
    assert "A place has become free: it is yours." in words(client.get(link_of("Deux")))
    assert "you are number 1" in words(client.get(link_of("Trois")))
    assert session.log.filter(action="registration_moved_up").get().params == {"name": "Deux"}


@pytest.mark.nightly("story")
def test_more_places_bring_up_those_who_wait(session, open_to):
    open_to(places=1)
    put_down(session, "Un")
    put_down(session, "Deux")
    open_to(places=2)
    assert "A place has become free" in words(browser_of().get(link_of("Deux")))


@pytest.mark.nightly("story")
def test_letter_that_unfolds_to_many_is_put_down_like_another(session, open_to):
    """Check a letter that stands for eighteen when compared, in two names that differ only in the last letter."""
    open_to()
    long = "\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}" * 79
    assert [put_down(session, long + last).status_code for last in "AB"] == [200, 200]
    assert [each.twice for each in list_down(session)] == [False, False]


AGAIN = [("Dupont", "Éva"), ("DUPONT", "eva"), ("éva", "dupont"), ("Dupont", " Éva "), ("Dupont", "Éva", "777")]


def told_of(session, last, first="", **typed):
    """Return what a stranger gets for signing somebody up: status, text without name and link, number of queries."""
    with CaptureQueriesContext(connection) as asked:
        page = put_down(session, last, first, **typed)
    applicant = Applicant.objects.latest("pk")
    text = words(page).replace(applicant.name, "NAME").replace(applicant.token, "TOKEN")
    return page.status_code, text, len(asked)


@pytest.mark.nightly("story")
@pytest.mark.parametrize("places", [None, 1, 2, 3])
@pytest.mark.parametrize("again", AGAIN)
def test_name_that_is_down_already_gets_the_same_answer_as_a_new_one(session, open_to, again, places):
    open_to(places=places)
    put_down(session, "Dupont", "Éva")
    licence = again[2] if len(again) > 2 else ""
    known = told_of(session, *again[:2], licence=licence)
    Applicant.objects.latest("pk").delete()
    assert told_of(session, "Neuve", "Nina", licence=licence) == known
    assert known[0] == 200


@pytest.mark.nightly("story")
@pytest.mark.parametrize("again", AGAIN)
def test_director_sees_who_is_down_twice_and_says_which_it_is(session, open_to, director, again):
    open_to()
    put_down(session, "Dupont", "Éva")
    put_down(session, *again[:2], licence=again[2] if len(again) > 2 else "")
    first, second = Applicant.objects.order_by("pk")
    page = browser_of(director).get(session_url("registration", session)).content.decode()
    assert [f'id="applicant-{each.pk}"' in page for each in (first, second)] == [True, True]
    assert page.count(">twice<") == 1
    assert page.index(">twice<") > page.index(f'id="applicant-{second.pk}"')
    # another person with the same name
    accept_applicant(session_id=session.pk, applicant_id=second.pk, now=timezone.now())
    page = browser_of(director).get(session_url("registration", session)).content.decode()
    assert page.index(">twice<") < page.index(f'id="applicant-{second.pk}"')
    accept_applicant(session_id=session.pk, applicant_id=first.pk, now=timezone.now())
    assert ">twice<" not in browser_of(director).get(session_url("registration", session)).content.decode()


@pytest.mark.nightly("story")
def test_who_is_down_twice_takes_one_place(session, open_to):
    open_to(places=2)
    for name in ("Un", "Un", "Deux", "Trois"):
        put_down(session, name)
    first, second, other, last = Applicant.objects.order_by("pk")
    waits = {each.applicant.pk: bool(each.waits) for each in list_down(session)}
    assert waits == {first.pk: False, second.pk: True, other.pk: False, last.pk: True}
    browser_of().post(reverse("registered", args=[first.token]))
    assert "A place has become free" in words(browser_of().get(reverse("registered", args=[second.token])))


@pytest.mark.nightly("story")
def test_form_that_is_sent_twice_puts_down_once(session, open_to):
    open_to()
    form = browser_of().get(session_url("sign_up", session)).content.decode()
    once = re.search(r'name="once" value="([^"]+)"', form).group(1)
    pages = [put_down(session, "Dupont", "Éva", once=once) for _time in range(2)]
    assert pages[0].redirect_chain == pages[1].redirect_chain
    put_down(session, "Dupont", "Noé", once=once)  # back in the browser, to sign somebody else up
    assert list(Applicant.objects.order_by("pk").values_list("first_name", flat=True)) == ["Éva", "Noé"]
    browser_of().post(reverse("registered", args=[Applicant.objects.earliest("pk").token]))
    put_down(session, "Dupont", "Éva", once=once)
    assert Applicant.objects.filter(withdrawn_at=None, first_name="Éva").count() == 1


@pytest.mark.nightly("story")
def test_account_that_comes_twice_gets_its_own_registration_again(session, open_to):
    open_to("account")
    client = browser_of(make_user("joueuse"))
    pages = [put_down(session, "Dupont", "Éva", client=client) for _time in range(2)]
    assert pages[0].redirect_chain == pages[1].redirect_chain
    assert Applicant.objects.count() == 1


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("way", ["word", "password", "account"])
@pytest.mark.parametrize("typed", ["name", "licence"])
@pytest.mark.parametrize("how", [Visibility.INITIALS, Visibility.HIDDEN])
def test_stranger_learns_of_no_hidden_player_by_a_name_or_a_licence(session, open_to, way, typed, how):
    """Check that an account learns no more: before a director accepts, only its own player is shown to it."""
    code = open_to(way)
    line = RosterLine("Quinet", "Zoé", licence="4711")
    (player,) = add_players(club=session.tournament.club, lines=[line])
    Person.objects.filter(pk=player.person_id).update(shown=how)
    who = {"last": "Quinet", "first": "Zoé"} if typed == "name" else {"last": "Autre", "licence": "4711"}
    clients = [browser_of(make_user("curieux"))] + [browser_of()] * (way != "account")
    for client in clients:
        page = put_down(session, **who, client=client, password=code)
        seen = words(page) + shown(session) + words(client.get(session_url("sign_up", session)))
        assert page.status_code == 200
        assert [told for told in ("Z. Q.", "Hidden player", "Quinet, Z") if told in seen] == []


@pytest.mark.nightly("race")
def test_account_of_a_player_is_shown_at_once_by_the_own_name_alone(session, open_to):
    open_to("account")
    user = make_user("zoe")
    lines = [RosterLine("Quinet", "Zoé", licence="4711"), RosterLine("Petit", "Léa", licence="4712")]
    zoe, lea = add_players(club=session.tournament.club, lines=lines)
    tie(zoe, user, by=user, now=timezone.now())
    Person.objects.filter(pk=lea.person_id).update(shown=Visibility.INITIALS)
    client = browser_of(user)
    put_down(session, "Petit", "Léa", client=client)
    put_down(session, "Quinet", "Zoé", client=client, licence="4712")
    assert ("L. P." in shown(session), "Zoé Quinet" in shown(session)) == (False, False)
    Applicant.objects.all().delete()
    put_down(session, "Quinet", "Zoé", client=client)
    assert "Zoé Quinet" in shown(session)


@pytest.mark.nightly("story")
def test_namesakes_with_a_licence_each_are_two(session, open_to):
    open_to()
    put_down(session, "Martin", "Jean", licence="111")
    put_down(session, "Martin", "Jean", licence="222")
    assert Applicant.objects.count() == 2


@pytest.mark.nightly("story")
def test_who_withdrew_may_come_again(session, open_to):
    open_to()
    put_down(session, "Dupont")
    link = link_of("Dupont")
    for _time in range(2):
        browser_of().post(link)
    put_down(session, "Dupont")
    assert Applicant.objects.filter(withdrawn_at=None).count() == 1
    assert session.log.filter(action="registration_withdrawn").count() == 1


def test_link_works_after_closing_and_until_the_start(session, open_to, director):
    open_to()
    put_down(session, "Un")
    put_down(session, "Deux")
    open_to(closes_at=timezone.now() - dt.timedelta(minutes=1))
    page = put_down(session, "Trois")
    assert "Registration is closed" in words(page)
    assert Applicant.objects.count() == 2
    assert "You have withdrawn" in words(browser_of().post(link_of("Un"), follow=True))
    start_session(session_id=session.pk, by=director, now=timezone.now())
    page = browser_of().post(link_of("Deux"), follow=True)
    assert (page.status_code, "The evening has started" in words(page)) == (409, True)
    assert "Registration is closed" in shown(session)


@pytest.mark.nightly("story")
def test_cancelled_session_says_so(session, open_to, director):
    open_to()
    put_down(session, "Un")
    link = link_of("Un")
    put_session_away(session_id=session.pk, by=director, now=timezone.now())
    assert "will not take place" in shown(session)
    assert "will not take place" in words(browser_of().get(link))
    assert put_down(session, "Deux").status_code == 409
    delete_session(session_id=session.pk, by=director)
    assert browser_of().get(link).status_code == 404


@pytest.mark.parametrize("token", ["", "x", "A" * 43, "A" * 5000, "a\x00b"])
def test_wrong_link_opens_nothing(session, open_to, token):
    open_to()
    put_down(session, "Un")
    assert browser_of().get(f"/r/{token}/").status_code == 404


@pytest.mark.parametrize("last", ["", " ", "a" * 81, "a\x00b", "a\u202eb"])
def test_what_is_no_name_is_refused_and_kept(session, open_to, last):
    open_to()
    page = put_down(session, last, "Zoé")
    assert (page.status_code, Applicant.objects.count()) == (200, 0)
    assert 'value="Zoé"' in page.content.decode()


@pytest.mark.nightly("story")
def test_pages_of_registration_are_kept_in_no_cache_and_found_by_no_engine(session, open_to):
    open_to()
    put_down(session, "Un")
    for address in (session_url("sign_up", session), link_of("Un")):
        page = browser_of().get(address)
        assert "no-store" in page["Cache-Control"]
        assert '<meta name="robots" content="noindex">' in page.content.decode()
    assert browser_of().get(link_of("Un"))["Referrer-Policy"] == "same-origin"


def test_withdrawal_returns_the_applicant_of_the_link(session, open_to):
    open_to()
    applicant = register(session_id=session.pk, asked=NewApplicant("Un"), now=timezone.now())
    for _time in range(2):
        withdrawn = withdraw(token=applicant.token, now=timezone.now())
        assert (withdrawn, withdrawn.withdrawn_at is None) == (applicant, False)
    assert withdraw(token="x", now=timezone.now()) is None
