"""The addresses beside the table of `test_access`: a user's own account, addresses of things that do not exist."""

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Club, User
from tests.other_doors import OWN
from tests.test_access import PAGES, ROLES, outcome, visit, world  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("crawl")]


@pytest.mark.parametrize("role", ROLES)
def test_own_account_opens_to_who_is_logged_in(world, role):  # noqa: F811
    answers = {}
    for name, method in OWN.items():
        client = Client()
        if role != "anonymous":
            client.force_login(User.objects.get(username=role))
        answers[name] = client.generic(method, reverse(name))
        assert list(answers[name])  # reading to the end closes a file
    closed = {name for name, answer in answers.items() if outcome(answer) == "login"}
    assert closed == (set(OWN) if role == "anonymous" else set())
    assert role == "anonymous" or {answer.status_code for answer in answers.values()} <= {200, 302, 404}


def test_what_is_in_no_club_is_not_found(world):  # noqa: F811
    world = world | {"club": Club(slug="nulle-part")}
    named = [name for name, (_, _, where) in PAGES.items() if where and not where.startswith(("person", "handbook"))]
    assert {name: visit(world, name, "director").status_code for name in named} == dict.fromkeys(named, 404)
