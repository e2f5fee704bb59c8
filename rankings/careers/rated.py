"""The row with what a session brings to ratings and leaderboards: the sums of its players, and its compared plays.

`players` has a list for each player of the session who played:

    [player, deals, tops, den, deals and sum in attack, in defence, and where the taker is not known]

These are the figures of the player's `Appearance`. Sums are whole numbers over `den`. `tops` is the number of notes of
100. Where readers may see neither étuis nor feuilles, and in match points, all numbers but the deals are 0.

`plays` has a list for each play that the rating uses, with notes as whole numbers over the row's own `den`:

    imposed contract: [étui, part, note of the taker, taker, defender, defender, defender]
    free auction:     [étui, part, the four notes by line, the four players by line]

`part` tells whether the étui had been altered before the play. A play is used if it has a score that is compared with
others, and notes that no arbiter has fixed. Teams have no plays here, because there is no rating of teams. Tables of
three and five have none either: the rating is defined and measured for four.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from rankings.careers.rows import find_play_kind, is_compared, who_sits
from scoring.formats import IN_GAMES, MEETING_TEAMS
from tournaments.models import Appearance, GameKind, RatedSession
from tournaments.reports.session import PublishedReport, RankedPlayer, ReportedPlay
from tournaments.rules.formats import list_others

SIDES = ("a", "d", "o")  # attack, defence, taker not known: as in the figures of an appearance


OF_RATING = list_others(*MEETING_TEAMS, *IN_GAMES)  # the formats whose plays the rating uses


class PlayNotes(NamedTuple):
    """A play that the rating uses: the étui, its part, the notes and the players in their stored order."""

    etui: int
    part: int
    notes: tuple[Fraction, ...]
    players: tuple[int, ...]


def make_rated(report: PublishedReport, rows: Iterable[Appearance], *, in_detail: bool) -> RatedSession:
    """Return the unsaved row of a session, without its session, date and field. `rows` are those of its players."""
    kind = find_play_kind(report)
    plays = read_plays(report, kind) if in_detail and report.format.name in OF_RATING else []
    den = lcm(*(note.denominator for play in plays for note in play.notes))
    return RatedSession(
        kind=kind,
        den=den,
        players=[sum_player(row) for row in rows],
        plays=[[play.etui, play.part, *(int(note * den) for note in play.notes), *play.players] for play in plays],
    )


def sum_player(row: Appearance) -> list[int]:
    """Return the sums of a player, as the module's docstring describes them."""
    figures: Mapping[str, Any] = row.figures
    den = figures.get("den", 1)
    tops = sum(count for _compared, note, count in figures.get("n", ()) if note == 100 * den)
    sides = [figures.get(side, (0, 0, 0)) for side in SIDES]
    return [row.player, row.deals, tops, den, *(number for side in sides for number in side[:2])]


def read_plays(report: PublishedReport, kind: GameKind) -> list[PlayNotes]:
    """Return the plays that the rating uses, in the order of the report."""
    entrants = {player.id: player for player in report.players}
    played = (
        read_play(etui.number, play, seat_players(play, entrants), kind) for etui in report.etuis for play in etui.plays
    )
    return [play for play in played if play is not None]


def seat_players(play: ReportedPlay, entrants: Mapping[int, RankedPlayer]) -> dict[str, int]:
    """Return the players who sat there, by line: the entrants, or their stand-ins."""
    return {line: who_sits(entrants[entrant], play.position) for line, entrant in play.seats.items()}


def read_play(etui: int, play: ReportedPlay, people: Mapping[str, int], kind: GameKind) -> PlayNotes | None:
    """Return the notes and the players of a play for the rating, or None if the rating does not use the play."""
    if not is_compared(play) or play.fixed or len(set(people.values())) != 4 or len(people) != 4:
        return None
    lines = sorted(people)
    if kind.names_taker:
        taker = play.taker
        if taker is None or taker not in people:
            return None
        lines = [taker, *sorted((line for line in lines if line != taker), key=lambda line: people[line])]
    notes = read_notes(play, lines[:1] if kind.names_taker else lines)
    players = tuple(people[line] for line in lines)
    return PlayNotes(etui, play.part, notes, players) if notes else None


def read_notes(play: ReportedPlay, lines: Sequence[str]) -> tuple[Fraction, ...]:
    """Return the notes of these lines, or () if one of them has none."""
    notes = [play.notes.get(line) if play.notes else None for line in lines]
    return () if None in notes else tuple(note for note in notes if note is not None)
