"""The papers of an evening at which the tables deal: seats to hang up, guide cards, sheets of games, name labels.

They are made from the seats of the games. No paper has a result on it.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from clubs.names import simplify_name
from scoring.free.turns import find_dealer, find_turn
from tournaments.models import Entrant, Play, Session
from tournaments.paper import words as say
from tournaments.paper.heading import make_heading
from tournaments.paper.pdf import set_sheets
from tournaments.plans.evening_plan import SessionHeading
from tournaments.plays.people import seat_people
from tournaments.words.messages import label


@dataclass(frozen=True, slots=True)
class SeatedGame:
    """A table in a game: who sits there by seat, in the order of turn, and the seat that rests in each deal."""

    game: int
    table: int
    seats: Mapping[str, Entrant]
    resting: tuple[str, ...]
    deals: tuple[tuple[int, str], ...]  # the number and the dealer of each deal, or of each étui


@dataclass(frozen=True, slots=True)
class FreeEvening:
    """The values of the papers: the heading, all players by number, and the tables of the games that have seats."""

    heading: SessionHeading
    players: Sequence[Entrant]
    tables: Sequence[SeatedGame]

    @property
    def games(self) -> list[int]:
        return sorted({one.game for one in self.tables})

    def at(self, game: int) -> list[SeatedGame]:
        return [one for one in self.tables if one.game == game]


def read_free_evening(session: Session) -> FreeEvening:
    """Return the seats of all games of a session that have some, in three queries."""
    plays = session.plays.filter(is_replay=False).select_related("table", "etui")
    found = seat_people(plays.order_by("position", "table__number", "etui__number"))
    tables = [read_game(list(deals)) for _key, deals in groupby(found, key=lambda play: (play.position, play.table_id))]
    players = session.entrants.select_related("player", "stand_in", "team").order_by("number", "line")
    return FreeEvening(make_heading(session), list(players), tables)


def read_game(deals: Sequence[Play]) -> SeatedGame:
    seated = {seat: entrant for deal in deals for seat, entrant in deal.seats.items()}
    seats = {seat: seated[seat] for seat in find_turn(seated)}
    numbers = tuple(
        (deal.etui.number, deal.etui.dealer) if deal.etui.dealer else (place, find_dealer(seats, place))
        for place, deal in enumerate(deals, start=1)
    )
    return SeatedGame(deals[0].position, deals[0].table.number, seats, tuple(deal.resting for deal in deals), numbers)


def print_free_evening(
    evening: FreeEvening, code: str, *, language: str, game: int, only: Collection[int] | None = None
) -> bytes:
    """Return the PDF of one document. `game` chooses the game of seats and sheets; 0: the newest, or all sheets.

    `only` limits guide cards to these entrants (ids).
    """
    with translation.override(language):
        layout, data = LAYOUTS[code](evening, game if game in evening.games else 0)
        if only is not None and "cards" in data:
            data["cards"] = [card for card in data["cards"] if card["id"] in only]
        more = {
            "deal": pgettext("heading of a column, short", "Deal"),
            "deals": pgettext("beside the dealer's name", "deals"),
            "total": _("Total"),
            "sheet_rule": _(
                "Write what each player wins or loses in each deal: the figures of a row sum to zero, and so do the"
                " totals. Everybody signs."
            ),
        }
    return set_sheets(f"free/{layout}", evening.heading, language, more, data)


def list_people(evening: FreeEvening, game: int) -> tuple[str, dict[str, Any]]:
    """Return the layout and the data of the seats by name."""
    at = game or max(evening.games, default=0)
    places = {who.pk: (seat, one.table) for one in evening.at(at) for seat, who in one.seats.items()}
    rows = [
        {
            "listed": who.listed or who.name,
            "table": str(places[who.pk][1]) if who.pk in places else "–",
            "seat": places[who.pk][0] if who.pk in places else "",
        }
        for who in evening.players
    ]
    rows.sort(key=lambda row: simplify_name(row["listed"]))
    return "people", {"players": rows, "title": _("Who sits where, game %(number)s") % {"number": at}}


def list_tables(evening: FreeEvening, game: int) -> tuple[str, dict[str, Any]]:
    """Return the layout and the data of the seats by table."""
    at = game or max(evening.games, default=0)
    tables = [
        {
            "name": say.table_name(one.table),
            "players": [{"seat": seat, "name": who.name} for seat, who in one.seats.items()],
        }
        for one in evening.at(at)
    ]
    return "tables", {"tables": tables, "title": _("The tables of game %(number)s") % {"number": at}}


def list_sheets(evening: FreeEvening, game: int) -> tuple[str, dict[str, Any]]:
    """Return the layout and the data of the empty sheets, of one game or of all games that have seats."""
    forms = [
        {
            "table": say.table_name(one.table),
            "game": game_name(one.game),
            "players": [{"seat": seat, "name": who.name} for seat, who in one.seats.items()],
            "deals": [
                {"number": number, "dealer": dealer, "resting": resting}
                for (number, dealer), resting in zip(one.deals, one.resting, strict=True)
            ],
        }
        for one in evening.tables
        if game in (0, one.game)
    ]
    return "sheets", {"forms": forms}


def list_labels(evening: FreeEvening, _game: int) -> tuple[str, dict[str, Any]]:
    """Return the layout and the data of the name labels of all players."""
    return "labels", {
        "players": [{"name": who.name, "number": number_of(who)} for who in evening.players],
        "title": _("Name labels"),
    }


def list_guides(evening: FreeEvening, _game: int) -> tuple[str, dict[str, Any]]:
    """Return the layout and the data of the guide cards: each player's table and seat in every game that has seats."""
    at: dict[tuple[int, int], tuple[str, SeatedGame]] = {
        (one.game, who.pk): (seat, one) for one in evening.tables for seat, who in one.seats.items()
    }

    def stop(who: Entrant, number: int) -> dict[str, str]:
        seat, one = at.get((number, who.pk), ("", None))
        others = [] if one is None else [other.name for other in one.seats.values() if other.pk != who.pk]
        table = "" if one is None else say.table_name(one.table)
        return {"game": game_name(number), "table": table, "seat": seat, "others": ", ".join(others)}

    cards = [
        {
            "id": who.pk,
            "name": who.name,
            "number": number_of(who),
            "stops": [stop(who, number) for number in evening.games],
        }
        for who in evening.players
    ]
    return "guides", {"cards": cards}


def number_of(who: Entrant) -> str:
    """Return the starting number of a player, such as "N 12"."""
    return f"{label('letter', who.line)} {who.number}" if who.line else str(who.number)


def game_name(number: int) -> str:
    return _("Game %(position)s") % {"position": number}


LAYOUTS: Mapping[str, Callable[[FreeEvening, int], tuple[str, dict[str, Any]]]] = {
    "people": list_people,
    "tables": list_tables,
    "sheets": list_sheets,
    "labels": list_labels,
    "guides": list_guides,
}
