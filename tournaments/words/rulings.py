"""The texts about rulings and penalties, the part of a player in a deal, and the place of a play."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Protocol

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from scoring.formats import Format, MarkPoints, Unit
from scoring.notes import FixedNote, read_ruled_note
from scoring.plays import SEATS
from tournaments.models import Play, Ruling
from tournaments.rules.etuis import ResultDoubt
from tournaments.words.desk_sentences import CLASHES, DOUBTS_IN_FIGURES, MARK_WEIGHTS, MATCH_POINT_WEIGHTS, WEIGHTS
from tournaments.words.figures import decimal, show_match_points, show_points
from tournaments.words.formats import say_word
from tournaments.words.messages import label, show_signed


class WeighedWord(Protocol):
    @property
    def kind(self) -> str: ...

    @property
    def points(self) -> Decimal: ...


def say_weight(word: WeighedWord, format: Format) -> str:
    """Return the text that says how a penalty, bonus or warning counts: "−2.50 on the percentage".

    Where the `format` adds up match points or marks, the text names them: "−2.50 match points", "−50 marks". If `word`
    has a position, the text names it. An entry of a club's list of usual penalties has no position.
    """
    by_unit = {Unit.PER_CENT: WEIGHTS, Unit.MATCH_POINTS: MATCH_POINT_WEIGHTS, Unit.MARKS: MARK_WEIGHTS}
    once, for_position = by_unit[format.unit][word.kind]
    position = getattr(word, "position", None)
    points = MarkPoints(word.points) if format.unit is Unit.MARKS else Fraction(word.points)
    values = {"points": decimal(points, 2), "position": position}
    return str(for_position if position else once) % values


FIGURES: Mapping[str, Callable[[int], str]] = {
    **dict.fromkeys(("points", "equal_points"), show_points), "scores": show_signed, "bouts": str, "": str,
}  # fmt: skip


def say_doubt(doubt: ResultDoubt) -> str:
    """Return why a director should look at a result: "41 or 22 points", "+148; the others from −40 to +36"."""
    text = DOUBTS_IN_FIGURES.get((doubt.code, doubt.unit)) or CLASHES[doubt.code]
    names = ("first", "second", "third")
    return str(text) % dict(zip(names, map(FIGURES[doubt.unit], doubt.figures), strict=False))


def say_note(fixed: FixedNote) -> str:
    """Return a fixed note in words: "60", "62,5", "58,33", or "the better of 60 and the player’s own mean"."""
    places = next((places for places in range(3) if (fixed.note * 10**places).denominator == 1), 2)
    note = decimal(fixed.note, places)
    return _("the better of %(note)s and the player’s own mean") % {"note": note} if fixed.better else note


def say_taken(ruling: Ruling, names: Mapping[str, str]) -> list[str]:
    """Return short texts for a deal that a table dealt: the taker and the partner, or the marks of each player."""
    parts = []
    if ruling.taker:
        parts.append(_("taker: %(name)s") % {"name": names[ruling.taker]})
    if ruling.partner == ruling.taker and ruling.partner:
        parts.append(_("alone"))
    elif ruling.partner:
        parts.append(_("partner: %(name)s") % {"name": names[ruling.partner]})
    return parts + [f"{names[seat]} {show_signed(ruling.marks[seat])}" for seat in SEATS if seat in ruling.marks]


def say_adjusted(ruling: Ruling, names: Mapping[str, str], format: Format) -> list[str]:
    """Return short texts that say how the arbiter adjusted a play, such as "score +50" and "note of Ada Roux: 60".

    `names` has the players' names by line. A fixed note is written in the unit of the `format`.
    """
    parts = [] if ruling.score is None else [_("score %(score)s") % {"score": show_signed(ruling.score)}]
    if format.has_free_deals:
        return [*parts, *say_taken(ruling, names)]
    notes: dict[str, list[str]] = {}
    for line, note in ruling.notes.items():
        notes.setdefault(note, []).append(names[line])
    for note, who in notes.items():
        names_once = ", ".join(dict.fromkeys(who))  # a team sits on several lines
        fixed = read_ruled_note(note)
        if format.unit is Unit.MATCH_POINTS:
            points = {"names": names_once, "points": show_match_points(fixed.note)}
            parts.append(_("for %(names)s: %(points)s") % points)
        else:
            parts.append(_("note of %(names)s: %(note)s") % {"names": names_once, "note": say_note(fixed)})
    return [*parts, _("counts for the others") if ruling.compared else _("does not count for the others")]


def say_deal_role(role: str, *, taker: str, covers: int, state: str) -> str:
    """Return the words for a role of `FeuilleLine.role`: "against Denis", "rests", "4 deals on the game's sheet".

    `taker` is the taker's name, `covers` the number of deals on a sheet, `state` the state of a deal without taker.
    """
    match role:
        case "attack":
            return _("Attack")
        case "partner":
            return _("with %(taker)s") % {"taker": taker}
        case "defence":
            return _("against %(taker)s") % {"taker": taker}
        case "rest":
            return pgettext("a player in a deal", "rests")
        case "sheet":
            said = ngettext("%(deals)s deal on the game’s sheet", "%(deals)s deals on the game’s sheet", covers)
            return said % {"deals": covers}
        case _:
            return label("state", state)


def say_play_place(number: int, play: Play, format: str) -> str:
    """Return "Étui 5, position 2, table 3" or, if the tables deal, "Deal 1, game 2, table 3".

    `number` is the number that people read: the étui's, or the deal's in its game.
    """
    values = {"etui": number, "deal": number, "position": play.position, "table": play.table.number}
    return say_word(format, "etui_position_table", values)
