"""What a table may report of a play, and the checks on it. Pure: knows rules and lines, no row and no card.

An entry holds the facts of a deal, or only the signed base score as a paper fiche does, or that everyone passed.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar, Literal

from scoring.bounds import check_cards
from scoring.contract import FFT, Contract, DealResult, ScoringRules, Side, marks, score_deal
from scoring.plausibility import Question, base_score_questions
from scoring.plausibility import questions as result_questions
from scoring.ranking import Line
from wording import Coded, Texts
from wording import gettext_noop as _

PLAYERS = 4
BIGGEST_FICHE = 2000
Auction = Literal["imposed", "free"]


class Bout(StrEnum):
    """One of the three cards that lower what the attack needs."""

    TRUMP_21 = "21"
    PETIT = "petit"
    EXCUSE = "excuse"


@dataclass(frozen=True, slots=True)
class Facts:
    """`attack_bouts` are the bouts that the result counts, where they were named and not only counted.

    Two facts that differ in them alone are the same result: they score the same.
    """

    kind: ClassVar = "facts"
    taker: Line
    result: DealResult
    attack_bouts: frozenset[Bout] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Fiche:
    """The signed base score alone: + for the taker, − against; never three times it (FFT 2012 p. 16)."""

    kind: ClassVar = "fiche"
    taker: Line
    base_score: int


@dataclass(frozen=True, slots=True)
class Passed:
    """Four passes in a free auction: 0 for all."""

    kind: ClassVar = "passed"


Entry = Facts | Fiche | Passed


class EntryError(Coded, ValueError):
    """An entry that this play cannot have."""

    messages: ClassVar[Texts] = {
        "taker_missing": _("Nobody is named as the taker: say which line took."),
        "taker_not_of_etui": _(
            "%(etui_taker)s takes this étui, not %(taker)s: check the number of the étui and the taker."
        ),
        "contract_not_imposed": _("Here every étui is played as a Garde: correct the contract."),
        "pass_not_allowed": _("Here the étui’s taker must play: nobody may pass. Enter the result, or annul the play."),
        "four_players_only": _("An étui is played by four: correct the number of players."),
        "bouts_disagree": _("%(named)s bouts are named and %(bouts)s are counted: name as many as the attack has."),
        "petit_elsewhere": _(
            "The petit au bout goes to %(side)s, and the Petit is named among the bouts of the other side."
            " Check the petit au bout and the bouts."
        ),
        "fiche_range": _(
            "No fiche shows more than %(most)s: write the base score, signed for the taker, not multiplied by three."
        ),
    }

    def __init__(self, code: str, field: str, **params: object) -> None:
        self.code, self.field, self.params = code, field, params
        super().__init__(code, field, params)


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
    """Who took; None where all passed."""
    return None if isinstance(entry, Passed) else entry.taker


def seat_marks(taker: Line | None, score: int) -> dict[Line, int]:
    """The signed mark of each of the four lines; they sum to zero."""
    mark = marks(score, players=PLAYERS)
    return {line: 0 if taker is None else mark.taker if line == taker else mark.defender for line in Line}


def check(entry: Entry, *, auction: Auction, etui_taker: Line | None, rules: ScoringRules = FFT) -> None:
    """Refuses what this play cannot have: raises `EntryError`, or `ScoringError` where no play of cards gives it."""
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
    check_cards(entry.result)
    _check_bouts(entry)


def _check_bouts(facts: Facts) -> None:
    """The bouts named are as many as are counted, and the Petit among them where the attack has it au bout."""
    named, petit = facts.attack_bouts, facts.result.petit_au_bout
    if named is None:
        return
    if len(named) != facts.result.bouts:
        raise EntryError("bouts_disagree", "bouts", bouts=facts.result.bouts, named=len(named))
    if petit != Side.NONE and (petit == Side.ATTACK) != (Bout.PETIT in named):
        raise EntryError("petit_elsewhere", "petit_au_bout", side=petit)


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
