"""The plays of an étui, from rows to scores, notes, and what they bring each player: a function of these plays alone.

Whether of all étuis or of those that have changed: `computing` adds up what this module gives. The figures are exact
fractions as text ("175/2"); they are rounded where they are shown.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any, NamedTuple

from django.db.models import FilteredRelation, Q

from scoring.contract import ScoringRules
from scoring.ranking import PlayNotes, RankingRules, ScoringPlay, check_plays, note_plays, tally_plays
from tournaments.models import EtuiRuling, Play
from tournaments.models.evening import SEAT_COLUMNS
from tournaments.plays.entries import FIELDS, to_entry
from tournaments.plays.state import VIEWS, State, with_states
from tournaments.rules.entry import base_score, taker_of
from tournaments.rules.split import part_of
from tournaments.standings.sums import Sums

SCORED, MISSING, ANNULLED, NOT_PLAYED = "scored", "missing", "annulled", "not_played"


class EtuiFigures(NamedTuple):
    """`plays`: state, base score, taker, notes and part of each play, by its id as JSON has it."""

    plays: dict[str, Any]
    sums: Sums


class Rules(NamedTuple):
    """How a deal is scored, and how its scores are compared."""

    scoring: ScoringRules
    ranking: RankingRules


def play_rows(session_id: int, etuis: Collection[int] | None = None) -> Any:
    """What the figures follow from, étui by étui; of these étuis, or of all."""
    plays = Play.objects.filter(session_id=session_id)
    if etuis is not None:
        plays = plays.filter(etui__in=etuis)
    return (
        with_states(plays)
        .annotate(entry=FilteredRelation("entries", condition=Q(entries__current=True)))
        .order_by("etui_id", "position", "table__number")
        .values(
            "id",
            "etui_id",
            "position",
            "table__number",
            *SEAT_COLUMNS,
            *(f"entry__{field}" for field in FIELDS),
            "state",
            "session__results_version",
            "session__tournament__rules",
            "session__tournament__auction",
        )
    )


def figure_etuis(
    rows: Iterable[dict[str, Any]], rulings: dict[int, EtuiRuling], rules: Rules
) -> dict[int, EtuiFigures]:
    """The figures of each étui of these rows, which come étui by étui; `rulings` in force, by étui."""
    return {
        etui: figure_etui(list(plays), rulings.get(etui), rules)
        for etui, plays in groupby(rows, key=lambda row: row["etui_id"])
    }


def figure_etui(rows: Sequence[dict[str, Any]], ruling: EtuiRuling | None, rules: Rules) -> EtuiFigures:
    states = [VIEWS[State(row["state"])].counted for row in rows]
    parts = [part_of(ruling.split if ruling else None, row["position"], row["table__number"]) for row in rows]
    plays = [scoring_play(*found, rules.scoring) for found in zip(rows, states, parts, strict=True)]
    check_plays(plays, rules.ranking)
    notes = note_plays(plays, rules.ranking)
    told = {
        str(row["id"]): {
            "state": state,
            "base_score": play.base_score,
            "taker": str(play.taker) if play.taker and play.base_score is not None else None,
            "notes": exact_notes(play_notes) if play_notes else None,
            "part": part,
        }
        for row, state, part, play, play_notes in zip(rows, states, parts, plays, notes, strict=True)
    }
    compared = Counter(play.board for play, play_notes in zip(plays, notes, strict=True) if play_notes)
    topped = any(count > 1 for count in compared.values())
    return EtuiFigures(told, Sums(Counter(states), int(topped), tally_plays(plays, notes)))


def scoring_play(row: dict[str, Any], state: str, part: int, rules: ScoringRules) -> ScoringPlay:
    """Topped together are the plays of a part: those before, or after, the étui was altered."""
    entry = to_entry({field: row[f"entry__{field}"] for field in FIELDS}) if row["entry__kind"] else None
    return ScoringPlay(
        board=part,
        north=row["north_id"],
        east=row["east_id"],
        south=row["south_id"],
        west=row["west_id"],
        taker=taker_of(entry) if entry else None,
        base_score=base_score(entry, rules) if entry and state == SCORED else None,
    )


def exact_notes(notes: PlayNotes) -> dict[str, str]:
    return {str(line): str(note) for line, note in notes.by_line.items()}


def exact(value: Fraction | None) -> str | None:
    return None if value is None else str(value)
