"""Whose career somebody asks for: a player by any of his numbers, if the reader may have it.

Whoever is shown by name has a page that everybody may read. Of anybody else an account reads of the players that are
its own, and a director of those on the list of a club that he directs: what the person has played elsewhere is not
among it. For everybody else there is no such page, as if there had never been one.
"""

from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser

from clubs.accounts.roles import directs
from clubs.models import Club, Player, User
from clubs.shown import PUBLIC, is_named
from tournaments.careers.summaries import Key, Made, find_made
from tournaments.models import PublishedPlayer, Tournament


class Subject(NamedTuple):
    """A person as the reader may have him: the player who stands for him, the first of his clubs' lists; every number
    by which publications have him; his clubs; whether everybody may read of him."""

    player: Player
    ids: tuple[int, ...]
    clubs: tuple[Club, ...]
    is_public: bool


def find_subject(user: User | AnonymousUser, number: int) -> Subject | None:
    """By two queries, and a third of who is in no session that counts."""
    asked = Player.objects.select_related(*PUBLIC).filter(pk=number).first()
    rows = rows_of_person(asked.is_now) if asked else []
    own = [row for row in rows if is_own(user, row.is_now)]
    subject = make_subject(rows)
    if subject is not None and subject.is_public and (own or is_published(subject)):
        return subject if number in subject.ids else None
    subject = make_subject(own)
    return subject if subject is not None and number in subject.ids else None


def rows_of_person(player: Player) -> list[Player]:
    """Every row of the person, those merged too; without those erased, or invented for practice. One query."""
    found = Player.objects.filter(person=player.person_id, club__practice_of=None).select_related("club", *PUBLIC)
    return [row for row in found.order_by("pk") if row.is_now.erased_at is None]


def make_subject(rows: list[Player]) -> Subject | None:
    """The rows, of one person, as a subject; None where there are none."""
    real = [row for row in rows if row.merged_into_id is None]
    if not real:
        return None
    ids = tuple(row.pk for row in rows)
    return Subject(real[0], ids, tuple(dict.fromkeys(row.club for row in real)), is_named(real[0]))


def subject_of(player: Player) -> Subject | None:
    """The whole person, for who may have all of it; None where the player is erased, or invented for practice."""
    return make_subject(rows_of_person(player))


def is_own(user: User | AnonymousUser, player: Player) -> bool:
    """Whether the reader's account is the player, or the reader directs the player's club."""
    if not user.is_authenticated:
        return False
    return player.account_id == user.pk or directs(user, player.club)


def is_published(subject: Subject) -> bool:
    """Whether he was ever in anything that is published: a club's list is not public."""
    return PublishedPlayer.objects.filter(player__in=subject.ids).exists()


class Known(NamedTuple):
    """What there is of somebody, before any of it is read: by `stamp` it is told from what there was. `clubs`: where he
    has played, by their ids; those who played with him are called as they are there. `made`: his rows by season."""

    stamp: tuple[object, ...]
    clubs: tuple[int, ...]
    made: dict[Key, Made]

    @property
    def seasons(self) -> list[int]:
        """The newest first."""
        return sorted({key.season for key in self.made}, reverse=True)

    @property
    def rows(self) -> int:
        """How many sessions they have played, all of them together."""
        return sum(told.rows for told in self.made.values())


def look_at(*subjects: Subject) -> Known:
    """Two queries. Rows that are made anew have other numbers; the names of all clubs where he plays have versions."""
    ids = [number for subject in subjects for number in subject.ids]
    made = find_made(ids)
    played = Tournament.objects.filter(sessions__appearances__player__in=ids).values("club")
    clubs = list(Club.every.filter(pk__in=played).order_by("pk").values_list("pk", "names_version"))
    own = [(each.pk, each.names_version) for subject in subjects for each in subject.clubs]
    told = (sorted(made.items()), clubs, own, [subject.player.pk for subject in subjects])
    return Known(told, tuple(pk for pk, _version in clubs), made)
