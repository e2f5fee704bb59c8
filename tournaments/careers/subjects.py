"""The person whose career is requested, by any number of their players, if the reader may see it.

A person shown by name has a page that everybody may read. For anybody else, an account sees the players that are its
own, and a director those on the lists of clubs that they direct, but not what the person has played elsewhere. For all
other readers the page does not exist, as if it had never been there.
"""

from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser

from clubs.accounts.roles import directs
from clubs.models import Club, Player, User, real_clubs
from clubs.shown import PUBLIC, is_named
from tournaments.careers.summaries import SummaryKey, SummarySource, find_made
from tournaments.models import PublishedPlayer, Tournament


class Subject(NamedTuple):
    """A person as the reader may see them.

    `player` stands for the person: the first on the lists of the clubs. `ids` has every number that publications have
    for the person. `is_public` is true if everybody may read the page.
    """

    player: Player
    ids: tuple[int, ...]
    clubs: tuple[Club, ...]
    is_public: bool


def find_subject(user: User | AnonymousUser, number: int) -> Subject | None:
    """Return the person with this player number, or None.

    Two queries, and a third if no session that counts has the person.
    """
    asked = Player.objects.select_related(*PUBLIC).filter(pk=number).first()
    rows = rows_of_person(asked.is_now) if asked else []
    own = [row for row in rows if is_own(user, row.is_now)]
    subject = make_subject(rows)
    if subject is not None and subject.is_public and (own or is_published(subject)):
        return subject if number in subject.ids else None
    subject = make_subject(own)
    return subject if subject is not None and number in subject.ids else None


def rows_of_person(player: Player) -> list[Player]:
    """Return every row of the person, merged ones too, without erased or practice players. One query."""
    found = Player.objects.filter(real_clubs("club"), person=player.person_id).select_related("club", *PUBLIC)
    return [row for row in found.order_by("pk") if row.is_now.erased_at is None]


def make_subject(rows: list[Player]) -> Subject | None:
    """Return the rows of one person as a subject, or None if there are none."""
    real = [row for row in rows if row.merged_into_id is None]
    if not real:
        return None
    ids = tuple(row.pk for row in rows)
    return Subject(real[0], ids, tuple(dict.fromkeys(row.club for row in real)), is_named(real[0]))


def subject_of(player: Player) -> Subject | None:
    """Return the whole person, for readers who may see everything.

    None if the player is erased or a practice player.
    """
    return make_subject(rows_of_person(player))


def is_own(user: User | AnonymousUser, player: Player) -> bool:
    """Return whether the reader's account is the player, or the reader directs the player's club."""
    if not user.is_authenticated:
        return False
    return player.account_id == user.pk or directs(user, player.club)


def is_published(subject: Subject) -> bool:
    """Return whether a publication ever had the person. A club's list is not public."""
    return PublishedPlayer.objects.filter(player__in=subject.ids).exists()


class CareerState(NamedTuple):
    """An overview of a person's data before any of it is read. A new `stamp` means that the data has changed.

    `clubs` are the ids of the clubs where the person has played; companions are named as in these clubs. `made`
    describes the rows by season.
    """

    stamp: tuple[object, ...]
    clubs: tuple[int, ...]
    made: dict[SummaryKey, SummarySource]

    @property
    def seasons(self) -> list[int]:
        """The seasons, the newest first."""
        return sorted({key.season for key in self.made}, reverse=True)

    @property
    def rows(self) -> int:
        """The number of sessions that the persons have played, added up."""
        return sum(told.rows for told in self.made.values())


def look_at(*subjects: Subject) -> CareerState:
    """Return the overview for these persons. Two queries.

    Rows that are made again have new numbers, and the names of all clubs where a person plays have versions: both are
    in the stamp.
    """
    ids = [number for subject in subjects for number in subject.ids]
    made = find_made(ids)
    played = Tournament.objects.filter(sessions__appearances__player__in=ids).values("club")
    clubs = list(Club.every.filter(pk__in=played).order_by("pk").values_list("pk", "names_version"))
    own = [(each.pk, each.names_version) for subject in subjects for each in subject.clubs]
    told = (sorted(made.items()), clubs, own, [subject.player.pk for subject in subjects])
    return CareerState(told, tuple(pk for pk, _version in clubs), made)
