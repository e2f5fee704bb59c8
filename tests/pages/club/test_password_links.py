"""The links by which a director lets a person of the staff choose a new password: for whom, how long, until when."""

import datetime as dt

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.accounts.one_use import choose_password, find_password_link, help_with_password, make_password_link
from clubs.accounts.players import tie
from clubs.errors import AccountRefused
from clubs.guard import Count, note_tries
from clubs.guard.counting import DAY as DAY_OF_COUNTS
from clubs.guard.log_in import MOST_LOG_INS_OF_ACCOUNT_A_DAY
from clubs.models import Membership, PasswordLink, User, day_of_roles
from clubs.players import add_players
from clubs.roster import RosterLine
from tests.factories import PASSWORD, make_club, make_director, make_helper
from tests.pages.browsing import browser_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("nothing_counted")]

DAY = dt.timedelta(days=1)


def membership(club, user):
    return Membership.objects.get(club=club, user=user)


@pytest.mark.parametrize("what", ["role", "player"])
def test_director_makes_no_password_link_for_whoever_belongs_elsewhere_too(club, director, what):
    helper = make_helper(club, "aide")
    member, elsewhere = membership(club, helper), make_club("ailleurs", "Ailleurs")
    before = reverse("password_link", args=[help_with_password(club, member.pk, now=timezone.now(), by=director)])
    if what == "role":
        given = Membership.objects.create(user=helper, club=elsewhere, role="helper")
    else:
        (player,) = add_players(club=elsewhere, lines=[RosterLine("Durand", "Zoé")])
        tie(player, helper, by=helper, now=timezone.now())
    assert Client().get(before).status_code == 410
    with pytest.raises(AccountRefused) as refused:
        help_with_password(club, member.pk, now=timezone.now(), by=director)
    assert refused.value.code == "not_yours_to_help"
    page = browser_of(director).get(reverse("team", args=[club.slug])).content.decode()
    assert "plays, in a club that you do not direct" in page
    assert reverse("member_password", args=[club.slug, member.pk]) not in page
    if what == "role":  # a role that has ended opens nothing
        Membership.objects.filter(pk=given.pk).update(ends_on=day_of_roles() - DAY)
    else:
        Membership.objects.create(user=director, club=elsewhere, role="director")
    director.__dict__.pop("roles", None)
    assert help_with_password(club, member.pk, now=timezone.now(), by=director)


def refused_help(club, director, user):
    with pytest.raises(AccountRefused) as refused:
        help_with_password(club, membership(club, user).pk, now=timezone.now(), by=director)
    return refused.value.code


@pytest.mark.parametrize("field", ["is_superuser", "is_staff", "is_active"])
def test_administrators_and_closed_accounts_are_helped_by_no_director(club, director, field):
    helper = make_helper(club, "aide")
    User.objects.filter(pk=helper.pk).update(**{field: field != "is_active"})
    assert refused_help(club, director, helper) == "not_to_be_helped"
    assert refused_help(club, director, director) == "own_password"


def test_password_link_opens_what_mail_would_and_serves_once(club, director):
    helper = make_helper(club, "aide")
    there = browser_of(helper)
    User.objects.update(last_login=None)
    token = help_with_password(club, membership(club, helper).pk, now=timezone.now(), by=director)
    assert token not in str(list(PasswordLink.objects.values_list()))
    choose_password(token, "chosen anew 9", now=timezone.now())
    assert there.get(reverse("account")).status_code == 302
    assert Client().get(reverse("password_link", args=[token])).status_code == 410
    assert list(club.log.order_by("pk").values_list("action", flat=True)) == [
        "password_link_made",
        "password_link_used",
    ]


def log_in(user):
    Client().post(reverse("login"), {"username": user.username, "password": PASSWORD})


def choose_another(user):
    user.set_password("another one 7")
    user.save()


@pytest.mark.parametrize("what", [log_in, choose_another])
def test_password_link_ends_with_a_log_in_and_with_another_password(club, director, what):
    helper = make_helper(club, "aide")
    token = help_with_password(club, membership(club, helper).pk, now=timezone.now(), by=director)
    what(helper)
    with pytest.raises(AccountRefused) as refused:
        find_password_link(token, now=timezone.now())
    assert refused.value.code == "password_link_used"


def test_password_link_is_over_after_three_days_and_can_be_taken_back(club, director):
    member = membership(club, make_helper(club, "aide"))
    browser, now = browser_of(director), timezone.now()
    first = help_with_password(club, member.pk, now=now, by=director)
    second = help_with_password(club, member.pk, now=now, by=director)
    found = find_password_link(second, now=now + dt.timedelta(hours=71))
    assert found.user == member.user
    with pytest.raises(AccountRefused, match="expired"):
        find_password_link(second, now=now + 3 * DAY)
    assert Client().get(reverse("password_link", args=[first])).status_code == 410
    revoke = reverse("member_password_revoke", args=[club.slug, member.pk])
    assert revoke in browser.get(reverse("team", args=[club.slug])).content.decode()
    browser.post(revoke)
    browser.post(revoke)
    assert Client().get(reverse("password_link", args=[second])).status_code == 410
    assert revoke not in browser.get(reverse("team", args=[club.slug])).content.decode()
    assert club.log.filter(action="password_link_revoked").count() == 1


def test_link_of_the_server_helps_everybody_who_may_log_in(club, director):
    Membership.objects.create(user=director, club=make_club("ailleurs", "Ailleurs"), role="director")
    link = reverse("password_link", args=[make_password_link(director, now=timezone.now())])
    assert Client().get(link).status_code == 200
    User.objects.filter(pk=director.pk).update(is_active=False)
    assert Client().get(link).status_code == 410
    assert Client().get(reverse("password_link", args=["nothing"])).status_code == 404


@pytest.mark.parametrize(("role", "days"), [("director", None), ("director", 9), ("helper", None)])
def test_director_makes_no_password_link_for_whoever_has_a_role_for_longer(club, director, role, days):
    """Check a director whose role ends in some days, and who could go on with the account of another person."""
    until = None if days is None else day_of_roles() + days * DAY
    other = make_director(club, "autre") if role == "director" else make_helper(club, "aide")
    Membership.objects.filter(user=other).update(ends_on=until)
    before = help_with_password(club, membership(club, other).pk, now=timezone.now(), by=director)
    Membership.objects.filter(user=director).update(ends_on=day_of_roles() + 5 * DAY)
    assert refused_help(club, director, other) == "longer_than_yours_to_help"
    assert Client().get(reverse("password_link", args=[before])).status_code == 410
    page = browser_of(director).get(reverse("team", args=[club.slug])).content.decode()
    assert "has a role that lasts longer than yours" in page
    assert reverse("member_password", args=[club.slug, membership(club, other).pk]) not in page
    Membership.objects.filter(user=other).update(ends_on=day_of_roles() + 5 * DAY)
    assert help_with_password(club, membership(club, other).pk, now=timezone.now(), by=director)


@pytest.mark.nightly("story")
def test_whoever_chose_a_password_by_a_link_is_kept_out_by_no_wrong_ones_of_others(club, director):
    helper, chosen = make_helper(club, "aide"), "chosen anew 9"
    token = help_with_password(club, membership(club, helper).pk, now=timezone.now(), by=director)
    note_tries([Count("log_in", f"account {helper.pk}", 0, DAY_OF_COUNTS)] * MOST_LOG_INS_OF_ACCOUNT_A_DAY)
    device = Client()
    device.post(reverse("password_link", args=[token]), {"password": chosen})
    told = {"username": "aide", "password": chosen}
    assert [client.post(reverse("login"), told).status_code for client in (Client(), device)] == [429, 302]
