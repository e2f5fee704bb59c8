"""A note that is the better of a figure and the player's mean: it moves when the mean does."""

import copy

from django.utils.translation import override

from rankings.publication.differences import say_change
from rankings.publication.publishing import SESSIONS
from tests.rankings.publication.test_differences import NAMES, report


def fixed(data, told, note):
    play = data["etuis"][0]["plays"][0]
    play["fixed"], play["notes"] = {"E": told}, play["notes"] | {"E": note}
    return data


def told_in(language, before, after):
    with override(language):
        return [say_change(change, NAMES) for change in SESSIONS.compared.changes(before, after)]


def test_note_that_moved_by_itself_is_not_said_to_be_fixed_by_the_arbiter():
    before = fixed(report(), "better 60", "63")
    after = fixed(copy.deepcopy(before), "better 60", "322/5")
    assert [change["code"] for change in SESSIONS.compared.changes(before, after)] == ["fixed_moves"]
    assert told_in("en", before, after) == [
        "Étui 13, table 1, East: the note is the better of the arbiter’s and the player’s mean, now 64.4%"
    ]
    (said,) = told_in("fr", before, after)
    assert ("arbitre fixe" in said, "64,4" in said) == (False, True)


def test_note_that_the_arbiter_fixes_otherwise_is_said_to_be_fixed():
    before = fixed(report(), "better 60", "63")
    after = fixed(copy.deepcopy(before), "60", "60")
    assert told_in("en", before, after) == ["Étui 13, table 1, East: the arbiter fixes the note at 60.0%"]
