"""What readers may have of what is published, by one query: which version, what it is now, what is switched off.

Publications are everybody's, but for those of practice; whoever lets readers in to these asks `permissions` besides.
"""

import datetime as dt
from typing import NamedTuple, Self

from django.db import connection

from tournaments.models import Session
from tournaments.models.published import Version


class Shows(NamedTuple):
    """What a session's publications show, each by a switch of its own, in whatever version."""

    ranking: bool = True
    etuis: bool = True
    cards: bool = True
    feuilles: bool = True

    @classmethod
    def of(cls, session: Session) -> Self:
        return cls(*(getattr(session, f"shows_{part}") for part in cls._fields))

    @property
    def boards(self) -> bool:
        """The pages of the étuis: with their plays, with their cards, or with both."""
        return self.etuis or self.cards

    @property
    def file(self) -> bool:
        """The table for a spreadsheet, which has the ranking and every play."""
        return self.ranking and self.etuis


class Stamp(NamedTuple):
    """By what a page of a publication is told from what it was: its version and status, its digest, the newest version
    of its session with its digest, the version of the names in its club, what is shown.

    `withdrawn`: the version by which it was taken back, if it was. `over`: the newest one is to become official, for
    its window has ended. `former`: the publication of the session before, in the same tournament, as readers have it
    now: its percentages stand beside these.
    """

    publication: int
    version: int
    status: str
    digest: str
    names: int
    newest: int
    latest: str
    shows: Shows
    withdrawn: int | None
    over: bool
    session: int
    practice: bool
    former: int | None

    @property
    def same(self) -> bool:
        """Whether the newest version has the very figures of this one."""
        return self.digest == self.latest


# Asked before every page of a publication: to put it together costs Django twice what the database takes to answer it.
STAMPS = """
    SELECT publication.id, publication.version, publication.status, publication.digest,
        publication.official_from <= %s, club.names_version, session.id, club.practice_of_id,
        session.shows_ranking, session.shows_etuis, session.shows_cards, session.shows_feuilles,
        (
            SELECT former.id
            FROM tournaments_publication former
            JOIN tournaments_session earlier ON earlier.id = former.session_id
            WHERE earlier.tournament_id = session.tournament_id AND earlier.number < session.number
                AND earlier.put_away_at IS NULL AND earlier.shows_ranking AND former.status <> 'withdrawn'
                AND (earlier.group_id IS NULL OR session.group_id IS NULL OR earlier.group_id <> session.group_id)
                AND former.version =
                    (SELECT MAX(newer.version) FROM tournaments_publication newer WHERE newer.session_id = earlier.id)
            ORDER BY earlier.number DESC
            LIMIT 1
        )
    FROM tournaments_publication publication
    JOIN tournaments_session session ON session.id = publication.session_id
    JOIN tournaments_tournament tournament ON tournament.id = session.tournament_id
    JOIN clubs_club club ON club.id = tournament.club_id
    WHERE club.slug = %s AND tournament.slug = %s AND session.number = %s
    ORDER BY publication.version DESC
"""


class Place(NamedTuple):
    """Where readers look for a publication: the newest of its session where no version is named."""

    club: str
    tournament: str
    number: int
    version: int | None = None

    @classmethod
    def of(cls, session: Session, version: int | None = None) -> Self:
        return cls(session.tournament.club.slug, session.tournament.slug, session.number, version)


def find_published(place: Place, now: dt.datetime) -> Stamp | None:
    """Of the newest publication of a session, or of the version asked for; None where there is none."""
    moment = connection.ops.adapt_datetimefield_value(now)
    with connection.cursor() as cursor:
        cursor.execute(STAMPS, [moment, *place[:3]])
        rows = cursor.fetchall()
    found = next((row for row in rows if place.version in (None, row[1])), None)
    if found is None:
        return None
    publication, version, status, digest, _over, names, session, practice, *shows, former = found
    newest = rows[0]
    withdrawals = [row[1] for row in rows if row[2] == Version.Status.WITHDRAWN and row[1] >= version]
    return Stamp(
        publication=publication,
        version=version,
        status=status,
        digest=digest,
        names=names,
        newest=newest[1],
        latest=newest[3],
        shows=Shows(*map(bool, shows)),
        withdrawn=min(withdrawals, default=None),
        over=newest[2] == Version.Status.PROVISIONAL and bool(newest[4]),
        session=session,
        practice=practice is not None,
        former=former,
    )
