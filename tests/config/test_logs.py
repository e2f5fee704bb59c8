"""The logs of the site: they never contain the code of a table, because readers of logs may not enter results."""

import io
import json
import logging
import logging.config
import re
from urllib.parse import quote, unquote

import pytest
from django.conf import settings
from django.test import Client
from django.urls import get_resolver

from config.logs import PART, HideCodes, JsonLines, SecretsOfAddresses, configure_logs, hide_codes, request_id
from config.urls import list_routes
from tests.pages.table.test_screen import visit

CODE = "MRuyRB_NfNWSHM7fdep6lJ1NK14tNv4r9cpOFbR0i7o"


# The addresses in which a part is text, and no secret. These are formats of files, digests that everybody sees, and
# whatever is no address of the API.
TEXTS = {
    "clubs/<slug:club>/etuis/<number:pk>/export.<str:fmt>",
    r"^verify/(?P<commitment>[0-9a-f]{64})/$",
    r"^verify/(?P<commitment>[0-9a-f]{64})/etuis\.txt$",
    "api/v1/<path:rest>",
}
IS_TEXT = re.compile(r"<(?:str:|path:)?[a-z_0-9]+>|\(")  # a part without a converter is text, and so is an expression
OTHER = {"number": "12", "slug": "les-as", "base36": "2a", "str": "pbn"}


def routes():
    return [route for route in list_routes(get_resolver().url_patterns) if not route.startswith("admin/")]


def test_text_in_an_address_is_a_secret_or_on_the_short_list():
    assert {route for route in routes() if IS_TEXT.search(route)} == TEXTS


def test_secret_of_every_address_is_left_out_of_lines():
    """Fill each address in, as it is and within another one, and look for the secret."""
    secret_routes = [route for route in routes() if "<secret:" in route]
    assert len(secret_routes) > 30
    for route in secret_routes:
        for secret in (CODE, CODE[:12], f"{CODE}:1vXyZ0:{CODE}", "MzA:1vXyZ0:a.b~c"):
            told = PART.sub(lambda part, secret=secret: secret if part[1] == "secret" else OTHER[part[1]], route)
            for line in (f"GET /{told}?device=a HTTP/1.1", f"https://site.example/{told}", f"?next={quote(told, '')}"):
                line = line.replace("?next=", "?next=%2F")
                assert secret not in unquote(hide_codes(line)), line


def test_code_is_left_out_of_an_address_and_nothing_else():
    assert hide_codes(f"GET /t/{CODE}/state/?device=a HTTP/1.1") == "GET /t/…/state/?device=a HTTP/1.1"
    for door in ("r", "p", "invitation", "player", "player/confirm", "password/link", "rooms/with", "rooms/account"):
        assert hide_codes(f"GET /{door}/{CODE}/ HTTP/1.1") == f"GET /{door}/…/ HTTP/1.1"
    assert hide_codes(f"to /password/choose/2a-dj0-{CODE}/") == "to /password/choose/2a-…/"
    kept = "GET /clubs/les-as/t/ /t/sw.js /static/table/app.js /clubs/t/tournaments/p/3/hall/ /rooms/account/"
    assert hide_codes(kept) == kept


def test_process_that_knows_no_address_yet_logs_its_lines(monkeypatch):
    """Check this because a worker logs before it has read the site's addresses."""
    monkeypatch.setattr(SecretsOfAddresses, "pattern", SecretsOfAddresses.NOTHING)
    assert hide_codes(f"Task sweep received: topage_{CODE * 3}") == "Task sweep received: topage_…"


def test_every_handler_of_the_site_writes_without_codes():
    told = {name: configure_logs("INFO", name, fault_mails=False) for name in ("text", "json")}
    classes = {each["formatters"][each["handlers"]["stderr"]["formatter"]]["()"] for each in told.values()}
    assert classes == {"config.logs.HideCodes", "config.logs.JsonLines"}
    assert {frozenset(each["handlers"]) for each in told.values()} == {frozenset({"stderr"})}
    of_tests = told["text"] | {"root": {"handlers": ["stderr"], "level": "WARNING"}}
    assert of_tests == settings.LOGGING
    assert settings.LOGGING["loggers"]["django.server"]["handlers"] == ["stderr"]


def test_refusal_of_a_code_is_logged_without_it(db):
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(HideCodes("{levelname} {message}", style="{"))
    logger = logging.getLogger("django.request")
    logger.addHandler(handler)
    try:
        assert visit("table_screen", CODE).status_code == 404
        logger.error("failed", exc_info=ValueError(f"/t/{CODE}/send/"))
    finally:
        logger.removeHandler(handler)
    assert "Not Found: /t/…/" in stream.getvalue()
    assert CODE not in stream.getvalue()


def test_values_of_a_refused_row_and_addresses_are_left_out():
    told = "IntegrityError: duplicate key\nDETAIL:  Key (name)=(Zoé) already exists.\nto <zoe@example.org>: refused"
    assert hide_codes(told) == "IntegrityError: duplicate key\nDETAIL: …\nto <…@…>: refused"


def test_line_of_json_has_its_request_and_no_code_and_nothing_that_libraries_add():
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    logger = logging.Logger("site")
    logger.addHandler(handler)
    request_id.set("0123456789abcdef")
    try:
        raise ValueError(f"/p/{CODE}/")
    except ValueError:
        logger.exception("failed at /t/%s/", CODE, extra={"request": CODE})
    told = json.loads(stream.getvalue())
    assert "ValueError: /p/…/" in told.pop("trace")
    assert told.pop("time")
    assert told == {
        "level": "ERROR",
        "logger": "site",
        "request_id": "0123456789abcdef",
        "message": "failed at /t/…/",
    }


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("0123456789abcdef", True),
        ("6f0e9c1a-54c1-4d5e-9f5a-0d9f5c1b2a3c", True),
        ("", False),
        ("0123", False),
        ("a" * 41, False),
        ("Zenobie-Pralinova", False),
        ("0123456789abcdef\nERROR", False),
    ],
)
def test_id_of_a_request_is_accepted_only_if_well_formed(given, kept, db):
    answer = Client(headers={"x-request-id": given}).get("/health/live")
    assert answer.get("X-Request-ID") == (given if kept else None)
    assert (request_id.get() == given) == kept
    assert len(request_id.get()) >= 16
