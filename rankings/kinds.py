"""The one service for the published rankings of all kinds: it publishes, looks ahead, and takes the later steps.

What differs between a session, a tournament, a series and a simultaneous stands in four values of `RankingKind`, each
beside what computes its figures. `rankings.listing` lists them.

A ranking has an owner and numbered versions. Each step locks the owner, adds a version and an entry in the log.
`tournaments.versions` decides which version may follow which. A provisional version becomes official when its
window (the time for corrections) has ended. The next visit, or a regular job (the sweep), then adds the official
version.
"""

import datetime as dt
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeVar

from celery.exceptions import SoftTimeLimitExceeded
from django.db import DatabaseError, connection, transaction
from django.db.models import Model, OuterRef, Q, QuerySet, Subquery, Sum
from django.urls import reverse
from django.utils import timezone

from clubs.log import log_club_action
from clubs.models import Club, real_clubs
from tournaments import versions as steps
from tournaments.errors import ActionRefused
from tournaments.locks import lock_apart
from tournaments.models.published import Version
from tournaments.versions import DirectorWord, FiguresToPublish, VersionComparison, VersionStamp

logger = logging.getLogger(__name__)
Owner = TypeVar("Owner", bound=Model)
Owned = TypeVar("Owned", bound=Version)
Found = TypeVar("Found", bound=VersionStamp)


class Actions(NamedTuple):
    """The log actions of publishing and of the steps, such as "ranking_official"."""

    published: str
    official: str
    withdrawn: str
    reopened: str


class DuePublication(NamedTuple):
    """The changes that readers would see if a ranking were published now, and whether it would need a reason."""

    changes: steps.Changes
    wants_reason: bool


class Whose(NamedTuple):
    """A choice of rankings: of one tournament or series, or of those of one club or of several clubs.

    The default is all rankings.
    """

    tournament: int | None = None
    series: int | None = None
    club: int | None = None
    clubs: QuerySet[Any] | None = None

    def choose(self, owner: str) -> Q:
        """Return the choice as a condition on "tournament", "series" or "simultaneous" that clubs have not put away.

        If one tournament is chosen, there is no series, and the other way round.
        """
        chosen = {"tournament": self.tournament, "series": self.series}
        mine = chosen.pop(owner, None)
        wanted = Q(real_clubs("club"), put_away_at=None)
        if any(each is not None for each in chosen.values()):
            wanted = Q(pk__in=[])
        if mine is not None:
            wanted &= Q(pk=mine)
        if self.club is not None:
            wanted &= Q(club=self.club)
        return wanted if self.clubs is None else wanted & Q(club__in=self.clubs.order_by())


class RankingAddresses(NamedTuple):
    """The names of the addresses of a kind of ranking, in the order in which `RankingPlace` tells them.

    Without `numbered`, the addresses of pictures and papers have no number of a version. With `by_id`, the address for
    programs has the owner's id. `of_feed` is how many words of a place the address of its feed has.
    """

    page: str
    version: str
    versions: str
    picture: str
    paper: str
    api: str
    feed: str
    numbered: bool = True
    by_id: bool = False
    of_feed: int = 2


@dataclass(frozen=True, slots=True)
class RankingPlace:
    """The paths of a version of a ranking.

    `place` has the arguments of its page, `number` is that of the version, and `owner` the id of the ranking's owner.
    """

    names: RankingAddresses
    place: Sequence[str | int]
    number: int
    owner: int

    @property
    def page(self) -> str:
        return reverse(self.names.page, args=self.place)

    @property
    def version(self) -> str:
        """The page of this version."""
        return reverse(self.names.version, args=[*self.place, self.number])

    @property
    def versions(self) -> str:
        """The list of all versions."""
        return reverse(self.names.versions, args=self.place)

    @property
    def picture(self) -> str:
        """The picture of this version's podium."""
        return reverse(self.names.picture, args=self.numbered)

    @property
    def paper(self) -> str:
        """The PDF of this version, to pin up."""
        return reverse(self.names.paper, args=self.numbered)

    @property
    def api(self) -> str:
        """The newest version for programs."""
        return reverse(self.names.api, args=[self.owner] if self.names.by_id else self.place)

    @property
    def feed(self) -> str:
        """The feed that lists its news."""
        return reverse(self.names.feed, args=self.place[: self.names.of_feed])

    @property
    def numbered(self) -> list[str | int]:
        return [*self.place, *([self.number] if self.names.numbered else [])]


def sum_names_versions(clubs: Any, owner: str) -> Subquery:
    """Return the subquery for the sum of the clubs' versions of names. `clubs` is the model of those that take part."""
    taking_part = clubs.objects.filter(**{owner: OuterRef(owner)}).order_by().values(owner)
    return Subquery(taking_part.annotate(total=Sum("club__names_version")).values("total"))


def write_step_of_club(named: str, owner: Any, action: str, word: DirectorWord, version: Version) -> None:
    """Log a step of a ranking in the log of its club. `named` is the parameter that has the owner's title."""
    told = {"reason": version.reason} if version.reason else {}
    code = f"{action}_reason" if told else action
    params = {named: owner.title, "version": str(version.version), **told}
    log_club_action(owner.club, code, now=word.now, by=word.by, **params)


def lock_if_free(model: type[Owner], owner_id: int) -> Owner | None:
    """Lock and return the owner with this id, or return None at once if another transaction has locked it."""
    return next(iter(lock_apart(model, [owner_id], free=True)), None)


def renew_standings(
    kept: Any, basis: Any, figure: Callable[[], Any], *, queue: Callable[[], object], now: dt.datetime
) -> bool:
    """Compute and store the standings of a ranking if they are not current. Return True if they were written.

    `kept` is their row, and `basis` what they depend on. The caller reads it after the row and before the data. If the
    data change in between, the basis is too old, and the next job computes the standings again. If another job came
    first, perhaps with older data, nothing is stored, and `queue` asks for a further job.
    """
    if kept.computed_at is not None and kept.basis == basis:
        return False
    data = figure()
    same = type(kept)._default_manager.filter(pk=kept.pk, computed_at=kept.computed_at)
    written = bool(same.update(basis=basis, computed_at=now, data=data))
    if not written:
        queue()
    return written


def do_for_each(ids: Iterable[int], do: Callable[[int], bool], *, failed: str) -> list[int]:
    """Call `do` with each id, and return the ids for which it returned True. What fails does not stop the others.

    `failed` is then logged, with the id in it. Errors that none of them caused are raised: a job at its limit of time
    or of memory, or a lost connection to the database.
    """
    done = []
    for pk in ids:
        try:
            if do(pk):
                done.append(pk)
        except (SoftTimeLimitExceeded, MemoryError):
            raise
        except Exception:
            if not connection.is_usable():
                raise
            logger.exception(failed, pk)
    return done


def is_there(version: Version) -> bool:
    """Return whether the version shows a ranking, so is not withdrawn."""
    return version.status != steps.WITHDRAWN


def do_nothing(*_given: Any) -> None:
    """Do nothing: the default of what only some kinds do."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankingKind(Generic[Owner, Owned, Found]):
    """A kind of published ranking: how it is published, and how lists and pages tell of it.

    `model` is the model of its versions, `owner` the field for the owner, and `club` the path to the owner's club.
    `steps` is the name of the address of a director's steps.

    Publishing. `lock` locks and returns the owner with this id. `lock_free` does the same, but returns None if another
    transaction has locked the owner. `write_log` logs a step of a locked owner, and queues the jobs that follow.
    `hours` returns the number of hours for which a version is provisional. `find_figures` returns the figures that
    would be published after this newest version, or raises `ActionRefused`. `find_stamp` returns the stamp of a version
    by its place and the moment, or None if there is none. Each kind has its own form of a place.

    Only some kinds need the following. `prepare` is called before anything is locked. `lock_to_publish` locks more than
    `lock`, or refuses. `check` is called before a version is added, with the director's choices. `follow_up` is called
    after it was added. `find_window` returns the hours of a version with these figures. `may_end` returns whether a
    version whose window is over may become official; otherwise it may become provisional again instead.
    `check_official` may refuse to make a ranking official. `is_due` answers faster than the figures whether a version
    after this one would have other figures. `renew_all` is called by the sweep before windows end.

    Telling. `find_owners` returns the owners whose ranking readers see. `drop_held` removes versions that are held
    back, as they count a hidden session. `find_held` returns the numbers of those of an owner with this stamp.
    `podiums` returns the podiums of versions by their ids. `title` is that of one version. `find_place` returns the
    arguments of an owner's page, and `name_owner` the owner's name. What else a feed shows, and what can change without
    a new version, are the columns `more` and what `tell_owner` returns.
    """

    name: str
    model: type[Owned]
    owner: str
    club: str
    steps: str

    actions: Actions
    lock: Callable[[int], Owner]
    lock_free: Callable[[int], Owner | None]
    write_log: Callable[[Owner, str, DirectorWord, Owned], None]
    compared: VersionComparison
    hours: Callable[[Owner], int] = attrgetter("window_hours")
    find_figures: Callable[[Owner, Owned | None], FiguresToPublish]
    find_stamp: Callable[..., Found | None]

    prepare: Callable[[int, dt.datetime], object] = do_nothing
    lock_to_publish: Callable[[int], Owner] | None = None
    check: Callable[[Owner, Owned | None, FiguresToPublish, DirectorWord, Any], None] = do_nothing
    follow_up: Callable[[Owner, Owned, DirectorWord], None] = do_nothing
    find_window: Callable[[Owner, FiguresToPublish, dt.datetime], int] | None = None
    may_end: Callable[[Owner, Owned, dt.datetime], bool] | None = None
    check_official: Callable[[int, dt.datetime], None] = do_nothing
    is_due: Callable[[Owner, Owned], bool] | None = None
    renew_all: Callable[[dt.datetime], None] = do_nothing

    find_owners: Callable[[Whose], QuerySet[Any]]
    drop_held: Callable[[Sequence[Any]], list[Any]] = list
    find_held: Callable[[Owner, Any], frozenset[int]] = lambda _owner, _stamp: frozenset()
    more: Mapping[str, Any] = field(default_factory=dict)
    podiums: Callable[[Sequence[Any]], Mapping[int, Sequence[Any]]]
    addresses: RankingAddresses
    find_place: Callable[[Any], Sequence[str | int]]
    title: Callable[[Any], str]
    name_owner: Callable[[Any], str]
    tell_owner: Callable[[Any], tuple[object, ...]] = lambda _owner: ()

    def publish(self, owner_id: int, word: DirectorWord, terms: Any = None) -> Owned:
        """Publish the ranking as it is now. Return the version, which is provisional at first.

        If the newest version has the same figures, return that one. Raise `ActionRefused` if there is nothing to
        publish, or if the kind refuses these `terms`. A reason is wanted if official figures change in another way
        than by growing.
        """
        self.prepare(owner_id, word.now)
        with transaction.atomic():
            return self.publish_locked((self.lock_to_publish or self.lock)(owner_id), word, terms)

    def publish_locked(self, owner: Owner, word: DirectorWord, terms: Any = None) -> Owned:
        """Publish the ranking of a locked owner as `publish` does."""
        last = self.find_settled(owner, word.now)
        figures = self.find_figures(owner, last)
        self.check(owner, last, figures, word, terms)
        hours = self.find_window(owner, figures, word.now) if self.find_window else self.hours(owner)
        version: Owned = steps.publish_figures(owner, last, figures, word, self.compared, hours=hours)
        if last is None or version.pk != last.pk:
            self.write_log(owner, self.actions.published, word, version)
            self.follow_up(owner, version, word)
        return version

    def find_due(self, owner: Owner, last: Owned | None, now: dt.datetime) -> DuePublication | None:
        """Return what publishing now would show readers after `last`, or None if they would see nothing new.

        Raise `ActionRefused` if publishing would be refused. A kind that answers faster tells no changes.
        """
        if self.is_due is not None:
            due = last is None or self.is_due(owner, last)
            return DuePublication([], self.is_official(last, now)) if due else None
        data = self.find_figures(owner, last).data
        if last is None:
            return DuePublication([], wants_reason=False)
        if steps.has_figures(last, data):
            return None
        wants_reason = self.is_official(last, now) and not self.compared.grows(last.data, data)
        return DuePublication(self.compared.changes(last.data, data), wants_reason)

    def is_official(self, last: Owned | None, now: dt.datetime) -> bool:
        """Return whether the newest version is official, or becomes official before a new version is added."""
        return last is not None and (last.status == steps.OFFICIAL or (not self.may_end and steps.is_over(last, now)))

    def make_official(self, owner_id: int, word: DirectorWord) -> Owned:
        """Make the ranking official before its window ends. Return the official version."""
        self.check_official(owner_id, word.now)
        return self.take_step(owner_id, self.actions.official, word, lambda _, last: steps.make_official(last, word))

    def withdraw(self, owner_id: int, word: DirectorWord) -> Owned:
        """Withdraw the ranking with all its versions, until it is published again. Return the withdrawn version."""
        return self.take_step(owner_id, self.actions.withdrawn, word, lambda _, last: steps.withdraw(last, word))

    def reopen(self, owner_id: int, word: DirectorWord) -> Owned:
        """Make the official ranking provisional again for `hours` hours. Return the provisional version."""

        def step(owner: Owner, last: Owned) -> Owned:
            return steps.reopen(last, word, hours=self.hours(owner))

        return self.take_step(owner_id, self.actions.reopened, word, step)

    @transaction.atomic
    def take_step(self, owner_id: int, action: str, word: DirectorWord, step: Callable[[Owner, Owned], Owned]) -> Owned:
        """Lock the owner, call `step` with its newest version, and log the action. Return the version from `step`.

        If `step` returns the same version, nothing is logged. Raise `ActionRefused("nothing_published")` before the
        first publication.
        """
        owner = self.lock(owner_id)
        last = self.find_settled(owner, word.now)
        if last is None:
            raise ActionRefused("nothing_published")
        version = step(owner, last)
        if version.pk != last.pk:
            self.write_log(owner, action, word, version)
        return version

    def find_settled(self, owner: Owner, now: dt.datetime) -> Owned | None:
        """Return the newest version of a locked owner, or None. If its window is over, make it official first."""
        last: Owned | None = steps.find_newest_version(owner)
        return None if last is None else self.end_window(owner, last, now)

    def end_window(self, owner: Owner, last: Owned, now: dt.datetime) -> Owned:
        """Return `last`, the newest version. If its window is over, add and return an official version instead."""
        if not steps.is_over(last, now) or (self.may_end and not self.may_end(owner, last, now)):
            return last
        word = DirectorWord(None, now)
        version = steps.make_official(last, word)
        self.write_log(owner, self.actions.official, word, version)
        return version

    def settle(self, owner_id: int) -> bool:
        """Make a ranking official if its window has ended. Return False if that could not be done now.

        If another transaction has locked the owner, that one will do it. If the database refuses the write, a warning
        is logged, and readers see no error.
        """
        try:
            with transaction.atomic():
                owner = self.lock_free(owner_id)
                if owner is None:
                    return False
                self.find_settled(owner, timezone.now())
        except DatabaseError:
            logger.warning(
                "The ranking of %s %s could not be made official: the next visit tries again.", self.owner, owner_id
            )
            return False
        return True

    def settle_all(self) -> None:
        """Make every ranking official whose window has ended, also those that nobody visits."""
        self.renew_all(timezone.now())
        newest = steps.find_newest_versions(self.model, self.owner).order_by("official_from")
        over = newest.filter(status=steps.PROVISIONAL, official_from__lte=timezone.now())
        owners = list(over.values_list(f"{self.owner}_id", flat=True))
        do_for_each(owners, self.settle, failed=f"settle_{self.owner} of %s failed: the next sweep tries again.")

    def look_up(self, *where: Any) -> Found | None:
        """Return the stamp of the version at this place, as `find_stamp` does.

        If it says that the time for corrections is over, make the ranking official and look again.
        """
        stamp = self.find_stamp(*where, timezone.now())
        if stamp is not None and stamp.over and self.settle(stamp.owner):
            return self.find_stamp(*where, timezone.now())
        return stamp

    def club_of(self, version: Any) -> Club:
        """Return the club of a version's owner."""
        club: Club = attrgetter(self.club.replace("__", "."))(version)
        return club

    def place(self, version: Any) -> RankingPlace:
        """Return the paths of a version."""
        owner = getattr(version, self.owner)
        return RankingPlace(self.addresses, self.find_place(owner), version.version, owner.pk)

    def beside(self, version: Any) -> tuple[object, ...]:
        """Return the data of a feed's entry that can change without a new version."""
        owner, club = getattr(version, self.owner), self.club_of(version)
        more = (getattr(version, column) for column in self.more)
        return self.name_owner(owner), club.name, club.names_version, *self.tell_owner(owner), *more

    def find_news(self, whose: Whose) -> QuerySet[Any]:
        """Return the newest version of each ranking that readers see, the last published first, with owner and club.

        `first` is the time when the ranking was first published. The figures are not read, because they are large. The
        result may still contain versions that are held back.
        """
        versions = self.model._default_manager.filter(**{self.owner: OuterRef(self.owner)})
        first = versions.order_by("version")
        shown = {f"{self.owner}__in": self.find_owners(whose).order_by()}
        newest = steps.find_newest_versions(self.model, self.owner).filter(**shown)
        listed = newest.defer("data", "frozen", "changes").order_by("-published_at", "-pk").select_related(self.club)
        news: QuerySet[Any] = listed.annotate(first=Subquery(first.values("published_at")[:1]), **self.more)
        return news

    def find_latest(self, whose: Whose, limit: int) -> list[Any]:
        """Return the newest versions that readers see, the last published first, at most `limit`.

        Versions that are held back are read too, and then left out. So there may be fewer.
        """
        return self.drop_held(list(self.find_news(whose)[: 2 * limit]))[:limit]

    def find_shown(self, club_id: int, owners: Iterable[int]) -> dict[int, Any]:
        """Return the newest version of these owners' rankings by owner, without the rankings that readers do not see.

        A withdrawn version is among them: readers see that it is withdrawn.
        """
        listed = list(owners)
        if not listed:
            return {}
        news = self.find_news(Whose(club=club_id)).filter(**{f"{self.owner}__in": listed})
        return {getattr(each, f"{self.owner}_id"): each for each in self.drop_held(list(news))}


AnyKind = RankingKind[Any, Any, Any]
