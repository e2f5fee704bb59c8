"""The rows that are deleted at once: the rating of a person who does not want one, and all rows of an erased person."""

import datetime as dt
from collections.abc import Iterable

from django.db import transaction
from django.db.models import Q

from clubs.models import Player, User
from clubs.shown import Way, choose_rating
from tournaments.models import BoardMeasure, Leaderboard, LeaderboardBasis, LeaderboardRow, PersonRating

RATING_ACTIONS = {"rating_off": True, "rating_on": False}  # the actions of the forms, and whether the rating is off


@transaction.atomic
def wish_rating(*, player: Player, off: bool, way: Way, by: User | None, now: dt.datetime) -> None:
    """Switch the rating of a player off, or take that back. If it is off, delete the person's stored rating.

    Positions of other people follow when the job runs next. A rating that is on again comes back then, too.
    """
    choose_rating(player=player, off=off, way=way, by=by, now=now)
    if off:
        person = Player.objects.values_list("person_id", flat=True).get(pk=player.pk)
        delete_places(Q(person=person), Q(measure=BoardMeasure.RATING))


def forget_on_leaderboards(players: Iterable[int], person: int | None) -> None:
    """Delete the stored ratings and places of a person who is erased, on the lists of all clubs and of the site.

    What the person has played in other clubs comes back when the job runs next.
    """
    whose = Q(player__in=list(players)) | (Q(person=person) if person else Q())
    delete_places(whose, Q())


def delete_places(whose: Q, which: Q) -> None:
    """Delete the ratings of a person, and those of their rows on leaderboards that meet the condition `which`.

    Then no basis is current any more. Otherwise, if the wish is taken back soon, the job would find nothing changed and
    never bring the rows back.
    """
    rows = LeaderboardRow.objects.filter(whose, which)
    boards = sorted(set(rows.values_list("board", flat=True)))
    PersonRating.objects.filter(whose).delete()
    rows.delete()
    Leaderboard.objects.filter(pk__in=boards).update(basis="")
    LeaderboardBasis.objects.update(basis="")
