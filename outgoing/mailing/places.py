"""The letters that tell accounts their places in a published ranking, for all kinds of rankings.

A letter is sent once for each version with new figures. It has the same content as the public page of the ranking. Once
a job has sent all letters of a version, no sweep queues it again for an hour: meanwhile nobody is left to write to.
Later somebody may have confirmed an address.

Letters about simultaneous tell the versions in which all clubs have finished, and not those published meanwhile.
"""

import datetime as dt
import logging
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple

from django.conf import settings
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.db.models import Max, Model, OuterRef, Q, Subquery
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from redis.exceptions import RedisError

from clubs.house import find_club_language
from clubs.models import Player, real_clubs
from evenings.reference import Reference
from outgoing.mailing.feuilles import TRIED_FOR
from outgoing.mailing.sending import FAULTS, KeptLetter, MailRound, send_kept, spares_others
from outgoing.mailing.wishes import find_confirmed_addresses, wishes_in_force, write_stop_headers
from rankings.kinds import AnyKind
from rankings.ranking import RankedRow
from rankings.series.publishing import SERIES_OF_CLUBS
from rankings.series.report import SeriesRanking, read_series
from rankings.series.results import find_persons
from rankings.simultaneous.field.publishing import FIELDS
from rankings.simultaneous.field.report import read_field_ranking
from tournaments.models import FeuilleMail, FieldPublication, SentFieldLetter, SentSeriesLetter, SeriesPublication
from tournaments.queue import FIELD_LETTERS, SERIES_LETTERS
from tournaments.versions import WITHDRAWN
from tournaments.words.figures import decimal, percent

logger = logging.getLogger(__name__)
LOOKED_AGAIN = 3600  # seconds after which a version is looked at again although all its letters are sent


@dataclass(frozen=True, slots=True)
class LetterKind:
    """The letters about one kind of ranking.

    `sent` is the model of the letters that were sent. `is_told` returns whether there are letters about a version.
    `say_places` returns the places of these players (ids) in a version, each as a line of text, in the active language.
    `task` is the name of the job that sends them.
    """

    ranking: AnyKind
    sent: type[Model]
    is_told: Callable[[Any], bool]
    say_places: Callable[[Any, Collection[int]], Mapping[int, str]]
    task: str


class PlaceLetter(NamedTuple):
    """A letter to one account, with the ids of its players in the ranking."""

    wish: FeuilleMail
    email: str
    players: frozenset[int]


def send_place_letters(kind: LetterKind, owner_id: int, *, now: dt.datetime) -> int:
    """Send the letters of a ranking's newest version that are not sent yet. Return how many were sent.

    If the mail server fails, stop: the sweep tries again for a day. If it refuses one letter, go on with the others.
    After the seconds of a round, queue the rest.
    """
    newest = find_newest_versions(kind, now, owner=owner_id).get(owner_id)
    version = find_version_to_tell(kind, owner_id, now)
    letters = [] if version is None else list(find_place_letters(kind, version))
    left, sent = 0, 0
    if letters:
        left, sent = send_letters_of_version(kind, version, letters, now=now)
    if newest is not None and not left:
        with suppress(RedisError):
            cache.set(key_of_told(kind, owner_id), newest, LOOKED_AGAIN)
    return sent


def send_letters_of_version(
    kind: LetterKind, version: Any, letters: Collection[PlaceLetter], *, now: dt.datetime
) -> tuple[int, int]:
    """Send the letters of a version, for one round. Return how many are left, and how many were sent."""
    club, owner_id = kind.ranking.club_of(version), getattr(version, f"{kind.ranking.owner}_id")
    left, sent = len(letters), 0
    rows = kind.sent._default_manager.all()
    with translation.override(find_club_language(club)), timezone.override(club.zone), MailRound() as mails:
        places = kind.say_places(version, frozenset().union(*(letter.players for letter in letters)))
        for letter in letters:
            lines = [line for player, line in places.items() if player in letter.players]
            kept = KeptLetter(rows, {"publication": version, "user": letter.wish.user})
            try:
                sent += send_kept(kept, partial(write_place_letter, kind, version, letter, lines), mails, now=now)
                left -= 1
            except FAULTS as error:
                warning = "a letter about %s %s is not sent: the sweep tries again"
                logger.warning(warning, kind.ranking.name, owner_id, exc_info=True)
                if not spares_others(error):
                    break
            if mails.go_on_later(owner_id, kind.task):
                break
    return left, sent


def find_version_to_tell(kind: LetterKind, owner_id: int, now: dt.datetime) -> Any | None:
    """Return the newest version of a ranking, or None if nobody is told of it: it is old, or readers do not see it."""
    ranking = kind.ranking
    club = ranking.model._default_manager.filter(**{ranking.owner: owner_id}).values_list(ranking.club, flat=True)[:1]
    if not settings.MAIL or not club:
        return None
    newest = ranking.find_shown(club[0], [owner_id]).get(owner_id)
    if newest is None or newest.status == WITHDRAWN or newest.published_at < now - TRIED_FOR:
        return None
    version = ranking.model._default_manager.select_related(f"{ranking.club}__house").get(pk=newest.pk)
    return version if kind.is_told(version) else None


def find_place_letters(kind: LetterKind, version: Any) -> Iterator[PlaceLetter]:
    """Yield the letters that are still to be sent for a version.

    A ranking shows a person by one player. The person's account may be that of a player in another club.
    """
    ranked: dict[int, set[int]] = {}
    for pk, who in find_persons(row["player"] for row in version.data["players"]).items():
        ranked.setdefault(who.person, set()).add(pk)
    players: dict[int, set[int]] = {}
    tied = Player.objects.filter(person__in=ranked, account__isnull=False).order_by()
    for person, user in tied.values_list("person", "account"):
        players.setdefault(user, set()).update(ranked[person])
    owner = kind.ranking.owner
    of_ranking = {f"publication__{owner}": getattr(version, f"{owner}_id")}
    sent = kind.sent._default_manager.filter(user=OuterRef("user"), **of_ranking)
    last = Subquery(sent.order_by("-publication__version").values("publication__digest")[:1])
    wishes = wishes_in_force().filter(user__in=players, asked_at__lte=version.published_at).annotate(last=last)
    unsent = list(wishes.filter(Q(last=None) | ~Q(last=version.digest)).order_by("pk"))
    addresses = find_confirmed_addresses([wish.user_id for wish in unsent])
    for wish in unsent:
        if email := addresses.get(wish.user_id):
            yield PlaceLetter(wish, email, frozenset(players[wish.user_id]))


def write_place_letter(kind: LetterKind, version: Any, letter: PlaceLetter, places: list[str]) -> EmailMessage:
    """Return the letter, in the active language. It has a link that ends these letters with one click."""
    club = kind.ranking.club_of(version)
    end = settings.SITE_URL + reverse("feuilles_end", args=[letter.wish.token])
    link = settings.SITE_URL + kind.ranking.place(version).page
    version_sentence = _(
        "This is version %(version)s, published by %(club)s. If the club publishes a later version, you will "
        "receive it too."
    )
    lines = [
        *places,
        f"\n{link}\n",
        version_sentence % {"version": version.version, "club": club.name} + "\n",
        _("To stop these e-mails, open this link:") + f" {end}\n",
    ]
    named = {"name": kind.ranking.title(version), "club": club.name}
    subject = " ".join((_("Your place: %(name)s, %(club)s") % named).split())
    return EmailMessage(subject, "\n".join(lines), to=[letter.email], headers=write_stop_headers(end))


def say_rank(rank: int | None) -> str:
    return _("Rank %(rank)s") % {"rank": rank} if rank is not None else _("Without a rank")


def find_places_to_tell(kind: LetterKind, now: dt.datetime) -> list[int]:
    """Return the ids of the owners of rankings with a version of the last day that may still have letters to send.

    Return an empty list if the site sends no mail, or if nobody wants letters.
    """
    if not settings.MAIL or not wishes_in_force().exists():
        return []
    newest = find_newest_versions(kind, now)
    done: dict[str, int] = {}
    with suppress(RedisError):
        done = cache.get_many([key_of_told(kind, owner) for owner in newest])
    return sorted(owner for owner, version in newest.items() if done.get(key_of_told(kind, owner)) != version)


def find_newest_versions(kind: LetterKind, now: dt.datetime, *, owner: int | None = None) -> dict[int, int]:
    """Return the id of the newest version of the last day by the owner's id: of all rankings, or of one `owner`."""
    ranking = kind.ranking
    new = ranking.model._default_manager.filter(real_clubs(ranking.club), published_at__gte=now - TRIED_FOR)
    mine = new if owner is None else new.filter(**{ranking.owner: owner})
    return dict(mine.order_by().values_list(ranking.owner).annotate(newest=Max("pk")))


def key_of_told(kind: LetterKind, owner_id: int) -> str:
    """Return the cache key for the id of the version whose letters are all sent."""
    return f"letters-told-{kind.ranking.name}-{owner_id}"


def say_places_in_field(version: FieldPublication, players: Collection[int]) -> dict[int, str]:
    ranking = read_field_ranking(version.data)
    shown = ranking.show(row for row in ranking.rows if row.player in players)
    rank = attrgetter(Reference(ranking.reference).rank)
    return {player.player: say_place_in_field(player, rank(player)) for player in shown}


def say_place_in_field(player: RankedRow, rank: int | None) -> str:
    """Return a player's place as a line of text: name, rank, percentage and the club in which they played."""
    return " · ".join([player.name, say_rank(rank), percent(player.overall, 2), player.club])


FIELD_KIND = LetterKind(
    FIELDS, SentFieldLetter, lambda version: bool(version.data["complete"]), say_places_in_field, FIELD_LETTERS
)


def say_places_in_series(version: SeriesPublication, players: Collection[int]) -> dict[int, str]:
    ranking = read_series(version.data)
    return {each.player: say_place(each, ranking) for each in ranking.rows if each.player in players}


def say_place(player: RankedRow, ranking: SeriesRanking) -> str:
    """Return a player's place as a line of text: name, rank, total and number of events."""
    total = decimal(player.total, 2) if ranking.shape.points else percent(player.total, 2)
    event_counts = {"count": player.played, "all": len(ranking.steps)}
    events = ngettext("%(count)s event of %(all)s", "%(count)s events of %(all)s", player.played) % event_counts
    return " · ".join([player.name, say_rank(player.rank), total, events])


SERIES_KIND = LetterKind(SERIES_OF_CLUBS, SentSeriesLetter, lambda _version: True, say_places_in_series, SERIES_LETTERS)
