"""How strong players are, as far as the club knows: their order in its last published session. Reads only."""

from enum import StrEnum

from django.db.models import Case, Exists, OuterRef, QuerySet, Value, When

from tournaments.models import Publication, Session, TournamentStandings


class Order(StrEnum):
    """By what seats are drawn: by chance alone, by the last published session, by the tournament's running ranking."""

    CHANCE = "chance"
    STRENGTH = "strength"
    RUNNING = "running"


def read_rankings(session: Session) -> QuerySet[Publication]:
    """What the club has published of other sessions, and not taken back: those of the same tournament first, the latest
    before the rest."""
    newer = Publication.objects.filter(
        session=OuterRef("session"), version__gte=OuterRef("version"), status="withdrawn"
    )
    others = Publication.objects.filter(~Exists(newer), session__tournament__club=session.tournament.club_id)
    others = others.exclude(session=session)
    elsewhere = Case(When(session__tournament=session.tournament_id, then=Value(0)), default=Value(1))
    return others.order_by(elsewhere, "-session__date", "-session__number", "-session_id", "-version")


def strongest_first(publication: Publication) -> list[int]:
    """Ids of the players by their overall rank in it; who had none is not there."""
    ranked = [row for row in publication.data["players"] if row["rank_general"] is not None]
    return [row["player"] for row in sorted(ranked, key=lambda row: (row["rank_general"], row["id"]))]


def running_order(session: Session) -> list[int]:
    """Ids of the players by the running ranking of the session's tournament; none where there is no such ranking."""
    kept = TournamentStandings.objects.filter(tournament=session.tournament_id).exclude(computed_at=None).first()
    return [row["player"] for row in kept.data["players"] if row["rank"] is not None] if kept else []


def known_orders(session: Session) -> list[Order]:
    """By what else than chance the seats of a session can be drawn."""
    running = TournamentStandings.objects.filter(tournament=session.tournament_id).exclude(computed_at=None)
    found = {Order.STRENGTH: read_rankings(session).exists(), Order.RUNNING: session.number > 1 and running.exists()}
    return [order for order, there in found.items() if there]
