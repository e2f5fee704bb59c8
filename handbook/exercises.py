"""The exercises of the handbook as values. The module `answers` judges answers to them."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from deals.domain.cards import Seat
from handbook.deals import LANGUAGES, find_card
from handbook.errors import HandbookError
from scoring.notation import read_result
from scoring.values import DealResult


class Kind(StrEnum):
    """The kinds of exercises. Only a CHOICE stores its right answer. The rules give the right answers of the others."""

    CHOICE = "choice"
    BID = "bid"
    LEGAL = "legal"
    DISCARD = "discard"
    WINNER = "winner"
    COUNT = "count"
    SCORE = "score"
    POIGNEE = "poignee"


@dataclass(frozen=True, slots=True)
class AnswerChoice:
    """One of the possible answers to a choice: its text and its reason by language."""

    key: str
    is_right: bool
    texts: Mapping[str, str]
    reasons: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Exercise:
    """A question with all data that are needed to judge an answer.

    `deal` is the key of a deal, or "". `tricks`: the number of its tricks that the reader sees. `cards`: the cards of a
    COUNT. `result`: the result of a SCORE. `bids`: the bids of a BID, None for a pass.
    """

    key: str
    kind: Kind
    page: str
    questions: Mapping[str, str]
    deal: str = ""
    tricks: int = 0
    seat: Seat | None = None
    choices: tuple[AnswerChoice, ...] = ()
    cards: tuple[int, ...] = ()
    result: DealResult | None = None
    bids: tuple[str | None, ...] = ()


def read_exercise(key: str, text: str) -> Exercise:
    """Return the exercise of a TOML text. Raise HandbookError if it breaks the format."""
    values = tomllib.loads(text)
    kind = Kind(values["kind"])
    choices = tuple(read_choice(each) for each in values.get("choices", ()))
    if (kind == Kind.CHOICE) != bool(choices) or (choices and sum(choice.is_right for choice in choices) != 1):
        raise HandbookError(f"{key}: a choice, and no other kind, has choices, of which one is right.")
    seat = values.get("seat")
    exercise = Exercise(
        key=key,
        kind=kind,
        page=values["page"],
        questions={language: values[language]["question"] for language in LANGUAGES},
        deal=values.get("deal", ""),
        tricks=values.get("tricks", 0),
        seat=seat and Seat(seat),
        choices=choices,
        cards=tuple(map(find_card, values.get("cards", ()))),
        result=read_result(values["result"]) if "result" in values else None,
        bids=tuple(bid or None for bid in values.get("bids", ())),
    )
    if (kind == Kind.COUNT) != bool(exercise.cards) or (kind == Kind.SCORE) != (exercise.result is not None):
        raise HandbookError(f"{key}: a count has cards, a score has a result, and no other kind has them.")
    return exercise


def read_choice(values: Mapping[str, Any]) -> AnswerChoice:
    """Return one possible answer of a TOML table."""
    return AnswerChoice(
        key=values["id"],
        is_right=values.get("right", False),
        texts={language: values[language] for language in LANGUAGES},
        reasons={language: values[f"why_{language}"] for language in LANGUAGES},
    )
