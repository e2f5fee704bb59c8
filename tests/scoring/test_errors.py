"""Refusals survive the ways an error travels. That each code is raised is tested where it is raised."""

import pickle
import re
from pathlib import Path

import scoring
from scoring.errors import MESSAGES, ScoringError


def test_scoring_error_says_what_is_wrong_where_and_what_to_do():
    error = ScoringError("bouts", "bouts", {"value": 4})
    assert str(error) == "There are 0 to 3 bouts in the attack's tricks, not 4; correct bouts."
    assert (error.code, error.field, error.params) == ("bouts", "bouts", {"value": 4})
    assert isinstance(error, ValueError)


def test_scoring_error_survives_pickling():
    error = pickle.loads(pickle.dumps(ScoringError("bouts", "bouts", {"value": 4})))
    assert (error.code, error.field, error.params) == ("bouts", "bouts", {"value": 4})


def test_messages_hold_exactly_the_codes_that_the_package_raises():
    sources = [path.read_text(encoding="utf-8") for path in Path(scoring.__file__).parent.glob("*.py")]
    assert {code for source in sources for code in re.findall(r'ScoringError\(\s*"(\w+)"', source)} == set(MESSAGES)
