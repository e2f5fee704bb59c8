"""The guard against guessing: which network address counts, who has to wait, for how long, and who never has to."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.test import Client, RequestFactory
from django.urls import reverse
from redis import ConnectionError as RedisConnectionError
from rest_framework.request import Request

from api.base import Throttle
from clubs.guard import Count, client_address, counted_address, find_full, has_tries, note_failed, note_tries
from clubs.guard import devices as device_cookies
from clubs.guard.counting import DAY
from clubs.guard.log_in import (
    MOST_LOG_INS_OF_ACCOUNT_A_DAY,
    MOST_LOG_INS_OF_ACCOUNT_THERE,
    MOST_LOG_INS_OF_ACCOUNT_THERE_A_DAY,
    MOST_LOG_INS_OF_ADDRESS,
    MOST_LOG_INS_OF_DEVICE,
    MOST_LOG_INS_OF_DEVICE_A_DAY,
    fold,
)
from clubs.models import LogInTry
from tests.factories import PASSWORD, make_user

PROXY, HALL, ELSEWHERE = "10.0.0.1", "198.51.100.7", "203.0.113.9"


@pytest.mark.parametrize(
    ("proxies", "told", "address", "counted"),
    [
        (0, None, PROXY, PROXY),
        (0, HALL, PROXY, PROXY),
        (1, None, PROXY, PROXY),
        (1, HALL, HALL, HALL),
        (1, f"{ELSEWHERE}, {HALL}", HALL, HALL),
        (2, f"{ELSEWHERE}, {HALL}, {PROXY}", HALL, HALL),
        (2, HALL, HALL, HALL),
        (1, "2001:db8::1", "2001:db8::1", "2001:db8::"),
        (1, "2001:db8:0:7:8::1", "2001:db8:0:7:8::1", "2001:db8:0:7::"),
        (1, f"::ffff:{HALL}", f"::ffff:{HALL}", HALL),
        (1, "unknown", PROXY, PROXY),
        (1, f"{HALL}:4711", PROXY, PROXY),
    ],
)
def test_address_is_what_the_nearest_proxies_say_and_counts_as_its_line(settings, proxies, told, address, counted):
    settings.NUM_PROXIES = proxies
    headers = {"x-forwarded-for": told} if told else {}
    request = RequestFactory().get("/", headers=headers, REMOTE_ADDR=PROXY)
    # The standard library writes a mapped address in hexadecimal from Python 3.13 on.
    assert client_address(request).replace("c633:6407", HALL) == address
    assert counted_address(request) == counted
    assert Throttle().get_ident(Request(request)) == counted


def log_in(name, password, address=HALL, page="login", client=None):
    """Return the status of the answer: 302 after a log-in, 200 for a wrong password, 429 for having to wait."""
    client = client or Client()
    told = {"username": name, "password": password}
    return client.post(reverse(page), told, REMOTE_ADDR=PROXY, headers={"x-forwarded-for": address}).status_code


def ask_for_token(name, password, address=HALL):
    told = {"username": name, "password": password}
    headers = {"x-forwarded-for": address}
    return Client().post("/api/v1/token/", told, content_type="application/json", REMOTE_ADDR=PROXY, headers=headers)


@pytest.fixture
def director(db, settings):
    settings.NUM_PROXIES = 1
    user = make_user("directrice")
    user.email = "directrice@example.org"
    user.save()
    return user


@pytest.mark.parametrize("page", ["login", "admin:login"])
def test_wrong_passwords_from_elsewhere_lock_nobody_out_of_the_hall(director, page):
    answers = [log_in("directrice", "no", ELSEWHERE, page) for _time in range(MOST_LOG_INS_OF_ACCOUNT_THERE + 1)]
    assert answers == [200] * MOST_LOG_INS_OF_ACCOUNT_THERE + [429]
    assert log_in("directrice", PASSWORD, ELSEWHERE) == 429
    assert log_in("directrice", PASSWORD, HALL) == 302


def test_whoever_waited_ten_seconds_is_let_in(director, clock):
    assert [log_in("directrice", "no") for _time in range(3)] == [200, 200, 429]
    clock.now += 9.9
    assert log_in("directrice", PASSWORD) == 429
    clock.now += 0.1
    assert log_in("directrice", PASSWORD) == 302


def test_clock_that_falls_back_an_hour_keeps_nobody_out(director, clock):
    assert [log_in("directrice", "no") for _time in range(3)] == [200, 200, 429]
    clock.now -= 3_600
    assert log_in("directrice", PASSWORD) == 302


def test_account_is_one_however_it_is_spelled_and_at_whichever_door(director):
    spelled = ["directrice", "DIRECTRICE", "directrice@example.org", " Directrice@Example.org"]
    assert log_in(spelled[0], "no") == 200
    assert ask_for_token(spelled[2], "no").status_code == 401
    assert [log_in(name, PASSWORD) for name in spelled] == [429] * 4
    answer = ask_for_token(spelled[1], PASSWORD)
    assert (answer.status_code, answer.json()["error"]["code"], answer["Retry-After"]) == (429, "locked_out", "10")
    assert set(LogInTry.objects.values_list("name", flat=True)) == {"directrice"}


def test_addresses_of_one_line_are_one(director):
    wrong = [log_in("directrice", "no", f"2001:db8:0:1::{number}") for number in range(1, 4)]
    assert wrong == [200, 200, 429]
    assert log_in("directrice", PASSWORD, "2001:db8:0:1:ffff::1") == 429
    assert log_in("directrice", PASSWORD, "2001:db8:0:2::1") == 302
    assert set(LogInTry.objects.filter(succeeded=False).values_list("address", flat=True)) == {"2001:db8:0:1::"}


def test_address_that_tries_many_names_waits_and_the_others_do_not(director):
    assert [log_in(f"name{number}", "no", ELSEWHERE) for number in range(MOST_LOG_INS_OF_ADDRESS)] == [
        200
    ] * MOST_LOG_INS_OF_ADDRESS
    assert log_in("another", "no", ELSEWHERE) == 429
    assert log_in("directrice", PASSWORD, ELSEWHERE) == 429
    assert log_in("directrice", PASSWORD, HALL) == 302


@pytest.mark.nightly("story")
def test_right_passwords_are_not_counted(director):
    assert {log_in("directrice", PASSWORD) for _time in range(12)} == {302}
    assert {ask_for_token("directrice", PASSWORD).status_code for _time in range(12)} == {200}


def wrong_all_day(clock, tries, address, client=None):
    """Return the statuses of `tries` wrong passwords, two every ten seconds."""
    answers = []
    for number in range(tries):
        clock.now += 10 * (number % 2)
        answers.append(log_in("directrice", "no", address(number), client=client))
    return answers


@pytest.mark.nightly("story")
def test_address_that_guesses_at_an_account_all_day_ends(director, clock):
    answers = wrong_all_day(clock, MOST_LOG_INS_OF_ACCOUNT_THERE_A_DAY + 2, lambda _number: ELSEWHERE)
    assert answers == [200] * MOST_LOG_INS_OF_ACCOUNT_THERE_A_DAY + [429] * 2
    clock.now += 10
    assert log_in("directrice", PASSWORD, ELSEWHERE) == 429
    assert log_in("directrice", PASSWORD, HALL) == 302
    clock.now += DAY
    assert log_in("directrice", PASSWORD, ELSEWHERE) == 302


def test_thousand_wrong_ones_from_everywhere_leave_the_account_to_known_devices(director, clock):
    known = Client()
    assert log_in("directrice", PASSWORD, client=known) == 302
    known.post(reverse("account_logout"))
    note_tries([Count("log_in", f"account {director.pk}", 0, DAY)] * (MOST_LOG_INS_OF_ACCOUNT_A_DAY - 1))
    assert [log_in("directrice", password, ELSEWHERE) for password in ("no", PASSWORD)] == [200, 429]
    page = Client(headers={"accept-language": "en"}).post(
        reverse("login"), {"username": "directrice", "password": PASSWORD}
    )
    assert (page.status_code, "for this account today" in page.content.decode()) == (429, True)
    assert int(page["Retry-After"]) > 80_000
    assert log_in("directrice", PASSWORD, client=known) == 302


def test_device_that_is_known_has_its_own_count(director, clock):
    known = Client()
    assert log_in("directrice", PASSWORD, client=known) == 302
    known.post(reverse("account_logout"))
    assert log_in("directrice", "no") == log_in("directrice", "no") == 200
    assert log_in("directrice", PASSWORD) == 429
    assert [log_in("directrice", "no", client=known) for _time in range(MOST_LOG_INS_OF_DEVICE + 1)] == [200] * 5 + [
        429
    ]
    clock.now += 10
    assert log_in("directrice", PASSWORD, client=known) == 302


@pytest.mark.nightly("story")
def test_device_that_is_known_ends_its_day_after_a_hundred(director, clock):
    known = Client()
    log_in("directrice", PASSWORD, client=known)
    known.post(reverse("account_logout"))
    answers = wrong_all_day(clock, MOST_LOG_INS_OF_DEVICE_A_DAY + 1, lambda _number: HALL, known)
    assert answers == [200] * MOST_LOG_INS_OF_DEVICE_A_DAY + [429]
    assert log_in("directrice", PASSWORD) == 302  # another device is let in


def test_cookie_of_one_account_is_of_no_use_for_another(director):
    make_user("joker")
    client = Client()
    assert log_in("joker", PASSWORD, client=client) == 302
    client.post(reverse("account_logout"))
    assert [log_in("directrice", "no", client=client) for _time in range(3)] == [200, 200, 429]


def test_forged_cookie_makes_no_device_known(director):
    client = Client()
    client.cookies["device"] = "eyJh:forged"
    assert [log_in("directrice", "no", client=client) for _time in range(3)] == [200, 200, 429]


def test_logging_out_everywhere_makes_the_other_devices_strangers(director):
    here, there = Client(), Client()
    assert log_in("directrice", PASSWORD, client=here) == log_in("directrice", PASSWORD, client=there) == 302
    here.post(reverse("account_log_out_everywhere"))
    here.post(reverse("account_logout"))
    assert log_in("directrice", "no") == log_in("directrice", "no") == 200
    assert log_in("directrice", PASSWORD, client=there) == 429
    assert log_in("directrice", PASSWORD, client=here) == 302


def test_device_knows_the_last_twenty_accounts(db):
    request = RequestFactory().get("/")
    users = [make_user(f"user{number}") for number in range(22)]
    for user in users:
        device_cookies.know_account(request, user)
    device = device_cookies.device_of(device_cookies.read_device(request).to_cookie())
    assert [device.knows(user) for user in users] == [False] * 2 + [True] * 20
    assert len(device.to_cookie()) < 600


def test_cookie_is_for_the_site_alone(director, settings):
    settings.HTTPS = True
    client = Client()
    log_in("directrice", PASSWORD, client=client)
    cookie = client.cookies["device"]
    assert (cookie["httponly"], cookie["secure"], cookie["samesite"], cookie["max-age"]) == (
        True, True, "Lax", 365 * 86_400,
    )  # fmt: skip
    assert "directrice" not in cookie.value


def test_form_says_that_one_waits_and_keeps_the_name(director):
    client = Client(headers={"accept-language": "en"})
    told = {"username": "directrice", "password": "no"}
    for _time in range(2):
        client.post(reverse("login"), told)
    page = client.post(reverse("login"), told | {"password": PASSWORD})
    assert (page.status_code, page["Retry-After"]) == (429, "10")
    assert "wait ten seconds" in page.content.decode()
    assert 'value="directrice"' in page.content.decode()


@pytest.mark.parametrize("broken", ["get_many", "add"])
def test_without_a_cache_every_door_is_open(director, monkeypatch, broken):
    def fail(*_arguments, **_more):
        raise RedisConnectionError

    monkeypatch.setattr(type(cache._connections[cache._alias]), broken, fail)
    assert {log_in("directrice", "no") for _time in range(7)} == {200}
    assert log_in("directrice", PASSWORD) == 302
    assert ask_for_token("directrice", PASSWORD).status_code == 200


def test_windows_count_by_themselves(rf, clock):
    request = rf.get("/")
    request.user = AnonymousUser()
    for _time in range(3):
        note_failed("search", request)
    assert (has_tries("search", request, most=4), has_tries("search", request, most=3)) == (True, False)
    short, day = Count("x", "me", 1), Count("x", "me", 2, DAY)
    note_tries([short, day])
    assert find_full([short, day]) == short
    clock.now += 13
    assert find_full([short, day]) is None
    note_tries([short, day])
    assert find_full([short, day]) == day  # the window that stays full the longest
    assert day.seconds_left() == DAY - 13


def test_names_fold_alike():
    assert fold("  ÉVA ") == fold("éva") == fold("E\u0301va") == "éva"
