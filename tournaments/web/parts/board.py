"""An étui laid out for its page: how often each score, who did best, what made the difference, each play, the cards.

The public page and the director's live view show the same partials from it; neither the report's origin nor who may
read it is known here.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from deals.domain.cards import LINES
from texts.decimals import round_half
from tournaments.publication.frequencies import Play, Player, explain_field, fields_of
from tournaments.publication.report import Report
from tournaments.web.numbers import read_number
from tournaments.web.parts.cards import hands_of
from tournaments.web.parts.scores import show_field
from tournaments.web.report_pages import is_weighted
from tournaments.words.difference_sentences import say_difference
from tournaments.words.figures import points
from tournaments.words.messages import label

A_PART = 100  # plays that are listed at once; of a free auction, a quarter at each seat
PARTS = set(map(str, range(1, 201)))
FEW = 60  # plays of an étui up to which whoever played them is found by his phone
MOST_PLACES = 10


@dataclass(frozen=True, slots=True)
class SeatOnBoard:
    """Who sat on a line when the étui was played, what it brought him, whether he took, and whether the arbiter has
    fixed his note."""

    line: str
    player: dict[str, Any]
    mark: int | None
    note: Fraction | None
    takes: bool
    fixed: bool
    mine: bool


@dataclass(frozen=True, slots=True)
class EtuiPlayRow:
    """One play of an étui, its taker first; `bar` is the taker's note rounded, for the picture. `defence`: whoever has
    the note of the three defenders, None where the arbiter has told them apart."""

    play: dict[str, Any]
    seats: list[SeatOnBoard]
    facts: str
    taker: SeatOnBoard | None
    defence: SeatOnBoard | None

    @property
    def mine(self) -> bool:
        return any(seat.mine for seat in self.seats)

    @property
    def bar(self) -> int | None:
        return None if self.taker is None or self.taker.note is None else round_half(self.taker.note)


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One play as one seat sees it."""

    row: EtuiPlayRow
    seat: SeatOnBoard

    @property
    def play(self) -> dict[str, Any]:
        return self.row.play


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of many plays, by their places in the list, the first being 1."""

    name: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Uncounted:
    """Plays that are not in the table, or whose notes do not all come of it, by their state: where some of them were
    played."""

    state: str
    places: list[str]
    others: int


@dataclass(frozen=True, slots=True)
class Evening:
    """The étuis of somebody's evening beside this one, in the order in which he met them."""

    player: Player
    place: int
    count: int
    before: int | None
    after: int | None


def asked_of_board(asked: Mapping[str, str]) -> dict[str, Any]:
    """What an address asks of `board_page`."""
    return {"of": read_number(asked, "of"), "part": asked.get("part", "")}


def board_page(report: Report, etui: dict[str, Any], *, of: int | None = 0, part: str = "") -> dict[str, Any]:
    """An étui's topage and, where they are known, its cards; with the étuis before and after it: in the evening of the
    entrant `of`, where it is one who has played it, else by number; `of` is None where nobody's evening is shown. Of
    many plays one `part` is listed: the one asked for, or where his play stands, or the first."""
    weighted = is_weighted(report)
    plays = report.topage(etui)
    evening = evening_of(report, etui["number"], of) if of else None
    mine = evening.player["id"] if evening else None
    fields = fields_of(plays, weighted=weighted)
    parts = parts_of(len(plays), A_PART if weighted else A_PART // 4)
    shown = find_part(parts, part, plays, mine)
    listed = plays[shown.first - 1 : shown.last] if shown else plays
    rows = [board_row(play, mine) for play in listed]
    hands, chien = hands_of(etui["cards"])
    before, after = (evening.before, evening.after) if evening else neighbours(report, etui["number"])
    explained = explain_field(fields)
    return {
        "report": report,
        "etui": etui,
        "evening": evening,
        "players": [] if of is None or len(plays) > FEW else named_in(plays),
        "fields": [show_field(field, evening.player if evening else None, few=len(plays) <= FEW) for field in fields],
        "uncounted": list(uncounted(plays)),
        "explained": explained,
        "reasons": say_difference(explained.difference) if explained else [],
        "rows": rows,
        "by_seat": [] if weighted else by_seat(rows),
        "parts": parts,
        "part": shown,
        "part_asked": bool(part),
        "fixed": any(play["fixed"] for play in plays),
        "hands": hands,
        "chien": chien,
        "before": before,
        "after": after,
        "weighted": weighted,
    }


def named_in(plays: Sequence[Play]) -> list[Player]:
    """Those who played, and whom their phones may know."""
    return [player for play in plays for player in play["players"].values() if player["named"]]


def neighbours(report: Report, number: int) -> tuple[int | None, int | None]:
    return beside([other["number"] for other in report.data["etuis"]], number)


def beside(numbers: Sequence[int], number: int) -> tuple[int | None, int | None]:
    place = numbers.index(number)
    return numbers[place - 1] if place else None, numbers[place + 1] if place + 1 < len(numbers) else None


def evening_of(report: Report, number: int, entrant: int) -> Evening | None:
    """None for whoever has not played the étui, or is none of the evening."""
    player = report.player(entrant)
    numbers = list(dict.fromkeys(line.etui["number"] for line in report.feuille(entrant))) if player else []
    if player is None or number not in numbers:
        return None
    return Evening(player, numbers.index(number) + 1, len(numbers), *beside(numbers, number))


def parts_of(count: int, size: int) -> list[Part]:
    """None of few."""
    if count <= size:
        return []
    starts = enumerate(range(1, count + 1, size), start=1)
    return [Part(str(number), first, min(first + size - 1, count)) for number, first in starts]


def find_part(parts: Sequence[Part], name: str, plays: Sequence[Play], mine: int | None) -> Part | None:
    if asked := next((part for part in parts if part.name == name), None):
        return asked
    place = next((place for place, play in enumerate(plays, start=1) if mine in play["seats"].values()), 1)
    return next((part for part in parts if part.first <= place <= part.last), None)


def uncounted(plays: Sequence[Play]) -> Iterator[Uncounted]:
    odd = sorted((play for play in plays if play["state"] != "scored"), key=lambda play: play["state"])
    for state, group in groupby(odd, key=lambda play: play["state"]):
        ordered = sorted(group, key=lambda play: (play["position"], play["table"]))
        places = [_("position %(position)s, table %(table)s") % play for play in ordered[:MOST_PLACES]]
        yield Uncounted(state, places, len(ordered) - len(places))


def board_row(play: Play, mine: int | None = None) -> EtuiPlayRow:
    taker, marks, notes = play["taker"], play["marks"], play["notes"]
    lines = sorted(LINES, key=lambda line: line != taker)
    seats = [
        SeatOnBoard(
            line,
            play["players"][line],
            marks and marks[line],
            notes and notes[line],
            takes=line == taker,
            fixed=line in play["fixed"],
            mine=play["players"][line]["id"] == mine,
        )
        for line in lines
    ]
    one_note = taker is not None and len({(seat.note, seat.fixed) for seat in seats[1:]}) == 1
    return EtuiPlayRow(play, seats, facts_text(play), seats[0] if taker else None, seats[-1] if one_note else None)


def by_seat(rows: list[EtuiPlayRow]) -> list[tuple[str, list[SeatRow]]]:
    """What each seat is compared by in a free auction: its own marks, from the best to the worst, those that do not
    count last; the plays before an étui was altered come first."""

    def place(row: SeatRow) -> tuple[int, bool, int]:
        return row.play["part"], row.seat.mark is None, -(row.seat.mark or 0)

    seats = {line: [SeatRow(row, seat) for row in rows for seat in row.seats if seat.line == line] for line in LINES}
    return [(line, sorted(found, key=place)) for line, found in seats.items()]


def facts_text(play: dict[str, Any]) -> str:
    """What a table reported, in a line: "Garde, 2 bouts, 49 points, petit au bout to the attack"."""
    facts = play["facts"]
    if facts is None:
        return ""
    told = [
        label("contract", facts["contract"]),
        ngettext("%(count)s bout", "%(count)s bouts", facts["bouts"]) % {"count": facts["bouts"]},
        _("%(points)s points") % {"points": points(facts["half_points"])},
    ]
    if facts["petit_au_bout"] != "none":
        told.append(_("petit au bout to %(side)s") % {"side": label("side", facts["petit_au_bout"])})
    for side in ("attack", "defence"):
        told += [
            _("%(poignee)s of %(side)s") % {"poignee": label("poignee", name), "side": label("side", side)}
            for name in facts[f"poignees_{side}"]
        ]
    if facts["chelem"] != "none":
        told.append(label("chelem", facts["chelem"]))
    return ", ".join(told)
