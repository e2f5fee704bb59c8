"""The publication of a tournament's ranking, in frozen versions, by the same rules as for a session (`versions`).

A version records which published version of each session it counts. If the ranking of one of these sessions is later
switched off or withdrawn, the tournament's version is held back: readers do not see it. Otherwise they could compute
the session's results from the totals and the other sessions.

The steps (official, reopened, withdrawn) are those of every ranking (`versions.rankings`). Each is logged in every
session of the tournament.
"""

import datetime as dt
import json
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, Self

from django.db.models import Q

from rankings.events.computing import has_several
from rankings.events.counting import count_published, figure
from rankings.events.differences import adds_sessions_alone, compare_tournament_versions
from tournaments.errors import ActionRefused
from tournaments.locks import lock_free_tournament, lock_tournament
from tournaments.log import log_action
from tournaments.models import Series, Tournament, TournamentPublication
from tournaments.published import DEALT
from tournaments.queue import queue_series
from tournaments.versions.rankings import Actions, FiguredRankings
from tournaments.versions.stamps import StampRow, VersionStamp, compose_question, find_stamp, read_versions
from tournaments.versions.steps import DirectorWord, FiguresToPublish, VersionComparison


def figures_to_publish(tournament: Tournament) -> FiguresToPublish:
    """Return the figures that would be published now.

    Raise `ActionRefused` if the tournament has only one session, or if none of its sessions is published.
    """
    if not has_several(tournament.pk):
        raise ActionRefused("tournament_of_one")
    counted = count_published(tournament)
    if not counted:
        raise ActionRefused("no_session_published")
    held = {str(each.session.pk): each.version for each in counted}
    return FiguresToPublish(figure(tournament, counted), tournament.revision, {"sessions": held})


def write_step(tournament: Tournament, action: str, word: DirectorWord, version: TournamentPublication) -> None:
    """Log a step of the tournament's ranking in every one of its sessions. Queue the series that may count it."""
    told = {"reason": version.reason} if version.reason else {}
    for pk in tournament.sessions.order_by("pk").values_list("pk", flat=True):
        log_action(pk, action, now=word.now, by=word.by, words=version.reason, version=version.version, **told)
    takes_part = Q(club=tournament.club_id) | Q(clubs__club=tournament.club_id, clubs__taken_out_at=None)
    for series_id in set(Series.objects.filter(takes_part, put_away_at=None).order_by().values_list("pk", flat=True)):
        queue_series(series_id)


TOURNAMENT_RANKINGS = FiguredRankings(
    model=TournamentPublication,
    owner="tournament",
    actions=Actions("tournament_published", "tournament_official", "tournament_withdrawn", "tournament_reopened"),
    lock=lock_tournament,
    lock_free=lock_free_tournament,
    write_log=write_step,
    compared=VersionComparison(compare_tournament_versions, adds_sessions_alone),
    hours=lambda tournament: tournament.window_hours,
    find_figures=figures_to_publish,
)
publish_tournament = TOURNAMENT_RANKINGS.publish
withdraw_ranking = TOURNAMENT_RANKINGS.withdraw
settle_tournament = TOURNAMENT_RANKINGS.settle
settle_all_tournaments = TOURNAMENT_RANKINGS.settle_all


# The stamps. A stamp is a short summary of a publication; it decides what readers may see.


@dataclass(frozen=True, slots=True)
class TournamentStamp(VersionStamp):
    """The stamp of a tournament's publication: what its public page depends on.

    `held`: the numbers of the versions that are held back, because they count a session whose ranking readers do not
    see. `offers_file`: True if readers may download the file, because all counted sessions show their ranking and their
    étuis, or the feuilles where the tables deal.
    """

    held: frozenset[int]
    offers_file: bool

    @property
    def shows(self) -> tuple[bool, ...]:
        """The switches on which the page depends.

        The first is `offers_file`. If any version is held back, there is one more for each version: True if it is
        shown.
        """
        seen = (version not in self.held for version in range(1, self.newest + 1))
        return (self.offers_file, *seen) if self.held else (self.offers_file,)

    @property
    def held_back(self) -> bool:
        """True if this version is held back."""
        return self.version in self.held

    def tells_changes(self, version: int) -> bool:
        """Return whether readers may see the changes that a version made.

        With the changes, they could compute figures of this version and of the previous one. So both versions must be
        shown.
        """
        return not self.held & {version - 1, version}


# A row is a version of the ranking joined with one session that readers do not see completely. Of that session it has
# the switches, the last version that withdrew it, and the newest version.
STAMPS = compose_question(
    ("text", "text"),
    publications="tournaments_tournamentpublication",
    owner="tournament",
    own=f"""publication.sessions, partly.id, partly.shows_ranking,
        CASE WHEN {DEALT} THEN partly.shows_feuilles ELSE partly.shows_etuis END AND partly.held_until IS NULL,
        (SELECT MAX(back.version) FROM tournaments_publication back
            WHERE back.session_id = partly.id AND back.status = 'withdrawn'),
        (SELECT MAX(newest.version) FROM tournaments_publication newest WHERE newest.session_id = partly.id)""",
    joins="JOIN tournaments_tournament tournament ON tournament.id = publication.tournament_id",
    beside="""LEFT JOIN tournaments_session partly ON partly.tournament_id = tournament.id AND (
        NOT partly.shows_ranking OR NOT partly.shows_etuis OR NOT partly.shows_feuilles
        OR partly.held_until IS NOT NULL OR EXISTS (
            SELECT 1 FROM tournaments_publication back
            WHERE back.session_id = partly.id AND back.status = 'withdrawn'
        )
    )""",
    where="club.slug = %s AND tournament.slug = %s",
)


class Partly(NamedTuple):
    """A session of which readers do not see everything.

    `back`: the number of the last version that withdrew it, or None.
    """

    session: int
    shows_ranking: bool
    shows_plays: bool
    back: int | None
    newest: int | None

    @property
    def is_hidden(self) -> bool:
        """True if readers do not see the session's ranking."""
        return not self.shows_ranking or (self.back is not None and self.back == self.newest)

    def offers(self, version: int) -> bool:
        """Return whether readers see this version of the session with its plays."""
        return bool(self.shows_ranking and self.shows_plays) and (self.back is None or self.back < version)


class CountedSessions(NamedTuple):
    """The columns about sessions in a row of the stamp query.

    `sessions`: the versions of the sessions that the ranking counts, as JSON. `partly`: one session of which readers do
    not see everything.
    """

    sessions: str
    partly: Partly

    @classmethod
    def read(cls, row: tuple[Any, ...]) -> Self:
        sessions, *partly = row[len(StampRow._fields) :]
        return cls(sessions, Partly(*partly))


def find_published_tournament(
    club: str, tournament: str, version: int | None, now: dt.datetime
) -> TournamentStamp | None:
    """Return the stamp of the tournament's newest publication, or of this version; None if there is none."""
    rows = read_versions(STAMPS, now, club, tournament)
    found = find_stamp(rows, version)
    if found is None:
        return None
    told = {row[1]: CountedSessions.read(row) for row in rows}
    counted = {number: json.loads(row.sessions) for number, row in told.items()}
    partly = [each for row in rows if (each := CountedSessions.read(row).partly).session is not None]
    hidden = {str(each.session) for each in partly if each.is_hidden}
    own = counted[found.fields["version"]]
    return TournamentStamp(
        **found.fields,
        held=frozenset(number for number, sessions in counted.items() if hidden & sessions.keys()),
        offers_file=bool(own) and all(each.offers(own[pk]) for each in partly if (pk := str(each.session)) in own),
    )


def look_up_tournament(club: str, tournament: str, version: int | None = None) -> TournamentStamp | None:
    """Return the stamp of the tournament's publication; None if there is none.

    If the time for corrections is over, the version first becomes official.
    """
    return TOURNAMENT_RANKINGS.look_up(partial(find_published_tournament, club, tournament, version))
