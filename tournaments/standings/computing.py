"""The only bridge from rows to scores: a session's plays in one query → `scoring` → standings as exact data.

The figures kept are exact fractions as text ("175/2"); they are rounded where they are shown.
"""

import datetime as dt
from fractions import Fraction
from typing import Any, NamedTuple

from django.db.models import F, FilteredRelation, Q

from scoring.contract import rules_named
from scoring.ranking import FREE_AUCTION, INDIVIDUAL, Line, RankingRules, ScoringPlay
from scoring.ranking import standings as rank
from tournaments.models import Entrant, EtuiRuling, Penalty, Play, Session, SessionStandings, Tournament
from tournaments.models.evening import SEAT_COLUMNS
from tournaments.plays.entries import FIELDS, to_entry
from tournaments.plays.etui_rulings import newest_by_etui
from tournaments.plays.state import VIEWS, State, with_states
from tournaments.rules.entry import base_score, taker_of
from tournaments.rules.split import part_of

RANKING: dict[str, RankingRules] = {Tournament.Auction.IMPOSED: INDIVIDUAL, Tournament.Auction.FREE: FREE_AUCTION}

SCORED, MISSING, ANNULLED, NOT_PLAYED = "scored", "missing", "annulled", "not_played"


class Computed(NamedTuple):
    """Standings, and the version of the results they hold: both are of one moment."""

    results_version: int
    data: dict[str, Any]


def compute(session_id: int) -> Computed | None:
    """The standings of a session from its rows alone; None where it has no play."""
    rows = list(play_rows(session_id))
    if not rows:
        return None
    rules = rules_named(rows[0]["session__tournament__rules"])
    ranking = RANKING[rows[0]["session__tournament__auction"]]
    entrants = {entrant.pk: entrant for entrant in Entrant.objects.filter(session_id=session_id)}
    etui_rulings = newest_by_etui(session_id)
    states, plays = [], []
    for row in rows:
        entry = to_entry({field: row[f"entry__{field}"] for field in FIELDS}) if row["entry__kind"] else None
        ruling = etui_rulings.get(row["etui_id"])
        states.append(VIEWS[State(row["state"])].counted)
        plays.append(
            ScoringPlay(
                board=board_of(row, ruling),
                north=row["north_id"],
                east=row["east_id"],
                south=row["south_id"],
                west=row["west_id"],
                taker=taker_of(entry) if entry else None,
                base_score=base_score(entry, rules) if entry and states[-1] == SCORED else None,
            )
        )
    result = rank(
        plays,
        ranking,
        unranked={pk for pk, entrant in entrants.items() if not entrant.ranked},
        penalties=penalties_of(session_id),
        lines={pk: Line(entrant.line) for pk, entrant in entrants.items()},
    )
    data = {
        "ranking": ranking.name,
        "counts": {state: states.count(state) for state in (SCORED, MISSING, ANNULLED, NOT_PLAYED)},
        "players": [
            {
                "id": player.player,
                "line": str(player.line),
                "attack": exact(player.attack),
                "defence": exact(player.defence),
                "overall": exact(player.overall),
                "penalty": exact(player.penalty),
                "attacks": player.attacks,
                "defences": player.defences,
                "rank_general": player.rank_general,
                "rank_line": player.rank_line,
                "rank_alterne": player.rank_alterne,
            }
            for player in result.players
        ],
        "plays": {
            str(row["id"]): {
                "state": state,
                "base_score": play.base_score,
                "taker": str(play.taker) if play.taker and play.base_score is not None else None,
                "notes": {str(line): exact(notes.by_line[line]) for line in Line} if notes else None,
                "part": play.board[1],  # type: ignore[index]  # as `board_of` makes it
            }
            for row, state, play, notes in zip(rows, states, plays, result.notes, strict=True)
        },
    }
    return Computed(rows[0]["session__results_version"], data)


def board_of(row: dict[str, Any], ruling: EtuiRuling | None) -> tuple[int, int]:
    """What is topped together: the plays of an étui, apart before and after it was altered."""
    return row["etui_id"], part_of(ruling.split if ruling else None, row["position"], row["table__number"])


def penalties_of(session_id: int) -> dict[int, Fraction]:
    """Percentage points by entrant; a penalty taken back counts no more."""
    found: dict[int, Fraction] = {}
    for penalty in Penalty.objects.filter(session_id=session_id, reverses=None, reversal=None):
        found[penalty.entrant_id] = found.get(penalty.entrant_id, Fraction()) + Fraction(penalty.points)
    return found


def play_rows(session_id: int) -> Any:
    return (
        with_states(Play.objects.filter(session_id=session_id))
        .annotate(entry=FilteredRelation("entries", condition=Q(entries__current=True)))
        .order_by("position", "table__number", "etui__number")
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


def is_fresh(session: Session) -> bool:
    """Whether the kept standings are those of the newest results."""
    return session.standings.results_version == session.results_version


def sessions_with_stale_standings() -> list[int]:
    """Sessions whose results have changed since their standings were last computed."""
    stale = SessionStandings.objects.filter(results_version__lt=F("session__results_version"))
    return list(stale.order_by("session_id").values_list("session_id", flat=True))


def refresh(session_id: int, *, now: dt.datetime) -> bool:
    """Computes and keeps the standings unless they are fresh already; True where they were written.

    Several changes are served by one computation, and an older one never replaces a newer.
    """
    stale = SessionStandings.objects.filter(
        session_id=session_id, results_version__lt=F("session__results_version")
    ).exists()
    if not stale or (computed := compute(session_id)) is None:
        return False
    written = SessionStandings.objects.filter(
        session_id=session_id, results_version__lt=computed.results_version
    ).update(results_version=computed.results_version, computed_at=now, data=computed.data)
    return bool(written)


def exact(value: Fraction | None) -> str | None:
    return None if value is None else str(value)
