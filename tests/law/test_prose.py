"""The plain words of docstrings, in every Python file of the project, tests too.

Ruff checks the same files by PEP 257: a summary of one line that ends in a period, and an imperative verb (D401). Ruff
does not tell a fragment from a sentence, and does not look at classes and modules. The tests below do.
"""

import ast
import io
import re
import subprocess
import sys
import tokenize
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
# Words that begin a fragment, or a sentence that needs the one before it.
FRAGMENTS = re.compile(
    r"(What|Of|That|Whose|Whom|Who|By|As|How|Whether|Where|Why|Those|None|With|In|From|The same)\b(?!-)", re.IGNORECASE
)
ARTICLES = {"A", "An", "The", "Each", "Every", "All", "One", "Two", "Three", "Four", "No", "Any"}
# A property of two values may begin as the sentence does by which people explain it: "True if the session is closed."
TRUTH = re.compile(r"True (if|for|while|when|once|until|unless)\b")
PROPERTIES = {"property", "cached_property"}
MOST_WORDS = 25  # of a sentence; text in backticks counts as one word
# The marks of a table, of an example, and of a command: paragraphs that are no sentences.
NO_PROSE = re.compile(r"\||>>>| {4}")
Holder = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def python_files() -> list[str]:
    """Return the paths of the project's own Python files, without migrations, which Django writes."""
    listed = subprocess.run(["git", "ls-files", "*.py"], cwd=PROJECT, check=True, capture_output=True, text=True).stdout
    return [path for path in listed.splitlines() if "/migrations/" not in path and (PROJECT / path).exists()]


def is_property(node: ast.AST) -> bool:
    """Return True for a method that is read like an attribute."""
    marks = getattr(node, "decorator_list", [])
    return any(
        (mark.attr if isinstance(mark, ast.Attribute) else getattr(mark, "id", "")) in PROPERTIES for mark in marks
    )


def faults(source: str, tree: ast.Module | None = None) -> Iterator[str]:
    """Yield a line for each docstring of the source that begins with a wrong word."""
    for node in ast.walk(tree or ast.parse(source)):
        if not isinstance(node, Holder) or not (text := ast.get_docstring(node)):
            continue
        name, start = getattr(node, "name", "module"), text.splitlines()[0]
        first = start.split()[0]
        if FRAGMENTS.match(start):
            yield f"{name} begins with a fragment: {start}"
        elif isinstance(node, ast.Module | ast.ClassDef):
            if first not in ARTICLES:
                yield f"{name} begins with no noun and its article: {start}"
        elif is_property(node):
            if first not in ARTICLES and not TRUTH.match(start):
                yield f"the property {name} begins with no noun and its article: {start}"
        elif first in ARTICLES:
            yield f"the function {name} begins with a noun: {start}"


def texts(source: str, tree: ast.Module | None = None) -> Iterator[str]:
    """Yield each docstring of the source, and each comment: lines in a row are one comment."""
    for node in ast.walk(tree or ast.parse(source)):
        if isinstance(node, Holder) and (text := ast.get_docstring(node)):
            yield text
    comments, last = [], 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            is_next = comments and token.start[0] == last + 1 and token.line.lstrip().startswith("#")
            if not is_next and comments:
                yield " ".join(comments)
                comments = []
            comments.append(token.string.lstrip("# "))
            last = token.start[0] if token.line.lstrip().startswith("#") else 0
    yield " ".join(comments)


def long_sentences(source: str, tree: ast.Module | None = None) -> Iterator[str]:
    """Yield each sentence with more than MOST_WORDS words. The items of a list are sentences of their own."""
    for text in texts(source, tree):
        for paragraph in re.split(r"\n\s*\n|\n\s*- ", re.sub(r"`[^`]*`", "X", text)):
            if NO_PROSE.match(paragraph):
                continue
            for sentence in re.split(r"(?<=[.!?])\s+", " ".join(paragraph.split())):
                if len(sentence.split()) > MOST_WORDS:
                    yield sentence


@cache
def find_in_all_files() -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return the wrong beginnings and the long sentences of each file that has any. Each file is parsed once."""
    wrong, long = {}, {}
    for path in python_files():
        source = (PROJECT / path).read_text()
        tree = ast.parse(source)
        wrong[path], long[path] = list(faults(source, tree)), list(long_sentences(source, tree))
    return tuple({path: found for path, found in each.items() if found} for each in (wrong, long))


def test_sentences_of_docstrings_and_comments_are_short():
    assert find_in_all_files()[1] == {}


def test_docstrings_begin_plainly():
    assert find_in_all_files()[0] == {}


def test_every_package_is_looked_at():
    assert {"manage.py", "wording/__init__.py", "bench/evening.py", "tests/conftest.py"} <= set(python_files())


def test_no_file_is_excused_from_pep_257():
    lint = tomllib.loads((PROJECT / "pyproject.toml").read_text())["tool"]["ruff"]["lint"]
    excused = [rule for rules in (lint["ignore"], *lint["per-file-ignores"].values()) for rule in rules]
    assert [rule for rule in excused if re.match(r"D([234]|$)", rule)] == []


PLANTED = {
    '"""What a table has."""': "module begins with a fragment: What a table has.",
    'class Table:\n    """Whose turn it is."""': "Table begins with a fragment: Whose turn it is.",
    'class Table:\n    """Holds the seats."""': "Table begins with no noun and its article: Holds the seats.",
    'class Table:\n    """Seats of players."""': "Table begins with no noun and its article: Seats of players.",
    'def find():\n    """The same for players."""': "find begins with a fragment: The same for players.",
    'def find():\n    """None of few."""': "find begins with a fragment: None of few.",
    'def find():\n    """The players found."""': "the function find begins with a noun: The players found.",
    'async def find():\n    """whether there is one."""': "find begins with a fragment: whether there is one.",
    'class A:\n    @functools.cached_property\n    def seats(self):\n        """Return the seats."""': (
        "the property seats begins with no noun and its article: Return the seats."
    ),
}
PLAIN = '''"""The seats of a table, in the order N, E, S, W."""

class Table:
    """A table of four players."""

    @property
    def is_full(self):
        """True if every seat has a player."""

    @property
    def people(self):
        """The players who sit here."""

    def seat(self, player):
        """Return the seat of `player`, or None if the player is not here."""

def write():
    pass
'''


@pytest.mark.parametrize("source", PLANTED)
def test_wrong_word_at_the_start_is_refused(source):
    assert list(faults(source)) == [PLANTED[source]]


def test_plain_words_pass():
    assert list(faults(PLAIN)) == []
    assert list(long_sentences(PLAIN)) == []


def test_long_sentence_is_found_in_a_docstring_and_in_a_comment():
    long = "word " * MOST_WORDS + "word."
    assert list(long_sentences(f'"""{long}"""')) == [long]
    half = "word " * (MOST_WORDS // 2)
    assert list(long_sentences(f"# {half}\n# {half}\n# word word.\n")) == [f"{half}{half}word word."]
    assert list(long_sentences(f"a = 1  # {half}\n# {half}word word.\n")) == []  # two comments
    assert list(long_sentences(f'"""A list.\n\n- {half}\n- {half}\n- word word\n"""')) == []


@pytest.mark.parametrize(
    ("docstring", "rule"),
    [
        ('"""Returns the seats."""', "D401"),
        ('"""Return the seats"""', "D400"),
        ('"""Return the seats\n    of a table, one after another.\n    """', "D205"),
        ('"""Return the seats.\n\n    They are four."""', "D209"),
    ],
)
@pytest.mark.parametrize("folder", ["wording", "tests", "bench"])
def test_ruff_refuses_a_planted_docstring(folder, docstring, rule):
    """Check a planted function as if it lay in a file of this folder."""
    where = f"{folder}/planted.py"
    command = [sys.executable, "-m", "ruff", "check", "--output-format=concise", "--stdin-filename", where, "-"]
    source = f'"""A planted module."""\n\n\ndef get_seats():\n    {docstring}\n'
    found = subprocess.run(command, cwd=PROJECT, input=source, capture_output=True, text=True).stdout
    assert rule in found


def test_cached_property_of_django_may_begin_with_a_noun():
    command = [sys.executable, "-m", "ruff", "check", "--select=D401", "--stdin-filename", "wording/planted.py", "-"]
    source = (
        'from django.utils.functional import cached_property\n\n\nclass Table:\n    """A table."""\n\n'
        '    @cached_property\n    def seats(self):\n        """Returns of a table."""\n'
    )
    checked = subprocess.run(command, cwd=PROJECT, input=source, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout
