"""The strengths of those who play alone in rooms: means, weighed by the strength of the others in the same room."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rooms.record.strengths import RatedRoom, RoomTableMean, find_strengths_in_rooms


def make_room(day=1, deals=8, **means):
    numbers = {name: number for number, name in enumerate("abcdefgh", start=1)}
    return RatedRoom(day, tuple(RoomTableMean(numbers[name], mean, deals) for name, mean in means.items()))


def test_two_equal_players_have_no_strength_and_sure_ones_are_closer():
    few = find_strengths_in_rooms([make_room(a=50.0, b=50.0)])
    many = find_strengths_in_rooms([make_room(a=50.0, b=50.0, deals=200)] * 20)
    assert [few[1].figure, few[2].figure, few[1].deals, few[1].group] == [0.0, 0.0, 8, 1]
    assert many[1].within < few[1].within


def test_equal_means_are_worth_more_among_strong_players():
    """Check that the rating does not repeat the mean: a and c both have 55 %, but a met the stronger b."""
    rooms = [make_room(a=55.0, b=45.0, deals=50), make_room(c=55.0, d=45.0, deals=50)] * 20
    rooms += [make_room(b=70.0, d=30.0, deals=50)] * 20
    found = find_strengths_in_rooms(rooms)
    assert found[1].figure > found[3].figure + 10
    assert {told.group for told in found.values()} == {1}


def test_known_strengths_are_found_again():
    chance, true = random.Random(5), {1: 6.0, 2: 2.0, 3: -3.0, 4: -5.0}
    rooms = []
    for _room in range(400):
        there = chance.sample(sorted(true), 3)
        notes = {player: true[player] + chance.gauss(0, 5) for player in there}
        middle = sum(notes.values()) / 3  # the notes of a room have the mean 50
        tables = [RoomTableMean(player, 50 + note - middle, 8) for player, note in notes.items()]
        rooms.append(RatedRoom(1, tuple(tables)))
    found = find_strengths_in_rooms(rooms)
    assert all(abs(found[player].figure - strength) < 0.8 for player, strength in true.items())


def test_old_results_count_less_and_rooms_of_one_table_nothing():
    old, new = make_room(1, a=70.0, b=30.0), make_room(1 + 365 * 4, a=30.0, b=70.0)
    assert find_strengths_in_rooms([old, new])[1].figure < 0
    assert find_strengths_in_rooms([make_room(a=70.0)]) == {}


@pytest.mark.nightly("story")
@settings(max_examples=30, deadline=None)
@given(st.randoms(use_true_random=False), st.lists(st.floats(0, 100), min_size=2, max_size=6))
def test_order_of_rooms_and_tables_changes_no_digit(chance, means):
    rooms = [RatedRoom(day, tuple(RoomTableMean(at, mean, 8) for at, mean in enumerate(means))) for day in range(4)]
    mixed = [room._replace(tables=tuple(chance.sample(room.tables, len(room.tables)))) for room in rooms]
    chance.shuffle(mixed)
    assert find_strengths_in_rooms(mixed) == find_strengths_in_rooms(rooms)


@pytest.mark.parametrize("deals", [1, 24])
def test_bots_have_several_tables_of_a_room(deals):
    room = RatedRoom(1, (RoomTableMean(1, 100.0, deals), *(RoomTableMean(-1, 100 / 3, deals) for _table in range(3))))
    found = find_strengths_in_rooms([room])
    assert found[1].figure > 0 > found[-1].figure
    assert found[-1].deals == 3 * deals
