"""How people stand in what is public: by name, by initials, or hidden. `public_name` is the only way by which a name
gets onto anything that a stranger may see: pages, answers, files, feeds, pictures.

What is said of a player is kept (`ShownWord`). The strictest counts everywhere: of each player of a person the newest
word that is their own, and the newest word of the club; where nobody says anything of a player who is known to be
young, initials. So nobody takes back another's word, and a join copies none. `Person.shown` holds what follows.
"""

import datetime as dt
from collections.abc import Iterable
from typing import ClassVar, NamedTuple

from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.utils.translation import gettext as _

from clubs.accounts.log import log
from clubs.accounts.roles import directs
from clubs.models import Club, Person, Player, Shown, ShownWord, User
from clubs.names import initials_of
from clubs.names_version import raise_names_version
from wording import Refusal, Texts, gettext_noop

# What a query of players joins so that they can be shown.
PUBLIC = ("person", "merged_into__person")
Way = ShownWord.Way
OWN = (Way.ACCOUNT, Way.LINK)
YOUNG = (Player.Category.YOUTH, Player.Category.JUNIOR)


class Called(NamedTuple):
    """What stands for a player, whether it is his name, and how he is `shown` in public. `known_as`: the number of the
    row that he is now, by which a phone knows its reader, of who stands by his name alone; `category`, `series` and
    `ladies`: not of who is hidden. They would tell who he is."""

    name: str
    named: bool
    shown: str = Shown.NAME
    known_as: int | None = None
    category: str = ""
    series: str = ""
    ladies: str = ""


def how_shown(player: Player) -> Shown:
    """In public; who is erased, or has no initials, is hidden. As `public_name`, it asks nothing."""
    who = player.is_now
    if who.erased_at or (who.person.shown == Shown.INITIALS and not initials_of(who.first_name, who.last_name)):
        return Shown.HIDDEN
    return Shown(who.person.shown)


def public_name(player: Player) -> str:
    """What stands for a player in public. Asks nothing where `person` and `merged_into__person` are loaded (PUBLIC)."""
    who = player.is_now
    return who.name if who.erased_at else call_as(who, who.person.shown)


def call_as(player: Player, shown: str) -> str:
    """What stands for a player who is shown so; initials of a name without letters hide it."""
    if shown == Shown.NAME:
        return player.name
    letters = initials_of(player.first_name, player.last_name) if shown == Shown.INITIALS else ""
    return letters or _("Hidden player")


def is_named(player: Player) -> bool:
    """Whether he stands by his name, so that a page of his own may be led to."""
    return how_shown(player) == Shown.NAME


def call(player: Player, name: str) -> Called:
    who, shown = player.is_now, how_shown(player)
    named = shown == Shown.NAME
    groups = ("", "", "") if shown == Shown.HIDDEN else (who.category, who.series, who.ladies)
    return Called(name, named, shown, who.pk if named else None, *groups)


def call_in_public(ids: Iterable[int]) -> dict[int, Called]:
    """By one query, for whoever may read."""
    players = Player.objects.select_related(*PUBLIC).in_bulk(ids)
    return {pk: call(player, public_name(player)) for pk, player in players.items()}


def call_for_directors(ids: Iterable[int]) -> dict[int, Called]:
    """By one query, for those who run the evening: everybody by his name."""
    players = Player.objects.select_related(*PUBLIC).in_bulk(ids)
    return {pk: call(player, player.is_now.name) for pk, player in players.items()}


# What is said, and what follows from it


class ShownRefused(Refusal):
    """Nothing was written."""

    messages: ClassVar[Texts] = {"shown_unknown": gettext_noop("Choose one of the three.")}


class Held(NamedTuple):
    """What is said of one player, or of whom has been merged into it; "" where nothing is."""

    own: str
    club: str

    @property
    def said(self) -> str:
        return strictest(self.own, self.club)


@transaction.atomic
def choose_shown(*, player: Player, shown: str, way: Way, by: User | None, now: dt.datetime) -> None:
    """Add one word on the player; by an account, on every player of that account. Raise `ShownRefused` for none of
    `Shown`. A word that is less strict than another's changes nothing in public while the other's holds."""
    if shown not in Shown:
        raise ShownRefused("shown_unknown", "shown")
    lock_clubs(player)
    person = Person.objects.select_for_update(of=("self",)).get(players=player)
    said = {"shown": shown, "own": way in OWN, "way": way, "by": by, "at": now}
    ShownWord.objects.bulk_create(ShownWord(player=each, **said) for each in spoken_of(player, way).order_by("pk"))
    settle(person)
    for each in person.players.real().select_related("club").order_by("pk"):
        log(each.club, f"shown_{shown}", now=now, by=author_in(each, by), whom=each.name)


def author_in(player: Player, by: User | None) -> User | None:
    """Who did something, for the log of a player's club; None for somebody of another club, whom a file of their own
    data would tell the player's name."""
    if by is None or by.is_superuser or player.account_id == by.pk:
        return by
    return by if directs(by, player.club) else None


def spoken_of(player: Player, way: Way) -> QuerySet[Player]:
    """The rows that a word on the player is about: the player, and all of its account's where the account speaks; with
    whom has been merged into them, so that the word takes the place of what was said of these."""
    now = Q(pk=player.is_now.pk)
    if way == Way.ACCOUNT and player.is_now.account_id is not None:
        now |= Q(account=player.is_now.account_id)
    real = Player.objects.real().filter(now)
    return Player.objects.filter(Q(pk__in=real) | Q(merged_into__in=real))


def lock_clubs(*players: Player) -> None:
    """Of all whom these persons play as, by their keys and before the persons: whoever changes how somebody is shown,
    or who he is, waits for whoever does."""
    persons = Player.objects.filter(pk__in=[player.pk for player in players]).values("person")
    clubs = Player.objects.filter(person__in=persons).values("club")
    list(Club.every.select_for_update().filter(pk__in=clubs).order_by("pk"))


def settle(*persons: Person) -> None:
    """Write what follows for the persons as they are now, and have every page of their clubs made anew."""
    for person in persons:
        person.shown = shown_of(person)
        person.save(update_fields=["shown"])
    raise_names_version(*Player.objects.filter(person__in=persons).values_list("club_id", flat=True))


def shown_of(person: Person) -> Shown:
    """The strictest of what holds of each player of a person. Two queries."""
    held = held_of(person)
    players = person.players.filter(erased_at=None)
    return Shown(strictest(Shown.NAME, *(held_or_unsaid(player, held.get(player.pk)) for player in players)))


def held_or_unsaid(player: Player, held: Held | None) -> str:
    """How a player is shown as far as it is for that player to say; whose age nobody knows is an adult. Somebody who
    has been merged has nothing but what was said."""
    said = held.said if held else ""
    young = player.merged_into_id is None and player.category in YOUNG
    return said or (Shown.INITIALS if young else "")


def held_of(person: Person) -> dict[int, Held]:
    """What is said of each player of a person of whom anything is, by the player's key."""
    told = {(word.player_id, word.own): word.shown for word in newest_words(person)}
    return {pk: Held(told.get((pk, True), ""), told.get((pk, False), "")) for pk, _own in told}


def newest_words(person: Person) -> QuerySet[ShownWord]:
    """Of each player of a person the newest own word, and the newest of the club."""
    newest = ShownWord.objects.filter(player__person=person, player__erased_at=None).order_by().values("player", "own")
    return ShownWord.objects.filter(pk__in=newest.annotate(newest=Max("pk")).values("newest"))


def privacy(shown: str) -> int:
    """The more private of two has the higher one; −1 where nothing is said."""
    return Shown(shown).privacy if shown else -1


def strictest(*shown: str) -> str:
    return max(shown, key=privacy)
