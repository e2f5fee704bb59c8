"""The French catalogue: every message of the source is translated, and the compiled file is up to date.

Message ids are English, plurals included. So English needs no catalogue: it shows the ids.
"""

import ast
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import polib
import pytest

from tests.law.packages import PROJECT, ROOTS

SOURCES = (*ROOTS, "templates", "manage.py")
CATALOGUE = Path("tournaments/locale/fr/LC_MESSAGES/django.po")
# A straight apostrophe or quotation mark. In French also a colon, “?”, “!” or “»” without its no-break space.
# Or a number that a line break may separate from its “n°”, a space before a comma or full stop, or a doubled one.
SLIPS = r"""['"]|[ \N{NO-BREAK SPACE}][,.]|  |\.\."""
MISSET = re.compile(
    SLIPS
    + r"""|(?<!\N{NO-BREAK SPACE})[:;!?»]|%%(?<!\N{NO-BREAK SPACE}%%)|«(?!\N{NO-BREAK SPACE})|(?:[nN]°|[pP]os\.) """
)
# The same in English, which has no space before such a mark.
MISSET_ENGLISH = re.compile(SLIPS + r"""|[ \N{NO-BREAK SPACE}](?:[:;!?»]|%%)|« """)
EXAMPLE = re.compile("«\N{NO-BREAK SPACE}[^»]*\N{NO-BREAK SPACE}»")
# What stays as it is in every language: a setting, an option of a command, a number. A text that has another one is
# probably the translation of another message.
UNTRANSLATED = re.compile(r"[A-Z]{2,}_[A-Z_]+|--\w+|\d{2,}")
PLACEHOLDER = re.compile(r"%(?:\(\w+\))?[#0\- +]*\d*(?:\.\d+)?[a-zA-Z%]|\{\w*\}")


@pytest.fixture(scope="module")
def french() -> polib.POFile:
    """Return the committed catalogue."""
    return polib.pofile(str(PROJECT / CATALOGUE))


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> polib.POFile:
    """Collect a new catalogue from a copy of the source, as `make messages` does."""
    if shutil.which("xgettext") is None:
        pytest.fail("messages are collected by xgettext: run `apt-get install gettext` as root, or `make test` does it")
    copy = tmp_path_factory.mktemp("source")
    for name in SOURCES:
        if (PROJECT / name).is_dir():
            shutil.copytree(PROJECT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "*.po", "*.mo"))
        else:
            shutil.copy2(PROJECT / name, copy / name)
    (copy / CATALOGUE).parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "manage.py", "makemessages", "-l", "fr", "--no-location"]
    run = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return polib.pofile(str(copy / CATALOGUE))


def keys(catalogue: polib.POFile) -> set[tuple[str | None, str, str]]:
    """Return the identity of each message: context, id, plural id."""
    return {(entry.msgctxt, entry.msgid, entry.msgid_plural) for entry in catalogue if not entry.obsolete}


def placeholders(text: str) -> Counter[str]:
    """Return the placeholders of a message."""
    return Counter(PLACEHOLDER.findall(text))


def misset(text: str) -> str:
    """Return a text with “→” before the first place that breaks a rule of `MISSET`, or "". Quoted examples may."""
    plain = EXAMPLE.sub("*", text)
    found = MISSET.search(plain)
    return f"{plain[: found.start()]}→{plain[found.start() :]}" if found else ""


def misfilled(catalogue: polib.POFile) -> list[str]:
    """Return the ids whose translation has other placeholders. A French singular may leave a number out."""
    wrong = []
    for entry in catalogue:
        if not entry.msgid_plural:
            good = placeholders(entry.msgstr) == placeholders(entry.msgid)
        else:
            meant = placeholders(entry.msgid_plural)
            singular, *plurals = (placeholders(entry.msgstr_plural[n]) for n in sorted(entry.msgstr_plural))
            good = singular <= meant and all(plural == meant for plural in plurals)
        if not good:
            wrong.append(entry.msgid)
    return wrong


def test_catalogue_has_exactly_the_messages_of_the_source(french, collected):
    missing = sorted(msgid for _context, msgid, _plural in keys(collected) - keys(french))
    assert not missing, f"without French: run `make messages`, then translate them in {CATALOGUE}: {missing}"
    left = sorted(msgid for _context, msgid, _plural in keys(french) - keys(collected))
    assert not left, f"in no source any more: run `make messages`, which takes them out: {left}"


def test_source_has_messages(collected):
    assert len(keys(collected)) > 100


def test_no_message_stands_within_a_string_that_is_filled_in():
    """Check it because no collector sees such a message, and it would silently stay English."""
    files = [path for name in SOURCES for path in (PROJECT / name).rglob("*.py")]
    strings = [
        node for path in files for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.JoinedStr)
    ]
    calls = [node for string in strings for node in ast.walk(string) if isinstance(node, ast.Call)]
    names = {"_", "gettext", "gettext_lazy", "pgettext", "pgettext_lazy", "ngettext", "npgettext"}
    assert [ast.unparse(call) for call in calls if isinstance(call.func, ast.Name) and call.func.id in names] == []


def test_every_message_is_translated(french):
    untranslated = [entry.msgid for entry in french if not entry.translated()]
    assert not untranslated, f"translate in {CATALOGUE}, then run `make messages` to compile: {untranslated}"


def test_no_message_is_fuzzy_or_obsolete(french):
    assert [entry.msgid for entry in french if entry.fuzzy or entry.obsolete] == []


def test_translations_fill_in_what_the_messages_do(french):
    """Compare the placeholders, but not of Django's sentences whose number is left out on purpose."""
    assert misfilled(entry for entry in french if "no-python-format" not in entry.flags) == []


def test_translations_name_the_same_settings_options_and_numbers(french):
    texts = [(entry.msgid, entry.msgstr) for entry in french if not entry.msgid_plural]
    pairs = [[Counter(UNTRANSLATED.findall(text)) for text in both] for both in texts]
    assert [english for (english, _), (has, told) in zip(texts, pairs, strict=True) if has != told] == []


def test_french_is_set_as_french_sets_it(french):
    texts = [text for entry in french for text in (entry.msgstr, *entry.msgstr_plural.values())]
    wrong = [marked for text in texts if (marked := misset(text))]
    assert not wrong, f"at each → set a no-break space, or the sign ’, « or » ({CATALOGUE}): {wrong}"


def test_english_is_set_as_english_sets_it(french):
    texts = [text for entry in french for text in (entry.msgid, entry.msgid_plural)]
    assert [text for text in texts if MISSET_ENGLISH.search(text)] == []


def test_sentence_ends_in_french_as_it_does_in_english(french):
    """Check the same full stop, colon or question mark, in singular and plural. “No.” is a column’s “N°”."""
    ends = {
        entry.msgid: {
            text[-1] if text[-1] in ".:?!…" else ""
            for text in (entry.msgid, entry.msgid_plural, entry.msgstr, *entry.msgstr_plural.values())
            if text
        }
        for entry in french
        if entry.msgid != "No."
    }
    assert {msgid: ends for msgid, ends in ends.items() if len(ends) > 1} == {}


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("the attack’s points: 93%%", False),
        ("the attack's points", True),
        ("fairness of comparisons: 93 %%", True),
        ("Which étui ?", True),
        ("at 22:57..", True),
        ("two  spaces", True),
    ],
)
def test_typography_that_is_not_english_is_caught(text, wrong):
    assert (MISSET_ENGLISH.search(text) is not None) == wrong


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Donneur\N{NO-BREAK SPACE}: Nord", False),
        ("saisie n°\N{NO-BREAK SPACE}12", False),
        ("saisie n° 12", True),
        ("Terminé..", True),
        ("Donneur : Nord", True),
        ("Donneur: Nord", True),
        ("l’étui", False),
        ("l'étui", True),
        ("75\N{NO-BREAK SPACE}%%", False),
        ("75 %%", True),
        ("dit «\N{NO-BREAK SPACE}Dupont; Marie\N{NO-BREAK SPACE}»", False),
        ("dit «Dupont»", True),
        ("dit « Dupont »", True),
    ],
)
def test_typography_that_is_not_french_is_caught(text, wrong):
    assert bool(misset(text)) == wrong


def test_compiled_catalogue_is_the_written_one(french):
    compiled = polib.mofile(str(PROJECT / CATALOGUE.with_suffix(".mo")))
    written = {(entry.msgctxt, entry.msgid): (entry.msgstr, entry.msgstr_plural) for entry in french}
    assert {(entry.msgctxt, entry.msgid): (entry.msgstr, entry.msgstr_plural) for entry in compiled} == written


@pytest.mark.parametrize(
    ("msgid", "msgstr", "wrong"),
    [
        ("%(missing)s results missing", "%(missing)s résultats manquants", False),
        ("%(missing)s results missing", "%(manquants)s résultats manquants", True),
        ("%(missing)s results missing", "des résultats manquants", True),
        ("100 %% of {board}", "100 %% de {board}", False),
        ("étui {board}", "étui {etui}", True),
    ],
)
def test_placeholder_that_differs_is_caught(msgid, msgstr, wrong):
    catalogue = polib.POFile()
    catalogue.append(polib.POEntry(msgid=msgid, msgstr=msgstr))
    assert misfilled(catalogue) == ([msgid] if wrong else [])


@pytest.mark.parametrize(
    ("singular", "plural", "wrong"),
    [
        ("%(n)s étui", "%(n)s étuis", False),
        ("un étui", "%(n)s étuis", False),
        ("un étui", "des étuis", True),
        ("%(m)s étui", "%(n)s étuis", True),
    ],
)
def test_placeholder_of_a_plural_that_differs_is_caught(singular, plural, wrong):
    entry = polib.POEntry(msgid="%(n)s board", msgid_plural="%(n)s boards", msgstr_plural={0: singular, 1: plural})
    catalogue = polib.POFile()
    catalogue.append(entry)
    assert misfilled(catalogue) == (["%(n)s board"] if wrong else [])
