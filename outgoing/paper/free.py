"""The papers of an evening seated in games: seats to hang up, guide and table cards, sheets of games, name labels.

They are made from the seats of the games. No paper has a result on it.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from clubs.names import simplify_name
from deals.exports.pdf import Sheets
from evenings.plans.evening_plan import EveningPaper, Position
from outgoing.paper import words as say
from outgoing.paper.pdf import NO_CODE, Code, Data, draw_code_cells, list_table_cards, make_heading, set_sheets
from scoring.formats import find_format
from scoring.free import find_dealer, find_turn
from tournaments.models import Entrant, Play, Session
from tournaments.models.plays import seat_people
from tournaments.words.formats import say_word


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

    @property
    def numbers(self) -> list[int]:
        """The numbers of the deals or étuis, in the order of play."""
        return [number for number, _dealer in self.deals]

    @property
    def players(self) -> list[Data]:
        """The people who sit there, as data for a layout."""
        return [{"seat": seat, "name": who.name} for seat, who in self.seats.items()]


GamesPaper = EveningPaper[Entrant, SeatedGame]
Layout = tuple[str, Data]


def name_game(evening: GamesPaper, game: int) -> str:
    """Return the name of a game or, with étuis, of a position."""
    return say_word(evening.format.name, "position", {"position": game})


def find_shown_tables(evening: GamesPaper, game: int) -> tuple[int, list[SeatedGame]]:
    """Return the number of a game, with its tables and the people who sit there now. 0 stands for the newest game."""
    at = game or max((each.number for each in evening.positions), default=0)
    tables = {one.table: one for each in evening.positions if each.number == at for one in each.sittings}
    return at, list(tables.values())


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


def read_free_evening(session: Session) -> GamesPaper:
    """Return the seats of all games of a session that have some, in three queries."""
    plays = session.plays.filter(is_replay=False).select_related("table", "etui")
    seated_plays = seat_people(plays.order_by("position", "table__number", "etui__number"))
    tables = [list(deals) for _key, deals in groupby(seated_plays, key=lambda play: (play.position, play.table_id))]
    games = groupby((part for deals in tables for part in read_game(deals)), key=lambda part: part.game)
    positions: tuple[Position[Entrant, SeatedGame], ...] = tuple(Position(game, tuple(parts)) for game, parts in games)
    players = session.entrants.select_related("player", "stand_in", "team").order_by("number", "line")
    return EveningPaper(make_heading(session), find_format(session.tournament.format), positions, tuple(players))


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


def print_free_evening(evening: GamesPaper, code: str, *, language: str, choice: PaperChoice) -> Sheets:
    """Return the sheets of one document."""
    with translation.override(language):
        is_seated = any(position.number == choice.game for position in evening.positions)
        layout, data = LAYOUTS[code](evening, choice if is_seated else replace(choice, game=0))
        if code in PUT_UP:
            data["hall"] = draw_code_cells(choice.hall)
        more = {
            "deal": say_word(evening.format.name, "etui_head"),
            "deals": pgettext("beside the dealer's name", "deals"),
            "total": _("Total"),
            "sheet_rule": _(
                "Write what each player wins or loses in each deal: the figures of a row sum to zero, and so do the"
                " totals. Everybody signs."
            ),
        }
    return set_sheets(f"free/{layout}", evening.heading, language, more, data)


def list_people(evening: GamesPaper, choice: PaperChoice) -> Layout:
    """Return the layout and the data of the seats by name."""
    game, tables = find_shown_tables(evening, choice.game)
    places = {who.pk: (seat, one.table) for one in tables for seat, who in one.seats.items()}
    rows = [
        {
            "listed": who.listed or who.name,
            "table": str(places[who.pk][1]) if who.pk in places else "–",
            "seat": places[who.pk][0] if who.pk in places else "",
        }
        for who in evening.people
    ]
    rows.sort(key=lambda row: simplify_name(row["listed"]))
    return "people", {"players": rows, "title": " · ".join((_("Who sits where"), name_game(evening, game)))}


def list_tables(evening: GamesPaper, choice: PaperChoice) -> Layout:
    """Return the layout and the data of the seats by table."""
    game, seated = find_shown_tables(evening, choice.game)
    tables = [{"name": say.table_name(one.table), "players": one.players} for one in seated]
    return "tables", {"tables": tables, "title": " · ".join((_("Tables"), name_game(evening, game)))}


def list_sheets(evening: GamesPaper, choice: PaperChoice) -> Layout:
    """Return the layout and the data of the empty sheets, of one game or of all games that have seats."""
    forms = [
        {
            "table": say.table_name(one.table),
            "game": name_part(one, position, evening),
            "players": one.players,
            "deals": [
                {"number": number, "dealer": dealer, "resting": resting}
                for (number, dealer), resting in zip(one.deals, one.resting, strict=True)
            ],
        }
        for position in evening.positions
        for one in position.sittings
        if choice.game in (0, one.game)
    ]
    return "sheets", {"forms": forms}


def list_labels(evening: GamesPaper, _choice: PaperChoice) -> Layout:
    """Return the layout and the data of the name labels of all players."""
    return "labels", {
        "labels": [{"name": who.name, "number": str(who.number)} for who in evening.people],
        "title": _("Name labels"),
    }


def list_guides(evening: GamesPaper, choice: PaperChoice) -> Layout:
    """Return the layout and the data of the guide cards: each player's table and seat in every game that has seats."""
    places: dict[tuple[int, int], tuple[str, SeatedGame]] = {
        (one.game, who.pk): (seat, one)
        for position in evening.positions
        for one in position.sittings
        for seat, who in one.seats.items()
    }

    def stop(who: Entrant, game: int) -> dict[str, str]:
        seat, one = places.get((game, who.pk), ("", None))
        others = [] if one is None else [other.name for other in one.seats.values() if other.pk != who.pk]
        table = "" if one is None else say.table_name(one.table)
        return {"game": name_game(evening, game), "table": table, "seat": seat, "others": ", ".join(others)}

    cards = [
        {
            "id": who.pk,
            "name": who.name,
            "number": str(who.number),
            "stops": [stop(who, position.number) for position in evening.positions],
            "screen": draw_code_cells(choice.code_of(who.pk)) if choice.code_of else None,
        }
        for who in evening.people
        if choice.only is None or who.pk in choice.only
    ]
    return "guides", {"cards": cards}


def list_cards(evening: GamesPaper, choice: PaperChoice) -> Layout:
    """Return the layout and the data of the table cards: who sits there in each game that has seats."""

    def write_row(position: Position[Entrant, SeatedGame], one: SeatedGame | None) -> Data:
        return {"game": name_game(evening, position.number), "players": one.players if one else []}

    return "cards", {"cards": list_table_cards(evening, write_row, choice.code_of)}


def name_part(one: SeatedGame, position: Position[Entrant, SeatedGame], evening: GamesPaper) -> str:
    """Return the name of a game and, if the table has two parts in it, the deals of this one."""
    name = name_game(evening, one.game)
    if sum(other.table == one.table for other in position.sittings) == 1:
        return name
    first, last = one.numbers[0], one.numbers[-1]
    name_values = {"game": name, "first": first, "last": last}
    if first == last:
        return _("%(game)s, deal %(first)s") % name_values
    return _("%(game)s, deals %(first)s to %(last)s") % name_values


PUT_UP = ("people", "tables")
LAYOUTS: Mapping[str, Callable[[GamesPaper, PaperChoice], Layout]] = {
    "people": list_people,
    "tables": list_tables,
    "sheets": list_sheets,
    "labels": list_labels,
    "guides": list_guides,
    "cards": list_cards,
}
