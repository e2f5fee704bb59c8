"""The entrants of a session as standings read them: who is a substitute, and whose lots count."""

import pytest
from django.utils import timezone

from scoring.plays import Line
from tests.factories import make_director, started_session
from tournaments.models import TieDraw
from tournaments.standings.field import FieldMember, find_substitutes, read_field, read_session_draw

EAST = Line.E


def member(pk, *stays):
    return FieldMember(pk, EAST, True, 100 + pk, stays)


def test_who_moves_to_a_seat_that_somebody_left_is_no_substitute():
    left = member(1, (1, 1, 2))
    moved = member(2, (2, 1, 2), (1, 3, None))
    came = member(3, (1, 3, None))
    assert find_substitutes([left, moved]) == set()
    assert find_substitutes([left, moved, came]) == {3}


@pytest.mark.django_db
def test_lots_of_the_newest_draw_count_for_those_who_are_in_the_session():
    session = started_session()
    first, second, third = session.entrants.order_by("pk")[:3]
    told = {"author": make_director(session.tournament.club), "drawn_at": timezone.now(), "session": session}
    for order in ([third.player_id], [second.player_id, 0, first.player_id]):
        TieDraw.objects.create(tournament=session.tournament, order=order, **told)
    members = read_field(session.pk).members
    assert read_session_draw(session.pk, members) == [second.pk, first.pk]
