"""The reference of a session or a simultaneous: the ranking that its page shows first, and whose ranks its podium has.

Whatever shows a podium asks this module: pages, pictures, feeds, frames, PDFs, screens and prizes.
"""

from collections.abc import Sized
from enum import StrEnum

from django.db.models import Exists, OuterRef

from scoring.formats import Format
from tournaments.models import Session
from tournaments.reports.session import PublishedReport


class Reference(StrEnum):
    """The rankings that can be a session's reference: the classement alterné or général, or that of all sections."""

    ALTERNE = "alterne"
    GENERAL = "general"
    SECTIONS = "sections"

    @property
    def rank(self) -> str:
        """The name of the figure that has the rank."""
        return "rank_alterne" if self is Reference.ALTERNE else "rank_general"


def find_reference(*, alone: bool, has_alterne: bool, together: bool = False) -> Reference:
    """Return the ranking that is the reference of a session.

    It is the classement alterné if the tournament has only this session. Over several sessions, the classement général
    counts (FFT 2012). `together`: the sections of a tournament are ranked together.
    """
    if together:
        return Reference.SECTIONS
    return Reference.ALTERNE if alone and has_alterne else Reference.GENERAL


def has_teams_first(format: Format, teams: Sized) -> bool:
    """Return whether the ranking of teams that add up their players' results is shown first, and has the podium.

    Where the teams are another ranking beside that of the players, the players are first.
    """
    return format.partners > 0 and len(teams) > 0


def find_field_reference(*, has_alterne: bool) -> Reference:
    """Return the reference of a simultaneous over all clubs, which is played in one session."""
    return find_reference(alone=True, has_alterne=has_alterne)


def find_reported_reference(data: PublishedReport, *, alone: bool) -> Reference:
    """Return the reference of the session of a report. `alone`: its tournament has no other session."""
    has_alterne = any(player.rank_alterne for player in data.players)
    return find_reference(alone=alone, has_alterne=has_alterne, together=bool(data.together))


def is_beside(session: str, tournament: str) -> Exists:
    """Return the condition that the tournament has another session. The arguments are columns of the outer query."""
    others = Session.objects.filter(tournament=OuterRef(tournament), put_away_at=None).exclude(pk=OuterRef(session))
    return Exists(others)


def is_alone(session: Session) -> bool:
    """Return whether the session is the only one of its tournament."""
    others = Session.objects.filter(tournament=session.tournament_id, put_away_at=None).exclude(pk=session.pk)
    return not others.exists()
