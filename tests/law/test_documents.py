"""The documents for people: what is listed is there, links lead somewhere, and no list grows into a wall."""

import contextlib
import io
import re
import unicodedata
from pathlib import Path

import pytest

from tests.config.test_settings import PROJECT

README = (PROJECT / "README.md").read_text()
CHANGES = (PROJECT / "CHANGELOG.md").read_text()
MOST_CHANGES = 60  # of a release, with its heading: each change of 1.0.0 may add one line
DECISIONS = PROJECT / "docs" / "decisions"
PAGES = sorted(DECISIONS.glob("0*.md"))
INDEX = re.findall(r"^\| \[(\d{4})\]\((\S+)\) \| (.+) \| (.+) \|$", (DECISIONS / "README.md").read_text(), re.MULTILINE)
STATE = re.compile(r"^(?:Replaced by \[(\d{4})\]|(History):)", re.MULTILINE)
DOCUMENTS = [*sorted(PROJECT.glob("*.md")), *sorted((PROJECT / "docs").rglob("*.md"))]
LINK = re.compile(r"\]\(([^)\s]+)\)")


def state_of_page(text: str) -> str:
    """Return the state that a decision's page gives in its first five lines."""
    match STATE.search("\n".join(text.splitlines()[:5])):
        case None:
            return "in force"
        case found:
            return f"replaced by {found[1]}" if found[1] else "history"


def find_anchors(text: str) -> set[str]:
    """Return the anchors of a document's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", unicodedata.normalize("NFC", each.lower())).replace(" ", "-") for each in headings}


def find_dead_links(document: Path, text: str) -> list[str]:
    """Return the links of a document that lead to no file, or to no heading of their file."""
    dead = []
    prose = re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.DOTALL)
    for link in LINK.findall(prose):
        if re.match(r"https?:|mailto:|/", link):
            continue
        name, _hash, anchor = link.partition("#")
        target = document.parent / name if name else document
        if not target.exists() or (anchor and anchor not in find_anchors(target.read_text() if name else text)):
            dead.append(link)
    return dead


def test_readme_has_at_most_120_lines_and_one_chapter_for_each_reader():
    assert len(README.splitlines()) <= 120
    chapters = re.findall(r"^## (.+)$", README, re.MULTILINE)
    readers = ["See it", "For a club's director", "For an administrator", "For a developer"]
    assert chapters == [*readers, "Licence"]


@pytest.mark.parametrize(
    ("word", "explained"),
    [
        ("étui", "is a board that keeps one deal"),
        ("topage", "comparing results on the same cards"),
        ("floating player", "takes another player's seat"),
    ],
)
def test_readme_explains_a_word_where_it_first_stands(word, explained):
    first = " ".join(README[README.index(word) :].split())[:80]
    assert explained in first


def test_example_of_the_readme_prints_what_it_says():
    code = re.search(r"```python\n(.+?)```", README, re.DOTALL)[1]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {})
    assert printed.getvalue().split() == re.findall(r"# (\d+):", code)


def test_changelog_has_one_line_a_change_and_few_of_a_release():
    releases = re.split(r"^(?=## )", CHANGES, flags=re.MULTILINE)[1:]
    assert all(len(release.splitlines()) <= MOST_CHANGES for release in releases)
    assert [line for line in CHANGES.splitlines() if line and not re.match(r"# |## |- ", line)] == []


def test_each_document_is_listed_for_a_reader():
    listed = set(LINK.findall((PROJECT / "docs" / "README.md").read_text()))
    there = {path.name for path in (PROJECT / "docs").glob("*.md")} - {"README.md"}
    assert there - listed == set()


def test_each_decision_is_listed_with_the_state_of_its_page():
    states = {path.name: state_of_page(path.read_text()) for path in PAGES}
    listed = {name: state for _number, name, _title, state in INDEX}
    differing = sorted(name for name in states.keys() | listed.keys() if states.get(name) != listed.get(name))
    assert differing == [], "correct or add these lines in docs/decisions/README.md"
    assert [number for number, *_rest in INDEX] == [path.name[:4] for path in PAGES], "order the list by number"


def test_no_decision_has_more_than_40_lines():
    assert [path.name for path in PAGES if len(path.read_text().splitlines()) > 40] == []


def test_replaced_decision_names_a_page_as_its_successor():
    numbers = {path.name[:4] for path in PAGES}
    assert {state.split()[-1] for *_rest, state in INDEX if state.startswith("replaced")} <= numbers


@pytest.mark.parametrize(
    ("first", "state"),
    [
        ("- **Context**: a table.", "in force"),
        ("Replaced by [0053](0053-a-join.md).", "replaced by 0053"),
        ("History: gone since [0053](0053-a-join.md).", "history"),
        ("It was once replaced by [0053](0053-a-join.md).", "in force"),
    ],
)
def test_state_of_a_page_is_read_from_its_first_lines(first, state):
    assert state_of_page(f"# 0001 A title\n\n{first}\n") == state


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(PROJECT)))
def test_links_of_a_document_lead_somewhere(document):
    assert find_dead_links(document, document.read_text()) == []


def test_planted_dead_links_are_found():
    text = "# A b’s title\n\n[a](#a-bs-title) [b](nowhere.md) [c](#nothing) [d](https://example.org) `[e](f.md)`"
    assert find_dead_links(PROJECT / "README.md", text) == ["nowhere.md", "#nothing"]
