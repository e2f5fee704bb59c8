"""The papers of an evening seated in games: seats to hang up, guide and table cards, sheets of games, name labels.

They are made from the seats of the games. No paper has a result on it.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from clubs.names import simplify_name
from deals.exports.pdf import Sheets
from evenings.plans.evening_plan import SessionHeading
from outgoing.paper import words as say
from outgoing.paper.pdf import NO_CODE, Code, draw_code_cells, make_heading, set_sheets
from scoring.free import find_dealer, find_turn
from tournaments.models import Entrant, Play, Session
from tournaments.models.plays import seat_people


@dataclass(frozen=True, slots=True)
class SeatedGame:
    """A table in a game: who sits there by seat, in the order of turn, and the seat that rests in each deal.

    If somebody left or came within the game, the table has one part with the deals before, and one with those after.
    """

    game: int
    table: int
    seats: Mapping[str, Entrant]
    resting: tuple[str, ...]
    deals: tuple[tuple[int, str], ...]  # the number and the dealer of each deal, or of each étui


@dataclass(frozen=True, slots=True)
class FreeEvening:
    """The values of the papers: the heading, all players by number, and the tables of the games that have seats.

    `of_deals` is true if the tables deal. Otherwise all tables play the same étuis in a position.
    """

    heading: SessionHeading
    players: Sequence[Entrant]
    tables: Sequence[SeatedGame]
    of_deals: bool = True

    def name(self, game: int) -> str:
        """Return the name of a game or, with étuis, of a position."""
        return _("Game %(position)s") % {"position": game} if self.of_deals else say.position_name(game)

    @property
    def games(self) -> list[int]:
        return sorted({one.game for one in self.tables})

    def at(self, game: int) -> list[SeatedGame]:
        """Return the tables of a game with the people who sit there now: of a table with two parts, the later one."""
        return list({one.table: one for one in self.tables if one.game == game}.values())


@dataclass(frozen=True, slots=True)
class PaperChoice:
    """The choice of what a document contains.

    `game` chooses the game of seats and sheets; 0: the newest, or all sheets. `only` limits guide cards to these
    entrants (ids). `code_of` returns the code on the card of an entrant (id), or on that of a table (number). `hall` is
    the code of the hall's page, for what is put up there.
    """

    game: int = 0
    only: Collection[int] | None = None
    code_of: Callable[[int], Code] | None = None
    hall: Code = NO_CODE


def read_free_evening(session: Session) -> FreeEvening:
    """Return the seats of all games of a session that have some, in three queries."""
    plays = session.plays.filter(is_replay=False).select_related("table", "etui")
    seated_plays = seat_people(plays.order_by("position", "table__number", "etui__number"))
    games = [list(deals) for _key, deals in groupby(seated_plays, key=lambda play: (play.position, play.table_id))]
    tables = [part for deals in games for part in read_game(deals)]
    players = session.entrants.select_related("player", "stand_in", "team").order_by("number", "line")
    return FreeEvening(make_heading(session), list(players), tables, session.tournament.deals_freely)


def read_game(deals: Sequence[Play]) -> Iterator[SeatedGame]:
    """Yield the parts of a game at a table: its deals, as long as the same people sit there."""
    numbered = enumerate(deals, start=1)
    for _seats, group in groupby(numbered, key=lambda told: told[1].seat_ids):
        part = list(group)
        first = part[0][1]
        seats = {seat: first.seats[seat] for seat in find_turn(first.seats)}
        numbers = tuple(
            (deal.etui.number, deal.etui.dealer) if deal.etui.dealer else (place, find_dealer(seats, place))
            for place, deal in part
        )
        resting = tuple(deal.resting for _place, deal in part)
        yield SeatedGame(first.position, first.table.number, seats, resting, numbers)


def print_free_evening(evening: FreeEvening, code: str, *, language: str, choice: PaperChoice) -> Sheets:
    """Return the sheets of one document."""
    with translation.override(language):
        layout, data = LAYOUTS[code](evening, choice.game if choice.game in evening.games else 0)
        if "cards" in data:
            data["cards"] = list(complete_cards(data["cards"], choice))
        if code in PUT_UP:
            data["hall"] = draw_code_cells(choice.hall)
        more = {
            "deal": pgettext("heading of a column, short", "Deal") if evening.of_deals else _("Étui"),
            "deals": pgettext("beside the dealer's name", "deals"),
            "total": _("Total"),
            "sheet_rule": _(
                "Write what each player wins or loses in each deal: the figures of a row sum to zero, and so do the"
                " totals. Everybody signs."
            ),
        }
    return set_sheets(f"free/{layout}", evening.heading, language, more, data)


def complete_cards(cards: Iterable[dict[str, Any]], choice: PaperChoice) -> Iterator[dict[str, Any]]:
    """Yield the cards that are wanted, with their codes, if there are any."""
    for card in cards:
        if choice.only is None or card["id"] in choice.only:
            yield card | {"screen": draw_code_cells(choice.code_of(card["id"])) if choice.code_of else None}


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
    return "people", {"players": rows, "title": " · ".join((_("Who sits where"), evening.name(at)))}


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
    return "tables", {"tables": tables, "title": " · ".join((_("Tables"), evening.name(at)))}


def list_sheets(evening: FreeEvening, game: int) -> tuple[str, dict[str, Any]]:
    """Return the layout and the data of the empty sheets, of one game or of all games that have seats."""
    forms = [
        {
            "table": say.table_name(one.table),
            "game": name_part(one, evening),
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
        "labels": [{"name": who.name, "number": str(who.number)} for who in evening.players],
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
        return {"game": evening.name(number), "table": table, "seat": seat, "others": ", ".join(others)}

    cards = [
        {
            "id": who.pk,
            "name": who.name,
            "number": str(who.number),
            "stops": [stop(who, number) for number in evening.games],
        }
        for who in evening.players
    ]
    return "guides", {"cards": cards}


def list_cards(evening: FreeEvening, _game: int) -> tuple[str, dict[str, Any]]:
    """Return the layout and the data of the table cards: who sits there in each game that has seats."""
    numbers = sorted({one.table for one in evening.tables})
    games = {game: {one.table: one for one in evening.at(game)} for game in evening.games}

    def row(game: int, table: int) -> dict[str, Any]:
        one = games[game].get(table)
        players = [] if one is None else [{"seat": seat, "name": who.name} for seat, who in one.seats.items()]
        return {"game": evening.name(game), "players": players}

    cards = [
        {"id": number, "table": number, "rows": [row(game, number) for game in evening.games]} for number in numbers
    ]
    return "cards", {"cards": cards}


def name_part(one: SeatedGame, evening: FreeEvening) -> str:
    """Return the name of a game and, if the table has two parts in it, the deals of this one."""
    name = evening.name(one.game)
    if sum(other.table == one.table for other in evening.tables if other.game == one.game) == 1:
        return name
    first, last = one.deals[0][0], one.deals[-1][0]
    name_values = {"game": name, "first": first, "last": last}
    if first == last:
        return _("%(game)s, deal %(first)s") % name_values
    return _("%(game)s, deals %(first)s to %(last)s") % name_values


PUT_UP = ("people", "tables")
LAYOUTS: Mapping[str, Callable[[FreeEvening, int], tuple[str, dict[str, Any]]]] = {
    "people": list_people,
    "tables": list_tables,
    "sheets": list_sheets,
    "labels": list_labels,
    "guides": list_guides,
    "cards": list_cards,
}
