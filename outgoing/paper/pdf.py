"""The printed documents of a session's plan as PDFs. Typst sets them with the layouts in the folder `typst`.

The caller decides who may have a document. No document shows cards or results. Equal values always give equal bytes.
"""

import hashlib
import json
from collections.abc import Callable, Container, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import segno
from django.utils import translation

from clubs.names import simplify_name
from deals.domain.cards import LINES, Seat
from deals.exports.pdf import Sheets
from evenings.plans.evening_plan import (
    AnyPaper,
    PlannedEtui,
    PlannedPlayer,
    PlannedWay,
    PlayersPaper,
    Position,
    SessionHeading,
    Sitting,
    list_ways,
)
from outgoing.paper import words as say
from scoring.formats import find_format
from tournaments.codes import group_code
from tournaments.models import Session
from tournaments.words.figures import etuis_text

LAYOUTS = Path(__file__).parent / "typst"
PROJECT = LAYOUTS.parents[2]  # the layouts import those of deal sets

PIECES = ("cards", "sheets", "forms", "badges", "labels", "slips", "etuis")  # to cut out, in the data of a layout
WORDS = "words"  # the texts of a layout name all tables and positions, also those that are not on the piece

T = TypeVar("T")
Data = dict[str, Any]


class Code(NamedTuple):
    """A printed QR code that opens a table's screen or a player's page. It contains the address `url`.

    People without a camera type `typed` at the address `by_hand`.
    """

    url: str = ""
    typed: str = ""
    by_hand: str = ""


NO_CODE = Code()
# the most on one sheet of the poster; with more, a number cannot be read from two metres
TABLES_A_PAGE, POSITIONS_A_PAGE = 8, 8


def guides(
    evening: PlayersPaper,
    *,
    language: str,
    only: Container[PlannedPlayer] | None = None,
    link_of: Callable[[PlannedPlayer], Code] | None = None,
) -> Sheets:
    """Return the players' guide cards, several on a page, to cut out. With `only`, return the cards of these players.

    A card shows a player's whole evening: for each position the table, the étuis and the three others. `link_of`
    returns the player's personal link. Without it, or if its address is "", the card has no code.
    """
    cards = [
        _player(route.player)
        | {
            "link": draw_code_cells(link_of(route.player)) if link_of else None,
            "stops": [
                {"position": position, "sitting": sitting and _stop(sitting, route.player)}
                for position, sitting in route.stops
            ],
        }
        for route in list_ways(evening)
        if only is None or route.player in only
    ]
    return render("guides", evening, language, cards=cards)


def table_cards(evening: PlayersPaper, *, language: str, screen_of: Callable[[int], Code] | None = None) -> Sheets:
    """Return a card for each table: the players and étuis of each position, and a code for the table's screen.

    A card takes half a page.
    """
    return render("table_cards", evening, language, cards=list_table_cards(evening, _write_row, screen_of))


def list_table_cards(
    evening: AnyPaper, write_row: Callable[[Position[Any, Any], Any], Data], screen_of: Callable[[int], Code] | None
) -> list[Data]:
    """Return a card for each table as data for a layout, with a row for each position.

    `write_row` gets the position, and what sits there at the table, or None. `screen_of` returns the code of the
    table's screen by the number of the table. Without it, or if its address is "", the card has no code.
    """
    return [
        {
            "table": table,
            "screen": draw_code_cells(screen_of(table)) if screen_of else None,
            "rows": [write_row(position, position.at(table)) for position in evening.positions],
        }
        for table in evening.tables
    ]


def poster(evening: PlayersPaper, *, language: str, announcement: str = "", hall: Code = NO_CODE) -> Sheets:
    """Return the plan as A3 sheets to hang up: a row for each position, a column for each table.

    The cells have starting numbers and étuis. The sheets also show the announcement, and the code of the hall's page.
    """
    data = lay_out_poster(evening, _write_numbers, _write_number) | {"announcement": announcement}
    return render("poster", evening, language, hall=draw_code_cells(hall), **data)


def lay_out_poster(evening: AnyPaper, write_cell: Callable[[Any], Data], write_resting: Callable[[Any], Data]) -> Data:
    """Return the sheets of the poster as data for its layout: the cells of each position, and who rests in it.

    `write_cell` gets what sits at a table, `write_resting` who rests.
    """
    rows: list[Data] = [
        {
            "position": position.number,
            "cells": [
                {"table": table, "sitting": (sitting := position.at(table)) and write_cell(sitting)}
                for table in evening.tables
            ],
            "resting": [write_resting(who) for who in position.resting],
        }
        for position in evening.positions
    ]
    pages = [
        {
            "tables": tables,
            "rows": [row | {"cells": [cell for cell in row["cells"] if cell["table"] in tables]} for row in some],
        }
        for some in split_evenly(rows, POSITIONS_A_PAGE)
        for tables in split_evenly(evening.tables, TABLES_A_PAGE)
    ]
    return {"pages": pages, "rests": evening.rests}


def players(evening: PlayersPaper, *, language: str) -> Sheets:
    """Return the list of players in alphabetical order, each with line, number, and table in position 1."""
    with translation.override(language):
        rows = [_player(route.player) | {"start": _start(route)} for route in list_ways(evening)]
    rows.sort(key=lambda row: (simplify_name(str(row["listed"])), str(row["line"]), row["number"]))
    return render("players", evening, language, players=rows)


def score_sheets(evening: PlayersPaper, *, language: str) -> Sheets:
    """Return empty forms for results on paper, one for each table, in case the site fails.

    A form lists the table's étuis by position, with room to write and sign.
    """
    sheets = list_score_sheets(evening, lambda sitting, _position: _write_sitting(sitting))
    return render("score_sheets", evening, language, sheets=sheets, imposed=evening.heading.imposed)


def list_score_sheets(evening: AnyPaper, write: Callable[[Any, int], Data]) -> list[Data]:
    """Return a form for each table as data for a layout, with a round for each position in which the table plays.

    `write` gets what sits at the table, and the number of the position.
    """
    return [
        {
            "table": table,
            "rounds": [
                {"position": position.number, **write(sitting, position.number)}
                for position in evening.positions
                if (sitting := position.at(table))
            ],
        }
        for table in evening.tables
    ]


def render(
    layout: str, evening: AnyPaper, language: str, list_words: Callable[[], Data] = dict, /, **data: object
) -> Sheets:
    """Return the sheets of a layout, with the names of positions and tables.

    `list_words` returns the layout's own texts in the active language.
    """
    with translation.override(language):
        names = name_places([position.number for position in evening.positions], evening.tables)
        more = {**names, **list_words()}
    return set_sheets(layout, evening.heading, language, more, data)


def name_places(positions: Sequence[int], tables: Sequence[int]) -> dict[str, dict[int, str]]:
    """Return the names of positions and tables by their numbers, in the active language, as texts of a layout."""
    return {
        "positions": {number: say.position_name(number) for number in positions},
        "tables": {number: say.table_name(number) for number in tables},
    }


def set_sheets(
    layout: str, heading: SessionHeading, language: str, more_words: Mapping[str, Any], data: Mapping[str, object]
) -> Sheets:
    """Return the sheets of the layout with this name. `data` are its values, `more_words` its own texts."""
    with translation.override(language):
        head = {"name": say.occasion(heading), "tournament": f"{heading.club} · {heading.tournament}", "ink": ""}
        shared_data = {"words": {**say.words(), **more_words}, "heading": head, "language": language, "seats": LINES}
    return Sheets(LAYOUTS / f"{layout}.typ", {**data, **shared_data}, PROJECT)


def _player(player: PlannedPlayer, seat: Seat | None = None) -> dict[str, object]:
    """Return a player as data for a layout.

    `seat` is the line on which the player sits. It differs from the player's own line only for a rover.
    """
    return {
        "seat": seat or player.line,
        "name": player.name,
        "listed": player.listed or player.name,
        "line": player.line,
        "number": player.number,
    }


def _etui(etui: PlannedEtui, sitting: Sitting) -> dict[str, object]:
    """Return an étui with its taker at this table, by line and name."""
    taker = None if etui.taker is None else sitting.players[LINES.index(etui.taker)]
    return {"number": etui.number, "taker": taker and _player(taker, etui.taker)}


def _write_row(position: Position[PlannedPlayer, Sitting], sitting: Sitting | None) -> Data:
    return {"position": position.number, "sitting": sitting and _write_sitting(sitting)}


def _write_sitting(sitting: Sitting) -> Data:
    """Return a table in a position, with its players and étuis, as data for a layout."""
    return {
        "table": sitting.table,
        "etuis": etuis_text(sitting.numbers),
        "each": [_etui(etui, sitting) for etui in sitting.etuis],
        "players": [_player(player, seat) for player, seat in zip(sitting.players, LINES, strict=True)],
    }


def _write_numbers(sitting: Sitting) -> Data:
    """Return a table in a position for the poster, which has no names: it stays as it is if somebody gets another."""
    etuis = etuis_text(sitting.numbers)
    return {"etuis": etuis, "players": [_write_number(player) for player in sitting.players]}


def _write_number(player: PlannedPlayer) -> Data:
    return {"line": player.line, "number": player.number}


def _stop(sitting: Sitting, player: PlannedPlayer) -> dict[str, object]:
    """Return a table in a position from the side of one player, with the three others, as data for a layout.

    `abroad` is the player's seat if it is not on the player's own line, else None.
    """
    others = [_player(other, sitting.seat_of(other)) for other in sitting.players if other != player]
    seat = sitting.seat_of(player)
    etuis = etuis_text(sitting.numbers)
    return {"table": sitting.table, "etuis": etuis, "others": others, "abroad": None if seat == player.line else seat}


def draw_code_cells(opens: Code) -> dict[str, object] | None:
    """Return the cells of the QR code, row by row, and what people type instead. Return None if the address is ""."""
    if not opens.url:
        return None
    code = segno.make_qr(opens.url, error="m")
    return {
        "url": (opens.by_hand if opens.typed else opens.url).split("://", 1)[-1],
        "typed": group_code(opens.typed),
        "code": ["".join(map(str, row)) for row in code.matrix],
    }


def _start(way: PlannedWay) -> dict[str, object]:
    """Return the table of the player in position 1; None if the player rests or comes later.

    For a player who comes later, `later` is the text that says so.
    """
    position, sitting = way.stops[0]
    if position > 1:
        return {"table": None, "later": say.comes_later(position)}
    return {"table": sitting and sitting.table, "later": ""}


def split_evenly(items: Sequence[T], most: int) -> list[Sequence[T]]:
    """Return the items, in order, in as few groups as possible, with at most `most` items each.

    The groups are about equal.
    """
    groups = -(-len(items) // most)
    bounds = [len(items) * i // groups for i in range(groups + 1)]
    return [items[start:end] for start, end in pairwise(bounds)]


def make_heading(session: Session) -> SessionHeading:
    """Return the heading: the club, the tournament, and the session's number, date and kind of contract."""
    tournament = session.tournament
    return SessionHeading(
        club=tournament.club.name,
        tournament=tournament.name,
        session=session.number,
        date=session.date,
        imposed=find_format(tournament.format).is_imposed,
    )


# A piece of a document is a card or sheet to cut out, or the whole of a poster. It has changed if a name, a table, an
# étui, a code or the heading on it differs from the last print.


def digest_pieces(sheets: Sheets) -> list[str]:
    """Return a digest of each piece. A document that is one piece, such as a poster, has one digest."""
    name = find_pieces(sheets)
    shared = write_data({key: value for key, value in sheets.data.items() if key not in (name, WORDS)})
    pieces = sheets.data[name] if name else [None]
    return [hashlib.sha256((shared + write_data(piece)).encode()).hexdigest()[:16] for piece in pieces]


def keep_changed(sheets: Sheets, printed: Container[str]) -> Sheets | None:
    """Return the document with the pieces whose digests are not among those `printed`, or None if it has none."""
    digests, name = digest_pieces(sheets), find_pieces(sheets)
    if all(digest in printed for digest in digests):
        return None
    if not name:
        return sheets
    kept = [piece for piece, digest in zip(sheets.data[name], digests, strict=True) if digest not in printed]
    return sheets._replace(data={**sheets.data, name: kept})


def find_pieces(sheets: Sheets) -> str:
    """Return the key of the pieces in the data of the layout, or "" if the document is one piece."""
    return next((name for name in PIECES if name in sheets.data), "")


def write_data(data: Any) -> str:
    return json.dumps(data, sort_keys=True)
