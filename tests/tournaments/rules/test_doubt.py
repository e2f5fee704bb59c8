"""The site's doubts about right and wrong results of an evening: the promises of docs/plausibility.md."""

import pytest

from tests.tournaments.rules.slips import FICHES, RIGHT_FICHE, TABLES, doubted, doubted_before, unnoticed

FEW = 40  # étuis: enough to check the promises, few enough for a test


@pytest.mark.nightly("story")
@pytest.mark.parametrize("tables", TABLES)
def test_at_most_one_right_result_in_a_hundred_is_doubted(tables):
    assert 100 - unnoticed("nothing wrong", doubted, tables, etuis=FEW) <= 1


@pytest.mark.nightly("statistics")
@pytest.mark.parametrize("tables", TABLES)
def test_at_most_one_right_fiche_in_a_hundred_is_doubted(tables):
    assert 100 - unnoticed(RIGHT_FICHE, doubted, tables, etuis=FEW) <= 1


@pytest.mark.parametrize("slip", [*FICHES, "petit au bout entered where there was none"])
def test_slips_that_other_tables_hardly_tell_are_measured(slip):
    """Measure slips that only the person who types can notice.

    The grid shows "made by 12" or "failed by 12" beside each fiche.
    """
    assert 0 < unnoticed(slip, doubted, 7, etuis=FEW) < 100


@pytest.mark.nightly("story")
def test_wrong_bouts_are_noticed_more_often_than_not():
    assert (
        unnoticed("bouts one off", doubted, 7, etuis=FEW)
        < 45
        < unnoticed("bouts one off", doubted_before, 7, etuis=FEW)
    )


# The slip "mark in place of the score" is not among them, since it was nearly always noticed before too. Nor are ten
# points off, which either rule hardly notices.
NOTICED_MORE = [
    "points ten off",
    "bouts one off",
    "the neighbouring étui",
    "the other side’s points (91 − x)",
    "digits of the points exchanged (54 for 45)",
]


@pytest.mark.nightly("story")
@pytest.mark.parametrize("slip", NOTICED_MORE)
def test_every_slip_but_the_mark_is_noticed_more_often_than_before(slip):
    assert unnoticed(slip, doubted, 7, etuis=FEW) < unnoticed(slip, doubted_before, 7, etuis=FEW, named=False)
