"""The rankings that the club knows before a session, by which seats can be drawn. This module only reads."""

from enum import StrEnum

from django.db.models import Case, Exists, OuterRef, QuerySet, Value, When

from tournaments.models import Publication, Session, TournamentStandings


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
    ranked = [row for row in publication.data["players"] if row["rank_general"] is not None]
    return [row["player"] for row in sorted(ranked, key=lambda row: (row["rank_general"], row["id"]))]


def running_order(session: Session) -> list[int]:
    """Return the ids of the players in the order of the present ranking of the session's tournament, or []."""
    kept = TournamentStandings.objects.filter(tournament=session.tournament_id).exclude(computed_at=None).first()
    return [row["player"] for row in kept.data["players"] if row["rank"] is not None] if kept else []


def known_orders(session: Session) -> list[DrawOrder]:
    """Return the orders, other than chance, by which the seats of a session can be drawn."""
    running = TournamentStandings.objects.filter(tournament=session.tournament_id).exclude(computed_at=None)
    found = {
        DrawOrder.STRENGTH: find_known_rankings(session).exists(),
        DrawOrder.RUNNING: session.number > 1 and running.exists(),
    }
    return [order for order, there in found.items() if there]
