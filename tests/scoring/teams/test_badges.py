"""The badges of a triplette: which colour attacks which étui."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.teams import AttackSlot, Badge, colour_attacks

BLUE, WHITE, RED = Badge


def slots(*numbers, session=1):
    """Return a slot for each number: étui 12 is the second étui of position 1."""
    return [AttackSlot(session, number // 10, number) for number in numbers]


@pytest.mark.parametrize(
    ("first", "colours"), [(BLUE, [BLUE, WHITE, RED]), (WHITE, [WHITE, RED, BLUE]), (RED, [RED, BLUE, WHITE])]
)
def test_kth_etui_goes_to_the_kth_colour_from_the_one_that_was_drawn(first, colours):
    given_slots = slots(11, 13, 21, 23, 31, 33, 41)
    assert colour_attacks(reversed(given_slots), first) == dict(
        zip(given_slots, [*colours, *colours, colours[0]], strict=True)
    )


def test_etuis_of_a_position_go_by_number_and_positions_before_numbers():
    moved = [AttackSlot(1, 2, 1), AttackSlot(1, 1, 9), AttackSlot(1, 1, 3), AttackSlot(2, 1, 1)]
    assert [*colour_attacks(moved, BLUE).items()] == [
        (AttackSlot(1, 1, 3), BLUE),
        (AttackSlot(1, 1, 9), WHITE),
        (AttackSlot(1, 2, 1), RED),
        (AttackSlot(2, 1, 1), BLUE),
    ]


def test_rotation_runs_on_over_sessions():
    first = colour_attacks(slots(11, 12), WHITE)
    both = colour_attacks([*slots(11, 12), *slots(11, 12, session=2)], WHITE, kept=first)
    assert [*both.values()] == [WHITE, RED, BLUE, WHITE]


def test_annulled_and_unplayed_etuis_keep_their_colour():
    colours = colour_attacks(slots(11, 12, 21, 22), BLUE)
    assert colour_attacks(slots(11, 12, 21, 22), BLUE, kept={slots(11)[0]: BLUE}) == colours


def test_change_of_plan_renumbers_only_what_is_not_played():
    before = colour_attacks(slots(11, 12, 21, 22), BLUE)
    kept = {slot: before[slot] for slot in slots(11, 12)}
    after = colour_attacks([*slots(11, 12), *slots(24, 31, 32)], BLUE, kept=kept)
    assert [*after.items()] == [*kept.items(), *zip(slots(24, 31, 32), [RED, BLUE, WHITE], strict=True)]


def test_played_slot_that_the_new_plan_no_longer_has_still_counts():
    after = colour_attacks(slots(21, 22), BLUE, kept={slots(11)[0]: BLUE})
    assert after == dict(zip(slots(11, 21, 22), [BLUE, WHITE, RED], strict=True))


def test_colours_that_were_played_out_of_order_come_near_to_equal_again():
    before = colour_attacks(slots(11, 12, 13, 14), BLUE)
    kept = {slot: before[slot] for slot in slots(11, 14)}  # blue and blue
    after = colour_attacks([*kept, *slots(21, 22, 23, 24)], BLUE, kept=kept)
    assert Counter(after.values()) == {BLUE: 2, WHITE: 2, RED: 2}


SLOTS = st.builds(AttackSlot, st.integers(1, 3), st.integers(1, 8), st.integers(1, 40))


@given(st.sets(SLOTS), st.sampled_from(Badge))
def test_shares_of_the_badges_are_within_one(planned, first):
    counts = Counter(dict.fromkeys(Badge, 0))
    counts.update(colour_attacks(planned, first).values())
    assert max(counts.values()) - min(counts.values()) <= 1
    assert sum(counts.values()) == len(planned)


@given(st.sets(SLOTS), st.sets(SLOTS), st.integers(0, 20), st.sampled_from(Badge))
def test_after_a_change_shares_are_within_one_and_nothing_played_changes(planned, replanned, played, first):
    """Keep the first étuis as played: a later plan changes only what follows them."""
    before = colour_attacks(planned, first)
    kept = dict([*before.items()][:played])
    after = colour_attacks({*kept, *replanned}, first, kept=kept)
    assert {slot: after[slot] for slot in kept} == kept
    counts = Counter(after.values())
    assert max(counts.values(), default=0) - min((counts[badge] for badge in Badge), default=0) <= 1
