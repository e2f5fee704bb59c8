"""A ranking of any kind as its readers see it now: what pages, frames, papers, pictures and files need to know of it.

Each kind of ranking has a class of its own beside its entrance. It says what the ranking is called, and reads it.
"""

import datetime as dt
from abc import ABC, abstractmethod
from typing import Any, Self

from django.db.models import Exists
from django.http import HttpRequest
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from clubs.models import Club
from pages.ranking_pages import RankingQuery, lay_out_ranking
from rankings.kinds import AnyKind, RankingPlace
from rankings.publication.differences import list_changes
from rankings.ranking import Ranking
from tournaments.models.published import Version
from tournaments.permissions import require_found
from tournaments.published import Shows
from tournaments.words.messages import label


class ShownRanking(ABC):
    """A version of a ranking, or the ranking of a series that is under way.

    `version` is the version, or one that is not stored for a series under way. `stamp` identifies its pages. `shows`
    has the parts that readers see.
    """

    kind: AnyKind
    version: Any
    stamp: Any
    shows: Shows = Shows()

    def __init__(self, version: Any, stamp: Any) -> None:
        self.version, self.stamp = version, stamp

    @classmethod
    def read(cls, stamp: Any, *needs: Exists) -> Self:
        """Return the version of the stamp with its owner. This makes one query.

        `needs` are conditions on the version. If one is not met, raise Http404 without reading the version's data.
        """
        rows = cls.kind.model._default_manager.select_related(f"{cls.kind.club}__house").filter(*needs)
        return cls(require_found(rows.filter(pk=stamp.publication).first()), stamp)

    @property
    def club(self) -> Club:
        """The club whose time zone and wishes the pages follow."""
        return self.kind.club_of(self.version)

    @property
    def owner(self) -> Any:
        """The session, tournament, series or simultaneous."""
        return getattr(self.version, self.kind.owner)

    @property
    def title(self) -> str:
        """The title of the ranking in lists."""
        return self.kind.title(self.version)

    @property
    def place(self) -> RankingPlace:
        return self.kind.place(self.version)

    @property
    def name(self) -> str:
        """The name of the tournament, series or simultaneous."""
        return self.kind.name_owner(self.owner)

    @property
    @abstractmethod
    def occasion(self) -> str:
        """The title of the ranking on paper and on its picture, without its day."""

    @property
    @abstractmethod
    def day(self) -> dt.date:
        """The day of the evening, or of the last one that counts."""

    @property
    def file_name(self) -> list[str]:
        """The parts of the name of a file that has the ranking."""
        return [self.owner.slug]

    @property
    def file_title(self) -> str:
        """The title of the table in a file."""
        return self.name

    @property
    @abstractmethod
    def ranking(self) -> Ranking[Any]:
        """The ranking with names. Raise `Http404` if readers see none now."""

    @property
    def owned(self) -> dict[str, Any]:
        """The values that only the templates of this kind show."""
        return {self.kind.owner: self.owner}

    @property
    def context(self) -> dict[str, Any]:
        """The values that all pages about the ranking show."""
        common = {"club": self.club, "publication": self.version, "stamp": self.stamp, "shown_ranking": self}
        return common | self.owned

    @property
    def picture(self) -> str:
        """The path of the picture of the podium, or "" if readers see none."""
        return self.place.picture

    @property
    def is_official(self) -> bool:
        return bool(self.version.status == Version.PublicationStatus.OFFICIAL)

    @property
    def is_replaced(self) -> bool:
        """True if a newer version replaces this one. An official one with the same figures is as good as the newest."""
        return self.stamp.version != self.stamp.newest and not (self.stamp.same and self.is_official)

    @property
    def state(self) -> str:
        """The state of the version, as a picture and a sheet of paper say it."""
        if self.is_replaced:
            return _("Version %(version)s, replaced since") % {"version": self.version.version}
        standing = Version.PublicationStatus.OFFICIAL if self.is_official else Version.PublicationStatus.PROVISIONAL
        return capfirst(label("standing", standing))

    def say_title(self, between: str) -> str:
        """Return the occasion and its day, with these letters between them."""
        return f"{self.occasion}{between}{date_format(self.day)}"

    def say_version(self) -> str:
        """Return the number and the moment of the version, or "" before the first one."""
        if self.version.pk is None:
            return ""
        moment = date_format(timezone.localtime(self.version.published_at), "DATETIME_FORMAT")
        told = {"version": self.version.version, "moment": moment}
        return _("Version %(version)s, published on %(moment)s.") % told

    def describe_page(self, request: HttpRequest, asked: RankingQuery) -> dict[str, Any]:
        """Return the template context for the page of the ranking, besides `context`."""
        version = self.version
        told = version.changes if self.stamp.tells_changes(version.version) else []
        return self.lay_out(asked) | {"changes": list_changes(told, self.shows, version=version)}

    def lay_out(self, asked: RankingQuery, *, most: int | None = None) -> dict[str, Any]:
        """Return the template context for a view of the ranking."""
        return lay_out_ranking(self.ranking, asked, most=most)
