"""The notes of a room's games: each seat is compared with the same seat at the other tables, as in a free auction."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from deals.domain.cards import LINES, Seat
from rooms.models import Game
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


def find_notes(games: list[Game]) -> dict[int, Mapping[str, Fraction]]:
    """Return the exact note of each seat, by the id of the game."""
    plays = read_plays(games)
    check_plays(plays, FREE_AUCTION)
    found: dict[int, Mapping[str, Fraction]] = {}
    for game, notes in zip(games, note_plays(plays, FREE_AUCTION), strict=True):
        assert notes is not None
        found[game.pk] = {seat: note for seat, note in zip(SEATS, notes, strict=False) if note is not None}
    return found
