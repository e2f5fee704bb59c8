"""Cells of a line that say what they hold: `Club: Lyon`, `Catégorie: junior`. Columns of files become such cells."""

import re
from typing import NamedTuple

from clubs.names import plain

LABELLED = re.compile(r"\s*([^\W\d_][^:;,\t]{0,30}?)\s*:\s*(.*?)\s*$")
LABELS = {
    "origin": {"club", "club d'origine", "origine", "association", "club of origin", "origin"},
    "category": {"categorie", "categories", "cat", "cat.", "category", "serie", "series"},
}
MOST_LETTERS = {"origin": 120, "category": 60}
# By the value that a player's category is kept as: what files call it.
CATEGORIES = {
    "youth": {
        "youth",
        "under 18",
        "u18",
        "moins de 18",
        "moins de 18 ans",
        "jeune",
        "jeunes",
        "cadet",
        "cadets",
        "minime",
    },
    "junior": {"junior", "juniors", "j"},
    "senior": {"senior", "seniors", "s"},
    "veteran": {"veteran", "veterans", "v"},
}


# By the value that a player's series is kept as: how a text may begin, with “série” or without.
SERIES = re.compile(r"(?:serie )?(?:([1-4])(?:re|ere|er|e|eme|nde|nd|de)?|(promo(?:tion)?))(?: series?)?")
PROMOTION = "promotion"


class Told(NamedTuple):
    """Return what the labelled cells of a line tell; `unknown` is the text of a category that nobody knows."""

    origin: str = ""
    category: str = ""
    series: str = ""
    unknown: str = ""


def take_labelled(cells: list[str]) -> tuple[Told, list[str]]:
    """Return what the labelled cells tell, and the other cells."""
    told, others = Told(), []
    for cell in cells:
        found = LABELLED.match(cell)
        label = next((name for name, words in LABELS.items() if found and plain(found[1]) in words), "")
        value = found[2][: MOST_LETTERS[label]] if found and label else ""
        if label == "origin":
            told = told._replace(origin=value)
        elif label == "category":
            category, series = find_category(value), find_series(value)
            told = told._replace(category=category or told.category, series=series or told.series)
            told = told if category or series else told._replace(unknown=value)
        else:
            others.append(cell)
    return told, others


def find_category(text: str) -> str:
    """Return the value of the category that a text names, or "" where it names none."""
    said = " ".join(plain(text).split())
    return next((value for value, words in CATEGORIES.items() if said in words), "")


def find_series(text: str) -> str:
    """Return the value of the series that a text names, or "" where it names none: “3e série” is “3”."""
    found = SERIES.fullmatch(" ".join(plain(text).split()))
    return (found[1] or PROMOTION) if found else ""
