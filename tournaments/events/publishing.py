"""Publishing the ranking of a tournament: frozen versions of it, by the same law as those of a session's
(`publication.versions`). It counts what readers are shown of its sessions, and says which versions those are. Once the
ranking of such a session is switched off or taken back, the versions that count it are held back with it: their totals,
with the other sessions, would tell what it gave.

Each step is a director's word with its line in the log of every session, but for the end of the window, which the sweep
or the first visit writes.
"""

import datetime as dt
import json
import logging
from collections.abc import Callable
from typing import Any, NamedTuple

from django.db import DatabaseError, connection, transaction
from django.db.models import F
from django.utils import timezone

from tournaments.errors import Refused
from tournaments.events.computing import has_several
from tournaments.events.counting import count_published, figure
from tournaments.events.differences import adds_sessions_alone, compare
from tournaments.locks import lock_free_tournament, lock_tournament
from tournaments.log import log
from tournaments.models import Tournament, TournamentPublication
from tournaments.publication import versions
from tournaments.publication.versions import Compared, Figures, Word

logger = logging.getLogger(__name__)
COMPARED = Compared(compare, adds_sessions_alone)
Step = Callable[[Tournament, TournamentPublication], TournamentPublication]


@transaction.atomic
def publish_tournament(*, tournament_id: int, word: Word) -> TournamentPublication:
    """The publication of the ranking by what is published of the sessions; where the same has been published already,
    that one. Other figures than the official ones want a reason, unless further sessions alone came."""
    tournament = lock_tournament(tournament_id)
    last = newest_settled(tournament, word)
    figures = figures_to_publish(tournament)
    publication: Any = versions.publish_figures(tournament, figures, word, COMPARED)
    if last is None or publication.pk != last.pk:
        write_log(tournament, "tournament_published", word, publication)
    return publication  # type: ignore[no-any-return]


def figures_to_publish(tournament: Tournament) -> Figures:
    """What would be published now; `Refused` where the tournament has one session, or none of it is published."""
    if not has_several(tournament.pk):
        raise Refused("tournament_of_one")
    counted = count_published(tournament)
    if not counted:
        raise Refused("no_session_published")
    held = {str(each.session.pk): each.version for each in counted}
    return Figures(figure(tournament, counted), tournament.revision, {"sessions": held})


def is_due(tournament: Tournament, last: TournamentPublication | None) -> bool:
    """Whether publishing now would show readers anything that they do not see."""
    if last is None or last.status == versions.WITHDRAWN:
        return True
    try:
        return versions.digest_of(figures_to_publish(tournament).data) != last.digest
    except Refused:
        return False


def changes_to_publish(tournament: Tournament, last: TournamentPublication | None) -> list[dict[str, Any]]:
    """Return what publishing now would change for readers, as codes with params; nothing before the first version."""
    if last is None:
        return []
    try:
        return compare(last.data, figures_to_publish(tournament).data)
    except Refused:
        return []


def wants_reason(tournament: Tournament, last: TournamentPublication | None, now: dt.datetime) -> bool:
    """Return whether publishing now takes a reason: the figures are official, and become other ones otherwise than by
    further sessions."""
    if last is None or not (last.status == versions.OFFICIAL or versions.is_over(last, now)):
        return False
    try:
        data = figures_to_publish(tournament).data
    except Refused:
        return False
    return versions.digest_of(data) != last.digest and not adds_sessions_alone(last.data, data)


def make_official(*, tournament_id: int, word: Word) -> TournamentPublication:
    """The ranking as it is published, official before its window ends."""
    return take_step(tournament_id, "tournament_official", word, lambda _, last: versions.make_official(last, word))


def withdraw_ranking(*, tournament_id: int, word: Word) -> TournamentPublication:
    """Takes the ranking off, with all of its versions, until it is published again."""
    return take_step(tournament_id, "tournament_withdrawn", word, lambda _, last: versions.withdraw(last, word))


def reopen_ranking(*, tournament_id: int, word: Word) -> TournamentPublication:
    """The official ranking, provisional again for as long as a new one would be."""

    def step(tournament: Tournament, last: TournamentPublication) -> TournamentPublication:
        return versions.reopen(last, word, hours=versions.window_of(tournament))

    return take_step(tournament_id, "tournament_reopened", word, step)


@transaction.atomic
def take_step(tournament_id: int, action: str, word: Word, step: Step) -> TournamentPublication:
    """`Refused("nothing_published")` before the first publication. What is so already is written once."""
    tournament = lock_tournament(tournament_id)
    last = newest_settled(tournament, word)
    if last is None:
        raise Refused("nothing_published")
    version = step(tournament, last)
    if version.pk != last.pk:
        write_log(tournament, action, word, version)
    return version


def newest_settled(tournament: Tournament, word: Word) -> TournamentPublication | None:
    """The newest version, of a tournament that is locked, once a window that is over has been ended."""
    last: TournamentPublication | None = versions.newest_version(tournament)
    if last is None:
        return None
    version = versions.end_window(last, word.now)
    if version.pk != last.pk:
        write_log(tournament, "tournament_official", Word(None, word.now), version)
    return version


def write_log(tournament: Tournament, action: str, word: Word, version: TournamentPublication) -> None:
    told = {"reason": version.reason} if version.reason else {}
    for pk in tournament.sessions.order_by("pk").values_list("pk", flat=True):
        log(pk, action, now=word.now, by=word.by, words=version.reason, version=version.version, **told)


def settle_tournament(tournament_id: int) -> bool:
    """Makes a ranking official whose window has ended; whether it has. Who comes while another writes leaves it to
    him, and a reader is never told of a database that takes nothing."""
    try:
        with transaction.atomic():
            tournament = lock_free_tournament(tournament_id)
            if tournament is None:
                return False
            newest_settled(tournament, Word(None, timezone.now()))
    except DatabaseError:
        logger.warning("The ranking of tournament %s could not be made official yet.", tournament_id)
        return False
    return True


def settle_all() -> None:
    """Every tournament whose ranking nobody has asked for since its window ended."""
    over = versions.owners_to_settle(TournamentPublication, "tournament", timezone.now())
    versions.settle_each(over, settle_tournament)


# What readers are let in by


class TournamentStamp(NamedTuple):
    """By what a page of a tournament's publication is told from what it was: as `published.Stamp` of a session's.
    `held`: the versions that count a session whose ranking readers are not shown, or not any more. `offers_file`:
    whether all sessions that it counts show their étuis too, in versions of which none is taken back."""

    publication: int
    version: int
    status: str
    digest: str
    names: int
    newest: int
    latest: str
    withdrawn: int | None
    over: bool
    tournament: int
    practice: bool
    held: frozenset[int]
    offers_file: bool

    @property
    def shows(self) -> tuple[bool, ...]:
        """Whether its file is offered; then of each version whether readers see it, unless they see them all."""
        seen = (version not in self.held for version in range(1, self.newest + 1))
        return (self.offers_file, *seen) if self.held else (self.offers_file,)

    @property
    def held_back(self) -> bool:
        return self.version in self.held

    def tells_changes(self, version: int) -> bool:
        """Whether readers may know what is otherwise in a version than in the one before it, by the figures of both."""
        return not self.held & {version - 1, version}

    @property
    def same(self) -> bool:
        """Whether the newest version has the very figures of this one."""
        return self.digest == self.latest


# With each session of which readers are not shown all: its switches, by which version it was taken back, its newest.
STAMPS = """
    SELECT publication.id, publication.version, publication.status, publication.digest,
        publication.official_from <= %s, club.names_version, tournament.id, club.practice_of_id,
        publication.sessions, partly.id, partly.shows_ranking, partly.shows_etuis,
        (SELECT MAX(back.version) FROM tournaments_publication back
            WHERE back.session_id = partly.id AND back.status = 'withdrawn'),
        (SELECT MAX(newest.version) FROM tournaments_publication newest WHERE newest.session_id = partly.id)
    FROM tournaments_tournamentpublication publication
    JOIN tournaments_tournament tournament ON tournament.id = publication.tournament_id
    JOIN clubs_club club ON club.id = tournament.club_id
    LEFT JOIN tournaments_session partly ON partly.tournament_id = tournament.id AND (
        NOT partly.shows_ranking OR NOT partly.shows_etuis OR EXISTS (
            SELECT 1 FROM tournaments_publication back
            WHERE back.session_id = partly.id AND back.status = 'withdrawn'
        )
    )
    WHERE club.slug = %s AND tournament.slug = %s
    ORDER BY publication.version DESC
"""


class Partly(NamedTuple):
    """A session of which readers are not shown all; `back`: the last version by which it was taken back."""

    session: int
    shows_ranking: bool
    shows_etuis: bool
    back: int | None
    newest: int | None

    @property
    def is_hidden(self) -> bool:
        return not self.shows_ranking or (self.back is not None and self.back == self.newest)

    def offers(self, version: int) -> bool:
        """Whether that version of it is shown with its étuis."""
        return bool(self.shows_ranking and self.shows_etuis) and (self.back is None or self.back < version)


def find_published(club: str, tournament: str, version: int | None, now: dt.datetime) -> TournamentStamp | None:
    """Of the newest publication of a tournament, or of the version asked for; None where there is none."""
    with connection.cursor() as cursor:
        cursor.execute(STAMPS, [connection.ops.adapt_datetimefield_value(now), club, tournament])
        rows = cursor.fetchall()
    found = next((row for row in rows if version in (None, row[1])), None)
    if found is None:
        return None
    newest = rows[0]
    taken_back = [row[1] for row in rows if row[2] == versions.WITHDRAWN and row[1] >= found[1]]
    partly = {row[9]: Partly(*row[9:]) for row in rows if row[9] is not None}
    counted = {row[1]: json.loads(row[8]) for row in rows}
    hidden = {str(pk) for pk, session in partly.items() if session.is_hidden}
    own = counted[found[1]]
    return TournamentStamp(
        publication=found[0],
        version=found[1],
        status=found[2],
        digest=found[3],
        names=found[5],
        newest=newest[1],
        latest=newest[3],
        withdrawn=min(taken_back, default=None),
        over=newest[2] == versions.PROVISIONAL and bool(newest[4]),
        tournament=found[6],
        practice=found[7] is not None,
        held=frozenset(number for number, sessions in counted.items() if hidden & sessions.keys()),
        offers_file=bool(own) and all(session.offers(own[str(pk)]) for pk, session in partly.items() if str(pk) in own),
    )


def look_up(club: str, tournament: str, version: int | None = None) -> TournamentStamp | None:
    """What is published, official where it has become so by now."""
    stamp = find_published(club, tournament, version, timezone.now())
    if stamp is not None and stamp.over and settle_tournament(stamp.tournament):
        return find_published(club, tournament, version, timezone.now())
    return stamp


def list_versions(tournament: Tournament) -> list[TournamentPublication]:
    """Newest first, without their figures."""
    return list(tournament.publications.defer("data").order_by(F("version").desc()))
