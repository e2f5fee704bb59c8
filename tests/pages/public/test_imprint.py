"""The imprint: who runs the site, its licence, and its icon in a browser."""

import io
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from PIL import Image

from config.checks import Imprint
from tests.pages.reading import words
from tournaments.words import stamps

pytestmark = pytest.mark.django_db

NOBODY = Imprint("", "", "", "", "")
CLUB = Imprint(
    publisher="Club des Étuis, 1 rue du Chien, 69000 Lyon",
    director="Zoé Nom001",
    host="Machines du Rhône, 2 quai Neuf, 69000 Lyon",
    contact="bureau@etuis.example",
    source="https://forge.example/topage",
)


@pytest.fixture(autouse=True)
def read_anew():
    """Clear the version of the site, which includes who runs it and is read once in a process."""
    stamps.site_version.cache_clear()
    yield
    stamps.site_version.cache_clear()


def page(name, language="en"):
    return Client(headers={"accept-language": language}).get(reverse(name))


@pytest.mark.nightly("print")
def test_imprint_says_who_runs_the_site_and_how_to_write_to_them(settings):
    settings.IMPRINT = CLUB
    answer = page("imprint")
    told = words(answer)
    for text in (CLUB.publisher, CLUB.director, CLUB.host, CLUB.contact):
        assert text in told
    links = re.findall(r'href="([^"]+)"', answer.content.decode())
    assert {"mailto:bureau@etuis.example", CLUB.source} <= set(links)


@pytest.mark.nightly("print")
def test_contact_may_be_a_page(settings):
    settings.IMPRINT = Imprint("", "", "", "https://etuis.example/nous", "")
    assert 'href="https://etuis.example/nous"' in page("imprint").content.decode()


@pytest.mark.nightly("print")
@pytest.mark.parametrize(
    ("language", "said"), [("en", "has not filled this in yet"), ("fr", "ne l’a pas encore indiqué")]
)
def test_imprint_of_nobody_says_so(settings, language, said):
    settings.IMPRINT = NOBODY
    answer = page("imprint", language)
    assert said in words(answer)
    assert "mailto:" not in answer.content.decode()


@pytest.mark.nightly("crawl")
def test_every_page_leads_to_the_imprint_and_to_the_source_where_it_is_known(settings):
    settings.IMPRINT = NOBODY
    before = page("rules")
    assert f'href="{reverse("imprint")}"' in before.content.decode()
    assert CLUB.source not in before.content.decode()
    settings.IMPRINT = CLUB
    stamps.site_version.cache_clear()
    after = Client(headers={"accept-language": "en", "if-none-match": before["ETag"]}).get(reverse("rules"))
    assert after.status_code == 200
    assert f'href="{CLUB.source}"' in after.content.decode()


@pytest.mark.nightly("print")
def test_mark_is_found_where_a_browser_looks_for_it():
    answer = Client().get("/favicon.ico", follow=True)
    mark = Image.open(io.BytesIO(b"".join(answer.streaming_content)))
    assert mark.format == "ICO"
    assert mark.info["sizes"] == {(16, 16), (32, 32), (48, 48)}
    linked = re.findall(r'<link rel="(?:icon|apple-touch-icon)" href="([^"]+)"', page("home").content.decode())
    assert [Path(url).name for url in linked] == ["favicon.ico", "icon.svg", "touch.png"]
    for url in linked:
        assert len(b"".join(Client().get(url).streaming_content)) > 300


def test_licence_stands_whole_in_the_project_and_is_named():
    root = settings.BASE_DIR
    text = (root / "LICENSE").read_text()
    assert text.split()[:5] == ["GNU", "AFFERO", "GENERAL", "PUBLIC", "LICENSE"]
    assert "13. Remote Network Interaction" in text
    assert "END OF TERMS AND CONDITIONS" in text
    assert 'license = "AGPL-3.0-or-later"' in (root / "pyproject.toml").read_text()
    readme = (root / "README.md").read_text()
    assert "AGPL-3.0-or-later" in readme
    assert "(LICENSE)" in readme
    assert "(CODE_OF_CONDUCT.md)" in readme
