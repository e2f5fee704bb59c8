"""The person whose career page is requested, with all their player ids, if the reader may see the page.

Everybody may read the page of a person who is shown by name. The page of another person exists only for two readers:
the account of the player, and a director of a club that lists the player. These readers see the sessions that the
person played as that player, but no sessions in other clubs. For all other readers the page does not exist.
"""

from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser

from clubs.models import Club, Player, User, real_clubs
from clubs.roles import directs, is_limited
from clubs.shown import PUBLIC, is_named
from rankings.careers.summaries import SummaryKey, SummarySource, find_made
from tournaments.models import PublishedPlayer


class Subject(NamedTuple):
    """A person as the reader may see them.

    A person may be a player of several clubs. `player` is the first of these players. `ids` has the ids of all of them,
    as publications name them. `is_public` is True if everybody may read the page.
    """

    player: Player
    ids: tuple[int, ...]
    clubs: tuple[Club, ...]
    is_public: bool


def find_subject(user: User | AnonymousUser, number: int) -> Subject | None:
    """Return the person with this player id, or None if the reader may not see them.

    Two queries, and a third if the person is public and not the reader's own.
    """
    player = Player.objects.select_related(*PUBLIC).filter(pk=number).first()
    rows = rows_of_person(player.is_now) if player else []
    own = [row for row in rows if is_own(user, row.is_now)]
    subject = make_subject(rows)
    if subject is not None and subject.is_public and (own or is_published(subject)):
        return subject if number in subject.ids else None
    subject = make_subject(own)
    return subject if subject is not None and number in subject.ids else None


def rows_of_person(player: Player) -> list[Player]:
    """Return all players that are the same person, merged players too. This takes one query.

    Erased players and invented players of practice clubs are left out.
    """
    players = Player.objects.filter(real_clubs("club"), person=player.person_id).select_related("club", *PUBLIC)
    return [row for row in players.order_by("pk") if row.is_now.erased_at is None]


def make_subject(rows: list[Player]) -> Subject | None:
    """Return the person of these players, or None if there are none."""
    real = [row for row in rows if row.merged_into_id is None]
    if not real:
        return None
    ids = tuple(row.pk for row in rows)
    return Subject(real[0], ids, tuple(dict.fromkeys(row.club for row in real)), is_named(real[0]))


def subject_of(player: Player) -> Subject | None:
    """Return the person of a player, for readers who may see everything.

    Return None if the player is erased or invented for practice.
    """
    return make_subject(rows_of_person(player))


def is_own(user: User | AnonymousUser, player: Player) -> bool:
    """Return whether the reader is this player, or directs the player's club. A program is not a player."""
    if not user.is_authenticated:
        return False
    return (player.account_id == user.pk and not is_limited(user)) or directs(user, player.club)


def is_published(subject: Subject) -> bool:
    """Return whether any publication has the person. Without one the page is not public: a club's list is private."""
    return PublishedPlayer.objects.filter(player__in=subject.ids).exists()


class CareerState(NamedTuple):
    """A summary of the stored data about one or more persons. If their data change, `stamp` changes.

    `clubs` are the ids of the clubs where they have played. Companions are shown with the names that these clubs show.
    `made` has the number of rows and the newest row, by player and season.
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
        """The number of rows. For two persons, the numbers of their sessions are added up."""
        return sum(source.rows for source in self.made.values())


def look_at(*subjects: Subject) -> CareerState:
    """Return the state of the stored data about these persons. This takes two queries.

    The stamp contains the ids of the newest rows, because rows that are made again get new ids. It also contains the
    versions of the clubs' names, which a change of a name raises.
    """
    ids = [number for subject in subjects for number in subject.ids]
    made = find_made(ids)
    # each player has played in the club that lists the player
    played = Player.objects.filter(pk__in={key.player for key in made})
    clubs = list(Club.every.filter(pk__in=played.values("club")).order_by("pk").values_list("pk", "names_version"))
    own = [(each.pk, each.names_version) for subject in subjects for each in subject.clubs]
    stamp = (sorted(made.items()), clubs, own, [subject.player.pk for subject in subjects])
    return CareerState(stamp, tuple(pk for pk, _version in clubs), made)
