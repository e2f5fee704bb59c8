"""Étuis as rows and as published reports, turned into the values that are exchanged and printed.

Knows rows and reports; neither who may have what is made of them, nor any file format.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from deals.domain import boards as exchanged
from deals.domain.cards import LINES, Seat
from deals.domain.notation import loads
from deals.exports import values as printed
from deals.models import DealSet, Etui
from tournaments.models import Session, Tournament
from tournaments.publication.report import Report


def board_set(deal_set: DealSet, *, with_seed: bool = False) -> exchanged.BoardSet:
    """The whole set as it is exported; its secret seed only where that is asked for."""
    rows = (
        exchanged.Board(etui.number, seat(etui.taker), Seat(etui.dealer), loads(etui.cards) if etui.cards else None)
        for etui in deal_set.etuis.all()
    )
    return exchanged.BoardSet(
        players=deal_set.players,
        boards=tuple(rows),
        name=deal_set.name,
        seed=deal_set.seed if with_seed else "",
        commitment=deal_set.commitment,
        profile=deal_set.profile,
        value_name=deal_set.value_name,
        value=deal_set.value,
    )


def seat(letter: str) -> Seat | None:
    return Seat(letter) if letter else None


def sheets(
    etuis: Iterable[Etui],
    *,
    with_cards: bool,
    plan: Mapping[int, tuple[printed.RecordedPlay, ...]] | None = None,
    bids: bool = False,
) -> list[printed.PrintedBoard]:
    """Étuis to be printed, without their cards where the sheet is to be filled in by hand or carries none, without a
    taker where the table `bids`."""
    plan = plan or {}
    return [
        printed.PrintedBoard(
            number=etui.number,
            taker=None if bids else seat(etui.taker),
            dealer=Seat(etui.dealer),
            deal=loads(etui.cards) if with_cards and etui.cards else None,
            plays=plan.get(etui.number, ()),
        )
        for etui in etuis
    ]


def plan_of(session: Session) -> dict[int, tuple[printed.RecordedPlay, ...]]:
    """Where and when each étui of a session is played, by its number."""
    plan: dict[int, list[printed.RecordedPlay]] = {}
    for number, position, table in session.plays.values_list("etui__number", "position", "table__number"):
        plan.setdefault(number, []).append(printed.RecordedPlay(position, table))
    return {number: tuple(plays) for number, plays in plan.items()}


def records(report: Report) -> list[printed.PrintedBoard]:
    """The étuis of a published report with their plays, and with their cards where it shows them."""
    imposed = report.data["auction"] == Tournament.Auction.IMPOSED
    return [
        printed.PrintedBoard(
            number=etui["number"],
            taker=seat(etui["taker"]) if imposed else None,
            dealer=Seat(etui["dealer"]),
            deal=loads(etui["cards"]) if etui["cards"] else None,
            plays=tuple(record(play, two_notes=imposed and not told_apart(etui)) for play in report.topage(etui)),
        )
        for etui in report.data["etuis"]
    ]


def told_apart(etui: Mapping[str, Any]) -> bool:
    """Whether the arbiter has fixed a note of some play, so that defenders may have different ones."""
    return any(play.get("fixed") for play in etui["plays"])


def record(play: Mapping[str, Any], *, two_notes: bool) -> printed.RecordedPlay:
    """One play with its result; the two notes of an imposed contract are the taker's and any defender's."""
    notes, taker = play["notes"], play["taker"]
    shown: tuple[Fraction | None, ...] = ()
    if notes and two_notes and taker:
        shown = (notes[taker], notes[next(line for line in LINES if line != taker)])
    elif notes and not two_notes:
        shown = tuple(notes[line] for line in LINES)
    return printed.RecordedPlay(
        position=play["position"],
        table=play["table"],
        names=tuple(play["players"][line]["name"] for line in LINES),
        score=play["base_score"],
        notes=shown,
        taker=seat(taker or ""),
        fixed=frozenset(map(Seat, play["fixed"])),
    )
