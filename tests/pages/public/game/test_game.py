"""The page of the friendly game over HTTP: the same for every reader, without a cookie and without a query."""

import re

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from evenings.tables.words import find_file
from pages.public.game.words import ERRORS, FILES, KEYS, SHARED, STATIC, catalogue, version
from tests.pages.test_weights import MOST_OF_TABLE, weigh

pytestmark = pytest.mark.django_db


def get(name, language="en"):
    return Client(headers={"accept-language": language}).get(reverse(name))


def test_page_sets_no_cookie_asks_the_database_nothing_and_is_sent_once(django_assert_num_queries):
    with django_assert_num_queries(0):
        page = get("game")
    assert (page.status_code, page.cookies) == (200, {})
    etag = page["ETag"]
    again = Client(headers={"accept-language": "en", "if-none-match": etag}).get(reverse("game"))
    assert again.status_code == 304


def test_page_has_no_script_or_style_in_line():
    page = get("game").content.decode()
    scripts = re.findall(r"<script[^>]*>", page)
    assert [script for script in scripts if "src=" not in script and "application/json" not in script] == []
    assert re.search(r"<style|\sstyle=|\son\w+=", page) is None


def test_page_with_its_files_is_as_light_as_the_screen_of_a_table():
    sizes = {name: weigh(find_file(name).read_bytes()) for name in FILES} | {"page": weigh(get("game").content)}
    assert sum(sizes.values()) < MOST_OF_TABLE, sizes


def test_worker_keeps_the_page_and_every_file_of_its_version(django_assert_num_queries):
    with django_assert_num_queries(0):
        worker = get("game_worker")
    assert (worker["Content-Type"], worker.cookies) == ("text/javascript", {})
    text = worker.content.decode()
    assert f'"{version()}"' in text
    assert all(f'"{name}"' in text for name in FILES)
    assert f'data-version="{version()}"' in get("game").content.decode()
    assert "/t/" not in text


def test_every_script_that_the_game_imports_is_kept():
    imports = re.compile(r'^(?:import|export) .*?from "(.+?)";', re.MULTILINE | re.DOTALL)
    for name in (name for name in FILES if name.endswith(".js")):
        script = STATIC / name
        for found in imports.findall(script.read_text()):
            assert (script.parent / found).resolve().relative_to(STATIC).as_posix() in FILES, (name, found)
    assert not [name for name in SHARED if "site" in name or "outbox" in name or "net.js" in name]


@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
def test_every_word_that_a_script_says_is_in_the_catalogue(language):
    scripts = "".join((STATIC / name).read_text() for name in FILES if name.startswith("game/"))
    said = set(re.findall(r'say\(\s*"([\w.]+)"', scripts)) | set(re.findall(r'"(game\.[\w.]+)"', scripts))
    assert said - catalogue()[language].keys() == set()
    assert len(said) > 80
    assert {*KEYS, *(f"error.{code}" for code in ERRORS)} <= catalogue()[language].keys()
