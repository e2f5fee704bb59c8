"""The token of an account: it is given for a user name and a password, and opens what its owner may do."""

import datetime as dt
import time

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core import signing
from django.utils import timezone
from rest_framework.test import APIClient

from clubs.models import Club, User
from tests.api.conftest import V1, Client
from tests.factories import PASSWORD, make_director


@pytest.fixture
def credentials(club: Club) -> dict[str, str]:
    return {"username": make_director(club).username, "password": PASSWORD}


def test_token_opens_what_its_owner_may(stranger: Client, credentials: dict[str, str], club: Club) -> None:
    token = stranger.post("token/", credentials)["token"]
    answer = APIClient(HTTP_AUTHORIZATION=f"Token {token}").post(
        f"{V1}clubs/{club.slug}/tournaments/", {"name": "Du jeudi"}, format="json"
    )
    assert answer.status_code == 201


def opens(token: str) -> int:
    return APIClient(HTTP_AUTHORIZATION=f"Token {token}").get(f"{V1}clubs/").status_code


def test_token_ends_with_the_password_it_was_got_for(stranger: Client, credentials: dict[str, str]) -> None:
    token = stranger.post("token/", credentials)["token"]
    assert opens(token) == 200
    user = User.objects.get(username=credentials["username"])
    user.set_password("another passphrase for tests")
    user.save()
    assert opens(token) == 401


def test_token_ends_with_its_account_and_after_ninety_days(
    stranger: Client, credentials: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = stranger.post("token/", credentials)
    left = dt.datetime.fromisoformat(answer["expires_at"]) - timezone.now()
    assert dt.timedelta(days=89) < left <= dt.timedelta(days=90)
    now = time.time()
    for days, status in ((89, 200), (91, 401)):
        monkeypatch.setattr(signing.time, "time", lambda days=days: now + days * 86_400)
        assert opens(answer["token"]) == status
    monkeypatch.undo()
    User.objects.update(is_active=False)
    assert opens(answer["token"]) == 401


def test_wrong_password_and_unknown_name_are_told_alike(stranger: Client, credentials: dict[str, str]) -> None:
    wrong = stranger.post("token/", credentials | {"password": "no"}, status=401)
    assert stranger.post("token/", credentials | {"username": "nobody"}, status=401) == wrong
    assert wrong["error"]["code"] == "authentication_failed"


def test_account_that_is_closed_gets_no_token(stranger: Client, credentials: dict[str, str], club: Club) -> None:
    club.memberships.get().user.__class__.objects.update(is_active=False)
    assert stranger.refused("POST", "token/", credentials, status=401) == "authentication_failed"


def test_wrong_token_is_refused_even_at_an_open_door(db: None) -> None:
    answer = APIClient(HTTP_AUTHORIZATION="Token 0123").get(f"{V1}clubs/")
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, "authentication_failed")
    assert answer["WWW-Authenticate"] == "Token"


def test_guessing_locks_the_account_out_with_the_right_password_too(
    stranger: Client, credentials: dict[str, str]
) -> None:
    for _time in range(2):
        stranger.post("token/", credentials | {"password": "no"}, status=401)
    assert stranger.refused("POST", "token/", credentials | {"password": "no"}, status=429) == "locked_out"
    assert stranger.refused("POST", "token/", credentials, status=429) == "locked_out"


def test_right_passwords_are_not_counted(stranger: Client, credentials: dict[str, str]) -> None:
    """Check a program that asks for a token at each request, and thirty programs behind one network address."""
    for _time in range(30):
        stranger.post("token/", credentials)


def test_wrong_codes_of_the_second_step_count_as_wrong_passwords(stranger: Client, credentials: dict[str, str]) -> None:
    TOTP.activate(User.objects.get(username=credentials["username"]), generate_totp_secret())
    # it asks for the code, and is no wrong guess
    assert stranger.refused("POST", "token/", credentials, status=401) == "second_step"
    for code in ("000000", "000001"):
        stranger.refused("POST", "token/", credentials | {"code": code}, status=401)
    assert stranger.refused("POST", "token/", credentials | {"code": "000002"}, status=429) == "locked_out"
