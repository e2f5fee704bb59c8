"""The stamp of a session's publication: a value that changes whenever the public pages of the publication change.

It has the version, its status, and the parts that readers may see. One query reads it. Everybody may read publications,
except those of practice clubs: before code shows one of these, it also asks `permissions`.
"""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple, Self

from django.db.models import Case, OuterRef, Subquery, Value, When
from django.db.models.functions import Now

from scoring.formats import FREE_DEALS, find_format
from tournaments.models import Publication, Session
from tournaments.rules.formats import list_settings
from tournaments.versions import VersionStamp, compose_question, find_stamp, read_versions


class Shows(NamedTuple):
    """The parts that readers see of a session's publications. A director switches each part on or off for all versions.

    `etuis` are the étuis with their results; `cards` are the cards of the étuis. While the étuis of a simultaneous are
    secret (`Session.held_until`), readers see the ranking alone, whatever the switches say.
    """

    ranking: bool = True
    etuis: bool = True
    cards: bool = True
    feuilles: bool = True

    @classmethod
    def of(cls, session: Session) -> "Shows":
        """Return the switches of the session, as the director set them."""
        switches = [getattr(session, f"shows_{part}") for part in cls._fields]
        offered = list_settings(find_format(session.tournament.format), cls._fields)
        return make_shows(switches, has_etuis="etuis" in offered)

    @classmethod
    def to_readers(cls, session: Session) -> "Shows":
        """Return the parts that readers see now."""
        switches = cls.of(session)
        return switches if session.held_until is None else switches._replace(etuis=False, cards=False, feuilles=False)

    @property
    def etui_pages(self) -> bool:
        """True if the pages of the étuis are shown: with their plays, with their cards, or with both."""
        return self.etuis or self.cards

    @property
    def file(self) -> bool:
        """True if readers may download the file for spreadsheets, which has the ranking and every play."""
        return self.ranking and self.etuis


class ShowsOfDeals(Shows):
    """The parts that readers see where the tables deal. Étuis are only numbers there, so they have no pages."""

    __slots__ = ()

    @property
    def etui_pages(self) -> bool:
        return False

    @property
    def file(self) -> bool:
        """True if readers may download the file, which has the ranking and every deal, as the feuilles have."""
        return self.ranking and self.feuilles


def make_shows(switches: Iterable[bool], *, has_etuis: bool) -> Shows:
    """Return the parts that readers see. `has_etuis` is False where the tables deal."""
    return Shows(*switches) if has_etuis else ShowsOfDeals(*switches)._replace(cards=False)


@dataclass(frozen=True, slots=True)
class Stamp(VersionStamp):
    """The stamp of a session's publication, with the parts that are shown.

    `records` is the version of the records of deals that the pages of étuis show. `opened` is True if the public hour
    of a simultaneous has opened the cards: readers see them also if the publication was frozen without them. `field` is
    the id of the newest published ranking over all clubs of this simultaneous, or None.
    `former` is the id of the publication of the previous session in the same tournament, or None. Pages show the
    percentages of that publication beside those of this one. `alone` is True if the tournament has no other session.
    """

    shows: Shows = field()
    records: int
    former: int | None
    opened: bool
    field: int | None
    alone: bool

    @property
    def parts(self) -> tuple[object, ...]:
        return (*super(Stamp, self).parts, self.records, self.opened, self.field, self.alone)


SHOWN = ", ".join(
    f"session.shows_{part}" if part == "ranking" else f"session.shows_{part} AND session.held_until IS NULL"
    for part in Shows._fields
)
FORMER = """(
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
        )"""
OPENED = """EXISTS (
            SELECT 1
            FROM deals_dealset copied
            JOIN deals_dealset master ON master.id = copied.master_id
            WHERE copied.id = session.deal_set_id AND master.revealed_at IS NOT NULL
        )"""
OVER_ALL_CLUBS = """(
            SELECT MAX(over_all.id)
            FROM tournaments_simultaneousclub playing
            JOIN tournaments_simultaneous simultaneous ON simultaneous.id = playing.simultaneous_id
            JOIN tournaments_fieldpublication over_all ON over_all.simultaneous_id = simultaneous.id
            WHERE playing.session_id = session.id AND playing.left_at IS NULL AND simultaneous.put_away_at IS NULL
        )"""
ALONE = """NOT EXISTS (
            SELECT 1
            FROM tournaments_session other
            WHERE other.tournament_id = session.tournament_id AND other.id <> session.id AND other.put_away_at IS NULL
        )"""
DEALT = f"tournament.format = '{FREE_DEALS.name}'"
STAMPS = compose_question(
    ("text", "text", "bigint"),
    publications="tournaments_publication",
    owner="session",
    own=f"{SHOWN}, {DEALT}, session.records_version, {FORMER}, {OPENED}, {OVER_ALL_CLUBS}, {ALONE}",
    joins="""JOIN tournaments_session session ON session.id = publication.session_id
    JOIN tournaments_tournament tournament ON tournament.id = session.tournament_id""",
    where="club.slug = %s AND tournament.slug = %s AND session.number = %s",
)


class PublicPlace(NamedTuple):
    """The address of a session's publication: club, tournament, session number, and version (None for the newest)."""

    club: str
    tournament: str
    number: int
    version: int | None = None

    @classmethod
    def of(cls, session: Session, version: int | None = None) -> Self:
        return cls(session.tournament.club.slug, session.tournament.slug, session.number, version)


def find_published(place: PublicPlace, now: dt.datetime) -> Stamp | None:
    """Return the stamp of the publication at this address, or None if there is no such publication."""
    stamp = find_stamp(read_versions(STAMPS, now, *place[:3]), place.version)
    if stamp is None:
        return None
    *shows, is_dealt, records, former, opened, over_all, alone = stamp.own
    own = {"records": records, "former": former, "opened": bool(opened), "field": over_all, "alone": bool(alone)}
    return Stamp(**stamp.fields, shows=make_shows(map(bool, shows), has_etuis=not is_dealt), **own)


class SeenVersion(NamedTuple):
    """The newest publication of a session as readers see it, without its figures."""

    version: int
    status: str
    shows: Shows

    @property
    def withdrawn(self) -> bool:
        return self.status == Publication.PublicationStatus.WITHDRAWN


def standing_now(session: str = "pk") -> Subquery:
    """Return a subquery for the present status of a session's ranking, or None before the first publication.

    It is the status of the newest version. A provisional version counts as official if its window has ended. `session`
    is the field with the session's id in the row of the query.
    """
    newest = Publication.objects.filter(session=OuterRef(session)).order_by("-version")
    over = When(
        status=Publication.PublicationStatus.PROVISIONAL,
        official_from__lte=Now(),
        then=Value(Publication.PublicationStatus.OFFICIAL),
    )
    return Subquery(newest.annotate(by_now=Case(over, default="status")).values("by_now")[:1])


def select_newest_version(session: str = "pk") -> Subquery:
    """Return a subquery for the version number of a session's newest publication, or None before the first."""
    return Subquery(Publication.objects.filter(session=OuterRef(session)).order_by("-version").values("version")[:1])
