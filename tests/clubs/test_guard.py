"""Whose address is believed, and what guessing from it comes to: a name rests there, and only there."""

import datetime as dt

import pytest
from axes.models import AccessAttempt
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone
from rest_framework.request import Request

from clubs import guard
from clubs.guard import MOST_NAMES, client_address
from tests.factories import PASSWORD, make_user
from tournaments.api.base import Throttle

PROXY, HALL, ELSEWHERE = "10.0.0.1", "198.51.100.7", "203.0.113.9"


@pytest.mark.parametrize(
    ("proxies", "told", "address"),
    [
        (0, None, PROXY),
        (0, HALL, PROXY),
        (1, None, PROXY),
        (1, HALL, HALL),
        (1, f"{ELSEWHERE}, {HALL}", HALL),
        (2, f"{ELSEWHERE}, {HALL}, {PROXY}", HALL),
        (2, HALL, HALL),
        (1, "2001:db8::1", "2001:db8::1"),
        (1, "unknown", PROXY),
        (1, f"{HALL}:4711", PROXY),
    ],
)
def test_address_is_what_the_nearest_proxies_say(settings, proxies, told, address):
    settings.NUM_PROXIES = proxies
    headers = {"x-forwarded-for": told} if told else {}
    request = RequestFactory().get("/", headers=headers, REMOTE_ADDR=PROXY)
    assert client_address(request) == address
    assert Throttle().get_ident(Request(request)) == address


def log_in(name, password, address, page="login"):
    """The status of the answer: 302 to who is in, 200 to who was wrong, 429 to who has to wait."""
    client = Client(REMOTE_ADDR=PROXY, headers={"x-forwarded-for": address})
    return client.post(reverse(page), {"username": name, "password": password}).status_code


@pytest.fixture
def behind_a_proxy(db, settings):
    settings.NUM_PROXIES = 1
    make_user("directrice")


@pytest.mark.parametrize("page", ["login", "admin:login"])
def test_wrong_passwords_from_elsewhere_lock_nobody_out_of_the_hall(behind_a_proxy, page):
    answers = [log_in("directrice", "no", ELSEWHERE, page) for _time in range(11)]
    assert (answers[0], answers[-1]) == (200, 429)
    assert log_in("directrice", PASSWORD, ELSEWHERE) == 429
    assert log_in("directrice", PASSWORD, HALL) == 302


def test_address_that_tries_many_names_is_slowed_and_the_others_are_not(behind_a_proxy, monkeypatch):
    monkeypatch.setattr(guard, "PAUSE", dt.timedelta(minutes=10))
    assert [log_in(f"name{number}", "no", ELSEWHERE) for number in range(MOST_NAMES)] == [200] * MOST_NAMES
    assert log_in("another", "no", ELSEWHERE) == 429
    assert log_in("directrice", PASSWORD, ELSEWHERE) == 429
    assert log_in("directrice", PASSWORD, HALL) == 302
    # Who was refused is not counted: when the pause is over after the last try that was one, the next is.
    AccessAttempt.objects.update(attempt_time=timezone.now() - dt.timedelta(minutes=11))
    assert log_in("directrice", PASSWORD, ELSEWHERE) == 302
    assert log_in("another", "no", ELSEWHERE) == 200
    assert log_in("yet another", "no", ELSEWHERE) == 429
