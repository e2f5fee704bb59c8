"""The logs of the site: they never contain the code of a table, because readers of logs may not enter results."""

import io
import logging
import logging.config

from django.conf import settings

from config.logs import HideCodes, hide_codes
from tests.tournaments.web.table.test_screen import visit

CODE = "MRuyRB_NfNWSHM7fdep6lJ1NK14tNv4r9cpOFbR0i7o"


def test_code_is_left_out_of_an_address_and_nothing_else():
    assert hide_codes(f"GET /t/{CODE}/state/?device=a HTTP/1.1") == "GET /t/…/state/?device=a HTTP/1.1"
    for door in ("r", "p", "invitation", "player", "player/confirm", "password/choose", "password/link"):
        assert hide_codes(f"GET /{door}/{CODE}/ HTTP/1.1") == f"GET /{door}/…/ HTTP/1.1"
    kept = "GET /clubs/les-as/t/ /t/sw.js /static/table/app.js"
    assert hide_codes(kept) == kept


def test_every_handler_of_the_site_writes_without_codes():
    formatters = {settings.LOGGING["handlers"][name]["formatter"] for name in settings.LOGGING["handlers"]}
    assert {settings.LOGGING["formatters"][name]["()"] for name in formatters} == {"config.logs.HideCodes"}
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
