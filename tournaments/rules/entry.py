"""The entry of a play: the result that a table reports, and the checks of it.

The functions are pure: they use no rows and no cards. An entry has the facts of a deal, or only the signed base score
as on a paper fiche, or says that everyone passed.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

from scoring.bounds import check_cards
from scoring.contract import FFT, DealResult, ScoringRules, Side, marks, score_deal
from scoring.formats import Format
from scoring.plausibility import Question, base_score_questions
from scoring.plausibility import ask_about_result as result_questions
from scoring.ranking import Line
from wording import CodedText, Texts
from wording import gettext_noop as _

PLAYERS = 4
BIGGEST_FICHE = 2000


class Bout(StrEnum):
    """One of the three bouts. The more bouts the attack wins, the fewer points it needs."""

    TRUMP_21 = "21"
    PETIT = "petit"
    EXCUSE = "excuse"


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of a deal. `attack_bouts` names the attack's bouts, or is None if only their number is known.

    Facts that differ only in `attack_bouts` are equal, because they give the same score. `attacker` is the id of a team
    member who attacked out of turn. It is None if the member attacked whose turn it was, or if no teams play.
    """

    kind: ClassVar = "facts"
    taker: Line
    result: DealResult
    attack_bouts: frozenset[Bout] | None = field(default=None, compare=False)
    attacker: int | None = None


@dataclass(frozen=True, slots=True)
class Fiche:
    """A base score without other facts: positive if the taker wins. It is not multiplied by three (FFT 2012 p. 16).

    `attacker` as in `Facts`.
    """

    kind: ClassVar = "fiche"
    taker: Line
    base_score: int
    attacker: int | None = None


@dataclass(frozen=True, slots=True)
class AllPassed:
    """A deal in a free auction in which all four players passed: everybody scores 0."""

    kind: ClassVar = "passed"


Entry = Facts | Fiche | AllPassed


class EntryError(CodedText, ValueError):
    """An error: the play cannot have this entry. `field` names the wrong field of the entry."""

    messages: ClassVar[Texts] = {
        "taker_missing": _("No taker is given: choose the line that took."),
        "taker_not_of_etui": _(
            "The taker of this étui is %(etui_taker)s, not %(taker)s: check the number of the étui and the taker."
        ),
        "contract_not_imposed": _("Every étui is played as a Garde here: correct the contract."),
        "contract_barred": _("This contract may not be played here: choose Garde, Garde sans or Garde contre."),
        "pass_not_allowed": _("The étui’s taker must play here: nobody may pass. Enter the result, or annul the play."),
        "four_players_only": _("An étui is played by four players: correct the number of players."),
        "bouts_disagree": _("%(named)s bouts are named, but %(bouts)s are counted: name exactly those of the attack."),
        "petit_elsewhere": _(
            "The petit au bout goes to %(side)s, but the Petit is named among the bouts of the other side. "
            "Check the petit au bout and the bouts."
        ),
        "fiche_range": _(
            "A fiche cannot show more than %(most)s: write the base score, + or − for the taker, not "
            "multiplied by three."
        ),
    }

    def __init__(self, code: str, field: str, **params: object) -> None:
        self.code, self.field, self.params = code, field, params
        super().__init__(code, field, params)


def base_score(entry: Entry, rules: ScoringRules = FFT) -> int:
    """Return the signed base score of the entry, 0 if everyone passed. Raise `ScoringError` for impossible facts."""
    match entry:
        case Facts(result=result):
            return score_deal(result, rules).base_score
        case Fiche(base_score=score):
            return score
        case AllPassed():
            return 0


def attacker_of(entry: Entry) -> int | None:
    """Return the id of the team member who attacked out of turn, or None."""
    return None if isinstance(entry, AllPassed) else entry.attacker


def taker_of(entry: Entry) -> Line | None:
    """Return the line of the taker, or None if everyone passed."""
    return None if isinstance(entry, AllPassed) else entry.taker


def seat_marks(taker: Line | None, score: int) -> dict[Line, int]:
    """Return the points that each of the four lines wins or loses with this base score, by line. Their sum is 0."""
    mark = marks(score, players=PLAYERS)
    return {line: 0 if taker is None else mark.taker if line == taker else mark.defender for line in Line}


def check_entry_rules(entry: Entry, *, format: Format, etui_taker: Line | None, rules: ScoringRules = FFT) -> None:
    """Raise `EntryError` if the format or the étui does not allow the entry. `etui_taker` is the étui's taker.

    Raise `ScoringError` if the facts are impossible with any cards.
    """
    if isinstance(entry, AllPassed):
        if not format.may_pass:
            raise EntryError("pass_not_allowed", "contract")
        return
    if format.is_imposed and entry.taker != (taker := format.find_taker(etui_taker)):
        raise EntryError("taker_not_of_etui", "taker", taker=entry.taker, etui_taker=taker)
    if isinstance(entry, Fiche):
        if abs(entry.base_score) > BIGGEST_FICHE:
            raise EntryError("fiche_range", "base_score", most=BIGGEST_FICHE)
        return
    least, most = format.people
    if not least <= entry.result.players <= most:
        raise EntryError("four_players_only", "players")
    if format.contract is not None and entry.result.contract != format.contract:
        raise EntryError("contract_not_imposed", "contract")
    if entry.result.contract not in format.contracts:
        raise EntryError("contract_barred", "contract")
    score_deal(entry.result, rules)
    check_cards(entry.result)
    _check_bouts(entry)


def _check_bouts(facts: Facts) -> None:
    """Raise `EntryError` if the named bouts contradict the number of bouts or the petit au bout."""
    named, petit = facts.attack_bouts, facts.result.petit_au_bout
    if named is None:
        return
    if len(named) != facts.result.bouts:
        raise EntryError("bouts_disagree", "bouts", bouts=facts.result.bouts, named=len(named))
    if petit != Side.NONE and (petit == Side.ATTACK) != (Bout.PETIT in named):
        raise EntryError("petit_elsewhere", "petit_au_bout", side=petit)


def ask_about_entry(entry: Entry, *, format: Format) -> tuple[Question, ...]:
    """Return the questions to ask before the entry is saved: one for each thing that is possible but unlikely."""
    match entry:
        case Facts(result=result):
            return result_questions(result)
        case Fiche(base_score=score) if format.contract is not None:
            return base_score_questions(score, format.contract, PLAYERS)
        case Fiche(base_score=score):
            asked = [base_score_questions(score, contract, PLAYERS) for contract in format.contracts]
            return asked[0] if all(asked) else ()
        case AllPassed():
            return ()
