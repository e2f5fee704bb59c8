"""The words that players understand: none of cryptography or of organisers where a plain word says the same.

The pages on which anybody verifies the deals explain the seed and the commitment, and may name them. So may the
errors of the command that gets a seed.
"""

import re
from pathlib import Path

import polib

from tests.law.packages import PROJECT
from tests.law.test_translations import CATALOGUE

# What no page says, with what it says instead.
PLAIN = {
    r"graines?": "tirage secret",
    r"engagements?": "empreinte du tirage",
    r"relais": "joueur volant",
    r"joueurs? de complément": "joueur qui complète une table",
    r"mises? de côté": "à jouer plus tard; non saisie, pas comptée",
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
STATES = re.compile(r"^(?:Payé|Remis|Paid|Handed over) %\(amount\)s$")  # a button is a verb
EXPLAINED = (
    "templates/sets/verify.html",
    "templates/sets/verify_set.html",
    "pages/sets/verify.py",
    "deals/domain/dealing.py",
)
GUIDE = ("docs/evening.fr.md",)


def find_words(text: str, plain: dict[str, str] = PLAIN) -> list[str]:
    """Return what should be said instead of the words of a text that players do not understand."""
    text = re.sub(r"%\(\w+\)[sd]", "*", text)
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


def test_no_button_says_a_state() -> None:
    entries = polib.pofile(str(PROJECT / CATALOGUE))
    assert not [each.msgid for each in entries if STATES.match(each.msgid) or STATES.match(each.msgstr)]


def test_the_guide_says_them_neither() -> None:
    found = {
        f"{name}:{number}": words
        for name in GUIDE
        for number, line in enumerate(Path(PROJECT, name).read_text().splitlines(), start=1)
        if (words := find_words(line))
    }
    assert found == {}, "say it as the values do"


def test_words_are_found_in_any_form() -> None:
    assert find_words("Les Graines, deux mises de côté") == [
        "tirage secret",
        "à jouer plus tard; non saisie, pas comptée",
    ]
    assert find_words("un relai, une remise, l’égalité") == []
    assert find_words("Two Rovers, draw %(seed)s", PLAIN_ENGLISH) == ["floating player"]
