"""The entry of a play: the result that a table reports, the checks of it, and its conversion to plain data.

The functions are pure: they use no rows and no cards. An entry has the facts of a deal, or only the signed base score
as on a paper fiche, or says that everyone passed. Where the tables deal, it may be the sheet of a whole game.

Reading checks the names and types of the values. It does not check whether the play can have the entry.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, ClassVar

from scoring.bounds import check_cards
from scoring.contract import FFT, DealResult, ScoringRules, Side, marks, score_deal
from scoring.errors import ScoringError
from scoring.formats import Format
from scoring.notation import DATA, UNSAID, check_names, result_from_data, result_to_data, unknown_value
from scoring.plausibility import Question, base_score_questions, sheet_questions
from scoring.plausibility import ask_about_result as result_questions
from scoring.plays import FIFTH, LINES, SEATS, Line
from tournaments.rules.formats import require_offered
from wording import CodedText, Texts
from wording import gettext_noop as _

PLAYERS, FIVE = 4, len(SEATS)
BIGGEST_FICHE = 2000
BIGGEST_SHEET = 29_999


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
    `partner` is the seat that the taker called, if five play; the taker's own seat means that the taker plays alone.
    """

    kind: ClassVar = "facts"
    taker: str
    result: DealResult
    attack_bouts: frozenset[Bout] | None = field(default=None, compare=False)
    attacker: int | None = None
    partner: str | None = None


@dataclass(frozen=True, slots=True)
class Fiche:
    """A base score without other facts: positive if the taker wins. It is not multiplied by three (FFT 2012 p. 16).

    `attacker` and `partner` as in `Facts`.
    """

    kind: ClassVar = "fiche"
    taker: str
    base_score: int
    attacker: int | None = None
    partner: str | None = None


@dataclass(frozen=True, slots=True)
class AllPassed:
    """A deal in a free auction in which all four players passed: everybody scores 0."""

    kind: ClassVar = "passed"


@dataclass(frozen=True, slots=True)
class GameSheet:
    """The paper sheet of a game: what each seat has won or lost in the deals that have no result of their own.

    `marks` has pairs of a seat and its marks, in the order of SEATS. They sum to zero.
    """

    kind: ClassVar = "sheet"
    marks: tuple[tuple[str, int], ...]

    @property
    def by_seat(self) -> dict[str, int]:
        """The marks by seat."""
        return dict(self.marks)


Entry = Facts | Fiche | AllPassed | GameSheet


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
        "dealt_again": _("Where the tables deal, a deal that everybody passes is dealt again: do not enter it."),
        "four_players_only": _("An étui is played by four players: correct the number of players."),
        "players_of_etui": _("Each étui is played by %(size)s players here: correct the number of players."),
        "bouts_disagree": _("%(named)s bouts are named, but %(bouts)s are counted: name exactly those of the attack."),
        "petit_elsewhere": _(
            "The petit au bout goes to %(side)s, but the Petit is named among the bouts of the other side. "
            "Check the petit au bout and the bouts."
        ),
        "fiche_range": _(
            "A fiche cannot show more than %(most)s: write the base score, + or − for the taker, not "
            "multiplied by three."
        ),
        "taker_not_there": _("Nobody plays at %(taker)s in this deal: choose the seat that took."),
        "partner_missing": _("Five play: choose the partner, or say that the taker plays alone."),
        "partner_not_five": _("Only a taker among five players has a partner: leave the partner out."),
        "partner_not_there": _("Nobody plays at %(partner)s in this deal: choose the partner among those who play it."),
        "sheet_elsewhere": _("A sheet of marks is for games that the tables deal: enter each étui by itself here."),
        "sheet_seats": _("The sheet needs the marks of each player of this table, and of nobody else."),
        "sheet_sum": _("The marks of a sheet sum to 0, and here they sum to %(sum)s: check the marks."),
        "sheet_whole": _("“%(text)s” is not a whole number of marks: write it in digits, such as 120 or −52."),
        "sheet_range": _("A sheet cannot show more than %(most)s marks for one player: check the marks."),
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
        case AllPassed() | GameSheet():
            return 0


def attacker_of(entry: Entry) -> int | None:
    """Return the id of the team member who attacked out of turn, or None."""
    return entry.attacker if isinstance(entry, Facts | Fiche) else None


def taker_of(entry: Entry) -> str | None:
    """Return the seat of the taker, or None if everyone passed, and for a sheet."""
    return entry.taker if isinstance(entry, Facts | Fiche) else None


def partner_of(entry: Entry) -> str | None:
    """Return the seat of the taker's partner among five players, or None. A taker who plays alone is returned."""
    return entry.partner if isinstance(entry, Facts | Fiche) else None


def seat_marks(
    taker: str | None, score: int, seats: Collection[str] = LINES, partner: str | None = None
) -> dict[str, int]:
    """Return the points that each seat wins or loses with this base score, by seat. Their sum is 0.

    `seats` are those who play the deal: without any, the four lines.
    """
    called = partner not in (None, taker) if len(seats) == FIVE else None
    mark = marks(score, players=len(seats), partner=called)
    by_part = {taker: mark.taker} | ({} if called is not True else {partner: mark.partner or 0})
    return {seat: 0 if taker is None else by_part.get(seat, mark.defender) for seat in seats}


def seat_entry(entry: Entry, playing: Collection[str]) -> Entry:
    """Return the entry of a table that deals, with the number of players of the deal. `playing` are their seats.

    Raise `EntryError` if the entry names somebody who does not play. Raise it too if five play without a named partner,
    or if a sheet has other seats.
    """
    if isinstance(entry, GameSheet):
        _check_sheet(entry, playing)
        return entry
    if isinstance(entry, AllPassed):
        return entry
    if entry.taker not in playing:
        raise EntryError("taker_not_there", "taker", taker=entry.taker)
    if len(playing) != FIVE and entry.partner is not None:
        raise EntryError("partner_not_five", "partner")
    if len(playing) == FIVE and entry.partner is None:
        raise EntryError("partner_missing", "partner")
    if entry.partner is not None and entry.partner not in playing:
        raise EntryError("partner_not_there", "partner", partner=entry.partner)
    if isinstance(entry, Fiche):
        return entry
    called = None if entry.partner is None else entry.partner != entry.taker
    return replace(entry, result=replace(entry.result, players=len(playing), partner=called))


def _check_sheet(sheet: GameSheet, seated: Collection[str]) -> None:
    if {seat for seat, _mark in sheet.marks} != {*seated} or len(sheet.marks) != len(seated):
        raise EntryError("sheet_seats", "marks")
    if any(abs(mark) > BIGGEST_SHEET for _seat, mark in sheet.marks):
        raise EntryError("sheet_range", "marks", most=BIGGEST_SHEET)
    if total := sum(mark for _seat, mark in sheet.marks):
        raise EntryError("sheet_sum", "marks", sum=total)


def check_entry_rules(entry: Entry, *, format: Format, etui_taker: Line | None, rules: ScoringRules = FFT) -> None:
    """Raise `EntryError` if the format or the étui does not allow the entry. `etui_taker` is the étui's taker.

    Raise `ScoringError` if the facts are impossible with any cards.
    """
    if isinstance(entry, AllPassed):
        require_offered(format.name, EntryError("pass_not_allowed", "contract"), EntryError("dealt_again", "contract"))
        return
    if isinstance(entry, GameSheet):
        require_offered(format.name, EntryError("sheet_elsewhere", "marks"))
        return
    if entry.partner is not None and FIFTH not in format.seats:
        raise EntryError("partner_not_five", "partner")
    if not format.may_take(entry.taker, etui_taker):
        taker = format.find_taker(etui_taker)
        raise EntryError("taker_not_of_etui", "taker", taker=entry.taker, etui_taker=taker)
    if isinstance(entry, Fiche):
        if abs(entry.base_score) > BIGGEST_FICHE:
            raise EntryError("fiche_range", "base_score", most=BIGGEST_FICHE)
        return
    least, most = format.people
    if not least <= entry.result.players <= most:
        if least == most != PLAYERS:
            raise EntryError("players_of_etui", "players", size=most)
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


def ask_about_entry(entry: Entry, *, format: Format, players: int = PLAYERS) -> tuple[Question, ...]:
    """Return the questions to ask before the entry is saved: one for each thing that is possible but unlikely.

    `players` is the number of those who play the deal: a fiche does not have it.
    """
    match entry:
        case Facts(result=result):
            return result_questions(result)
        case Fiche(base_score=score) if format.contract is not None:
            return base_score_questions(score, format.contract, players)
        case Fiche(base_score=score):
            questions = [base_score_questions(score, contract, players) for contract in format.contracts]
            return questions[0] if all(questions) else ()
        case GameSheet():
            return sheet_questions([mark for _seat, mark in entry.marks], players)
        case AllPassed():
            return ()


AT_FOUR = tuple(name for name in DATA if name not in UNSAID)
BOUTS = AT_FOUR.index("bouts") + 1
# The fields of an entry at a table of four with étuis.
FIELDS = {
    Facts.kind: ("taker", *AT_FOUR[:BOUTS], "attack_bouts", *AT_FOUR[BOUTS:]),
    Fiche.kind: ("taker", "base_score"),
    AllPassed.kind: (),
}
# The further fields where the tables deal. They are left out if there is no partner, and if four play.
PARTNER, PLAYERS_KEY, MARKS = "partner", "players", "marks"


def entry_to_data(entry: Entry) -> dict[str, Any]:
    """Return the entry as a dict for JSON: `kind`, then the `FIELDS` of that kind in their order.

    The points are in half points.
    """
    match entry:
        case Facts(taker=taker, result=result, attack_bouts=named):
            stored = {"taker": str(taker), "attack_bouts": bouts_to_data(named)} | result_to_data(result)
            data = dict.fromkeys(FIELDS[Facts.kind]) | stored
            data |= {} if entry.partner is None else {PARTNER: entry.partner}
        case Fiche(taker=taker, base_score=score, partner=partner):
            data = {"taker": str(taker), "base_score": score} | ({} if partner is None else {PARTNER: partner})
        case GameSheet():
            data = {MARKS: entry.by_seat}
        case AllPassed():
            data = {}
    return {"kind": entry.kind} | data


def entry_from_data(data: Mapping[str, object]) -> Entry:
    """Return the entry from the output of `entry_to_data`.

    Raise `ScoringError` for the first field that is unknown or cannot be read.
    """
    fields = dict(data)
    match fields.pop("kind", None):
        case Facts.kind:
            taker, named = read_seat_name("taker", fields.pop("taker", None)), fields.pop("attack_bouts", None)
            partner = read_partner(fields.pop(PARTNER)) if isinstance(fields.get(PARTNER), str) else None
            if partner is not None:
                fields |= {PLAYERS_KEY: len(SEATS), PARTNER: partner != taker}
            return Facts(taker, result_from_data(fields), bouts_from_data(named), partner=partner)
        case Fiche.kind:
            check_names(fields, (*FIELDS[Fiche.kind], PARTNER))
            taker, partner = read_seat_name("taker", fields.get("taker")), read_partner(fields.get(PARTNER))
            return Fiche(taker, read_whole("base_score", fields.get("base_score")), partner=partner)
        case GameSheet.kind:
            check_names(fields, (MARKS,))
            return GameSheet(marks_from_data(fields.get(MARKS)))
        case AllPassed.kind:
            check_names(fields, FIELDS[AllPassed.kind])
            return AllPassed()
        case kind:
            raise unknown_value("kind", kind, FIELDS)


def read_seat_name(field: str, value: object) -> str:
    """Return the seat with exactly this name. Raise `ScoringError` if there is none."""
    if value not in SEATS:
        raise unknown_value(field, value, Line)
    return Line(value) if value in list(Line) else SEATS[-1]


def read_partner(value: object) -> str | None:
    """Return the seat of the partner. None, if nobody was called, stays None."""
    return None if value is None else read_seat_name(PARTNER, value)


def marks_from_data(value: object) -> tuple[tuple[str, int], ...]:
    """Return the marks of a sheet from a dict of whole numbers by seat."""
    if not isinstance(value, Mapping) or any(seat not in SEATS for seat in value):
        raise unknown_value(MARKS, value, SEATS)
    return tuple((seat, read_whole(MARKS, value[seat])) for seat in map(str, SEATS) if seat in value)


def write_marks(marks: Mapping[str, int]) -> str:
    """Return the marks of a sheet as a text, such as "N120 E-40 S-40 W-40"."""
    return " ".join(f"{seat}{mark}" for seat, mark in marks.items())


def read_marks(text: str) -> dict[str, int]:
    """Return the marks by seat from the text of `write_marks`."""
    return {word[0]: int(word[1:]) for word in text.split()}


def bouts_to_data(bouts: frozenset[Bout] | None) -> list[str] | None:
    """Return the names of the bouts in the order of `Bout`, or None if only their number is known."""
    return None if bouts is None else [str(bout) for bout in Bout if bout in bouts]


def bouts_from_data(value: object) -> frozenset[Bout] | None:
    """Return the bouts from a list of their names. None, if only their number is known, stays None."""
    if value is None:
        return None
    if not isinstance(value, list) or any(name not in list(Bout) for name in value):
        raise unknown_value("attack_bouts", value, Bout)
    return frozenset(map(Bout, value))


def read_whole(field: str, value: object) -> int:
    """Return the value if it is an integer. Raise `ScoringError` for anything else, also for a text such as "3"."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ScoringError("not_whole", field, {"value": str(value)[:40]})
    return value
