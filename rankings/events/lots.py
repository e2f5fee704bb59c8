"""The draw of lots among equal players in a tournament with several sessions. `sessions.lots` has the same rules."""

import datetime as dt
from collections.abc import Collection
from typing import Any

from django.db import transaction

from clubs.models import Player, User
from evenings.sessions.lots import put_among
from rankings.events.counting import count_live, figure, has_several, rank_anew, read_tournament_draw
from scoring.ties import TieBreak, find_equals
from tournaments.errors import ActionRefused
from tournaments.locks import lock_tournament
from tournaments.log import log_action
from tournaments.models import TieDraw, Tournament
from tournaments.reports.tournament import decode_tournament


@transaction.atomic
def draw_tournament_lots(*, tournament_id: int, by: User, now: dt.datetime) -> TieDraw:
    """Draw lots for all players who share a rank in the present ranking. Return the draw.

    Raise `ActionRefused` if nobody shares a rank, if the tournament draws no lots, or if it has only one session.
    """
    tournament = lock_tournament(tournament_id)
    if not has_several(tournament_id):
        raise ActionRefused("tournament_of_one")
    if TieBreak.DRAW not in tournament.ties:
        raise ActionRefused("lots_not_drawn")
    equals = equals_in(figure(tournament, count_live(tournament)))
    if not equals:
        raise ActionRefused("no_equals")
    order = put_among(read_tournament_draw(tournament), [player for group in equals for player in group])
    names = name_competitors(tournament, order)
    told = "; ".join(", ".join(names[who] for who in sorted(group, key=order.index)) for group in equals)
    draw = TieDraw.objects.create(tournament=tournament, order=order, author=by, drawn_at=now)
    rank_anew([tournament_id])
    write_log(tournament, "tournament_lots_drawn", by=by, now=now, words=told, names=told)
    return draw


@transaction.atomic
def take_back_tournament_lots(*, tournament_id: int, reason: str, by: User, now: dt.datetime) -> None:
    """Cancel all lots of the tournament. Raise `ActionRefused` if the reason is empty, or if nobody has a lot."""
    tournament = lock_tournament(tournament_id)
    if not reason.strip():
        raise ActionRefused("reason_missing", "reason")
    if not read_tournament_draw(tournament):
        raise ActionRefused("no_lots")
    TieDraw.objects.create(tournament=tournament, order=[], author=by, drawn_at=now)
    rank_anew([tournament_id])
    reason = reason.strip()[:300]
    write_log(tournament, "tournament_lots_taken_back", by=by, now=now, words=reason, reason=reason)


def equals_in(data: dict[str, Any]) -> list[list[int]]:
    """Return the competitors who share a rank, one list for each shared rank.

    `data` are standings as `counting.figure` returns them.
    """
    players = decode_tournament(data).players
    return find_equals({player.competitor: player.rank for player in players if player.rank is not None})


def name_competitors(tournament: Tournament, competitors: Collection[int]) -> dict[int, str]:
    """Return the names of these competitors: players by their ids, teams by their numbers below 0."""
    people = Player.objects.select_related("merged_into").in_bulk([who for who in competitors if who > 0])
    teams = tournament.teams.filter(number__in=[-who for who in competitors if who < 0])
    return {pk: each.is_now.name for pk, each in people.items()} | {-team.number: team.shown_name for team in teams}


def write_log(tournament: Tournament, action: str, **told: Any) -> None:
    """Log the action in every session of the tournament."""
    for pk in tournament.sessions.order_by("pk").values_list("pk", flat=True):
        log_action(pk, action, **told)
