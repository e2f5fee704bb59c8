"""The check of a result, without a database: which side, which device, and what a director settles."""

import datetime as dt

import pytest

from evenings.plays.entries import agrees_unseen, confirms, current_of, open_contests, other_side, state_of_result
from evenings.plays.state import PlayState
from tournaments.models import EntryCheck, ResultEntry, Session

SAME, OTHER, BLIND = Session.Check.SAME, Session.Check.OTHER, Session.Check.BLIND
DIRECTOR = 1


def at(minute):
    return dt.datetime(2026, 11, 20, 20, minute, tzinfo=dt.UTC)


def row(taker="N", seat="N", checks=(), minute=0, **how):
    """Return an entry of device "one" with its checks: each is (agrees, author, minute)."""
    facts = {"kind": "fiche", "fiche_score": 60} if taker else {"kind": "passed"}
    entry = ResultEntry(
        **({"pk": 1, "taker": taker, "seat": seat, "device": "one", "entered_at": at(minute)} | facts | how)
    )
    entry._prefetched_objects_cache = {
        "checks": [EntryCheck(agrees=agrees, author_id=by, checked_at=at(when)) for agrees, by, when in checks]
    }
    return entry


@pytest.mark.parametrize(
    ("taker", "entered", "seat", "other"),
    [
        ("N", "N", "N", False),
        ("N", "N", "E", True),
        ("N", "E", "N", True),
        ("N", "E", "E", False),
        ("N", "E", "S", False),
        ("", "E", "E", False),
        ("", "E", "S", True),
        ("N", "", "E", True),
        ("N", "", "N", True),
        ("N", "E", "", True),
        ("N", "N", "", True),
    ],
)
def test_taker_is_one_side_and_the_defenders_the_other(taker, entered, seat, other):
    assert other_side(row(taker, entered), seat) is other


@pytest.mark.parametrize(
    ("check_by", "seat", "device", "is_check", "is_check_unseen"),
    [
        (SAME, "E", "one", True, True),  # the device was passed on to the other side
        (SAME, "N", "one", False, False),
        (SAME, "E", "two", True, True),
        (SAME, "N", "two", False, True),  # the first device may be lost
        (OTHER, "E", "one", False, False),  # a second device is asked for
        (OTHER, "E", "two", True, True),
        (OTHER, "N", "two", False, True),
        (BLIND, "E", "one", True, True),
        (BLIND, "E", "two", True, True),
        (BLIND, "N", "one", False, False),
        (BLIND, "N", "two", False, False),  # whoever entered it first checks nothing by entering it again
    ],
)
def test_agreement_counts_from_the_side_and_device_that_the_session_asks_for(
    check_by, seat, device, is_check, is_check_unseen
):
    entry = row(check_by=check_by)
    assert confirms(entry, seat=seat, device=device) is is_check
    assert agrees_unseen(entry, seat=seat, device=device) is is_check_unseen


def test_same_seat_on_the_same_device_checks_nothing_even_if_nobody_knows_the_seat():
    assert not confirms(row(seat=""), seat="", device="one")
    assert confirms(row(seat=""), seat="E", device="one")


@pytest.mark.parametrize(
    ("entry", "state"),
    [
        (row(), PlayState.ENTERED),
        (row(author_id=DIRECTOR), PlayState.CONFIRMED),
        (row(checks=[(True, None, 1)]), PlayState.CONFIRMED),
        (row(checks=[(True, None, 1), (False, None, 2)]), PlayState.DISPUTED),
        (row(checks=[(False, None, 1), (True, None, 2)], author_id=DIRECTOR), PlayState.CONFIRMED),
        (row(checks=[(False, None, 1)], author_id=DIRECTOR), PlayState.DISPUTED),
        (row(current=False), None),
    ],
)
def test_last_check_decides_and_without_any_a_director_confirms(entry, state):
    assert state_of_result([entry]) is state


def contested(minute, score=62, **how):
    return row(current=False, contested=True, fiche_score=score, minute=minute, **how)


def test_contested_entry_disputes_only_what_differs_from_the_entry_that_counts():
    current, same, different = row(), contested(5, score=60), contested(5)
    assert current_of([different, same, current]) is current
    assert open_contests([same, different, current], current) == [different]
    assert state_of_result([current, same]) is PlayState.ENTERED
    assert state_of_result([current, different]) is PlayState.DISPUTED
    assert open_contests([row(current=False, fiche_score=62, minute=5), current], current) == []


@pytest.mark.parametrize(
    ("settled_by", "open_from"),
    [
        (lambda: [row(checks=[(True, DIRECTOR, 5)])], 6),
        (lambda: [row(checks=[(True, None, 9), (True, DIRECTOR, 5), (True, DIRECTOR, 3)])], 6),
        (lambda: [row(author_id=DIRECTOR, minute=5)], 6),
        (lambda: [row(reason="fiche relue", minute=5)], 6),
        (lambda: [row(), row(current=False, author_id=DIRECTOR, minute=5)], 6),
        # A device alone settles nothing, and no contested entry does.
        (lambda: [row(minute=5)], 0),
        (lambda: [row(checks=[(True, None, 5)])], 0),
        (lambda: [row(), contested(9, score=60, author_id=DIRECTOR)], 0),
        (lambda: [row(), contested(9, score=60, reason="deux fiches")], 0),
    ],
)
def test_contest_is_open_if_it_came_after_the_last_word_of_a_director(settled_by, open_from):
    current, *rest = settled_by()
    minutes = range(8)
    found = [minute for minute in minutes if open_contests([contested(minute), *rest, current], current)]
    assert found == [minute for minute in minutes if minute >= open_from]
