"""How people stand in what is public: by name, by initials, or hidden. `public_name` is the only way by which a name
gets onto anything that a stranger may see: pages, answers, files, feeds, pictures.

What is said of a person is kept (`ShownWord`): the newest word counts, and no director goes below the person's own.
Where nobody says anything, who is known to be young stands by initials. `Person.shown` holds what follows.
"""

import datetime as dt
from collections.abc import Iterable
from typing import ClassVar, NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import Club, Person, Player, Shown, ShownWord, User
from clubs.names import initials_of
from clubs.players import raise_names_version
from wording import Refusal, Texts, gettext_noop

# What a query of players joins so that they can be shown.
PUBLIC = ("person", "merged_into__person")
Way = ShownWord.Way
OWN = (Way.ACCOUNT, Way.LINK)
YOUNG = (Player.Category.YOUTH, Player.Category.JUNIOR)


class Called(NamedTuple):
    """What stands for a player, whether it is his name, and how he is `shown` in public. `known_as`: the number of the
    row that he is now, by which a phone knows its reader, of who stands by his name alone; `category`: not of who is
    hidden. They would tell who he is."""

    name: str
    named: bool
    shown: str = Shown.NAME
    known_as: int | None = None
    category: str = ""


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
    return Called(name, named, shown, who.pk if named else None, "" if shown == Shown.HIDDEN else who.category)


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

    messages: ClassVar[Texts] = {
        "shown_unknown": gettext_noop("Choose one of the three."),
        "shown_below_own_word": gettext_noop(
            "%(name)s asked for more privacy than that: only the person can take it back, logged in or by the link on"
            " the guide card."
        ),
    }


class Said(NamedTuple):
    """What holds of a person: the least that he wants himself, and what is said now; "" where nobody says anything."""

    least: str
    now: str


@transaction.atomic
def choose_shown(*, player: Player, shown: str, way: Way, by: User | None, now: dt.datetime) -> ShownWord:
    """One more word on the person whom the player is, which counts from now on. `ShownRefused` for none of `Shown`, and
    where a director would show more than the person wants himself."""
    if shown not in Shown:
        raise ShownRefused("shown_unknown", "shown")
    lock_clubs(player)
    person = Person.objects.select_for_update(of=("self",)).get(players=player)
    own = way in OWN
    if not own and privacy(shown) < privacy(said_of(person).least):
        raise ShownRefused("shown_below_own_word", "shown", name=player.name)
    word = ShownWord.objects.create(person=person, shown=shown, own=own, way=way, by=by, at=now)
    settle(person)
    return word


def lock_clubs(*players: Player) -> None:
    """Of all whom these persons play as, by their keys and before the persons: whoever changes how somebody is shown,
    or who he is, waits for whoever does."""
    persons = Player.objects.filter(pk__in=[player.pk for player in players]).values("person")
    clubs = Player.objects.filter(person__in=persons).values("club")
    list(Club.every.select_for_update().filter(pk__in=clubs).order_by("pk"))


def settle(*persons: Person) -> None:
    """Writes what follows for the persons as they are now, and has every page of their clubs made anew."""
    for person in persons:
        person.shown = said_of(person).now or unsaid(person)
        person.save(update_fields=["shown"])
    raise_names_version(*Player.objects.filter(person__in=persons).values_list("club_id", flat=True))


def said_of(person: Person, until: dt.datetime | None = None) -> Said:
    """With `until`: before what was taken over at that moment from a person who was joined."""
    words = person.shown_words.all()
    if until is not None:
        words = words.filter(at__lte=until).exclude(at=until, way=Way.JOINED)
    found = [rows.values_list("shown", flat=True).first() for rows in (words.filter(own=True), words)]
    return Said(*(shown or "" for shown in found))


def newest_word(person: Person) -> ShownWord | None:
    """What counts: who said it, and when."""
    return person.shown_words.select_related("by").first()


def unsaid(person: Person) -> Shown:
    """How somebody is shown of whom nothing is said: of unknown age is an adult."""
    return Shown.INITIALS if person.players.real().filter(category__in=YOUNG).exists() else Shown.NAME


def privacy(shown: str) -> int:
    """The more private of two has the higher one; −1 where nothing is said."""
    return Shown(shown).privacy if shown else -1


def strictest(*shown: str) -> str:
    return max(shown, key=privacy)


def take_over(kept: Person, gone: Person, *, by: User, now: dt.datetime) -> None:
    """Two persons are one from now on, the players moved already: as the more private of them was shown, so is he."""
    one, other, at_least = said_of(kept), said_of(gone), strictest(kept.shown, gone.shown)
    said = strictest(one.now, other.now)
    said = at_least if privacy(said or unsaid(kept)) < privacy(at_least) else said
    bring_to(kept, Said(strictest(one.least, other.least), said), Way.JOINED, by=by, now=now)


def give_back(kept: Person, was: Person, since: dt.datetime, *, by: User, now: dt.datetime) -> None:
    """One person is two again, the players moved already: as each was before. What was said since holds of both."""
    if kept.shown_words.filter(at__gt=since).exists():
        one, other = said_of(was), said_of(kept)
        told = Said(strictest(one.least, other.least), strictest(one.now, other.now))
        bring_to(was, told, Way.PARTED, by=by, now=now)
        settle(kept)
    else:
        bring_to(kept, said_of(kept, until=since), Way.PARTED, by=by, now=now)
        settle(was)


def bring_to(person: Person, told: Said, way: Way, *, by: User, now: dt.datetime) -> None:
    """Adds the words, if any, by which this holds of a person."""
    for own, shown in ((True, told.least), (False, told.now)):
        if said_of(person)[0 if own else 1] != shown:
            ShownWord.objects.create(person=person, shown=shown, own=own, way=way, by=by, at=now)
    settle(person)
