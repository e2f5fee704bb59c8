"""The stored standings of a session, to be compared with standings computed from nothing."""

from fractions import Fraction

from evenings.standings import computing
from tournaments.models import ChangedEtui, Session, SessionStandings


def kept(session: Session) -> tuple[object, ...]:
    """Return the stored version, figures and sums, and both parts of each étui."""
    standings = SessionStandings.objects.get(pk=session.pk)
    etuis = {row.etui_id: (row.plays, row.sums) for row in standings.etuis.all()}
    return standings.results_version, standings.data, standings.sums, etuis


def from_nothing(session: Session) -> tuple[object, ...]:
    """Return the same values as `kept`, computed from the rows alone."""
    computed = computing.compute(session.pk)
    assert computed is not None
    etuis = {etui: (figures.plays, figures.sums.to_data()) for etui, figures in computed.etuis.items()}
    return computed.results_version, computed.figures, computed.sums.to_data(), etuis


def assert_kept_from_nothing(session: Session) -> None:
    """Check that the stored standings are exact and fresh, and that no étui waits to be computed."""
    assert kept(session) == from_nothing(session)
    assert not ChangedEtui.objects.filter(session=session).exists()


def kept_percentages(session: Session) -> dict[int, tuple[Fraction | None, ...]]:
    """Return the stored attack, defence and global percentage of everybody who has a note."""
    standings = SessionStandings.objects.get(pk=session.pk)
    return {
        player["id"]: tuple(player[key] and Fraction(player[key]) for key in ("attack", "defence", "overall"))
        for player in standings.data["players"]
        if player["overall"] is not None
    }
