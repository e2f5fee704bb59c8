"""The terms of the interface: one word for one thing, in English and in French, and short sentences."""

import re
from collections.abc import Iterator
from pathlib import Path

import polib
import pytest

from tests.law.packages import PROJECT, ROOTS

CATALOGUE = Path(__file__).parents[2] / "tournaments" / "locale" / "fr" / "LC_MESSAGES" / "django.po"
# Django's own sentences keep their ids: `tournaments/locale/en` has what the site says instead.
OWN_ENGLISH = re.compile(r"Ensure |Select a valid|Please enter|No file was submitted|The submitted file")
# What a message must not say, with what it says instead. See docs/glossary.md.
ENGLISH = {
    r"(?<!e-)\bmails?\b": "e-mail",
    r"\bweb site": "website",
    r"\bplease\b": "nothing: say what to do",
    r"\b(?:he|she|him|his|her|hers|himself|herself)\b": "they, or the noun",
    r"\b(?:boards?|deck)\b": "étui, or set",
    r"\b[Ii]n each étui\b": "on each étui",
    r"\b(?:made|make) (?:a|the|another|this) (?:new )?(?:link|token|club|season|session|account)\b": "create",
    r"(?<!here )\bis no (?:trump|card|deal|seat|JSON|player|team)\b": "is not a",
    r"\binvalid\b": "what is wrong, and what to do",
    r"\b(?:logon|login|log on|sign in|sign out)\b": "log in, log-in, log out",
}
FRENCH = {
    r"[“”]": "« »",
    r"\be-?mails?\b": "courriel, adresse électronique",
    r"\blevées?\b": "pli",
    r"\bveuillez\b|s’il vous plaît": "nothing: say what to do",
    r"\b(?:tu|toi|ton|tes)\b": "vous, votre",
    r"\b(?:digital|checker|login|supporter|initier|finaliser)\b": "a French word",
    r"\bcliquez\b": "touchez, ouvrez, or the button’s name",
    r"\binvalide\b": "what is wrong, and what to do",
    r"\bde ce lot\b": "de ce jeu d’étuis",
    r"\bquarts?[- ]temps\b": "quart",
    r"\bsite internet\b|\bsite web du club\b": "site",
    r"\ba fait (?:une|un|le|la) (?:archive|fichier|jeton|lien)\b": "a créé",
}
# A sentence ends at a full stop, a question mark or an exclamation mark. French needs more words for the same.
MOST_WORDS = {"en": 30, "fr": 34}
VISIBLE = re.compile(r"<[^>]*>|%\(\w+\)[sd]")


def texts() -> Iterator[tuple[str, str]]:
    """Yield pairs of a language and a text, without the params and tags that it is filled with."""
    for entry in polib.pofile(str(CATALOGUE)):
        if not OWN_ENGLISH.match(entry.msgid):
            yield from (("en", VISIBLE.sub("*", text)) for text in (entry.msgid, entry.msgid_plural) if text)
        french = (entry.msgstr, *entry.msgstr_plural.values())
        yield from (("fr", VISIBLE.sub("*", text)) for text in french if text)


def avoided(language: str, text: str) -> list[str]:
    """Return what to say instead of each term of the text that its language avoids."""
    return [
        instead
        for term, instead in (ENGLISH if language == "en" else FRENCH).items()
        if re.search(term, text, re.IGNORECASE)
    ]


def longest(text: str) -> int:
    """Return the number of words of the longest sentence."""
    return max(len(part.split()) for part in re.split(r"(?<=[.!?…])\s", text))


def test_messages_use_the_terms_of_the_glossary():
    assert [(text, instead) for language, text in texts() if (instead := avoided(language, text))] == []


def test_no_sentence_of_a_message_is_too_long_to_be_read_at_once():
    assert [text for language, text in texts() if longest(text) > MOST_WORDS[language]] == []


@pytest.mark.parametrize(
    ("language", "text", "wrong"),
    [
        ("en", "This site sends no mail.", True),
        ("en", "This site sends no e-mail.", False),
        ("en", "Please enter your name.", True),
        ("en", "In each étui the scores are compared.", True),
        ("en", "The person who made this link no longer directs the club.", True),
        ("en", "The game is no JSON object.", True),
        ("en", "There is no card to show.", False),
        ("fr", "« Dupont » n’est pas un nom.", False),
        ("fr", "“Dupont” n’est pas un nom.", True),
        ("fr", "Nord fait la levée.", True),
        ("fr", "Les quatre quarts-temps du match", True),
        ("fr", "Le compte est ouvert à tous.", False),
        ("fr", "Envoyez-le par e-mail.", True),
    ],
)
def test_term_that_is_avoided_is_caught(language, text, wrong):
    assert bool(avoided(language, text)) == wrong


def test_long_sentence_is_caught():
    assert longest("one two three. four five: six, seven? eight") == 4


# A room is a place to play online, or one of the two tables of a match. Code has packages, and people meet in a hall.
NO_ROOM = re.compile(
    r"\b(?:pure|lower|higher) rooms?\b|\bthe room `|\brooms? (?:below|above|without Django|of the list)\b"
    r"|\b(?:in|into) the room\b|\bmodels of the room\b|\blaw of (?:the )?rooms\b"
)
OF_ROOMS = (
    "rooms",
    "bench/rooms",
    "tests/rooms",
    "tests/browser/rooms",
    "docs/rooms.md",
    "docs/decisions",
    "tests/faults/test_rooms_stopped.py",
)


def read_own_texts() -> Iterator[tuple[str, str]]:
    """Yield the path and the text of each source and document that is not about online rooms."""
    paths = [*(path for root in ROOTS for path in (PROJECT / root).rglob("*.py")), *PROJECT.glob("*.md")]
    paths += [*(PROJECT / "docs").rglob("*.md"), *(PROJECT / "tests").rglob("*.py")]
    for path in paths:
        name = str(path.relative_to(PROJECT))
        if not any(name == place or name.startswith(f"{place}/") for place in (*OF_ROOMS, "tests/law/test_terms.py")):
            yield name, path.read_text()


def test_no_package_and_no_hall_is_called_a_room():
    wrong = [f"{name}: {found[0]}" for name, text in read_own_texts() for found in NO_ROOM.finditer(text)]
    assert wrong == [], "say package for code, hall for the place, open room and closed room for the tables of a match"


@pytest.mark.parametrize(
    "planted", ["a pure room", "the room `plays`", "whoever is in the room", "the law of the rooms"]
)
def test_planted_room_is_found(planted):
    assert NO_ROOM.search(planted)
