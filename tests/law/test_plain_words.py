"""The words that players understand: none of cryptography or of organisers where a plain word says the same.

The pages on which anybody verifies the deals explain the seed and the commitment, and may name them. So may the
errors of the command that gets a seed. Documents keep to the same words. The names of fields, of files and of things in
the code stand there in backticks.
"""

import re
from functools import cache
from pathlib import Path

import polib
import pytest

from tests.law.packages import PROJECT
from tests.law.test_translations import CATALOGUE

# What no page says, with what it says instead.
PLAIN = {
    r"graines?": "tirage secret",
    r"engagements?": "empreinte du tirage",
    r"relais": "joueur volant",
    r"joueurs? de complément": "joueur qui complète une table",
    r"mises? de côté": "à jouer plus tard; non saisie, pas comptée",
    r"quarts?-temps": "quart",
    r"tables et tours": "tables et positions",
    r"table de marque": "la soirée, le directeur",
    r"égalité des comparaisons": "équité",
    r"inhabituel(?:le)?s?": "à vérifier",
    r"mouvements?": "tables et positions",
    r"épreuve de la fédération": "épreuve officielle FFT",
}
PLAIN_ENGLISH = {
    r"seeds?": "secret draw",
    r"commitments?": "fingerprint of the secret draw",
    r"(?<!re)movements?": "tables and positions",
    r"rovers?": "floating player",
    r"fillers?": "completes a table, unranked",
    r"(?:put|set) aside": "to play later; not entered, not counted",
    r"barometer": "all tables play the same étuis at once",
    r"unusual": "to check",
    r"federation event": "official FFT event",
}
# The words in bold of the guide that name something of a page. Those that end with a full stop open a paragraph.
BOLD = re.compile(r"\*\*([^*]+)\*\*")
LONGEST = 80  # letters of a name
NO_NAMES = {
    *("bold", "gras", "score sheets, always", "to see it all without real players", "accounts of players"),
    *("pour tout voir sans un club à la porte", "les comptes des joueurs"),
}
STATES = re.compile(r"^(?:Payé|Remis|Paid|Handed over) %\(amount\)s$")  # a button is a verb
TRANSLATED = re.compile(r"{% translate \"([^\"]*)\"")
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]")
EXPLAINED = (
    "templates/sets/verify.html",
    "templates/sets/verify_set.html",
    "pages/sets/verify.py",
    "deals/domain/dealing.py",
)
FRENCH = ["docs/evening.fr.md", *(f"handbook/fr/{path.name}" for path in (PROJECT / "handbook/fr").glob("*.md"))]
READERS = ("api", "careers", "cash-box", "evening", "friendly", "glossary", "README", "rooms", "scoring", "series")
ENGLISH = [
    "README.md",
    "CHANGELOG.md",
    *(f"docs/{name}.md" for name in (*READERS, "simultaneous", "standings-file", "webhooks")),
    *(f"handbook/en/{path.name}" for path in (PROJECT / "handbook/en").glob("*.md")),
]
# What a document does not say in words: code, the addresses of its links, the words by which a page is found.
UNSAID = re.compile(r"^```.*?^```|`[^`]+`|\]\([^)]*\)|^keywords = .*?$", re.MULTILINE | re.DOTALL)


def find_name(text: str) -> str:
    """Return a text as a name: without capitals, figures, apostrophes of either form and what stands at its end."""
    plain = re.sub(r"%\(\w+\)s|€?\b[\d.,]+\b(?: €)?", "#", re.sub(r"<[^>]+>", "", text))
    return " ".join(plain.replace("’", "'").split()).rstrip("….: ").casefold()


@cache
def join_words(*words: str) -> re.Pattern[str]:
    """Return one pattern of several words, which finds quickly that a text has none of them."""
    return re.compile(rf"\b(?:{'|'.join(words)})\b", re.IGNORECASE)


def find_words(text: str, plain: dict[str, str] = PLAIN) -> list[str]:
    """Return what should be said instead of the words of a text that players do not understand."""
    text = PLACEHOLDER.sub("*", text)
    if not join_words(*plain).search(text):
        return []
    return [instead for word, instead in plain.items() if re.search(rf"\b{word}\b", text, re.IGNORECASE)]


def read_explained() -> str:
    """Return the source of the pages that verify, on one line, with placeholders as a catalogue writes them."""
    text = " ".join(Path(PROJECT, name).read_text() for name in EXPLAINED)
    return re.sub(r"\{\{ (\w+) \}\}", r"%(\1)s", " ".join(text.split()))


def test_no_page_says_a_word_that_players_do_not_understand() -> None:
    explained = read_explained()
    said = {
        entry.msgid: found
        for entry in polib.pofile(str(PROJECT / CATALOGUE))
        if entry.msgid not in explained
        for plain, texts in (
            (PLAIN, (entry.msgstr, *entry.msgstr_plural.values())),
            (PLAIN_ENGLISH, (entry.msgid, entry.msgid_plural)),
        )
        for text in texts
        if (found := find_words(text, plain))
    }
    assert said == {}, "say it as the values do"


def test_only_the_pages_that_verify_say_what_they_explain() -> None:
    said = {
        str(path.relative_to(PROJECT)): found
        for path in (PROJECT / "templates").rglob("*.html")
        if str(path.relative_to(PROJECT)) not in EXPLAINED
        for text in TRANSLATED.findall(path.read_text())
        if (found := find_words(text, PLAIN_ENGLISH))
    }
    assert said == {}, "say it as the values do"


def test_no_button_says_a_state() -> None:
    entries = polib.pofile(str(PROJECT / CATALOGUE))
    assert not [each.msgid for each in entries if STATES.match(each.msgid) or STATES.match(each.msgstr)]


def find_lines(text: str, plain: dict[str, str]) -> dict[int, list[str]]:
    """Return what should be said instead, by the number of the line of a document, where there is something."""
    text = UNSAID.sub(lambda found: "\n" * found[0].count("\n"), text)
    return {
        number: words for number, line in enumerate(text.splitlines(), start=1) if (words := find_words(line, plain))
    }


@pytest.mark.parametrize(("names", "plain"), [(FRENCH, PLAIN), (ENGLISH, PLAIN_ENGLISH)], ids=["french", "english"])
def test_glossary_guide_handbook_and_api_documents_say_them_neither(names: list[str], plain: dict[str, str]) -> None:
    found = {
        f"{name}:{number}": words
        for name in names
        for number, words in find_lines(Path(PROJECT, name).read_text(), plain).items()
    }
    assert found == {}, "say it as the values do"


def test_french_column_of_the_glossary_says_them_neither() -> None:
    rows = (PROJECT / "docs/glossary.md").read_text().splitlines()
    assert [row for row in rows if row.startswith("|") and find_words(row.split("|")[2])] == []


def test_each_name_in_bold_of_the_guide_is_one_of_the_pages() -> None:
    entries = polib.pofile(str(PROJECT / CATALOGUE))
    pages = {
        "docs/evening.md": {text for entry in entries for text in (entry.msgid, entry.msgid_plural)},
        "docs/evening.fr.md": {text for entry in entries for text in (entry.msgstr, *entry.msgstr_plural.values())},
    }
    unknown = {}
    for name, texts in pages.items():
        names = {find_name(text) for text in texts if len(text) < LONGEST}
        said = {find_name(bold) for bold in BOLD.findall((PROJECT / name).read_text()) if not bold.endswith(".")}
        unknown[name] = said - names - NO_NAMES
    assert set().union(*unknown.values()) == set(), "call pages, parts and buttons as the site does"


def test_code_and_addresses_of_a_document_are_no_words() -> None:
    text = "A rover.\n```\nseed\n```\n[plans](movements.md), `seed`,\na seed"
    assert find_lines(text, PLAIN_ENGLISH) == {1: ["floating player"], 6: ["secret draw"]}


def test_words_are_found_in_any_form() -> None:
    assert find_words("Les Graines, deux mises de côté") == [
        "tirage secret",
        "à jouer plus tard; non saisie, pas comptée",
    ]
    assert find_words("un relai, une remise, l’égalité") == []
    assert find_words("Two Rovers, draw %(seed)s", PLAIN_ENGLISH) == ["floating player"]
