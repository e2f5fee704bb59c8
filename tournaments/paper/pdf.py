"""The PDFs of a session's plan, typeset by typst from the layouts beside this file: values in, bytes out.

This module knows how each document looks, not who may have it. No document shows a card or a result. The same values
give the same bytes.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import segno
from django.utils import translation

from clubs.names import simplify_name
from deals.domain.cards import LINES, Seat
from deals.exports.typesetting import typeset
from tournaments.codes import group_code
from tournaments.paper import words as say
from tournaments.plans.evening_plan import (
    EveningPlan,
    PlannedEtui,
    PlannedPlayer,
    PlannedWay,
    SessionHeading,
    Sitting,
)
from tournaments.words.figures import etuis_text

LAYOUTS = Path(__file__).parent / "typst"
PROJECT = LAYOUTS.parents[2]  # the layouts import those of deal sets

T = TypeVar("T")


class Code(NamedTuple):
    """A printed code that opens a table's screen or a player's page. The code contains the address `url`.

    `typed` is what people type instead, at the address `by_hand`.
    """

    url: str = ""
    typed: str = ""
    by_hand: str = ""


TABLES_A_PAGE, POSITIONS_A_PAGE = 8, 8  # of the poster: a number stays legible from two metres


def guides(
    evening: EveningPlan,
    *,
    language: str,
    only: Container[PlannedPlayer] | None = None,
    link_of: Callable[[PlannedPlayer], Code] | None = None,
) -> bytes:
    """Return a guide card for each player, or those of `only`, several a page, to be cut.

    A card shows the player's whole evening: position, table, étuis, the three others. `link_of` returns the personal
    link; without it, or if that is "", the card has none.
    """
    cards = [
        _player(way.player)
        | {
            "link": draw_code_cells(link_of(way.player)) if link_of else None,
            "stops": [
                {"position": position, "sitting": sitting and _stop(sitting, way.player)}
                for position, sitting in way.stops
            ],
        }
        for way in evening.ways()
        if only is None or way.player in only
    ]
    return _render("guides", evening, language, cards=cards)


def table_cards(evening: EveningPlan, *, language: str, screen_of: Callable[[int], Code] | None = None) -> bytes:
    """Return half a page for each table: the players and étuis of each position, and the code of the table's screen.

    `screen_of` returns the addresses of a table's screen; without it, or if they are "", the card has no code.
    """
    cards = [
        {
            "table": table,
            "screen": draw_code_cells(screen_of(table)) if screen_of else None,
            "rows": [
                {"position": position.number, "sitting": (sitting := position.at(table)) and _write_sitting(sitting)}
                for position in evening.positions
            ],
        }
        for table in evening.tables
    ]
    return _render("table_cards", evening, language, cards=cards)


def poster(evening: EveningPlan, *, language: str, announcement: str = "") -> bytes:
    """Return A3 sheets to hang up: positions × tables in starting numbers, with the étuis and the announcement."""
    rows: list[dict[str, Any]] = [
        {
            "position": position.number,
            "cells": [
                {"table": table, "sitting": (sitting := position.at(table)) and _write_sitting(sitting)}
                for table in evening.tables
            ],
            "resting": [_player(player) for player in position.resting],
        }
        for position in evening.positions
    ]
    pages = [
        {
            "tables": tables,
            "rows": [row | {"cells": [cell for cell in row["cells"] if cell["table"] in tables]} for row in some],
        }
        for some in _even(rows, POSITIONS_A_PAGE)
        for tables in _even(evening.tables, TABLES_A_PAGE)
    ]
    return _render("poster", evening, language, pages=pages, rests=evening.rests, announcement=announcement)


def players(evening: EveningPlan, *, language: str) -> bytes:
    """Return an alphabetical list of the players with their starting places: line, number, and table of position 1."""
    with translation.override(language):
        rows = [_player(way.player) | {"start": _start(way)} for way in evening.ways()]
    rows.sort(key=lambda row: (simplify_name(str(row["listed"])), str(row["line"]), row["number"]))
    return _render("players", evening, language, players=rows)


def score_sheets(evening: EveningPlan, *, language: str) -> bytes:
    """Return score sheets on paper, in case the site fails.

    They have each table's étuis by position, with room to write and sign.
    """
    sheets = [
        {
            "table": table,
            "rounds": [
                {"position": position.number, **_write_sitting(sitting)}
                for position in evening.positions
                if (sitting := position.at(table))
            ],
        }
        for table in evening.tables
    ]
    return _render("score_sheets", evening, language, sheets=sheets, imposed=evening.heading.imposed)


def _render(layout: str, evening: EveningPlan, language: str, **data: object) -> bytes:
    with translation.override(language):
        names = {
            "positions": {position.number: say.position_name(position.number) for position in evening.positions},
            "tables": {table: say.table_name(table) for table in evening.tables},
        }
    return set_sheets(layout, evening.heading, language, names, data)


def set_sheets(
    layout: str, heading: SessionHeading, language: str, more_words: Mapping[str, Any], data: Mapping[str, object]
) -> bytes:
    """Return the PDF of the layout of that name, with its data, its words and the heading of each page."""
    with translation.override(language):
        head = {"name": say.occasion(heading), "tournament": f"{heading.club} · {heading.tournament}", "ink": ""}
        given = {"words": {**say.words(), **more_words}, "heading": head, "language": language, "seats": LINES}
    return typeset(LAYOUTS / f"{layout}.typ", {**data, **given}, root=PROJECT)


def _player(player: PlannedPlayer, seat: Seat | None = None) -> dict[str, object]:
    """Return a player for a layout. `seat` is the line where the player sits: a rover's own line may be another."""
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


def _write_sitting(sitting: Sitting) -> dict[str, object]:
    return {
        "table": sitting.table,
        "etuis": etuis_text(etui.number for etui in sitting.etuis),
        "each": [_etui(etui, sitting) for etui in sitting.etuis],
        "players": [_player(player, seat) for player, seat in zip(sitting.players, LINES, strict=True)],
    }


def _stop(sitting: Sitting, player: PlannedPlayer) -> dict[str, object]:
    """Return a sitting for one of its players, with the three others. The seat is set if it is on another line."""
    others = [_player(other, sitting.seat_of(other)) for other in sitting.players if other != player]
    seat = sitting.seat_of(player)
    etuis = etuis_text(etui.number for etui in sitting.etuis)
    return {"table": sitting.table, "etuis": etuis, "others": others, "abroad": None if seat == player.line else seat}


def draw_code_cells(opens: Code) -> dict[str, object] | None:
    """Return the cells of the code, row by row, and what people type; None if there is no address."""
    if not opens.url:
        return None
    code = segno.make_qr(opens.url, error="m")
    return {
        "url": (opens.by_hand if opens.typed else opens.url).split("://", 1)[-1],
        "typed": group_code(opens.typed),
        "code": ["".join(map(str, row)) for row in code.matrix],
    }


def _start(way: PlannedWay) -> dict[str, object]:
    """Return the table of position 1, None if the player rests then. For a player who comes later, return when."""
    position, sitting = way.stops[0]
    if position > 1:
        return {"table": None, "later": say.comes_later(position)}
    return {"table": sitting and sitting.table, "later": ""}


def _even(items: Sequence[T], most: int) -> list[Sequence[T]]:
    """Return the items in order, in as few groups of at most `most` as possible, as equal as possible."""
    groups = -(-len(items) // most)
    bounds = [len(items) * i // groups for i in range(groups + 1)]
    return [items[start:end] for start, end in pairwise(bounds)]
