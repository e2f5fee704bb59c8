"""The live standings of tournaments of several sessions, computed by a job after those of the sessions.

`TournamentStandings.basis` says what they were computed from. One computation serves several changes, an older one
never replaces a newer one, and the sweep finds stale standings that no job has computed.
"""

import datetime as dt
from collections import defaultdict
from typing import Any

from django.db import transaction
from django.db.models import Count, F, Q

from tournaments.events.counting import count_live, describe_kept, figure, find_basis
from tournaments.models import Session, SessionStandings, Tournament, TournamentStandings
from tournaments.queue import queue_tournament

SEVERAL = Count("sessions", filter=Q(sessions__put_away_at=None))


def has_several(tournament_id: int) -> bool:
    """Return whether the tournament has a ranking beside those of its sessions."""
    return Session.objects.filter(tournament=tournament_id, put_away_at=None).count() > 1


def ask_for_tournaments_of(*player_ids: int) -> None:
    """Queue the tournaments in which the players sit, because players were merged or separated again.

    This is done after the commit: the caller has locked sessions, and tournaments are locked before their sessions.
    """

    def ask() -> None:
        concerned = Tournament.objects.filter(sessions__entrants__player__in=player_ids)
        found = list(concerned.order_by("pk").values_list("pk", flat=True).distinct())
        Tournament.objects.filter(pk__in=found).update(revision=F("revision") + 1)
        for pk in found:
            queue_tournament(pk)

    transaction.on_commit(ask, robust=True)


def refresh(tournament_id: int, *, now: dt.datetime) -> bool:
    """Compute and save the standings of a tournament of several sessions; return True if they were written.

    Standings that are fresh already are left as they are.
    """
    tournament = Tournament.objects.annotate(several=SEVERAL).filter(pk=tournament_id, several__gt=1).first()
    if tournament is None:
        return False
    kept, _made = TournamentStandings.objects.get_or_create(tournament=tournament)
    # The basis is read first. The data may then be newer than the basis; in that case they are computed once more.
    basis = find_basis(tournament)
    if kept.computed_at is not None and kept.basis == basis:
        return False
    data = figure(tournament, count_live(tournament))
    same = TournamentStandings.objects.filter(pk=kept.pk, computed_at=kept.computed_at)
    if not same.update(basis=basis, computed_at=now, data=data):  # another job came first, perhaps with older data
        queue_tournament(tournament_id)
        return False
    return True


def is_tournament_fresh(tournament: Tournament, kept: TournamentStandings) -> bool:
    """Return whether the stored standings follow from all sessions' newest results and the tournament's settings."""
    sessions = Session.objects.filter(tournament=tournament, put_away_at=None)
    rows = sessions.values_list("pk", "results_version", "standings__results_version", "standings__computed_at")
    there = {}
    for pk, newest, version, computed_at in rows:
        if newest != (version or 0):
            return False
        if version is not None:
            there[str(pk)] = describe_kept(version, computed_at)
    return bool(kept.basis == {"revision": tournament.revision, "sessions": there})


def tournaments_with_stale_standings() -> list[int]:
    """Return the ids of the tournaments of several sessions whose standings have a stale basis, or none."""
    several = Tournament.objects.annotate(several=SEVERAL).filter(several__gt=1)
    there: dict[int, dict[str, Any]] = {
        pk: {"revision": revision, "sessions": {}} for pk, revision in several.values_list("pk", "revision")
    }
    listed = SessionStandings.objects.filter(session__put_away_at=None, session__tournament__in=several.values("pk"))
    rows = listed.values_list("session__tournament_id", "pk", "results_version", "computed_at")
    for tournament, session, version, computed_at in rows:
        if tournament in there:
            there[tournament]["sessions"][str(session)] = describe_kept(version, computed_at)
    kept: defaultdict[int, Any] = defaultdict(dict)
    kept |= dict(TournamentStandings.objects.exclude(computed_at=None).values_list("pk", "basis"))
    return [pk for pk, basis in there.items() if kept[pk] != basis and (basis["sessions"] or kept[pk])]
