"""The order in which the log-in looks an account up: confirmed address, user name, unconfirmed address."""

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse

from clubs.guard.log_in import find_account
from clubs.models import User
from tests.factories import PASSWORD, make_user

pytestmark = pytest.mark.django_db
MAIL = "zoe@club.example"


def enter_address(user, *, verified=False):
    return EmailAddress.objects.create(user=user, email=MAIL, verified=verified, primary=True)


@pytest.mark.parametrize(
    ("named", "entered", "confirmed", "found"),
    [
        ("zoé", "", "", None),
        (MAIL, "", "", MAIL),
        (MAIL, "joker", "", MAIL),  # whoever enters the address of another keeps nobody out
        (MAIL, "", "owner", "owner"),  # and whoever takes it as a user name gets nobody's log-in
        (MAIL, "joker", "owner", "owner"),
        ("zoé", "joker", "", "joker"),
        ("zoé", "joker", "owner", "owner"),
    ],
)
def test_log_in_looks_for_confirmed_address_then_name_then_address(named, entered, confirmed, found):
    make_user(named)
    for name, verified in ((entered, False), (confirmed, True)):
        if name:
            enter_address(make_user(name), verified=verified)
    told = [find_account(typed) for typed in (MAIL, MAIL.upper(), f" {MAIL} ")]
    assert {who and who.get_username() for who in told} == {found}


def test_first_active_account_with_an_unconfirmed_address_is_found():
    closed, first, second = (make_user(name) for name in ("closed", "first", "second"))
    User.objects.filter(pk=closed.pk).update(is_active=False)
    for user in (closed, second, first):
        enter_address(user)
    assert find_account(MAIL) == second


@pytest.mark.parametrize("door", ["login", "admin:login"])
def test_account_whose_name_is_an_address_logs_in_although_another_entered_it(door):
    owner, joker = make_user(MAIL), make_user("joker")
    User.objects.filter(pk=owner.pk).update(is_staff=True)
    enter_address(joker)
    joker.set_password("joker’s own")
    joker.save()
    client, status = Client(), {}
    for password in ("joker’s own", PASSWORD):
        answer = client.post(reverse(door), {"username": MAIL, "login": MAIL, "password": password})
        status[password] = answer.status_code, client.session.get("_auth_user_id")
    assert status == {"joker’s own": (200, None), PASSWORD: (302, str(owner.pk))}
