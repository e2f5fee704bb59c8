"""A hall behind one address on a real site: thirty people register at once, some slip, and a joker tries every door."""

import http.cookiejar
import json
import os
import re
import shutil
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.utils import timezone

from clubs.guard.counting import MOST_PASSWORDS_AT_REGISTRATION
from pages.doors import session_url
from registration.people.registration import set_registration
from tests.factories import PASSWORD, draft_session, make_director
from tests.services.site import Site
from tests.services.worker import PROJECT

pytestmark = pytest.mark.nightly("process")

PEOPLE = 30
SLIPS = MOST_PASSWORDS_AT_REGISTRATION - 2  # one in ten people; the joker adds a wrong password too


def write_evening():
    """Make a session whose registration asks for a password, and print its address with that password."""
    session = draft_session()
    director = make_director(session.tournament.club)
    registration = set_registration(
        accepts_at_once=True, session_id=session.pk, by=director, now=timezone.now(), way="password"
    )
    sys.stdout.write(json.dumps([session_url("sign_up", session), registration.code]))


class Browser:
    """A browser with its own cookies."""

    def __init__(self, site):
        self.site, self.cookies = site, http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))

    def ask(self, path, fields=None):
        data = urllib.parse.urlencode(fields).encode() if fields else None
        try:
            with self.opener.open(urllib.request.Request(self.site.address(path), data), timeout=120) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def send(self, path, **fields):
        """Open the form and send it with its CSRF token. Return the status of the page that follows."""
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', self.ask(path)[1])[1]
        return self.ask(path, fields | {"csrfmiddlewaretoken": token})[0]


def test_whole_hall_registers_at_once_beside_a_joker(tmp_path, migrated_laptop):
    shutil.copy(migrated_laptop, tmp_path / "db.sqlite3")
    told = {"MODE": "laptop", "DATABASE_URL": f"sqlite:///{tmp_path / 'db.sqlite3'}"}
    program = "import django; django.setup(); from tests.faults import test_hall_at_one_address as t; t.write_evening()"
    environment = os.environ | told | {"DJANGO_SETTINGS_MODULE": "config.settings", "REDIS_URL": ""}
    made = subprocess.run([sys.executable, "-c", program], cwd=PROJECT, env=environment, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    address, code = json.loads(made.stdout)
    site = Site("python manage.py serve", tmp_path, **told)

    def register(number):
        browser = Browser(site)
        who = {"last_name": f"Nom{number:02}", "once": f"{number:032}"}
        if number < SLIPS:
            assert browser.send(address, **who, password="AAAAAA") == 409
        return browser.send(address, **who, password=code)

    def joke(_number):
        joker = Browser(site)
        return [
            joker.send(address, last_name="Joker", password="CCCCCC"),
            joker.send("/login/", username="joker", password="no"),
            joker.send("/t/", number="ACDE FGHJ KMNP"),
        ]

    try:
        with ThreadPoolExecutor(8) as hall:
            joker = hall.submit(joke, 0)
            answers = list(hall.map(register, range(PEOPLE)))
            assert joker.result() == [409, 200, 404]
            assert hall.submit(Browser(site).send, "/login/", username="directrice", password=PASSWORD).result() == 200
        page = Browser(site).ask(address)[1]
    finally:
        site.child.stop()
    assert answers == [200] * PEOPLE
    assert re.search(rf"\b{PEOPLE}\b", re.sub("<[^>]*>", " ", page))
