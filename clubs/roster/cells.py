"""The cells of a line that have a label: `Club: Lyon`, `Catégorie: junior`. Columns of a file become such cells."""

import re
from typing import NamedTuple

from clubs.names import simplify_name

LABELLED = re.compile(r"\s*([^\W\d_][^:;,\t]{0,30}?)\s*:\s*(.*?)\s*$")
LABELS = {
    "origin": {"club", "club d'origine", "origine", "association", "club of origin", "origin"},
    "category": {"categorie", "categories", "cat", "cat.", "category", "serie", "series"},
    "ladies": {"dame", "lady", "sexe", "sex"},
}
MOST_LETTERS = {"origin": 120, "category": 60, "ladies": 60}
# The texts of a cell that say that a player is in the category ladies (LADY), or is not (NO_LADY).
LADY = {"x", "oui", "o", "yes", "y", "1", "vrai", "true", "dame", "dames", "d", "femme", "f", "feminin", "female", "w"}
LADY |= {"lady", "ladies", "woman", "mme", "mlle", "madame"}
NO_LADY = {"", "-", "non", "n", "no", "0", "faux", "false", "homme", "h", "m", "masculin", "male", "man", "monsieur"}
LADIES = "ladies"
# Stored value of a player's category → the words that files use for it.
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


# The texts that name a player's series, with or without the word “série”.
SERIES = re.compile(r"(?:series? )?(?:([1-4])(?:re|ere|er|e|eme|nde|nd|de)?|(promo(?:tion)?))(?: series?)?")
PROMOTION = "promotion"


class CellFacts(NamedTuple):
    """The contents of a line's labelled cells. `unknown`: the text of a cell that could not be understood."""

    origin: str = ""
    category: str = ""
    series: str = ""
    ladies: str = ""
    unknown: str = ""


def take_labelled(cells: list[str]) -> tuple[CellFacts, list[str]]:
    """Return the contents of the cells with a label, and the list of the other cells."""
    facts, others = CellFacts(), []
    for cell in cells:
        match = LABELLED.match(cell)
        label = next((name for name, words in LABELS.items() if match and simplify_name(match[1]) in words), "")
        value = match[2][: MOST_LETTERS[label]] if match and label else ""
        if label == "origin":
            facts = facts._replace(origin=value)
        elif label == "category":
            category, series = find_category(value), find_series(value)
            facts = facts._replace(category=category or facts.category, series=series or facts.series)
            facts = facts if category or series else facts._replace(unknown=value)
        elif label == "ladies":
            said = " ".join(simplify_name(value).strip(" .").split())
            if said in LADY | NO_LADY:
                facts = facts._replace(ladies=LADIES if said in LADY else "")
            elif " " in said:  # a name, as in “Dame : Marie Dupont”
                others.append(value)
            else:
                facts = facts._replace(unknown=value)
        else:
            others.append(cell)
    return facts, others


def find_category(text: str) -> str:
    """Return the stored value of the category that a text names, or "" if the text names none."""
    said = " ".join(simplify_name(text).split())
    return next((value for value, words in CATEGORIES.items() if said in words), "")


def find_series(text: str) -> str:
    """Return the stored value of the series that a text names, or "" if it names none: “3e série” gives “3”."""
    match = SERIES.fullmatch(" ".join(simplify_name(text).split()))
    return (match[1] or PROMOTION) if match else ""
