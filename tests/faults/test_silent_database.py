"""The site after its database was silent: it answers again, whichever kind of request met the silence first."""

import pytest
from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.db import connection
from django.test import Client

from api.tokens import make_api_token
from tests.evenings.tables.phones import command, tokens_of
from tests.factories import PASSWORD, make_director, make_tournament, started_session
from tests.services.site import KEEPING
from tests.services.waiting import wait_until
from tournaments.models import TableToken

pytestmark = pytest.mark.nightly("process")

SECONDS = 5  # after the database goes on


class Evening:
    """A session under way, and what its requests need."""

    def __init__(self):
        tournament = make_tournament()
        director = make_director(tournament.club)  # without an account the site would ask for its first club
        # The hash of the site. The tests use a faster one.
        director.password = PBKDF2PasswordHasher().encode(PASSWORD, "s" * 22)
        director.save()
        self.names = {"username": director.username, "password": PASSWORD}
        tokens_of(started_session(tournament))
        self.table = f"/t/{TableToken.objects.first().token}/"
        client = Client()
        client.force_login(director)
        self.cookie = {"Cookie": f"sessionid={client.cookies['sessionid'].value}"}
        self.token = {"Authorization": f"Token {make_api_token(director)}"}
        self.desk = f"/clubs/{tournament.club.slug}/tournaments/{tournament.slug}/1/"


KINDS = {
    "page": lambda evening, site: site.get("/"),
    "page of a session": lambda evening, site: site.get(evening.desk),
    "page, logged in": lambda evening, site: site.get("/account/", **evening.cookie),
    "desk, logged in": lambda evening, site: site.get(evening.desk, **evening.cookie),
    "administration, logged in": lambda evening, site: site.get("/admin/", **evening.cookie),
    "file": lambda evening, site: site.get("/sitemap.xml"),
    "log-in": lambda evening, site: site.send_form("/login/", evening.names),
    "API": lambda evening, site: site.get("/api/v1/clubs/"),
    "API, logged in": lambda evening, site: site.get("/api/v1/clubs/", **evening.cookie),
    "API, by a token": lambda evening, site: site.get("/api/v1/clubs/", **evening.token),
    "API, a token asked for": lambda evening, site: site.send("/api/v1/token/", evening.names),
    "table": lambda evening, site: site.get(f"{evening.table}state/?device=telephone"),
    "table, sending": lambda evening, site: site.send(
        f"{evening.table}send/", {"device": "telephone", "commands": [command("call")]}
    ),
    "table, logged in": lambda evening, site: site.get(f"{evening.table}state/?device=telephone", **evening.cookie),
}


@pytest.mark.parametrize("kind", KINDS)
def test_site_answers_again_after_a_silent_database(transactional_db, serve, postgres_server, redis_server, kind):
    evening = Evening()
    url = postgres_server.url(connection.settings_dict["NAME"])
    site = serve(DATABASE_URL=url, REDIS_URL=redis_server.url, SECRET_KEY=settings.SECRET_KEY, **KEEPING)

    def answers(name):
        return KINDS[name](evening, site)[0]

    for _time in range(8):  # every thread of the lane has an open connection
        wait_until(lambda: answers(kind) == 200, what=kind)
    postgres_server.freeze()
    try:
        assert answers(kind) == 503
    finally:
        postgres_server.thaw()
    for name in KINDS:
        wait_until(lambda name=name: answers(name) in (200, 302), SECONDS, name)
