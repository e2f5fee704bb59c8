"""The logs of the site: they never contain the code of a table, because readers of logs may not enter results."""

import io
import json
import logging
import logging.config

import pytest
from django.conf import settings
from django.test import Client

from config.logs import HideCodes, JsonLines, configure_logs, hide_codes, request_id
from tests.tournaments.web.table.test_screen import visit

CODE = "MRuyRB_NfNWSHM7fdep6lJ1NK14tNv4r9cpOFbR0i7o"


def test_code_is_left_out_of_an_address_and_nothing_else():
    assert hide_codes(f"GET /t/{CODE}/state/?device=a HTTP/1.1") == "GET /t/…/state/?device=a HTTP/1.1"
    for door in ("r", "p", "invitation", "player", "player/confirm", "password/choose", "password/link"):
        assert hide_codes(f"GET /{door}/{CODE}/ HTTP/1.1") == f"GET /{door}/…/ HTTP/1.1"
    kept = "GET /clubs/les-as/t/ /t/sw.js /static/table/app.js"
    assert hide_codes(kept) == kept


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
