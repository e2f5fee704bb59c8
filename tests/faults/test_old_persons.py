"""The upgrade of persons from their first tables, on both databases.

A player who was joined by one club alone is not handed over by the upgrade.
"""

import json

import pytest

from tests.services.test_upgrade import succeed, where  # noqa: F401

pytestmark = pytest.mark.nightly("process")


@pytest.fixture
def told(where):  # noqa: F811
    succeed(where, "-m", "tests.faults.old_persons", "fill")
    succeed(where, "manage.py", "migrate", "--no-input")
    return json.loads(succeed(where, "-m", "tests.faults.old_persons", "tell").splitlines()[-1])


def test_what_persons_had_goes_to_the_players_that_had_it(told):
    assert told["players"] == {
        "junior": {"account": None, "words": [["hidden", "director", False]], "shown": "hidden"},
        "bait": {"account": "sock", "words": [["name", "director", False]], "shown": "hidden"},
        "one": {"account": "zoe", "words": [["initials", "account", True]], "shown": "initials"},
        "two": {"account": "zoe", "words": [["initials", "account", True]], "shown": "initials"},
        "left": {"account": None, "words": [["hidden", "link", True]], "shown": "hidden"},
        "right": {"account": None, "words": [["hidden", "link", True]], "shown": "hidden"},
    }
    assert told["links"] == {"bait junior": [False, False], "one two": [True, True], "left right": [True, True]}
