"""The accounts of players: by a personal link, or by a letter and a director's consent; one person in several clubs."""

import datetime as dt
import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.accounts.players import claim, make_player_link, take_player_link, tie, untie
from clubs.accounts.questions import end_link
from clubs.errors import AccountRefused
from clubs.house import change_settings
from clubs.models import PersonLink, Player, PlayerClaim, PlayerLink, User
from clubs.persons import PersonRefused
from clubs.players import add_players
from clubs.roster import RosterLine
from pages.accounts import player as pages
from pages.accounts.player import MOST_A_MINUTE
from pages.doors import session_url
from registration.people.merging import merge_players
from registration.people.registration import check_in, set_registration
from registration.people.seats import seat_present
from tests.factories import PASSWORD, draft_session, make_club, make_director, make_tournament, make_user
from tests.joined import join_players
from tests.pages.browsing import browser_of, fields
from tests.pages.reading import words
from tournaments.models import Applicant

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("nothing_counted")]

FIELDS = {"name": "Zoé Durand", "email": "", "password": PASSWORD}
ASKED = {"name": "Zoé Durand", "email": "zoe@example.org"}


@pytest.fixture
def give(director):
    def change(club, how="link"):
        change_settings(club, {"player_accounts": how}, now=timezone.now(), by=director)

    return change


@pytest.fixture
def mailed(settings, mails_at_once):
    settings.MAIL = True


def add(club, last="Durand", first="Zoé", licence=""):
    return add_players(club=club, lines=[RosterLine(last, first, licence)])[0]


def page_of(player):
    return reverse("player_account", args=[player.club.slug, player.pk])


def link_for(player, director, **more):
    page = browser_of(director).post(page_of(player), {"action": "link", "email": ""} | more).content.decode()
    return re.search(r"http://testserver(/player/[^<]+)", page)[1]


def is_tied(player, user):
    return Player.objects.get(pk=player.pk).account_id == user.pk


def sign_up(club, client=None, **more):
    return (client or browser_of()).post(reverse("player_sign_up", args=[club.slug]), ASKED | more)


def letter_link(letter):
    return re.search(r"http://testserver(/\S+)", letter.body)[1]


def test_players_have_no_accounts_unless_the_club_says_so(club, director):
    player = add(club)
    assert "Players have no accounts in this club" in words(browser_of(director).get(page_of(player)))
    browser_of(director).post(page_of(player), {"action": "link"})
    assert not PlayerLink.objects.exists()
    assert browser_of().get(reverse("player_sign_up", args=[club.slug])).status_code == 404
    assert sign_up(club).status_code == 404


def test_personal_link_makes_an_account_that_is_the_player_and_nothing_more(club, director, give):
    give(club)
    player = add(club)
    link = link_for(player, director)
    browser = browser_of()
    assert "Zoé Durand" in words(browser.get(link))
    assert browser.post(link, FIELDS)["Location"] == reverse("account")
    user = User.objects.get(username="zoe.durand")
    assert (is_tied(player, user), user.memberships.exists()) == (True, False)
    assert "Who I am as a player Zoé Durand Club des Étuis" in words(browser.get(reverse("account")))
    assert browser.get(reverse("players", args=[club.slug])).status_code == 403
    assert "This player’s account: Zoé Durand" in words(browser_of(director).get(page_of(player)))
    answer = Client().post(reverse("login"), {"username": "zoe.durand", "password": PASSWORD})
    assert answer["Location"] == reverse("club", args=[club.slug])


def test_link_serves_once(club, director, give):
    give(club)
    link = link_for(add(club), director)
    browser_of().post(link, FIELDS)
    for page in (browser_of().get(link), browser_of().post(link, FIELDS)):
        assert (page.status_code, "has been used" in words(page)) == (410, True)
    assert User.objects.count() == 2


@pytest.mark.parametrize("how", ["revoked", "replaced", "expired", "closed", "deleted", "unknown"])
def test_link_that_is_over_says_why(club, director, give, how):
    give(club)
    player = add(club)
    link = link_for(player, director)
    if how == "revoked":
        browser_of(director).post(page_of(player), {"action": "revoke"})
    elif how == "replaced":
        link_for(player, director)
    elif how == "expired":
        PlayerLink.objects.update(expires_at=timezone.now())
    elif how == "closed":
        give(club, "none")
    elif how == "deleted":
        browser_of(director).post(reverse("club_player", args=[club.slug, player.pk]), {"action": "delete"})
    else:
        link = reverse("player_link", args=["nothing"])
    said = {"revoked": "withdrawn this link", "replaced": "withdrawn this link", "expired": "has expired"}
    said |= {
        "closed": "does not offer accounts to players",
        "deleted": "This link is unknown",
        "unknown": "This link is unknown",
    }
    page = browser_of().get(link)
    assert (page.status_code, said[how] in words(page)) == (404 if said[how] == "This link is unknown" else 410, True)
    assert browser_of().post(link, FIELDS).status_code == page.status_code
    assert User.objects.count() == 1


@pytest.mark.nightly("story")
def test_wrong_links_lock_nobody_out():
    make_user("somebody")
    answers = [Client().get(reverse("player_link", args=[f"guess{number}"])).status_code for number in range(25)]
    assert set(answers) == {404}


def test_link_of_a_merged_player_ties_whom_he_is_now(club, director, give):
    give(club)
    kept, gone = add(club), add(club, "Durant")
    link = link_for(gone, director)
    merge_players(club=club, kept_id=kept.pk, gone_id=gone.pk, by=director, now=timezone.now())
    browser_of().post(link, FIELDS)
    assert is_tied(kept, User.objects.get(username="zoe.durand"))


def test_two_players_tied_to_one_account_are_one_person_until_untied(club, director, give):
    there = make_club("autre", "Autre")
    theirs = make_director(there, "là-bas")
    user, one, other = make_user("zoe"), add(club), add(there, "Durand-Martin")
    for each in (club, there):
        give(each)
    for player, by in ((one, director), (other, theirs)):
        token = make_player_link(player, now=timezone.now(), by=by)
        assert browser_of(user).post(reverse("player_link", args=[token]))["Location"] == reverse("account")
    assert Player.objects.filter(account=user).count() == 2
    assert PersonLink.objects.get().reason == PersonLink.LinkReason.ACCOUNT
    browser_of(user).post(reverse("player_untie"), {"player": other.pk})
    assert (is_tied(one, user), is_tied(other, user)) == (True, False)
    assert len({player.person_id for player in Player.objects.all()}) == 2


@pytest.mark.nightly("story")
@pytest.mark.parametrize("first_goes", [True, False])
def test_account_keeps_the_players_that_are_not_untied(club, director, first_goes):
    user, now = make_user("zoe"), timezone.now()
    clubs = [club, make_club("deux", "Deux"), make_club("trois", "Trois")]
    players = [add(each) for each in clubs]
    for player in players:
        tie(player, user, by=user, now=now)
    gone, *kept = players if first_goes else players[::-1]
    untie(gone, by=user, now=now)
    assert [is_tied(player, user) for player in (gone, *kept)] == [False, True, True]
    for player in (gone, *kept):
        untie(player, by=user, now=now)
    assert [is_tied(player, user) for player in players] == [False] * 3
    assert len({player.person_id for player in Player.objects.all()}) == 3
    tie(gone, user, by=user, now=now)
    assert is_tied(gone, user)


def test_directors_take_a_tie_back(club, director):
    user, now = make_user("zoe"), timezone.now()
    one, other = add(club), add(make_club("autre", "Autre"))
    tie(one, user, by=user, now=now)
    tie(other, user, by=user, now=now)
    end_link(club=club, link_id=PersonLink.objects.get().pk, by=director, now=now)
    assert (is_tied(one, user), is_tied(other, user)) == (False, True)
    tie(one, user, by=user, now=now)
    browser_of(director).post(page_of(one), {"action": "untie"})
    assert (is_tied(one, user), is_tied(other, user)) == (False, True)


@pytest.mark.nightly("story")
def test_account_of_one_player_is_not_the_other_player_of_the_person(club, director):
    user, now = make_user("zoe"), timezone.now()
    one, other = add(club, licence="123456"), add(make_club("autre", "Autre"), licence="123456")
    join_players(one, other)
    tie(other, user, by=user, now=now)
    assert (is_tied(one, user), is_tied(other, user)) == (False, True)
    second = make_user("second")
    tie(one, second, by=director, now=now)
    with pytest.raises(AccountRefused, match="player_has_account"):
        tie(one, user, by=director, now=now)
    untie(one, by=second, now=now)
    assert is_tied(other, user)


def test_account_is_one_player_of_a_club(club, director, give):
    give(club)
    user, now = make_user("zoe"), timezone.now()
    tie(add(club), user, by=user, now=now)
    with pytest.raises(PersonRefused, match="person_twice"):
        tie(add(club, "Autre"), user, by=user, now=now)
    browser = browser_of(user)
    link = reverse("player_link", args=[make_player_link(Player.objects.get(last_name="Autre"), now=now, by=director)])
    browser.post(link)
    assert "merge those two first" in words(browser.get(reverse("account")))
    assert PlayerLink.objects.get().used_at is None


def test_nobody_unties_another(club, director):
    user, now = make_user("zoe"), timezone.now()
    player = add(club)
    tie(player, user, by=user, now=now)
    claim_of = make_user("third")
    PlayerClaim.objects.create(club=club, user=claim_of, asked_at=now)
    other = browser_of(make_user("other"))
    other.post(reverse("player_untie"), {"player": player.pk, "claim": PlayerClaim.objects.get().pk})
    assert (is_tied(player, user), PlayerClaim.objects.count()) == (True, 1)


@pytest.mark.nightly("story")
def test_sign_up_is_confirmed_by_a_letter_then_by_a_directors_word(club, director, give, mailed):
    give(club, "open")
    player = add(club)
    browser = browser_of()
    assert "I play here" in words(browser.get(reverse("club", args=[club.slug])))
    assert "Check your e-mail" in words(sign_up(club, browser))
    assert User.objects.count() == 1
    (letter,) = mail.outbox
    assert (letter.to, "Durand" in letter.body) == (["zoe@example.org"], False)
    link = letter_link(letter)
    assert list(browser.post(link, {"password": "short"}).context["form"].errors) == ["password"]
    assert browser.post(link, {"password": PASSWORD})["Location"] == reverse("account")
    user = User.objects.get(email="zoe@example.org")
    assert EmailAddress.objects.get(user=user).verified
    assert "A director still has to say" in words(browser.get(reverse("account")))
    assert not is_tied(player, user)
    desk = browser_of(director)
    assert "1 account asks" in words(desk.get(reverse("players", args=[club.slug])))
    page = desk.get(reverse("player_claims", args=[club.slug]))
    assert "zoe@example.org" in words(page)
    assert fields(page)["player"] == str(player.pk)
    answer = reverse("claim_answer", args=[club.slug, PlayerClaim.objects.get().pk])
    desk.post(answer, {"action": "tie", "player": ""})
    assert PlayerClaim.objects.exists()
    desk.post(answer, {"action": "tie", "player": player.pk})
    assert (is_tied(player, user), PlayerClaim.objects.exists()) == (True, False)
    assert browser_of().get(link).status_code == 410


def test_director_refuses_and_the_account_asks_no_more(club, director, give):
    give(club, "open")
    user = make_user("zoe")
    browser_of(user).post(reverse("player_sign_up", args=[club.slug]))
    asked = PlayerClaim.objects.get()
    browser_of(director).post(reverse("claim_answer", args=[club.slug, asked.pk]), {"action": "refuse"})
    assert not PlayerClaim.objects.exists()
    claim(club, user, now=timezone.now())
    browser_of(user).post(reverse("player_untie"), {"claim": PlayerClaim.objects.get().pk})
    assert not PlayerClaim.objects.exists()
    assert "No account is waiting" in words(browser_of(director).get(reverse("player_claims", args=[club.slug])))


def test_address_that_an_account_has_is_told_to_nobody(club, director, give, mailed):
    give(club, "open")
    director.email = "directrice@example.org"
    director.save()
    pages = [words(sign_up(club, email=email)) for email in ("Directrice@example.org", "nobody@example.org")]
    assert pages[0].replace("Directrice@", "nobody@") == pages[1]
    known, new = mail.outbox
    assert (known.subject, new.subject) == ("Your account · Topage", "Your account · Club des Étuis")
    assert reverse("account_reset_password") in known.body


@pytest.mark.nightly("story")
def test_letters_are_not_sent_at_will(club, give, mailed):
    give(club, "open")
    sign_up(club)
    sign_up(club)
    assert len(mail.outbox) == 1
    answers = [sign_up(club, email=f"{number}@example.org").status_code for number in range(MOST_A_MINUTE)]
    assert answers == [200] * (MOST_A_MINUTE - 2) + [429] * 2


@pytest.mark.nightly("story")
def test_letters_are_counted_by_addressee_and_apart_for_a_known_device(club, give, mailed):
    give(club, "open")
    assert {sign_up(club, email="no address").status_code for _time in range(MOST_A_MINUTE + 1)} == {200}
    answers = [sign_up(club, email=f"{number}@example.org").status_code for number in range(MOST_A_MINUTE + 1)]
    assert answers == [200] * MOST_A_MINUTE + [429]
    known = browser_of()
    known.post(reverse("login"), {"username": make_user("known").username, "password": PASSWORD})
    known.post(reverse("account_logout"))
    assert sign_up(club, email="known@example.org", client=known).status_code == 200


@pytest.mark.parametrize("how", ["old", "forged", "closed"])
def test_letter_that_serves_no_more_says_so(club, give, mailed, monkeypatch, how):
    give(club, "open")
    sign_up(club)
    link = letter_link(mail.outbox[0])
    if how == "forged":
        link = link[:-3] + "x/"
    elif how == "closed":
        give(club, "none")
    else:
        monkeypatch.setattr(pages, "LIFE", dt.timedelta(seconds=-1))
    page = browser_of().post(link, {"password": PASSWORD})
    assert page.status_code == 410
    assert User.objects.count() == 1


def test_without_mail_a_director_makes_the_link(club, give):
    give(club, "open")
    assert "ask a director of the club for your personal link" in words(
        browser_of().get(reverse("player_sign_up", args=[club.slug]))
    )
    sign_up(club)
    assert User.objects.count() == 1


def test_link_and_invitation_go_by_mail(club, director, give, mailed):
    give(club)
    change_settings(club, {"language": "fr"}, now=timezone.now(), by=director)
    link = link_for(add(club), director, email="zoe@example.org")
    desk = browser_of(director)
    page = desk.post(reverse("team", args=[club.slug]), {"role": "helper", "whom": "Ève", "email": "eve@example.org"})
    assert "The site also sends it to eve@example.org" in words(page)
    to_player, to_helper = mail.outbox
    assert (to_player.to, link in to_player.body) == (["zoe@example.org"], False)
    mailed_link = letter_link(to_player)
    assert {browser_of().get(each).status_code for each in (link, mailed_link)} == {200}
    browser_of(make_user("zoe")).post(mailed_link)
    assert {browser_of().get(each).status_code for each in (link, mailed_link)} == {410}, "both are one link"
    assert (to_helper.to, "/invitation/" in to_helper.body, "Bonjour Ève" in to_helper.body) == (
        ["eve@example.org"],
        True,
        True,
    )


@pytest.mark.nightly("story")
def test_registration_with_an_account_knows_who_comes(club, director, give, mailed):
    session = draft_session(make_tournament(club))
    give(club, "open")
    set_registration(accepts_at_once=True, session_id=session.pk, by=director, now=timezone.now(), way="account")
    page = session_url("sign_up", session)
    assert reverse("player_sign_up", args=[club.slug]) in browser_of().get(page).content.decode()
    twin, player = add(club, licence="111"), add(club, licence="222")
    user = make_user("zoe")
    tie(player, user, by=user, now=timezone.now())
    browser = browser_of(user)
    held = fields(browser.get(page))
    assert (held["last_name"], held["first_name"], held["licence"]) == ("Durand", "Zoé", "")
    browser.post(page, {"last_name": "Durand", "first_name": "Zoé"})
    applicant = Applicant.objects.get()
    check_in(session_id=session.pk, applicant_id=applicant.pk, present=True, now=timezone.now())
    seat_present(session_id=session.pk, answers={}, by=director, now=timezone.now())
    applicant.refresh_from_db()
    assert (applicant.player_id, twin.pk != player.pk) == (player.pk, True)


@pytest.mark.django_db(transaction=True)
def test_of_two_accounts_that_use_one_link_at_once_one_gets_the_player():
    club = make_club()
    director = make_director(club)
    change_settings(club, {"player_accounts": "link"}, now=timezone.now(), by=director)
    player = add(club)
    token = make_player_link(player, now=timezone.now(), by=director)
    users = [make_user(name) for name in ("un", "deux")]
    together = Barrier(2)

    def come(user):
        together.wait()
        try:
            take_player_link(token, user, now=timezone.now())
        except AccountRefused as refusal:
            return refusal.code
        else:
            return "in"
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(come, users)) == ["in", "player_link_used"]
    assert sum(is_tied(player, user) for user in users) == 1
