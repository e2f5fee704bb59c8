"""The staff of a club: invited by a link, changed, ended, and never without a director."""

import datetime as dt
import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.accounts.changes import end_role
from clubs.accounts.invitations import NewAccount, accept_invitation, invite
from clubs.errors import AccountRefused
from clubs.models import Club, Invitation, Membership, User
from pages.doors import session_url
from tests.factories import PASSWORD, make_club, make_director, make_helper, make_tournament, make_user, started_session
from tournaments.models import QueuedMail

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("nothing_counted")]

FIELDS = {"name": "Zoé Durand", "email": "", "password": PASSWORD}


@pytest.fixture
def client(director):
    client = Client()
    client.force_login(director)
    return client


def team(club):
    return {(member.user.shown_name, member.role) for member in club.memberships.select_related("user")}


def invited(client, club, **more):
    """Return the path of the link that a director makes."""
    fields = {"role": "helper", "whom": "Zoé", "ends_on": ""} | more
    page = client.post(reverse("team", args=[club.slug]), fields).content.decode()
    return re.search(r"http://testserver(/invitation/[^<]+)", page)[1]


def log_of(club):
    return list(club.log.order_by("pk").values_list("action", flat=True))


@pytest.mark.nightly("story")
def test_helper_comes_by_a_link_without_an_address(client, club):
    link = invited(client, club)
    stranger = Client()
    assert stranger.get(link).status_code == 200
    assert stranger.post(link, FIELDS)["Location"] == reverse("club", args=[club.slug])
    assert team(club) == {("directrice", "director"), ("Zoé Durand", "helper")}
    assert "zoe.durand" in stranger.get(reverse("club", args=[club.slug])).content.decode()
    answer = Client().post(reverse("login"), {"username": "zoe.durand", "password": PASSWORD})
    assert answer.status_code == 302
    assert log_of(club) == ["invited", "joined"]


def test_link_serves_once(client, club):
    link = invited(client, club)
    Client().post(link, FIELDS)
    for page in (Client().get(link), Client().post(link, FIELDS | {"name": "Autre"})):
        assert (page.status_code, "a déjà servi" in page.content.decode()) == (410, True)
    # no log-in is offered to a person who is logged in
    assert reverse("login") not in client.get(link).content.decode()
    assert club.memberships.count() == 2


def test_account_that_is_there_takes_the_role(client, club):
    other = make_user("autre")
    link = invited(client, club, role="director")
    sent = Client().post(link, {"log_in": "1"})
    assert sent["Location"] == f"{reverse('login')}?next={link}"
    browser = Client()
    assert browser.post(sent["Location"], {"username": "autre", "password": PASSWORD, "next": link})["Location"] == link
    browser.post(link)
    assert ("autre", "director") in team(club)
    assert User.objects.filter(pk=other.pk).exists()


def test_role_that_is_there_is_not_lowered(client, club, director):
    link = invited(client, club, role="helper", ends_on=timezone.localdate() + dt.timedelta(days=3))
    client.post(link)
    member = club.memberships.get(user=director)
    assert (member.role, member.ends_on) == ("director", None)


@pytest.mark.parametrize("how", ["revoked", "expired", "deleted", "unknown"])
def test_link_that_is_over_says_why(client, club, how):
    link = invited(client, club)
    invitation = Invitation.objects.get()
    if how == "revoked":
        client.post(reverse("invitation_revoke", args=[club.slug, invitation.pk]))
    elif how == "expired":
        Invitation.objects.update(expires_at=timezone.now())
    elif how == "deleted":
        club.delete()
    else:
        link = reverse("invitation", args=["nothing"])
    page = Client().get(link)
    words = {"revoked": "a annulé", "expired": "n’est plus valable"}.get(how, "est inconnue")
    assert (page.status_code, words in page.content.decode()) == (410 if how in ("revoked", "expired") else 404, True)
    assert Client().post(link, FIELDS).status_code == page.status_code


def test_wrong_links_lock_nobody_out():
    answers = [Client().get(reverse("invitation", args=[f"guess{number}"])).status_code for number in range(25)]
    assert set(answers) == {404}
    assert Client().post(reverse("invitation", args=["guess"]), FIELDS).status_code == 404


@pytest.mark.nightly("story")
def test_address_that_another_account_has_is_told_to_nobody(client, club, director):
    director.email = "directrice@example.org"
    director.save()
    pages = []
    for email in ("directrice@example.org", "fresh@example.org"):
        browser = Client()
        answer = browser.post(invited(client, club), FIELDS | {"email": email, "name": "Zoé Durand"})
        page = browser.get(answer["Location"]).content.decode()
        pages.append(re.sub(r"zoe\.durand2?|name=\"csrf\w+\" value=\"\w+\"", "", page))
    assert pages[0] == pages[1]
    assert (
        Client().post(reverse("login"), {"username": "directrice@example.org", "password": PASSWORD}).status_code == 302
    )


@pytest.mark.parametrize(("field", "value"), [("name", ""), ("password", "short"), ("email", "no")])
def test_wrong_field_leaves_the_link_good(client, club, field, value):
    link = invited(client, club)
    page = Client().post(link, FIELDS | {field: value})
    assert list(page.context["form"].errors) == [field]
    assert Client().post(link, FIELDS).status_code == 302


@pytest.mark.nightly("story")
def test_role_ends_on_its_day_everywhere(client, club, director):
    helper = make_helper(club, "aide")
    session = started_session(make_tournament(club))
    browser = Client()
    browser.force_login(helper)
    member = club.memberships.get(user=helper)
    today = timezone.localdate()
    change = reverse("member_change", args=[club.slug, member.pk])
    client.post(change, {"role": "helper", "ends_on": today})
    play = session.plays.first()
    pages = [session_url("play", session, play.pk), session_url("running_head", session)]
    assert [browser.get(page).status_code for page in pages] == [200, 200]
    Membership.objects.filter(pk=member.pk).update(ends_on=today - dt.timedelta(days=1))
    assert [browser.get(page).status_code for page in pages] == [403, 403]
    assert browser.get("/api/v1/clubs/").json()[0]["role"] is None
    assert "aide" in client.get(reverse("team", args=[club.slug])).content.decode()
    assert client.post(change, {"role": "helper", "ends_on": "2020-01-01"}).status_code == 302
    assert client.post(change, {"role": "helper", "ends_on": ""}).status_code == 302
    assert browser.get(pages[0]).status_code == 200


def test_last_director_cannot_go_nor_get_an_end(client, club, director):
    make_helper(club)
    mine = club.memberships.get(user=director)
    end, change = (reverse(name, args=[club.slug, mine.pk]) for name in ("member_end", "member_change"))
    client.post(end)
    client.post(change, {"role": "helper", "ends_on": ""})
    client.post(change, {"role": "director", "ends_on": timezone.localdate()})
    mine.refresh_from_db()
    assert (mine.role, mine.ends_on) == ("director", None)
    assert "au moins un directeur" in client.get(reverse("team", args=[club.slug])).content.decode()
    make_director(club, "autre")
    assert client.post(end)["Location"] == reverse("club", args=[club.slug])
    assert not club.memberships.filter(user=director).exists()
    assert log_of(club) == ["left"]


@pytest.mark.django_db(transaction=True)
def test_of_two_directors_who_leave_at_once_one_stays():
    club = make_club()
    members = [make_director(club, name).memberships.get() for name in ("un", "deux")]
    together = Barrier(2)

    def leave(member):
        together.wait()
        try:
            end_role(club, member.pk, now=timezone.now(), by=member.user)
        except AccountRefused as refusal:
            return refusal.code
        else:
            return "left"
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(leave, members)) == ["last_director", "left"]
    assert Membership.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_who_use_one_link_at_once_one_gets_in():
    club = make_club()
    token = invite(club, "helper", now=timezone.now(), by=None)
    together = Barrier(2)

    def come(name):
        together.wait()
        try:
            accept_invitation(token, NewAccount(name, PASSWORD), now=timezone.now())
        except AccountRefused as refusal:
            return refusal.code
        else:
            return "in"
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(come, ("Un", "Deux"))) == ["in", "invitation_used"]
    assert (Membership.objects.count(), User.objects.count()) == (1, 1)


def test_director_makes_a_link_for_a_forgotten_password(client, club):
    helper = make_helper(club, "aide")
    member = club.memberships.get(user=helper)
    page = client.post(reverse("member_password", args=[club.slug, member.pk])).content.decode()
    link = re.search(r"http://testserver(/password/link/[^<]+)", page)[1]
    browser = Client()
    assert "aide" in browser.get(link).content.decode()
    browser.post(link, {"password": "chosen anew 9"})
    assert Client().post(reverse("login"), {"username": "aide", "password": "chosen anew 9"}).status_code == 302
    assert "password_link_made" in log_of(club)


@pytest.mark.parametrize("who", ["of another club", "of the site"])
def test_director_gains_nothing_by_such_a_link(client, club, who):
    helper = make_helper(club, "aide")
    if who == "of the site":
        User.objects.filter(pk=helper.pk).update(is_superuser=True)
    else:
        Membership.objects.create(user=helper, club=make_club("autre", "Autre"), role="helper")
    member = club.memberships.get(user=helper)
    answer = client.post(reverse("member_password", args=[club.slug, member.pk]), follow=True)
    assert "/password/link/" not in answer.content.decode()
    assert log_of(club) == []


def test_another_clubs_team_is_out_of_reach(client, club):
    elsewhere = make_club("autre", "Autre")
    member = make_helper(elsewhere, "aide").memberships.get()
    invite(elsewhere, "helper", now=timezone.now(), by=None)
    client.post(reverse("member_end", args=[club.slug, member.pk]))
    client.post(reverse("member_password", args=[club.slug, member.pk]))
    client.post(reverse("invitation_revoke", args=[club.slug, Invitation.objects.get().pk]))
    assert Membership.objects.filter(pk=member.pk).exists()
    assert Invitation.objects.get().revoked_at is None


def test_administrator_makes_clubs_on_a_page(settings):
    root = make_user("root")
    browser = Client()
    assert browser.get(reverse("site_clubs")).status_code == 302
    browser.force_login(root)
    assert browser.get(reverse("site_clubs")).status_code == 403
    assert reverse("site_clubs") not in browser.get(reverse("account")).content.decode()
    User.objects.filter(pk=root.pk).update(is_superuser=True, is_staff=True)
    assert reverse("site_clubs") in browser.get(reverse("account")).content.decode()
    page = browser.post(reverse("site_clubs"), {"club": "Tarot de Sète", "whom": "Zoé"}).content.decode()
    link = re.search(r"http://testserver(/invitation/[^<]+)", page)[1]
    Client().post(link, FIELDS)
    club = Club.objects.get()
    assert team(club) == {("Zoé Durand", "director")}
    assert log_of(club) == ["club_made", "invited", "joined"]
    again = browser.post(reverse("site_clubs"), {"club": "Tarot de Sète", "whom": "Zoé"})
    assert (again.status_code, Club.objects.count()) == (200, 2)
    assert f"Data: {settings.VAR_DIR}" in browser.get(reverse("site_clubs"), headers={"accept-language": "en"}).text


def test_invitation_is_queued_and_the_page_has_the_link(client, club, settings):
    settings.MAIL = True
    page = client.post(
        reverse("team", args=[club.slug]), {"role": "helper", "email": "eve@example.org"}
    ).content.decode()
    assert "eve@example.org" in page
    link = re.search(r"http://testserver(/invitation/[^<]+)", page)[1]
    (queued,) = QueuedMail.objects.all()
    assert (queued.kind, queued.email, queued.row) == ("staff", "eve@example.org", Invitation.objects.get().pk)
    assert link.split("/")[2] not in repr(vars(queued))
