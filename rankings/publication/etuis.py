"""The étuis of deal sets and of published reports, as values for exports and for printing.

The module knows neither who may have the result nor the format of a file.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from deals.domain import exchange as exchanged
from deals.domain.cards import LINES, Seat
from deals.domain.deal import loads
from deals.exports import documents as printed
from deals.models import DealSet, Etui
from rankings.publication.report import PlayedEvening, ShownPlay
from tournaments.models import Session
from tournaments.reports.session import ReportedEtui


def make_etui_set(deal_set: DealSet, etuis: Iterable[Etui], *, with_seed: bool = False) -> exchanged.EtuiSet:
    """Return the deal set with its étuis as a value for export.

    The secret seed is included only if `with_seed` is True.
    """
    rows = (
        exchanged.NumberedEtui(
            etui.number, seat(etui.taker), Seat(etui.dealer), loads(etui.cards) if etui.cards else None
        )
        for etui in etuis
    )
    return exchanged.EtuiSet(
        players=deal_set.players,
        etuis=tuple(rows),
        name=deal_set.name,
        seed=deal_set.seed if with_seed else "",
        commitment=deal_set.commitment,
        profile=deal_set.profile,
        value_name=deal_set.value_name,
        value=deal_set.value,
    )


def seat(letter: str) -> Seat | None:
    """Return the seat of a line's letter, or None if the letter is empty."""
    return Seat(letter) if letter else None


def sheets(
    etuis: Iterable[Etui],
    *,
    with_cards: bool,
    plan: Mapping[int, tuple[printed.RecordedPlay, ...]] | None = None,
    bids: bool = False,
) -> list[printed.PrintedEtui]:
    """Return the étuis as values for printing.

    The cards are included if `with_cards` is True; sheets that people fill in by hand have none. If the players bid
    (`bids`), the taker is left out, because the étui does not decide who takes. `plan` has the plays by the étui's
    number.
    """
    plan = plan or {}
    return [
        printed.PrintedEtui(
            number=etui.number,
            taker=None if bids else seat(etui.taker),
            dealer=Seat(etui.dealer),
            deal=loads(etui.cards) if with_cards and etui.cards else None,
            plays=plan.get(etui.number, ()),
        )
        for etui in etuis
    ]


def read_etui_plays(session: Session) -> dict[int, tuple[printed.RecordedPlay, ...]]:
    """Return for each étui of a session, by number, the positions and tables in which it is played."""
    plan: dict[int, list[printed.RecordedPlay]] = {}
    for number, position, table in session.plays.values_list("etui__number", "position", "table__number"):
        plan.setdefault(number, []).append(printed.RecordedPlay(position, table))
    return {number: tuple(plays) for number, plays in plan.items()}


def records(report: PlayedEvening) -> list[printed.PrintedEtui]:
    """Return the étuis of a published report as values for printing, with their plays.

    They have cards if the report does.
    """
    imposed = report.data.format.is_imposed
    return [
        printed.PrintedEtui(
            number=etui.number,
            taker=seat(etui.taker) if imposed else None,
            dealer=Seat(etui.dealer),
            deal=loads(etui.cards) if etui.cards else None,
            plays=tuple(record(play, two_notes=imposed and not told_apart(etui)) for play in report.topage(etui)),
        )
        for etui in report.data.etuis
    ]


def told_apart(etui: ReportedEtui) -> bool:
    """Return whether the arbiter has fixed a note of one of the étui's plays.

    Its defenders may then have different notes.
    """
    return any(play.fixed for play in etui.plays)


def record(play: ShownPlay, *, two_notes: bool) -> printed.RecordedPlay:
    """Return one play with its result, as a value for printing.

    With `two_notes` it has two notes, the taker's and that of any defender. Otherwise it has the notes of all seats.
    """
    notes, taker = play.notes, play.taker
    shown: tuple[Fraction | None, ...] = ()
    if notes and two_notes and taker:
        shown = (notes.get(taker), notes.get(next(line for line in LINES if line != taker)))
    elif notes and not two_notes:
        shown = tuple(notes.get(seat) for seat in play.players)
    return printed.RecordedPlay(
        position=play.position,
        table=play.table,
        names=tuple(player.name for player in play.players.values()),
        score=play.base_score,
        notes=shown,
        taker=seat(taker or ""),
        fixed=frozenset(map(Seat, play.fixed)),
    )
