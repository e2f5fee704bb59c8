"""The files of the handbook, each read once in a process: its contents, pages, deals and exercises."""

import tomllib
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from django.conf import settings
from django.utils import translation

from handbook.deals import LANGUAGES, ShownDeal, read_shown_deal
from handbook.exercises import Exercise, read_exercise
from handbook.pages import Page, read_page
from handbook.words.numbers import list_figures

FOLDER = settings.BASE_DIR / "handbook"
SOURCE = "en"


class Chapter(NamedTuple):
    """A part of the handbook: its key, its title in the language of the reader, and the slugs of its pages."""

    key: str
    title: str
    slugs: tuple[str, ...]


def find_language() -> str:
    """Return the active language if the handbook has it, otherwise English."""
    language = translation.get_language() or SOURCE
    return language if language in LANGUAGES else SOURCE


def list_chapters(language: str) -> list[Chapter]:
    """Return the parts of the handbook in order."""
    return [Chapter(part["key"], part[language], tuple(part["pages"])) for part in read_contents()]


@cache
def read_contents() -> list[dict[str, str]]:
    """Return the tables of contents.toml."""
    parts: list[dict[str, str]] = tomllib.loads(read_text("contents.toml"))["parts"]
    return parts


@cache
def list_slugs() -> tuple[str, ...]:
    """Return the slugs of all pages in order."""
    return tuple(slug for part in read_contents() for slug in part["pages"])


@cache
def open_page(language: str, slug: str) -> Page:
    """Return a page that the contents list. Its links are as they are written."""
    with translation.override(language):
        return read_page(read_text(f"{language}/{slug}.md"), list_figures())


@cache
def open_deal(key: str) -> ShownDeal:
    """Return a deal by its key. Raise KeyError if there is none."""
    if key not in list_keys("deals"):
        raise KeyError(key)
    return read_shown_deal(key, read_text(f"deals/{key}.toml"))


@cache
def open_exercise(key: str) -> Exercise:
    """Return an exercise by its key. Raise KeyError if there is none."""
    if key not in list_keys("exercises"):
        raise KeyError(key)
    return read_exercise(key, read_text(f"exercises/{key}.toml"))


@cache
def list_keys(folder: str) -> tuple[str, ...]:
    """Return the keys of all files in `deals` or `exercises`, in order."""
    return tuple(sorted(path.stem for path in (FOLDER / folder).glob("*.toml")))


def list_exercises() -> Iterator[Exercise]:
    """Yield the exercises in the order of their pages, then of their keys."""
    slugs = list_slugs()
    found = map(open_exercise, list_keys("exercises"))
    yield from sorted(found, key=lambda each: (slugs.index(each.page), each.key))


def read_text(name: str) -> str:
    """Return the text of a file of the handbook."""
    return (FOLDER / name).read_text(encoding="utf-8")
