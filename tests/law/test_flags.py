"""The flags of a format: who asks them outside the packages that say what a format is, so that it becomes seldom."""

import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from scoring.formats import INDIVIDUAL, Format
from tests.law.packages import PROJECT, ROOTS
from tournaments.models import Tournament

# Flags of `Format`, of tournaments, and values made of them. A new flag of a format joins the list.
FLAGS = {
    *("asks_contract", "compares_seats", "fixed_taker", "has_badges", "has_free_deals", "has_games", "has_matches"),
    *("in_per_cent", "is_for_teams", "is_imposed", "is_mirrored", "is_weighted", "may_pass", "sums_teams"),
    *("deals_freely", "has_line_ups", "in_marks", "in_match_points", "is_games", "is_of_teams", "is_team_plan"),
    *("of_teams", "plays_in_games"),
}
MOST_LINES, MOST_FILES = 58, 35  # write a lower number down
NO_FLAG = {"alterne"}  # also the name of a ranking
OWNERS = ("scoring", "movements/plan")  # the folders that say what a format is, and how a table is filled
KINDS = ("*.py", "*.html", "*.txt", "*.typ", "*.js")
NAMED = re.compile(rf"\b(?:{'|'.join(sorted(FLAGS))})\b")


def list_sources() -> Iterator[Path]:
    """Yield the files of the product but those of the owners, migrations and the catalogues of translations."""
    owners = [PROJECT / folder for folder in OWNERS]
    for root in (*ROOTS, "templates"):
        for kind in KINDS:
            for path in (PROJECT / root).rglob(kind):
                if "migrations" not in path.parts and not any(path.is_relative_to(owner) for owner in owners):
                    yield path


def test_fewer_lines_ask_which_format_they_show():
    lines = {path: count_lines(path.read_text()) for path in list_sources()}
    named = [path for path, count in lines.items() if count]
    count = sum(lines.values())
    assert count <= MOST_LINES, f"{count} lines: let the format say it"
    assert len(named) <= MOST_FILES, f"{len(named)} files: let the format say it"


def test_no_template_names_a_flag():
    named = [path for path in list_sources() if path.suffix not in (".py", ".js") and count_lines(path.read_text())]
    assert [str(path.relative_to(PROJECT)) for path in named] == [], "take a word, or a part of the page"


def count_lines(source: str) -> int:
    return sum(bool(NAMED.search(line)) for line in source.splitlines())


def test_each_flag_of_a_format_is_in_the_list():
    values = [name for name, each in vars(Format).items() if isinstance(each, property)]
    values += [field.name for field in fields(Format)]
    flags = {name for name in values if isinstance(getattr(INDIVIDUAL, name), bool)}
    asked = {name for name, each in vars(Tournament).items() if isinstance(each, property) and asks_format(each)}
    assert {*flags, *asked} - NO_FLAG - FLAGS == set()


def asks_format(flag: property) -> bool:
    """Return whether a property of a tournament answers yes or no by its format."""
    get = flag.fget
    return get is not None and "find_format" in get.__code__.co_names and get.__annotations__["return"] is bool


def test_planted_flag_is_counted_once_a_line():
    assert count_lines("if format.has_games and format.has_games:\n    has_games_too = 1\n{% if in_marks %}\n") == 2
