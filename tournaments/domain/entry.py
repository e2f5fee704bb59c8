"""What a table may report of a play, and the checks on it. Pure: knows rules and lines, no row and no card.

An entry holds the facts of a deal, or only the signed base score as a paper fiche does, or that everyone passed.
"""

from dataclasses import dataclass
from typing import Literal

from scoring.contract import FFT, Contract, DealResult, ScoringRules, marks, score_deal
from scoring.plausibility import Question, base_score_questions
from scoring.plausibility import questions as result_questions
from scoring.ranking import Line

PLAYERS = 4
BIGGEST_FICHE = 2000
Auction = Literal["imposed", "free"]


@dataclass(frozen=True, slots=True)
class Facts:
    taker: Line
    result: DealResult


@dataclass(frozen=True, slots=True)
class Fiche:
    """The signed base score alone: + for the taker, − against; never three times it (FFT 2012 p. 16)."""

    taker: Line
    base_score: int


@dataclass(frozen=True, slots=True)
class Passed:
    """Four passes in a free auction: 0 for all."""


Entry = Facts | Fiche | Passed


class EntryError(ValueError):
    """An entry that this play cannot have. Codes: taker_missing, taker_not_of_etui, contract_not_imposed,
    pass_not_allowed, four_players_only, fiche_range."""

    def __init__(self, code: str, field: str, **params: object) -> None:
        self.code, self.field, self.params = code, field, params
        super().__init__(f"{field}: {code} {params or ''}".strip())


def base_score(entry: Entry, rules: ScoringRules = FFT) -> int:
    """The signed base score of the entry; four passes give 0. Raises `ScoringError` on impossible facts."""
    match entry:
        case Facts(result=result):
            return score_deal(result, rules).base_score
        case Fiche(base_score=score):
            return score
        case Passed():
            return 0


def taker_of(entry: Entry) -> Line | None:
    return None if isinstance(entry, Passed) else entry.taker


def seat_marks(taker: Line | None, score: int) -> dict[Line, int]:
    """The signed mark of each of the four lines; they sum to zero."""
    mark = marks(score, players=PLAYERS)
    return {line: 0 if taker is None else mark.taker if line == taker else mark.defender for line in Line}


def check(entry: Entry, *, auction: Auction, etui_taker: Line | None, rules: ScoringRules = FFT) -> None:
    """Refuses what this play cannot have: raises `EntryError`, or `ScoringError` where the arithmetic forbids it."""
    if isinstance(entry, Passed):
        if auction == "imposed":
            raise EntryError("pass_not_allowed", "contract")
        return
    if auction == "imposed" and entry.taker != etui_taker:
        raise EntryError("taker_not_of_etui", "taker", taker=entry.taker, etui_taker=etui_taker)
    if isinstance(entry, Fiche):
        if abs(entry.base_score) > BIGGEST_FICHE:
            raise EntryError("fiche_range", "base_score", most=BIGGEST_FICHE)
        return
    if entry.result.players != PLAYERS:
        raise EntryError("four_players_only", "players")
    if auction == "imposed" and entry.result.contract != Contract.GARDE:
        raise EntryError("contract_not_imposed", "contract")
    score_deal(entry.result, rules)


def questions(entry: Entry, *, auction: Auction) -> tuple[Question, ...]:
    """What is possible but unlikely, to be asked before the entry is saved."""
    match entry:
        case Facts(result=result):
            return result_questions(result)
        case Fiche(base_score=score) if auction == "imposed":
            return base_score_questions(score, Contract.GARDE, PLAYERS)
        case Fiche(base_score=score):
            asked = [base_score_questions(score, contract, PLAYERS) for contract in Contract]
            return asked[0] if all(asked) else ()
        case Passed():
            return ()
