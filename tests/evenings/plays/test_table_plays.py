"""The play of a table, without a database: the arbiter's part in it, and what its players may see and correct."""

from itertools import product

import pytest

from evenings.plays.state import PlayState
from evenings.plays.table_plays import TablePlay, is_closed, is_complete, present_position, table_play
from tests.evenings.plays.test_checks import DIRECTOR, row
from tournaments.models import EtuiRuling, Play, PlayRecord, ResultEntry, Ruling, Session

SAME, NONE = Session.Check.SAME, Session.Check.NONE
WITHDRAWN, RESTORED, ANNULLED = Ruling.RulingKind.WITHDRAWN, Ruling.RulingKind.RESTORED, Ruling.RulingKind.ANNULLED


def play_of(*rows, rulings=(), records=(), position=1, etui_ruling="", **how):
    """Return a play with these entries, with rulings of these kinds, and with records that count or not."""
    play = Play(pk=1, position=position, **how)
    play._prefetched_objects_cache = {
        "entries": list(rows),
        "rulings": [Ruling(kind=kind) for kind in rulings],
        "records": [PlayRecord(current=current) for current in records],
    }
    return table_play(play, EtuiRuling(kind=etui_ruling) if etui_ruling else None)


@pytest.mark.parametrize(("records", "counts"), [([], None), ([False], None), ([False, True], 1), ([True, False], 0)])
def test_record_that_counts_is_the_current_one(records, counts):
    shown = play_of(records=records)
    assert shown.record is (None if counts is None else shown.play.records.all()[counts])


@pytest.mark.parametrize(
    ("rows", "rulings", "withdrawn"),
    [
        ([row(current=False)], [WITHDRAWN], True),
        ([row(current=False)], [RESTORED, WITHDRAWN], True),
        ([row(current=False)], [WITHDRAWN, RESTORED], False),
        ([row(current=False), row()], [WITHDRAWN], False),
        ([], [], False),
    ],
)
def test_result_is_withdrawn_until_another_is_entered_or_another_ruling_is_made(rows, rulings, withdrawn):
    assert play_of(*rows, rulings=rulings).withdrawn is withdrawn


@pytest.mark.parametrize(
    ("entries", "arbiter"),
    [
        ([], ""),
        ([row(current=False, author_id=DIRECTOR)], ""),
        ([row()], ""),
        ([row(version=2)], ""),
        ([row(author_id=DIRECTOR, version=1)], "entered"),
        ([row(author_id=DIRECTOR, version=2)], "corrected"),
        ([row(checks=[(True, DIRECTOR, 1)])], "confirmed"),
        ([row(checks=[(False, DIRECTOR, 1)])], ""),
        ([row(checks=[(True, None, 1)])], ""),
        ([row(checks=[(True, None, 1), (True, DIRECTOR, 2)])], "confirmed"),
        ([row(checks=[(False, None, 1), (True, DIRECTOR, 2)])], "confirmed"),
        ([row(checks=[(True, DIRECTOR, 1), (True, None, 2)])], ""),
        ([row(checks=[(True, DIRECTOR, 1), (False, DIRECTOR, 2)])], ""),
    ],
)
def test_arbiter_has_entered_corrected_or_confirmed_the_result_that_counts(entries, arbiter):
    assert play_of(*entries).arbiter == arbiter


def visible(**how):
    """Return an entry of a session that shows other tables' results."""
    return row(**({"shows": True} | how))


def figure(play, what):
    """Return the answers for a stop that lacks results, and for a complete one."""
    return tuple(getattr(play, what)(complete=complete) for complete in (False, True))


NEVER, WHEN_COMPLETE, AT_ONCE = (False, False), (False, True), (True, True)


@pytest.mark.parametrize(
    ("rows", "stands", "was_shown"),
    [
        ([], NEVER, NEVER),
        ([visible(check_by=SAME)], NEVER, NEVER),
        ([visible(check_by=SAME, checks=[(True, None, 1)])], AT_ONCE, AT_ONCE),
        ([visible(check_by=SAME, checks=[(False, None, 1)])], NEVER, NEVER),
        ([visible(check_by=SAME, author_id=DIRECTOR)], AT_ONCE, AT_ONCE),
        ([visible(check_by=NONE)], WHEN_COMPLETE, WHEN_COMPLETE),
        ([visible(check_by=NONE, checks=[(False, None, 1)])], NEVER, NEVER),
        # The session shows no results, and so the table may go on correcting its own.
        ([visible(check_by=SAME, checks=[(True, None, 1)], shows=False)], NEVER, NEVER),
        ([visible(check_by=NONE, shows=False)], NEVER, NEVER),
        # An earlier version was agreed on or came from a director, so its players could see the others.
        ([visible(check_by=SAME, current=False, checks=[(True, None, 1)]), visible(check_by=SAME)], NEVER, AT_ONCE),
        ([visible(check_by=SAME, current=False, author_id=DIRECTOR), visible(check_by=SAME)], NEVER, AT_ONCE),
        ([visible(check_by=SAME, current=False, checks=[(False, None, 1)]), visible(check_by=SAME)], NEVER, NEVER),
        ([visible(check_by=SAME, current=False)], NEVER, NEVER),
    ],
)
def test_others_results_are_shown_once_both_sides_agree_or_the_stop_is_complete(rows, stands, was_shown):
    play = play_of(*rows)
    assert (figure(play, "stands"), figure(play, "was_shown"), figure(play, "is_final")) == (
        stands,
        was_shown,
        was_shown,
    )


def test_adjusted_result_is_final_and_an_adjusted_play_without_one_is_not():
    adjusted = [Ruling.RulingKind.ADJUSTED]
    assert figure(play_of(row(check_by=SAME), rulings=adjusted), "is_final") == AT_ONCE
    assert figure(play_of(rulings=adjusted), "is_final") == NEVER


@pytest.mark.parametrize(
    ("how", "state"),
    [
        ({}, PlayState.TODO),
        ({"started_at": 1}, PlayState.STARTED),
        ({"is_replay": True}, PlayState.NOT_PLAYED),
        ({"rulings": [ANNULLED]}, PlayState.ANNULLED),
        ({"rulings": [ANNULLED, RESTORED]}, PlayState.TODO),
        ({"etui_ruling": ANNULLED}, PlayState.ANNULLED),
        ({"etui_ruling": RESTORED}, PlayState.TODO),
    ],
)
def test_state_comes_from_the_newest_rulings_the_start_and_the_replay(how, state):
    assert play_of(**how).state is state


TODO, DONE = play_of(), play_of(row())


@pytest.mark.parametrize(("plays", "complete"), [([], True), ([DONE], True), ([DONE, TODO], False), ([TODO], False)])
def test_stop_is_complete_when_no_play_waits_and_closed_when_over(plays, complete):
    assert is_complete(plays) is complete
    for over, position in product((1, 2, 3), repeat=2):
        assert is_closed(over, position, plays) is (complete and position <= over)


def at(position, *, done=False, started=False):
    return play_of(*([row()] if done else ()), position=position, **({"started_at": 1} if started else {}))


@pytest.mark.parametrize(
    ("called", "plays", "position"),
    [
        (0, [], 1),
        (0, [at(1), at(2)], 1),
        (0, [at(1, done=True), at(2)], 1),
        (0, [at(1, done=True), at(2, started=True), at(3)], 2),
        (0, [at(1), at(2), at(3, done=True)], 3),
        (2, [], 2),
        (2, [at(1), at(2), at(3)], 1),
        (2, [at(1, done=True), at(2), at(3)], 2),
        (2, [at(1, done=True), at(2, done=True), at(3)], 2),
        (1, [at(1, done=True), at(2), at(3, started=True)], 1),
        (3, [at(1), at(2, done=True), at(2), at(3)], 2),
        (3, [at(1), at(2, done=True), at(3)], 3),
        (3, [at(1, done=True), at(2, started=True), at(3)], 2),
    ],
)
def test_table_plays_the_first_position_left_among_those_called_and_begun(called, plays, position):
    assert present_position(Session(position=called, positions=4), plays) == position
    assert present_position(Session(position=called, positions=4), plays[::-1]) == position


def test_entry_without_the_ones_it_replaced_is_enough():
    shown = TablePlay(Play(pk=1), [ResultEntry(current=False), entry := ResultEntry(current=True)], PlayState.ENTERED)
    assert (shown.current, TablePlay(Play(pk=1), [], PlayState.TODO).current) == (entry, None)
