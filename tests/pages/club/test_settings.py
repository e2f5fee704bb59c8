"""A club's settings: its description and its usual evening, and the pages on which they are used."""

import datetime as dt
import struct
import zlib
from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from PIL import Image, ImageFile
from PIL.PngImagePlugin import PngInfo

from clubs.models import Club, ClubLogo, ClubSettings
from pages.club.settings import SettingsForm
from pages.parts.form_parts import CLUB_SETTINGS, TOURNAMENT_SETTINGS
from tests.factories import PASSWORD, make_director, make_tournament

pytestmark = pytest.mark.django_db


def picture(kind="PNG", size=(30, 20), mode="RGB", colour="#c00", **more):
    written = BytesIO()
    Image.new(mode, size, colour).save(written, kind, **more)
    return written.getvalue()


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png_that_says(width, height):
    """Return a small file whose header claims this size in pixels."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return PNG_BEGINS + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")


PNG_BEGINS = b"\x89PNG\r\n\x1a\n"
PNG = picture()
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
    "cash_years": "10",
    "listed": "on",
    "shows_address": "on",
}


@pytest.fixture
def client(club):
    client = Client()
    client.force_login(make_director(club))
    return client


def save(client, club, **more):
    """Send the sections that have the fields of `more`, or every section without them, and return the last answer."""
    for name, section in CLUB_SETTINGS.items():
        if not more or not more.keys().isdisjoint(section.fields):
            fields = {
                key: value for key, value in (FIELDS | more).items() if key in section.fields and value is not None
            }
            answer = client.post(reverse(name, args=[club.slug]), fields)
    return answer


def test_page_of_settings_has_at_most_eight_fields_and_each_field_stands_once():
    for sections in (CLUB_SETTINGS, TOURNAMENT_SETTINGS):
        names = [name for section in sections.values() for name in section.fields]
        assert len(names) == len(set(names))
        assert max(len(section.fields) for section in sections.values()) <= 8
    assert set(SettingsForm.Meta.fields) == {name for section in CLUB_SETTINGS.values() for name in section.fields}


def test_section_saves_its_fields_alone(client, club):
    save(client, club)
    save(client, club, window_hours="12", fixed_note="50")
    house = Club.objects.get().house
    assert (house.window_hours, house.fixed_note, house.positions, house.contact) == (12, 50, 6, "sete@example.org")
    page = client.get(reverse("club_settings_cash", args=[club.slug]))
    assert list(page.context["form"].fields) == ["keeps_cash", "cash_years"]


def test_time_zone_is_typed_with_suggestions_and_without_hundreds_of_options(client, club):
    page = client.get(reverse("club_settings", args=[club.slug]))
    assert '<option value="Indian/Reunion">' in page.text
    assert page.text.count("<option") < 25


@pytest.mark.nightly("process")
def test_settings_are_kept_shown_and_logged(client, club):
    assert save(client, club)["Location"] == reverse("club_settings_cash", args=[club.slug])
    club.refresh_from_db()
    assert (club.name, club.house.starts_at, club.house.format) == ("Tarot de Sète", dt.time(19, 45), "free_auction")
    page = Client().get(reverse("club", args=[club.slug])).content.decode()
    assert "12 rue du Port" in page
    assert "sete@example.org" in page
    assert set(club.log.values_list("action", flat=True)) == {"settings_changed"}
    entries, names = club.log.count(), club.names_version
    save(client, club)
    club.refresh_from_db()
    assert (club.log.count(), club.names_version) == (entries, names)


@pytest.mark.nightly("process")
def test_what_is_not_public_is_not_shown(client, club):
    save(client, club)
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
    entry = club.log.get()  # of this section alone
    entry.at = dt.datetime(2026, 11, 20, 20, 0, tzinfo=dt.UTC)
    entry.save()
    assert "00:00" in client.get(reverse("team", args=[club.slug])).content.decode()
    assert client.get(reverse("account")).status_code == 200
    save(client, club, time_zone="", language="")
    assert "21:00" in client.get(reverse("team", args=[club.slug])).content.decode()


@pytest.mark.nightly("process")
def test_who_logs_in_finds_the_clubs_language(client, club):
    save(client, club)
    browser = Client()
    browser.post(reverse("login"), {"username": "directrice", "password": PASSWORD})
    assert "My account" in browser.get(reverse("account")).content.decode()
    chosen = Client()
    chosen.cookies["django_language"] = "fr"
    chosen.post(reverse("login"), {"username": "directrice", "password": PASSWORD})
    assert "Mon compte" in chosen.get(reverse("account")).content.decode()


def send_logo(client, club, data, name="logo.png"):
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    return save(client, club, logo=SimpleUploadedFile(name, data, "image/png"))


def logo_of(club):
    answer = Client().get(reverse("club_logo", args=[club.slug]))
    return answer, Image.open(BytesIO(answer.content))


@pytest.mark.nightly("print")
def test_logo_is_served_as_a_picture_and_nothing_else(client, club):
    save(client, club, logo=SimpleUploadedFile("logo.svg", PNG, "image/svg+xml"))
    answer, shown = logo_of(club)
    assert (answer["Content-Type"], answer["X-Content-Type-Options"]) == ("image/png", "nosniff")
    assert (shown.format, shown.size, shown.getpixel((3, 3))) == ("PNG", (30, 20), (204, 0, 0))
    assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert reverse("club_logo", args=[club.slug]) in Client().get(reverse("club", args=[club.slug])).content.decode()
    save(client, club)
    assert ClubLogo.objects.count() == 1
    save(client, club, no_logo="on")
    assert Client().get(reverse("club_logo", args=[club.slug])).status_code == 404


def with_text():
    told = PngInfo()
    told.add_text("Author", "SECRET PLACE")
    return picture(pnginfo=told, exif=EXIF, icc_profile=b"SECRET PLACE")


EXIF = Image.Exif()
EXIF[0x010E] = "SECRET PLACE"
EXIF[0x0112] = 6  # the camera was turned


@pytest.mark.parametrize(
    "data",
    [
        with_text(),
        picture("JPEG", exif=EXIF, comment=b"SECRET PLACE", icc_profile=b"SECRET PLACE"),
        PNG + b"SECRET PLACE<script>",
        picture("JPEG") + b"SECRET PLACE",
    ],
    ids=["png", "jpeg", "after a png", "after a jpeg"],
)
def test_logo_is_written_anew_without_anything_but_its_pixels(client, club, data):
    send_logo(client, club, data)
    answer, shown = logo_of(club)
    assert b"SECRET" in data
    assert b"SECRET" not in answer.content
    assert dict(shown.getexif()) == {}
    assert {"comment", "icc_profile", "Author", "exif"}.isdisjoint(shown.info)


def test_logo_that_was_taken_with_the_camera_turned_stands_upright(client, club):
    send_logo(client, club, picture("JPEG", exif=EXIF))
    assert logo_of(club)[1].size == (20, 30)


def test_logo_is_one_frame(client, club):
    frames = [Image.new("RGB", (30, 20), colour) for colour in ("#c00", "#0c0", "#00c")]
    written = BytesIO()
    frames[0].save(written, "PNG", save_all=True, append_images=frames[1:], duration=100)
    send_logo(client, club, written.getvalue())
    answer, shown = logo_of(club)
    assert b"acTL" in written.getvalue()
    assert b"acTL" not in answer.content
    assert (getattr(shown, "n_frames", 1), shown.convert("RGB").getpixel((3, 3))) == (1, (204, 0, 0))


@pytest.mark.parametrize(
    ("mode", "colour", "seen"),
    [
        ("RGBA", (204, 0, 0, 0), (204, 0, 0, 0)),
        ("LA", (90, 128), (90, 90, 90, 128)),
        ("L", 90, (90, 90, 90, 255)),
        ("1", 1, (255, 255, 255, 255)),
        ("P", 0, None),
        ("I;16", 0x8000, (128, 128, 128, 255)),
    ],
)
def test_logo_keeps_its_colours_and_what_is_transparent(client, club, mode, colour, seen):
    send_logo(client, club, picture(mode=mode, colour=colour))
    shown = logo_of(club)[1].convert("RGBA")
    assert shown.size == (30, 20)
    assert shown.getpixel((3, 3)) == (seen or shown.getpixel((0, 0)))


@pytest.mark.nightly("process")
def test_large_logo_is_kept_small(client, club):
    noise = Image.effect_noise((900, 450), 100).convert("RGBA").resize((1800, 900), Image.Resampling.NEAREST)
    written = BytesIO()
    noise.convert("RGB").save(written, "JPEG", quality=10)
    assert len(written.getvalue()) < 300_000
    send_logo(client, club, written.getvalue())
    answer, shown = logo_of(club)
    assert len(answer.content) <= 300_000
    assert (shown.width <= 960, shown.height <= 480, shown.width // shown.height) == (True, True, 2)


@pytest.mark.parametrize("size", [(4001, 4000), (12_000, 12_000), (60_000, 60_000), (2**31 - 1, 2**31 - 1)])
def test_picture_of_too_many_pixels_is_refused_before_it_is_decoded(client, club, size, monkeypatch):
    monkeypatch.setattr(ImageFile.ImageFile, "load", lambda *_: pytest.fail("it was decoded"))
    page = send_logo(client, club, png_that_says(*size))
    assert page.context["form"].errors == {
        "logo": ["The picture is too large: 16 megapixels at most. Make it smaller."]
    }


@pytest.mark.nightly("print")
def test_picture_of_16_megapixels_is_taken(client, club):
    send_logo(client, club, picture(size=(4000, 4000), mode="L", colour=90))
    assert logo_of(club)[1].size == (480, 480)


@pytest.mark.parametrize(
    "data",
    [
        PNG_BEGINS + bytes(40),
        PNG[:40],
        PNG[:-30],
        picture("JPEG")[:200],
        png_that_says(30, 20),
        PNG_BEGINS,
        b"\xff\xd8\xff",
    ],
    ids=["no chunk", "cut at the head", "cut", "cut jpeg", "too few pixels", "nothing", "no jpeg"],
)
def test_picture_that_cannot_be_read_is_refused_in_a_sentence(client, club, data):
    page = send_logo(client, club, data)
    told = ["The picture cannot be read: save it again as PNG or JPEG."]
    assert page.context["form"].errors == {"logo": told}


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
