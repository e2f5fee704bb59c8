"""The publication of a tournament's ranking, in frozen versions, and what changed from one to the next.

A version records which published version of each session it counts. If the ranking of one of these sessions is later
switched off or withdrawn, the tournament's version is held back: readers do not see it. Otherwise they could compute
the session's results from the totals and the other sessions.

The steps (official, reopened, withdrawn) are those of every ranking (`rankings.kinds`). Each is logged in every
session of the tournament.
"""

import datetime as dt
import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple

from django.db.models import F, Q
from django.utils.translation import gettext as _

from rankings.events.counting import count_published, figure, has_several, log_in_sessions
from rankings.kinds import Actions, RankingAddresses, RankingKind
from rankings.publication.differences import IN_MARKS, RankedFigures, compare_ranks
from rankings.publication.order import read_podiums
from tournaments.errors import ActionRefused
from tournaments.locks import lock_free_tournament, lock_tournament
from tournaments.models import Publication, Series, Session, Tournament, TournamentPublication
from tournaments.published import DEALT
from tournaments.queue import queue_series
from tournaments.reports.tournament import PublishedTournament, RankingRound, decode_tournament
from tournaments.versions import (
    WITHDRAWN,
    DirectorWord,
    FiguresToPublish,
    StampRow,
    VersionComparison,
    VersionStamp,
    compose_question,
    find_newest_versions,
    find_stamp,
    read_versions,
)

SETTINGS = ("counting", "best_of", "least_sessions", "carry_over", "ties")
Data = dict[str, Any]
Change = dict[str, Any]


def compare_tournament_versions(stored_before: Data, stored_after: Data) -> list[Change]:
    """Return the changes between two stored rankings: in the settings, in each session, and in the ranking."""
    before, after = decode_tournament(stored_before), decode_tournament(stored_after)
    olds, news = (
        {each.competitor: RankedFigures((each.total,), (each.rank,)) for each in ranking.players}
        for ranking in (before, after)
    )
    changes = [
        *([{"code": "counting"}] if not has_same_settings(before, after) else []),
        *compare_rounds(before, after),
        *compare_ranks(olds, news),
    ]
    if after.format.has_free_deals:
        changes = [change | {"code": IN_MARKS.get(change["code"], change["code"])} for change in changes]
    return changes


def compare_rounds(before: PublishedTournament, after: PublishedTournament) -> Iterator[Change]:
    """Yield the sessions that came or went, and those with another coefficient or stage."""
    olds, news = (rounds_by_session(ranking) for ranking in (before, after))
    for number in sorted(olds.keys() | news):
        if number not in olds or number not in news:
            yield {"code": "session_came" if number in news else "session_gone", "session": number}
            continue
        if weigh_round(olds[number]) != weigh_round(news[number]):
            yield {"code": "session_weight", "session": number}


def adds_sessions_alone(stored_before: Data, stored_after: Data) -> bool:
    """Return whether the second stored ranking only adds sessions.

    Changes that follow from the added sessions are allowed.
    """
    before, after = decode_tournament(stored_before), decode_tournament(stored_after)
    if before.format != after.format or not has_same_settings(before, after):
        return False
    olds, news = (rounds_by_session(ranking) for ranking in (before, after))
    if not olds.keys() < news.keys():
        return False
    if any(describe_session(olds[number], number) != describe_session(news[number], number) for number in olds):
        return False
    return gather_results(before, olds.keys()) == gather_results(after, olds.keys())


def has_same_settings(before: PublishedTournament, after: PublishedTournament) -> bool:
    return all(getattr(before, name) == getattr(after, name) for name in SETTINGS)


def weigh_round(its_round: RankingRound) -> tuple[Any, ...]:
    """Return the coefficient, stage and level of a round, which decide how much the round counts."""
    return its_round.coefficient, its_round.stage, its_round.level


def describe_session(its_round: RankingRound, number: int) -> tuple[Any, ...]:
    """Return the data of a session in the ranking: its coefficient, stage and level, and its own data (date …)."""
    own = next(one for one in its_round.sessions if one.number == number)
    return *weigh_round(its_round), own.id, own.date, own.section


def gather_results(ranking: PublishedTournament, numbers: Collection[int]) -> dict[tuple[int, int], tuple[Any, ...]]:
    """Return the results in the sessions with these numbers, by player id and session number.

    Whether a result counts is not included: an additional session can push another result out of a player's best ones.
    """
    return {
        (player.competitor, result.session): (result.overall, result.attack, result.defence, result.unranked)
        for player in ranking.players
        for result in player.results
        if result is not None and result.session in numbers
    }


def rounds_by_session(ranking: PublishedTournament) -> dict[int, RankingRound]:
    """Return the round of each session, by the session's number."""
    return {one.number: each for each, one in ranking.sessions}


def tournament_to_publish(tournament: Tournament, _last: TournamentPublication | None) -> FiguresToPublish:
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
    log_in_sessions(tournament, action, now=word.now, by=word.by, words=version.reason, version=version.version, **told)
    takes_part = Q(club=tournament.club_id) | Q(clubs__club=tournament.club_id, clubs__taken_out_at=None)
    for series_id in set(Series.objects.filter(takes_part, put_away_at=None).order_by().values_list("pk", flat=True)):
        queue_series(series_id)


def drop_held(publications: Sequence[TournamentPublication]) -> list[TournamentPublication]:
    """Return the publications without those that count a session whose ranking readers do not see.

    This takes one query.
    """
    hidden = hidden_sessions(tournament__in={each.tournament_id for each in publications})
    return [each for each in publications if hidden.isdisjoint(each.sessions)]


def hidden_sessions(**which: Any) -> set[str]:
    """Return the ids, as text, of the sessions whose ranking is switched off or withdrawn. `which` is a condition.

    They are text because a tournament's publication stores session ids as JSON keys.
    """
    taken_back = find_newest_versions(Publication, "session").filter(status=WITHDRAWN).values("session")
    hidden = Session.objects.filter(Q(shows_ranking=False) | Q(pk__in=taken_back), **which).order_by()
    return set(map(str, hidden.values_list("pk", flat=True)))


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
# the switches, the last version that withdrew it, and the newest version: the fields of `Partly`.
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


def find_published_tournament(
    club: str, tournament: str, version: int | None, now: dt.datetime
) -> TournamentStamp | None:
    """Return the stamp of the tournament's newest publication, or of this version; None if there is none."""
    rows = read_versions(STAMPS, now, club, tournament)
    found = find_stamp(rows, version)
    if found is None:
        return None
    width = len(StampRow._fields)
    counted = {row[1]: json.loads(row[width]) for row in rows}
    partly = [Partly(*cells) for row in rows if (cells := row[width + 1 :])[0] is not None]
    hidden = {str(each.session) for each in partly if each.is_hidden}
    own = counted[found.fields["version"]]
    return TournamentStamp(
        **found.fields,
        held=frozenset(number for number, sessions in counted.items() if hidden & sessions.keys()),
        offers_file=bool(own) and all(each.offers(own[pk]) for each in partly if (pk := str(each.session)) in own),
    )


TOURNAMENTS = RankingKind(
    name="tournament",
    model=TournamentPublication,
    owner="tournament",
    club="tournament__club",
    steps="tournament_step",
    actions=Actions("tournament_published", "tournament_official", "tournament_withdrawn", "tournament_reopened"),
    lock=lock_tournament,
    lock_free=lock_free_tournament,
    write_log=write_step,
    compared=VersionComparison(compare_tournament_versions, adds_sessions_alone),
    find_figures=tournament_to_publish,
    find_stamp=find_published_tournament,
    find_owners=lambda whose: Tournament.objects.filter(whose.choose("tournament")),
    drop_held=drop_held,
    find_held=lambda _tournament, stamp: stamp.held,
    podiums=partial(read_podiums, find_rank=lambda _stored: "rank", figure="total", place=F("tournament")),
    addresses=RankingAddresses(
        *("tournament_ranking", "tournament_version", "tournament_versions", "tournament_podium", "tournament_pdf"),
        *("api_event_newest", "tournament_feed"),
        by_id=True,
    ),
    find_place=lambda tournament: (tournament.club.slug, tournament.slug),
    title=lambda version: _("%(name)s, tournament ranking") % {"name": version.tournament.name},
    name_owner=attrgetter("name"),
)
