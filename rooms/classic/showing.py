"""The deal at a table for four in plain words, for the page and for programs: from the view of one seat alone."""

from collections.abc import Mapping

from rooms.classic.looking import TableLook
from rooms.games.moving import PlayedGame
from rooms.record.shown import ShownTable, describe

NOTHING_ASKED = {"kind": "wait", "bids": [], "cards": [], "poignees": [], "chelem": False}


def describe_deal(look: TableLook, game: PlayedGame, names: Mapping[str, str]) -> ShownTable:
    """Return the description of the deal for the reader's seat.

    `names`: the name of each seat. A bot that plays for the reader is asked, and not the reader.
    """
    shown = describe(
        game.view,
        names=names,
        etui=len(look.held.games),
        of=look.held.terms.deals,
        length=game.length,
        asks_chelem=game.asks_chelem,
    )
    if look.seat not in look.held.present and shown["asks"]["kind"] != "over":
        shown["asks"] = {**shown["asks"], **NOTHING_ASKED}  # type: ignore[typeddict-item]
    return shown
