"""The table "Where is …" of docs/architecture.md: every file that it names exists, and every name is defined there."""

import ast
import re
from pathlib import Path

import pytest

from tests.law.packages import ARCHITECTURE, PROJECT

TABLE = ARCHITECTURE.split("## Where is …", 1)[1]
ANSWERS = {row[0]: row[1] for row in re.findall(r"^\| (.+?) \| (.+) \|$", TABLE, re.MULTILINE) if row[0] != "question"}
FILE = r"[\w./-]+/[\w.-]+"
NAMED = re.compile(rf"`([\w.]+)` in `({FILE})`")


def find_definitions(path: Path) -> set[str]:
    """Return the names that a file defines: of Python by its tree, of a script by its declarations."""
    source = path.read_text()
    if path.suffix != ".py":
        return set(re.findall(r"\b(?:function|const|class) (\w+)", source))
    found = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.ClassDef(name=name, body=body):
                found |= {name, *(f"{name}.{each.name}" for each in body if isinstance(each, ast.FunctionDef))}
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.add(name)
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                found.add(name)
    return found


def find_wrong_places(answer: str) -> list[str]:
    """Return the files of an answer that do not exist, and the names that its files do not define."""
    files = [each for each in re.findall(rf"`({FILE})`", answer) if not (PROJECT / each).exists()]
    there = [(name, path) for name, path in NAMED.findall(answer) if path not in files]
    return files + [f"{name} in {path}" for name, path in there if name not in find_definitions(PROJECT / path)]


def test_table_has_few_rows_each_under_a_subject():
    chapters = re.split(r"^### ", TABLE, flags=re.MULTILINE)
    rows = [len(re.findall(r"^\| (?!question)", chapter, re.MULTILINE)) for chapter in chapters]
    assert rows[0] == 0
    assert min(rows[1:]) > 0
    assert 60 < sum(rows) == len(ANSWERS) <= 80


@pytest.mark.parametrize(
    "words",
    ["who publishes", "equal players", "consolation", "corrects its own", "sent twice", "one moment", "écart a bot"],
)
def test_table_has_what_readers_looked_for_in_vain(words):
    found = [question for question in ANSWERS if set(words.split()) <= set(re.findall(r"\w+", question))]
    assert len(found) == 1


def test_each_answer_names_what_exists():
    assert [question for question, answer in ANSWERS.items() if not re.search(rf"`({FILE})`", answer)] == []
    wrong = {question: find_wrong_places(answer) for question, answer in ANSWERS.items()}
    assert {question: found for question, found in wrong.items() if found} == {}


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("`Play.seats` in `tournaments/models/plays.py`; `anneal` in `movements/search/anneal.py`", []),
        ("`poigneeQuestions` in `pages/static/table/state/score.js`", []),
        ("`scoring/nowhere.py`, `scoring/ranking.py`", ["scoring/nowhere.py"]),
        ("`find_nothing` in `scoring/ranking.py`", ["find_nothing in scoring/ranking.py"]),
        (
            "`Play.find_nothing` in `tournaments/models/plays.py`",
            ["Play.find_nothing in tournaments/models/plays.py"],
        ),
        (
            "`nothing` in `pages/static/table/state/score.js`",
            ["nothing in pages/static/table/state/score.js"],
        ),
    ],
    ids=["defined", "in a script", "no file", "no name", "no method", "no name in a script"],
)
def test_planted_answer_is_found(answer, wrong):
    assert find_wrong_places(answer) == wrong
