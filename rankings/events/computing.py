"""The live standings of tournaments with several sessions. A job computes them after the standings of the sessions.

`TournamentStandings.basis` records from which data the stored standings were computed. If it is still current, a job
computes nothing; so one computation serves several changes. A periodic job, the sweep, finds stale standings that no
job has renewed.
"""

import datetime as dt
from collections import defaultdict
from typing import Any

from django.db import transaction
from django.db.models import Count, F, Q

from rankings.events.counting import count_live, describe_kept, figure, find_basis
from tournaments.models import Session, SessionStandings, Tournament, TournamentStandings
from tournaments.queue import queue_tournament

SEVERAL = Count("sessions", filter=Q(sessions__put_away_at=None))


def has_several(tournament_id: int) -> bool:
    """Return whether the tournament has more than one session, and therefore a ranking of its own."""
    return Session.objects.filter(tournament=tournament_id, put_away_at=None).count() > 1


def ask_for_tournaments_of(*player_ids: int) -> None:
    """After the commit, queue new standings for the tournaments of these players, who were merged or separated again.

    It waits for the commit because the caller holds locks on sessions, and a tournament must be locked before its
    sessions.
    """

    def ask() -> None:
        alone = Q(sessions__entrants__player__in=player_ids)
        concerned = Tournament.objects.filter(alone | Q(team_members__player__in=player_ids))
        found = list(concerned.order_by("pk").values_list("pk", flat=True).distinct())
        Tournament.objects.filter(pk__in=found).update(revision=F("revision") + 1)
        for pk in found:
            queue_tournament(pk)

    transaction.on_commit(ask, robust=True)


def refresh(tournament_id: int, *, now: dt.datetime) -> bool:
    """Compute and store the standings of a tournament with several sessions. Return True if they were written.

    Standings that are already current are not computed again.
    """
    tournament = Tournament.objects.annotate(several=SEVERAL).filter(pk=tournament_id, several__gt=1).first()
    if tournament is None:
        return False
    kept, _made = TournamentStandings.objects.get_or_create(tournament=tournament)
    # Read the basis before the data. If the data change in between, the basis is too old, and the next job
    # computes the standings again.
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
    """Return whether the stored standings are current: computed from the newest results and the present settings."""
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
    """Return the ids of the tournaments with several sessions whose stored standings are stale or missing."""
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
