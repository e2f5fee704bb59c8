"""The rankings that the club knows before a session, by which seats can be drawn. This module only reads."""

from enum import StrEnum

from django.db.models import Case, Exists, OuterRef, QuerySet, Value, When

from tournaments.models import Publication, Session, TournamentStandings
from tournaments.reports.session import decode_report
from tournaments.reports.tournament import decode_tournament


class DrawOrder(StrEnum):
    """The order for a draw of seats: by chance only, by the last published session, or by the tournament's ranking."""

    CHANCE = "chance"
    STRENGTH = "strength"
    RUNNING = "running"


def find_known_rankings(session: Session) -> QuerySet[Publication]:
    """Return the publications of the club's other sessions, without withdrawn ones.

    Those of the same tournament come first, and among them the newest sessions.
    """
    newer = Publication.objects.filter(
        session=OuterRef("session"), version__gte=OuterRef("version"), status="withdrawn"
    )
    others = Publication.objects.filter(~Exists(newer), session__tournament__club=session.tournament.club_id)
    others = others.exclude(session=session)
    elsewhere = Case(When(session__tournament=session.tournament_id, then=Value(0)), default=Value(1))
    return others.order_by(elsewhere, "-session__date", "-session__number", "-session_id", "-version")


def strongest_first(publication: Publication) -> list[int]:
    """Return the ids of the players with a rank in a publication, in the order of their overall ranks."""
    players = decode_report(publication.data).players
    ranked = [(player.rank_general, player.id, player) for player in players if player.rank_general is not None]
    return [player.player for _rank, _id, player in sorted(ranked, key=lambda one: one[:2])]


def running_order(session: Session) -> list[int]:
    """Return the ids of the players in the order of the present ranking of the session's tournament, or []."""
    kept = TournamentStandings.objects.filter(tournament=session.tournament_id).exclude(computed_at=None).first()
    players = decode_tournament(kept.data).players if kept else ()
    return [player.player for player in players if player.rank is not None]


def known_orders(session: Session) -> list[DrawOrder]:
    """Return the orders, other than chance, by which the seats of a session can be drawn."""
    running = TournamentStandings.objects.filter(tournament=session.tournament_id).exclude(computed_at=None)
    found = {
        DrawOrder.STRENGTH: find_known_rankings(session).exists(),
        DrawOrder.RUNNING: session.number > 1 and running.exists(),
    }
    return [order for order, there in found.items() if there]
