"""The kinds of play that have leaderboards: those of sessions, and those that another app registers.

An app whose plays are no sessions (rooms, for example) registers its kind once, from `AppConfig.ready`, with
`register_board_source`. Then the job makes its lists, and pages, files and programs offer them. No module of
`tournaments` imports that app.
"""

import datetime as dt
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.functional import Promise

from rankings.leaderboards.ratings import RATED, People, RatedFigures
from tournaments.models import GameKind


class BoardSession(NamedTuple):
    """A session with the sums of its players. `club` is its club's id, or 0 if no club's lists count it.

    `careers.rated` describes the form of `players`.
    """

    pk: int
    club: int
    kind: str
    date: dt.date
    players: list[list[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSource:
    """A kind of play of another app, with what its leaderboards are made from.

    - `kind`: at most 8 letters, a part of addresses. `title`: its name for people.
    - `names_taker`: whether the étui names the taker.
    - `read_sessions` returns the sessions sorted by date and id.
    - `read_basis` returns values that change whenever the sessions or ratings change.
    - `rate` returns the rating of each person, by id. Without it, the kind has no rating.
    """

    kind: str
    title: str | Promise
    names_taker: bool
    read_sessions: Callable[[], Iterable[BoardSession]]
    read_basis: Callable[[], Iterable[object]]
    rate: Callable[[People], dict[int, RatedFigures]] | None = None


board_sources: dict[str, BoardSource] = {}  # the registered kinds of other apps


def register_board_source(source: BoardSource) -> None:
    """Let leaderboards have a further kind of play. Raise `ValueError` if its name is taken or too long."""
    if source.kind in list_board_kinds() or not 0 < len(source.kind) <= 8:
        raise ValueError(f"{source.kind} cannot be the name of a further kind of play")
    board_sources[source.kind] = source


def list_board_sources() -> list[BoardSource]:
    """Return the kinds of other apps, in the order of their names."""
    return [source for _kind, source in sorted(board_sources.items())]


def list_board_kinds() -> list[str]:
    """Return all kinds of play: those of sessions first."""
    return [*GameKind, *sorted(board_sources)]


def is_rated_kind(kind: str) -> bool:
    """Return whether players have a rating in this kind of play."""
    source = board_sources.get(kind)
    return kind in RATED if source is None else source.rate is not None


def names_taker_of_kind(kind: str) -> bool:
    """Return whether the étui names the taker. Otherwise the players bid."""
    source = board_sources.get(kind)
    return GameKind(kind).names_taker if source is None else source.names_taker
