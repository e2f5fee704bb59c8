"""No page asks which kind of ranking it shows. What differs is in the `RankingKind` of a session, tournament and so on.

Pages of one kind only, such as those of a series, may of course name it.
"""

import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
OF_ALL_KINDS = ("ranking", "embedded", "public/versions.html", "public/front/_podium.html")
READERS = ("pages", "api", "outgoing")
OF_ONE_KIND = ("pages/public/series", "pages/public/field", "pages/series", "pages/simultaneous")
IN_TEMPLATE = re.compile(r"\{% (?:el)?if (?:not )?(?:session|tournament|series|simultaneous) %\}")
VERSIONS = r"isinstance\([^)]*\b(?:\w*Publication|Series|Simultaneous)\b"
IN_PYTHON = re.compile(rf"{VERSIONS}|\bkind(?:\.name)? [=!]= (?:SESSIONS|TOURNAMENTS|FIELDS)")


def count_questions():
    """Return how often each file asks for the kind of a ranking."""
    templates = [path for place in OF_ALL_KINDS for path in find_files(ROOT / "templates" / place, "*.html")]
    modules = [path for place in READERS for path in find_files(ROOT / place, "*.py")]
    counts = Counter[str]()
    for asks, paths in ((IN_TEMPLATE, templates), (IN_PYTHON, modules)):
        for path in paths:
            name = path.relative_to(ROOT).as_posix()
            if not name.startswith(OF_ONE_KIND):
                counts[name] += len(asks.findall(path.read_text()))
    return {name: count for name, count in counts.items() if count}


def find_files(place, pattern):
    return place.rglob(pattern) if place.is_dir() else [place]


def test_no_page_asks_which_kind_of_ranking_it_shows():
    assert count_questions() == {}


# Each had a copy for one kind of what all kinds have: `RankedRow`, `StepResult`, `RankingStep` and `Ranking`.
GONE = (
    *("ShownPlayer", "ShownCompetitor", "SeriesCompetitor", "FieldPlayer", "ShownTeamPlayer", "EventOfPlayer"),
    *("ShownResult", "ShownRound", "ShownSession", "ShownEvent", "Report", "TournamentReport", "SeriesReport"),
    *("FieldReport", "SummedTeam", "SummedPlayer"),
)
CLASS = re.compile(rf"^class (?:{'|'.join(GONE)})\b", re.MULTILINE)


def find_copies(texts):
    """Return the classes of these modules that describe one kind of ranking again."""
    return [found.removeprefix("class ") for text in texts for found in CLASS.findall(text)]


def test_all_kinds_share_one_type_of_row_of_step_and_of_ranking():
    folders = ("rankings", "tournaments", "pages", "api", "outgoing")
    modules = [path.read_text() for folder in folders for path in (ROOT / folder).rglob("*.py")]
    assert find_copies(modules) == []
    assert find_copies([*modules, "class SeriesReport:\n    pass\n"]) == ["SeriesReport"]
