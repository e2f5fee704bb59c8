"""The players of one published session, and more sessions of some of them for the tests that need more."""

import datetime as dt
from typing import Any

from django.utils import timezone

from clubs.models import Player, User
from rankings.careers.duels import renew_duels
from rankings.careers.keeping import refresh
from rankings.careers.seasons import season_of
from rankings.careers.summaries import renew
from tests.factories import make_director, published_session
from tests.worlds import kept_world
from tournaments.models import Appearance, Session, Tournament


@kept_world
def played(tournament: Tournament | None = None, **shape: Any) -> Session:
    """Create a published session of twenty players, with its careers."""
    club = tournament and tournament.club
    by = club and (User.objects.filter(memberships__club=club).first() or make_director(club, f"chez-{club.slug}"))
    session = published_session(tournament, by=by, **{"etuis_per_position": 4} | shape)
    refresh(session.pk)
    return Session.objects.select_related("tournament__club").get(pk=session.pk)


def players_of(session: Session) -> list[Player]:
    ids = session.entrants.order_by("pk").values_list("player", flat=True)
    players = Player.objects.select_related("club", "person").in_bulk(ids)
    return [players[pk] for pk in ids]


def repeat(session: Session, count: int, *players: Player) -> None:
    """Create `count` more sessions of these players, each with the figures of this session.

    They are one a week, or one every third day where weeks would reach back beyond the year 2000.
    """
    kept = list(Appearance.objects.filter(session=session, player__in=[player.pk for player in players]))
    now = timezone.now()
    days = 7 if count < 1_000 else 3
    dates = [session.date - dt.timedelta(days=days * number) for number in range(1, count + 1)]
    first = session.tournament.sessions.order_by("-number").first()
    assert first is not None
    more = Session.objects.bulk_create(
        Session(
            tournament=session.tournament,
            number=first.number + number,
            date=date,
            status=Session.Status.RUNNING,
            started_at=now,
            deal_set_id=session.deal_set_id,
        )
        for number, date in enumerate(dates, start=1)
    )
    copies = []
    for each in more:
        for row in kept:
            values = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
            own = {"id": None, "session_id": each.pk, "field": each.pk, "date": each.date}
            copies.append(Appearance(**values | own | {"season": season_of(each.date)}))
    Appearance.objects.bulk_create(copies)
    numbers = [player.pk for player in players]
    renew(numbers)
    renew_duels(numbers, {each.season for each in copies})
