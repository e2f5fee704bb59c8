"""The notes of a room's games: each seat is compared with the same seat at the other tables, as in a free auction."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from django.db.models import Q

from bots.levels import CHARACTERS
from deals.domain.cards import LINES, Seat
from rooms.models import Game, RoomTable
from rooms.opening.joining import SOLO
from rooms.record.fillers import find_taker_in_record
from scoring.formats import FREE_AUCTION
from scoring.plays import SEATS, ScoringPlay
from scoring.ranking import check_plays, note_plays


def read_plays(games: Iterable[Game]) -> list[ScoringPlay]:
    """Return each finished game as a play, whose competitors are the seats. The games were read with their étuis."""
    plays = []
    for game in games:
        taker = find_taker_in_record(Seat(game.etui.dealer), game.record)
        seats = tuple((game.table_id, letter) for letter in LINES)
        plays.append(ScoringPlay(game.etui_id, seats, None if taker is None else str(taker), game.score))
    return plays


def find_note_against_bots(table: RoomTable, number: int) -> Fraction | None:
    """Return the note of South on étui `number` among the seven tables of bots of the room, once all have played it.

    It is not stored: when the room closes, the tables of all players are compared. None until the bots are done, and in
    rooms from before there were such tables.
    """
    compared = Game.objects.filter(Q(table__is_filler=True) | Q(table=table), table__room=table.room_id)
    over = compared.filter(etui__number=number, finished_at__isnull=False)
    games = list(over.select_related("etui").order_by("pk"))
    own = next((game for game in games if game.table_id == table.pk), None)
    return None if own is None or len(games) <= len(CHARACTERS) else find_notes(games)[own.pk][SOLO]


def find_notes(games: list[Game]) -> dict[int, Mapping[str, Fraction]]:
    """Return the exact note of each seat, by the id of the game."""
    plays = read_plays(games)
    check_plays(plays, FREE_AUCTION)
    notes_by_game: dict[int, Mapping[str, Fraction]] = {}
    for game, notes in zip(games, note_plays(plays, FREE_AUCTION), strict=True):
        assert notes is not None
        notes_by_game[game.pk] = {seat: note for seat, note in zip(SEATS, notes, strict=False) if note is not None}
    return notes_by_game
