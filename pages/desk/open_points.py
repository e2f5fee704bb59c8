"""The points that a director checks before a publication, each with the link to the page where it can be settled."""

from collections.abc import Iterable
from typing import NamedTuple

from evenings.plays.desk_state import DeskPlay
from pages.doors import session_url
from rankings.publication.publishing import open_points, read_ruled
from tournaments.models import Session
from tournaments.words.desk_sentences import OPEN_POINTS
from tournaments.words.messages import sentence

# Code of the point → name of the page, and the part of that page.
SETTLED_AT = {
    "missing": ("session", "#desk-missing"),
    "unseated": ("games", ""),
    "disputed": ("session", "?show=look#desk-look"),
    "check_etui": ("session", "?show=look#desk-look"),
    "odd": ("session", "?show=odd#desk-look"),
    "requests": ("session_requests", ""),
    "annulled": ("session", "#desk-annulled"),
    "etuis_annulled": ("session", "#desk-annulled"),
    "adjusted": ("log", "?action=play_adjusted"),
    "penalties": ("penalties", ""),
}


class LinkedPoint(NamedTuple):
    text: str
    url: str


class OpenPoints(NamedTuple):
    """The points to check before a publication. `settled` has the decisions that are already part of the ranking."""

    to_settle: list[LinkedPoint]
    settled: list[LinkedPoint]


def points_of(session: Session, plays: Iterable[DeskPlay]) -> OpenPoints:
    found = OpenPoints([], [])
    for point in open_points(plays, read_ruled(session)):
        page, part = SETTLED_AT[point.code]
        text = sentence(OPEN_POINTS, point.code, {"count": point.count})
        found[0 if point.is_open else 1].append(LinkedPoint(text, f"{session_url(page, session)}{part}"))
    return found
