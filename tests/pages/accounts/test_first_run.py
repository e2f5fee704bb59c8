"""The first run of an empty site: it asks for its first club, once, and all other pages wait for that."""

import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse

from clubs.accounts import founding
from clubs.errors import AccountRefused
from clubs.models import Club, User
from tests.factories import PASSWORD, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.new_site]

FIELDS = {"club": "Tarot de Sète", "name": "Zoé de La Tour", "email": "Zoe@example.org", "password": PASSWORD}
BEGINNING = founding.SiteSetup("Tarot de Sète", "Zoé de La Tour", "zoe@example.org", PASSWORD)


def printed(capsys):
    """Return the key that the command prints."""
    call_command("first_run")
    return re.search(r"Key: (\S+)", capsys.readouterr().out)[1]


@pytest.mark.parametrize("path", ["/", "/login/", "/admin/", "/rules/", "/clubs/club/", "/nowhere/", "/account/"])
def test_every_page_of_an_empty_site_leads_to_the_first(path):
    assert Client().get(path).headers["Location"] == reverse("first_run")


def test_programs_and_tables_are_told_to_wait():
    api = Client().get("/api/v1/clubs/")
    assert (api.status_code, api.json()["error"]["code"], api["Retry-After"]) == (503, "site_not_set_up", "60")
    assert Client().post("/api/v1/token/", {}, content_type="application/json").json()["error"]["message"]
    sent = Client().post(f"/t/{'a' * 43}/send/", {}, content_type="application/json")
    assert (sent.status_code, sent["Content-Type"]) == (503, "application/json")
    table, posted = Client().get(f"/t/{'a' * 43}/"), Client().post("/login/", {})
    assert [(page.status_code, reverse("first_run") in page.content.decode()) for page in (table, posted)] == [
        (503, True)
    ] * 2


@pytest.mark.nightly("story")
def test_four_fields_make_the_club_and_let_its_director_in():
    client = Client()
    page = client.get(reverse("first_run"))
    assert list(page.context["form"].fields) == ["club", "name", "email", "password"]
    assert client.post(reverse("first_run"), FIELDS)["Location"] == reverse("players", args=["tarot-de-sete"])
    user = User.objects.get()
    assert (user.username, user.email, user.get_full_name()) == ("zoe.de.la.tour", "zoe@example.org", "Zoé de La Tour")
    assert [(member.club.name, member.role) for member in user.memberships.all()] == [("Tarot de Sète", "director")]
    assert user.is_superuser
    assert client.get(reverse("players", args=["tarot-de-sete"])).status_code == 200
    assert Client().get("/").status_code == 200
    for name in ("zoe.de.la.tour", "zoe@example.org", "ZOE@example.org"):
        assert Client().post(reverse("login"), {"username": name, "password": PASSWORD}).status_code == 302


def test_once_set_up_nothing_of_it_is_left():
    make_user("directrice")
    assert Client().get(reverse("first_run"))["Location"] == reverse("home")
    assert Client().post(reverse("first_run"), FIELDS)["Location"] == reverse("home")
    assert not Club.objects.exists()


def test_site_that_is_set_up_is_asked_once(django_assert_num_queries):
    make_user("directrice")
    assert founding.is_over()
    with django_assert_num_queries(0):
        assert Client().get("/rules/").status_code == 200


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("club", ""),
        ("club", "A\u202eB"),
        ("name", ""),
        ("email", "no"),
        ("password", "short"),
        ("password", "password1"),
    ],
)
def test_wrong_field_is_named_and_the_others_are_kept(field, value):
    page = Client().post(reverse("first_run"), FIELDS | {field: value})
    assert list(page.context["form"].errors) == [field]
    if field != "club":
        assert "Tarot de Sète" in page.content.decode()
    assert not User.objects.exists()


def test_server_asks_for_the_key_that_the_command_prints(settings, capsys):
    settings.SERVER = True
    client = Client()
    assert "key" in client.post(reverse("first_run"), FIELDS).context["form"].errors
    assert "key" in client.post(reverse("first_run"), FIELDS | {"key": "guessed"}).context["form"].errors
    old, new = printed(capsys), printed(capsys)
    assert "key" in client.post(reverse("first_run"), FIELDS | {"key": old}).context["form"].errors
    page = client.get(reverse("first_run"), {"key": new}).content.decode()
    assert re.search(rf'<input type="hidden" name="key" value="{new}"', page)
    assert client.post(reverse("first_run"), FIELDS | {"key": new}).status_code == 302


@pytest.mark.nightly("story")
def test_wrong_keys_lock_nobody_out(settings):
    """Check that wrong keys count for nothing.

    A key has 192 bits: nobody can guess it, so nobody need be kept out.
    """
    settings.SERVER = True
    assert {Client().post(reverse("first_run"), FIELDS | {"key": "no"}).status_code for _time in range(25)} == {200}


def test_command_does_it_without_a_browser(capsys):
    call_command("first_run", "--club", "Tarot de Sète", "--email", "zoe@example.org")
    name, password = re.search(r"Account:  (\S+).*\nPassword: (\S+)", capsys.readouterr().out).groups()
    assert Client().post(reverse("login"), {"username": name, "password": password}).status_code == 302
    with pytest.raises(CommandError, match="set up already"):
        call_command("first_run", "--club", "Autre", "--email", "autre@example.org")


@pytest.mark.parametrize("given", [["--club", "A"], ["--email", "a@b.fr"], ["--club", "A", "--email", "no"]])
def test_command_refuses_half_of_it(given):
    with pytest.raises(CommandError):
        call_command("first_run", *given)


@pytest.mark.django_db(transaction=True)
def test_of_two_at_once_one_wins():
    together = Barrier(2)

    def begin(_number):
        together.wait()
        try:
            founding.begin_site(BEGINNING, key=None)
        except AccountRefused as refusal:
            return refusal.code
        else:
            return "won"
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(begin, range(2))) == ["site_set_up", "won"]
    assert (User.objects.count(), Club.objects.count()) == (1, 1)
