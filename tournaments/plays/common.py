"""What all tables of a session have in common, kept in the process by the session's revision, which every write of it
raises. Reads only, and never for whoever holds the session's lock: what he is about to write would be missing."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from threading import Lock
from typing import NamedTuple

from scoring.ranking import Line
from tournaments.models import Entrant, Etui, EtuiRuling, Play, Session
from tournaments.models.evening import PUBLIC_PEOPLE, SEAT_COLUMNS
from tournaments.plays.etui_rulings import newest_by_etui
from tournaments.plays.outcome import Outcome, read_outcome


class Common(NamedTuple):
    """By their ids: entrants with their players, étuis without their cards, the rulings in force on étuis. Where
    everybody sits: the table and the line, by position and entrant. `outcome` is None before a publication."""

    people: Mapping[int, Entrant]
    etuis: Mapping[int, Etui]
    rulings: Mapping[int, EtuiRuling]
    seats: Mapping[tuple[int, int], tuple[int, str]]
    outcome: Outcome | None

    def knows(self, plays: Iterable[Play]) -> bool:
        """Whether the plan was the same when both were read."""
        return all(
            play.etui_id in self.etuis and all(getattr(play, seat) in self.people for seat in SEAT_COLUMNS)
            for play in plays
        )


def common_of(session: Session) -> Common:
    with one_at_a_time:  # and the others find it made
        return kept_common(session.pk, session.revision, session.tournament.club.names_version)


@lru_cache(maxsize=16)
def kept_common(session_id: int, _revision: int, _names: int) -> Common:
    return read_common(session_id)


def read_common(session_id: int) -> Common:
    plays = Play.objects.filter(session=session_id).order_by()
    return Common(
        people=Entrant.objects.filter(session=session_id).select_related(*PUBLIC_PEOPLE).in_bulk(),
        etuis=Etui.objects.filter(pk__in=plays.values("etui")).defer("cards").in_bulk(),
        rulings=newest_by_etui(session_id),
        seats={
            (position, entrant): (table, str(line))
            for position, table, *entrants in plays.values_list("position", "table__number", *SEAT_COLUMNS).distinct()
            for line, entrant in zip(Line, entrants, strict=True)
        },
        outcome=read_outcome(session_id),
    )


one_at_a_time = Lock()
