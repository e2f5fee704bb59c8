"""What a club says of itself and is used to, and where that matters."""

import datetime as dt

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from clubs.models import ClubLogo, ClubSettings
from tests.factories import PASSWORD, make_director, make_tournament

pytestmark = pytest.mark.django_db

PNG = b"\x89PNG\r\n\x1a\n" + bytes(40)
FIELDS = {
    "name": "Tarot de Sète",
    "address": "12 rue du Port\n34200 Sète",
    "contact": "sete@example.org",
    "language": "en",
    "time_zone": "Indian/Reunion",
    "starts_at": "19:45",
    "auction": "free",
    "positions": "6",
    "etuis_per_position": "3",
    "minutes_per_etui": "8",
    "fixed_note": "55",
    "window_hours": "24",
    "player_accounts": "none",
    "listed": "on",
    "shows_address": "on",
}


@pytest.fixture
def client(club):
    client = Client()
    client.force_login(make_director(club))
    return client


def save(client, club, **more):
    fields = {name: value for name, value in (FIELDS | more).items() if value is not None}
    return client.post(reverse("club_settings", args=[club.slug]), fields)


def test_settings_are_kept_shown_and_logged(client, club):
    assert save(client, club)["Location"] == reverse("club", args=[club.slug])
    club.refresh_from_db()
    assert (club.name, club.house.starts_at, club.house.auction) == ("Tarot de Sète", dt.time(19, 45), "free")
    page = Client().get(reverse("club", args=[club.slug])).content.decode()
    assert "12 rue du Port" in page
    assert "sete@example.org" in page
    assert club.log.get().action == "settings_changed"
    names = club.names_version
    save(client, club)
    club.refresh_from_db()
    assert (club.log.count(), club.names_version) == (1, names)


def test_what_is_not_public_is_not_shown(client, club):
    save(client, club, listed=None, shows_address=None)
    assert "12 rue du Port" not in Client().get(reverse("club", args=[club.slug])).content.decode()
    assert "Tarot de Sète" not in Client().get(reverse("home")).content.decode()


def test_new_evening_begins_as_usual(client, club):
    save(client, club)
    assert client.get(reverse("tournament_new", args=[club.slug])).context["form"]["auction"].value() == "free"
    tournament = make_tournament(club)
    form = client.get(reverse("session_new", args=[club.slug, tournament.slug])).context["form"]
    named = ("starts_at", "positions", "etuis_per_position", "minutes_per_etui")
    assert [form[name].value() for name in named] == [dt.time(19, 45), 6, 3, 8]


def test_hours_are_those_of_the_club(client, club):
    save(client, club, language="")
    entry = club.log.get()
    entry.at = dt.datetime(2026, 11, 20, 20, 0, tzinfo=dt.UTC)
    entry.save()
    assert "00:00" in client.get(reverse("team", args=[club.slug])).content.decode()
    assert client.get(reverse("account")).status_code == 200
    save(client, club, time_zone="", language="")
    assert "21:00" in client.get(reverse("team", args=[club.slug])).content.decode()


def test_who_logs_in_finds_the_clubs_language(client, club):
    save(client, club)
    browser = Client()
    browser.post(reverse("login"), {"username": "directrice", "password": PASSWORD})
    assert "My account" in browser.get(reverse("account")).content.decode()
    chosen = Client()
    chosen.cookies["django_language"] = "fr"
    chosen.post(reverse("login"), {"username": "directrice", "password": PASSWORD})
    assert "Mon compte" in chosen.get(reverse("account")).content.decode()


def test_logo_is_served_as_a_picture_and_nothing_else(client, club):
    save(client, club, logo=SimpleUploadedFile("logo.svg", PNG, "image/svg+xml"))
    answer = Client().get(reverse("club_logo", args=[club.slug]))
    assert (answer.content, answer["Content-Type"], answer["X-Content-Type-Options"]) == (PNG, "image/png", "nosniff")
    assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert reverse("club_logo", args=[club.slug]) in Client().get(reverse("club", args=[club.slug])).content.decode()
    save(client, club)
    assert ClubLogo.objects.count() == 1
    save(client, club, no_logo="on")
    assert Client().get(reverse("club_logo", args=[club.slug])).status_code == 404


@pytest.mark.parametrize(
    "data", [b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", b"GIF89a", b"", PNG + bytes(300_000)]
)
def test_other_files_are_no_logo(client, club, data):
    page = save(client, club, logo=SimpleUploadedFile("logo.png", data, "image/png"))
    assert list(page.context["form"].errors) == ["logo"]
    assert "12 rue du Port" in page.content.decode()
    assert not ClubSettings.objects.exists()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""),
        ("name", "A\u202eB"),
        ("address", "A\u202eB"),
        ("contact", "no"),
        ("time_zone", "Mars/Olympus"),
        ("language", "de"),
        ("starts_at", "25:00"),
        ("positions", "0"),
        ("etuis_per_position", "13"),
        ("minutes_per_etui", "61"),
        ("auction", "none"),
    ],
)
def test_wrong_setting_is_named(client, club, field, value):
    assert list(save(client, club, **{field: value}).context["form"].errors) == [field]
