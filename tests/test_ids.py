"""The names of tests: short enough for one line of a report and for a command line."""

import pytest

from tests.conftest import LONGEST


def test_name_of_a_test_with_its_case_has_at_most_eighty_letters(request):
    """Check every test of this run."""
    assert LONGEST == 80
    assert [item.nodeid for item in request.session.items if len(item.name) > LONGEST] == []


@pytest.mark.parametrize("case", ["a" * 100, "a" * 101, 10**100])
def test_long_names_of_cases_are_cut_and_differ(request, case):
    mine = [item.name for item in request.session.items if item.originalname == request.node.originalname]
    assert len(request.node.name) <= LONGEST
    assert mine.count(request.node.name) == 1
