"""The seats that face each other, and the two parts of an étui that was altered."""

from scoring.teams import find_facing
from tournaments.rules.etuis import AFTER, BEFORE, EtuiSplit, find_etui_part


def test_seats_face_each_other_half_way_around_the_table():
    assert find_facing("NESW") == {"N": "S", "E": "W", "S": "N", "W": "E"}
    assert find_facing("NES") == {"N": "E", "E": "S", "S": "N"}
    assert find_facing("NESWF") == {"N": "S", "E": "W", "S": "F", "W": "N", "F": "E"}


def test_plays_of_an_altered_etui_are_before_or_after():
    split = EtuiSplit(3, played_before=(2,))
    assert [find_etui_part(split, position, 1) for position in (2, 3, 4)] == [BEFORE, AFTER, AFTER]
    assert [find_etui_part(split, position, 2) for position in (2, 3, 4)] == [BEFORE, BEFORE, AFTER]
    assert find_etui_part(None, 9, 1) == BEFORE
    assert (BEFORE, AFTER) == (1, 2)  # stored standings and files say so
    assert EtuiSplit(3).part(3, 2) == AFTER
