"""The errors of the API: all have one shape, and no request, however wrong, makes the server fail."""

import json
from typing import Any

import pytest
from rest_framework.test import APIClient

from clubs.models import Club
from tests.api.conftest import V1, Client
from tests.services.redis import RedisServer


def post(body: bytes, content_type: str = "application/json", path: str = "score/") -> Any:
    return APIClient(HTTP_ACCEPT_LANGUAGE="en").generic("POST", V1 + path, body, content_type=content_type)


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"\xff\xfe",
        b'{"points": NaN}',
        b"[" * 100_000,
        b'{"points": ' + b"9" * 5000 + b"}",
        b'{"contract": "\\ud800"}',
        b'{"contract": "\xed\xa0\x80"}',
        '{"contract": "garde"}'.encode("utf-16"),
    ],
    ids=["broken", "no UTF-8", "NaN", "deep", "long number", "half a pair", "half a pair in bytes", "UTF-16"],
)
def test_body_that_is_no_json_is_told(body: bytes) -> None:
    answer = post(body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "parse_error")


def test_body_larger_than_the_site_reads_is_refused(settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    assert post(b'{"contract": "garde"}' + b" " * 1000).json()["error"] == {
        "code": "parse_error",
        "field": "",
        "message": "The request is larger than 1000 bytes: send less at a time.",
        "params": {},
    }


@pytest.mark.parametrize("charset", ["utf-8", "rot13", "utf-16", "nonsense"])
def test_json_is_read_as_utf_8_whatever_the_header_says(charset: str) -> None:
    body = json.dumps({"contract": "garde", "bouts": 2, "points": 49}).encode()
    assert post(body, f"application/json; charset={charset}").json()["base_score"] == 66


def test_pair_of_surrogates_is_a_character() -> None:
    assert "🃏" in post(b'{"bouts": 2, "points": 49, "contract": "\\ud83c\\udccf"}').json()["error"]["message"]


def test_form_is_not_json() -> None:
    answer = post(b"contract=garde", "application/x-www-form-urlencoded")
    assert (answer.status_code, answer.json()["error"]["code"]) == (415, "unsupported_media_type")


@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS"])
def test_address_that_is_none_is_told_in_the_one_body(method: str) -> None:
    answer = APIClient().generic(method, f"{V1}no/such/place")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")


def test_unknown_fields_are_named_with_the_known_ones(director: Client, club: Club) -> None:
    error = director.post(f"clubs/{club.slug}/tournaments/", {"nom": "Été", "name": "Été"}, status=400)["error"]
    assert error == {
        "code": "invalid",
        "field": "nom",
        "message": "This field is unknown. The fields are: name, auction, season, federation, format.",
        "params": {},
        "fields": {"nom": ["This field is unknown. The fields are: name, auction, season, federation, format."]},
    }


def test_stranger_is_asked_who_he_is(db: None, club: Club) -> None:
    answer = APIClient().post(f"{V1}clubs/{club.slug}/tournaments/", {"name": "Été"}, format="json")
    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Token")


def test_session_cookie_needs_the_csrf_token(director: Client, club: Club) -> None:
    client = APIClient(enforce_csrf_checks=True)
    assert director.user is not None
    client.force_login(director.user, backend="allauth.account.auth_backends.AuthenticationBackend")
    path = f"{V1}clubs/{club.slug}/tournaments/"
    assert client.get(path).status_code == 200
    answer = client.post(path, {"name": "Été"}, format="json")
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "permission_denied")


def test_calculator_stays_open_where_the_cache_is_down(redis_server: RedisServer) -> None:
    redis_server.stop()
    assert post(b'{"contract": "garde", "bouts": 2, "points": 49}').json()["base_score"] == 66
