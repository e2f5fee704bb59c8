"""The wish not to have a rating, and what follows from it at once: the stored rating is deleted."""

import datetime as dt

from django.db import transaction

from clubs.models import Player, User
from clubs.shown import Way, choose_rating
from tournaments.models import BoardMeasure, LeaderboardRow, PersonRating

RATING_ACTIONS = {"rating_off": True, "rating_on": False}  # the actions of the forms, and whether the rating is off


@transaction.atomic
def wish_rating(*, player: Player, off: bool, way: Way, by: User | None, now: dt.datetime) -> None:
    """Switch the rating of a player off, or take that back. If it is off, delete the person's stored rating.

    Positions of other people follow when the job runs next. A rating that is on again comes back then, too.
    """
    choose_rating(player=player, off=off, way=way, by=by, now=now)
    if off:
        person = Player.objects.values_list("person_id", flat=True).get(pk=player.pk)
        PersonRating.objects.filter(person=person).delete()
        LeaderboardRow.objects.filter(person=person, measure=BoardMeasure.RATING).delete()
