"""The public name of a player: the name, the initials, or no name at all.

Only `public_name` may put a name where strangers can see it: pages, answers of the API, files, feeds, pictures. Each
choice for a player is a row (`ShownWord`). For each player of a person, the newest choice of the person and the newest
choice of the club count. Without any choice, young players are shown by initials. The strictest of all these choices
holds in every club, so nobody can undo the choice of another. `Person.shown` has the result. The wish not to have a
rating works in the same way. The rating is off as long as the person or a director wants it off.
"""

import datetime as dt
from collections.abc import Iterable
from typing import ClassVar, NamedTuple

from django.db import transaction
from django.db.models import F, Max, Q, QuerySet
from django.utils.translation import gettext as _

from clubs.log import log_club_action
from clubs.models import Club, Person, Player, ShownWord, User, Visibility
from clubs.models.people import NamedPlayer, write_name
from clubs.names import initials_of
from clubs.roles import directs
from wording import Refusal, Texts, gettext_noop


def raise_names_version(*club_ids: int) -> None:
    """Raise the version of these clubs. Call it in the transaction that changes a shown name.

    Such a name is that of a player or of the club. A page is cached with the version that was read before any name of
    the page. So a cached page may have newer names than its version, but never older ones.
    """
    Club.every.filter(pk__in=club_ids).update(names_version=F("names_version") + 1)


# The argument of `select_related` with which public names need no further query.
PUBLIC = ("person", "merged_into__person")
Way = ShownWord.WordWay
OWN = (Way.ACCOUNT, Way.LINK)
YOUNG = (Player.Category.YOUTH, Player.Category.JUNIOR)


class PublicPlayer(NamedTuple):
    """The public name of a player, and what else strangers may know.

    - `name`: the text to show. `named`: whether it is the player's name. `shown`: how the player is shown.
    - `known_as`: the number of the player's present row, only if the player is shown by name. A phone recognises its
      reader by it.
    - `category`, `series`, `ladies`: empty for a hidden player, because they could tell who it is.
    """

    name: str
    named: bool
    shown: str = Visibility.NAME
    known_as: int | None = None
    category: str = ""
    series: str = ""
    ladies: str = ""


class PlayerColumns(NamedTuple):
    """The columns of a player from which the public name is made. They can be read without making models."""

    pk: int
    first_name: str
    last_name: str
    erased_at: dt.datetime | None
    erased_number: int | None
    shown: str
    category: str
    series: str
    ladies: str


COLUMNS = (
    "pk",
    "first_name",
    "last_name",
    "erased_at",
    "erased_number",
    "person__shown",
    "category",
    "series",
    "ladies",
)


def name_columns_of(player: Player) -> PlayerColumns:
    """Return these columns for a player. It takes no query if the relations in PUBLIC are loaded."""
    who = player.is_now
    shown = who.person.shown
    named = who.pk, who.first_name, who.last_name, who.erased_at, who.erased_number
    return PlayerColumns(*named, shown, who.category, who.series, who.ladies)


def read_columns(ids: Iterable[int]) -> dict[int, PlayerColumns]:
    """Return the columns of players by their ids, with one query. A merged player has those of the present player."""
    now = [f"merged_into__{name}" for name in COLUMNS]
    values = {}
    for pk, *columns in Player.objects.filter(pk__in=set(ids)).order_by().values_list("pk", *COLUMNS, *now):
        own, merged = columns[: len(COLUMNS)], columns[len(COLUMNS) :]
        values[pk] = PlayerColumns(*(own if merged[0] is None else merged))
    return values


def how_shown(player: PlayerColumns) -> Visibility:
    """Return how a player is shown in public. An erased player, or one without initials to show, is hidden."""
    if player.erased_at or (
        player.shown == Visibility.INITIALS and not initials_of(player.first_name, player.last_name)
    ):
        return Visibility.HIDDEN
    return Visibility(player.shown)


def public_name(player: Player) -> str:
    """Return the text to show for a player in public. It takes no query if the relations in PUBLIC are loaded."""
    return write_public_name(name_columns_of(player))


def write_public_name(player: PlayerColumns) -> str:
    return write_name(player) if player.erased_at else call_as(player, player.shown)


def call_as(player: NamedPlayer, shown: str) -> str:
    """Return the text for a player who is shown in this way. A name without letters has no initials and is hidden."""
    if shown == Visibility.NAME:
        return write_name(player)
    letters = initials_of(player.first_name, player.last_name) if shown == Visibility.INITIALS else ""
    return letters or _("Hidden player")


def is_named(player: Player) -> bool:
    """Return whether the player is shown by name. Only then are links to the player's page allowed."""
    return how_shown(name_columns_of(player)) == Visibility.NAME


def call(player: PlayerColumns, name: str) -> PublicPlayer:
    shown = how_shown(player)
    named = shown == Visibility.NAME
    groups = ("", "", "") if shown == Visibility.HIDDEN else (player.category, player.series, player.ladies)
    return PublicPlayer(name, named, shown, player.pk if named else None, *groups)


def call_in_public(ids: Iterable[int]) -> dict[int, PublicPlayer]:
    """Return the public names of players by their ids, for any reader, with one query."""
    return {pk: call(player, write_public_name(player)) for pk, player in read_columns(ids).items()}


def call_for_directors(ids: Iterable[int]) -> dict[int, PublicPlayer]:
    """Return the real names of players by their ids, for those who run the evening, with one query."""
    return {pk: call(player, write_name(player)) for pk, player in read_columns(ids).items()}


# The choices, and how a player is shown because of them.


class ShownRefused(Refusal):
    """A refused choice: nothing was written."""

    messages: ClassVar[Texts] = {"shown_unknown": gettext_noop("Choose one of the three.")}


class VisibilityWords(NamedTuple):
    """The two choices for one player: the person's own and the club's. A choice that nobody has made is ""."""

    own: str
    club: str

    @property
    def said(self) -> str:
        return strictest(self.own, self.club)


@transaction.atomic
def choose_shown(*, player: Player, shown: str, way: Way, by: User | None, now: dt.datetime) -> None:
    """Save a choice for the player. A choice made by an account is for every player of that account.

    In public, the strictest choice counts. Raise ShownRefused if the value is not in `Visibility`.
    """
    if shown not in Visibility:
        raise ShownRefused("shown_unknown", "shown")
    lock_clubs(player)
    person = Person.objects.select_for_update(of=("self",)).get(players=player)
    said = {"shown": shown, "own": way in OWN, "way": way, "by": by, "at": now}
    ShownWord.objects.bulk_create(ShownWord(player=each, **said) for each in spoken_of(player, way).order_by("pk"))
    update_visibility(person)
    for each in person.players.real().select_related("club").order_by("pk"):
        log_club_action(each.club, f"shown_{shown}", now=now, by=author_in(each, by), whom=each.name)


def author_in(player: Player, by: User | None) -> User | None:
    """Return the author of an action as the log of a player's club may name them, or None for a user of another club.

    Otherwise that user could read the player's name in an export of their own data.
    """
    if by is None or by.is_superuser or player.account_id == by.pk:
        return by
    return by if directs(by, player.club) else None


def spoken_of(player: Player, way: Way) -> QuerySet[Player]:
    """Return the rows to which a choice applies: the player or, if the account chose, all players of the account.

    Rows merged into them are included, so that the new choice replaces theirs.
    """
    now = Q(pk=player.is_now.pk)
    if way == Way.ACCOUNT and player.is_now.account_id is not None:
        now |= Q(account=player.is_now.account_id)
    real = Player.objects.real().filter(now)
    return Player.objects.filter(Q(pk__in=real) | Q(merged_into__in=real))


def lock_clubs(*players: Player) -> None:
    """Lock all clubs in which the persons of these players play, in the order of their keys.

    Clubs are locked before persons. Changes of how people are shown, and changes of persons, both take this lock. So
    they wait for each other.
    """
    persons = Player.objects.filter(pk__in=[player.pk for player in players]).values("person")
    clubs = Player.objects.filter(person__in=persons).values("club")
    list(Club.every.select_for_update().filter(pk__in=clubs).order_by("pk"))


def update_visibility(*persons: Person) -> None:
    """Compute and save how these persons are shown. Cached pages of their clubs are no longer used."""
    for person in persons:
        person.shown = shown_of(person)
        person.save(update_fields=["shown"])
    raise_names_version(*Player.objects.filter(person__in=persons).values_list("club_id", flat=True))


def shown_of(person: Person) -> Visibility:
    """Return the strictest of the choices for the players of a person. It takes two queries."""
    held = held_of(person)
    players = person.players.filter(erased_at=None)
    return Visibility(strictest(Visibility.NAME, *(held_or_unsaid(player, held.get(player.pk)) for player in players)))


def held_or_unsaid(player: Player, held: VisibilityWords | None) -> str:
    """Return the choice for a player. Without a choice, return initials for a young player, else "".

    A player of unknown age counts as an adult. For a merged player only the choices count.
    """
    said = held.said if held else ""
    young = player.merged_into_id is None and player.category in YOUNG
    return said or (Visibility.INITIALS if young else "")


def held_of(person: Person) -> dict[int, VisibilityWords]:
    """Return the choices for the players of a person, by player key. Players without a choice are left out."""
    words = {(word.player_id, word.own): word.shown for word in newest_words(person)}
    return {pk: VisibilityWords(words.get((pk, True), ""), words.get((pk, False), "")) for pk, _own in words}


def newest_words(person: Person) -> QuerySet[ShownWord]:
    """Return the newest choices of how each player of a person is shown: one by the person, one by the club."""
    newest = ShownWord.objects.filter(player__person=person, player__erased_at=None).order_by().values("player", "own")
    return ShownWord.objects.filter(pk__in=newest.annotate(newest=Max("pk")).values("newest"))


def privacy(shown: str) -> int:
    """Return how private a choice is, as a number. A higher number is more private; −1 means no choice."""
    return Visibility(shown).privacy if shown else -1


def strictest(*shown: str) -> str:
    return max(shown, key=privacy)


# The wish not to have a rating.


@transaction.atomic
def choose_rating(*, player: Player, off: bool, way: Way, by: User | None, now: dt.datetime) -> None:
    """Switch the rating of a player off, or take that back. A choice made by an account is for all of its players.

    Cached pages of the clubs are no longer used.
    """
    lock_clubs(player)
    column = "unrated_by_self" if way in OWN else "unrated_by_club"
    changed = spoken_of(player, way).exclude(**{column: off})
    clubs = list(changed.values_list("club_id", flat=True))
    players = list(Player.objects.filter(pk__in=changed.values("pk"), merged_into=None).select_related("club"))
    Player.objects.filter(pk__in=list(changed.values_list("pk", flat=True))).update(**{column: off})
    for each in sorted(players, key=lambda each: each.pk):
        log_club_action(
            each.club, "rating_off" if off else "rating_on", now=now, by=author_in(each, by), whom=each.name
        )
    raise_names_version(*clubs)


class RatingWish(NamedTuple):
    """The wish not to have a rating, for the page of a player or of a director.

    `is_off_here`: it was switched off on this kind of page. `is_off`: it is off, because of somebody's wish.
    """

    is_off_here: bool
    is_off: bool


def read_rating_wish(player: Player, *, own: bool) -> RatingWish:
    """Return the wish for the page of the player (`own`), or for the page of a director of the player's club."""
    if own:
        is_unrated = (
            spoken_of(player, Way.ACCOUNT if player.account_id else Way.LINK).filter(unrated_by_self=True).exists()
        )
    else:
        is_unrated = player.is_now.unrated_by_club
    off = Player.objects.keep_unrated().filter(person=player.person_id, erased_at=None)
    return RatingWish(is_unrated, is_unrated or off.exists())
