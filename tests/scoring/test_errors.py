"""The errors of scoring: their messages, and their way through pickling. Another test checks that each has a text."""

import pickle

from scoring.errors import ScoringError


def test_scoring_error_says_what_is_wrong_where_and_what_to_do():
    error = ScoringError("bouts", "bouts", {"value": 4})
    assert str(error) == "There are 0 to 3 bouts in the attack’s tricks, not 4: correct the bouts."
    assert (error.code, error.field, error.params) == ("bouts", "bouts", {"value": 4})
    assert isinstance(error, ValueError)


def test_scoring_error_survives_pickling():
    error = pickle.loads(pickle.dumps(ScoringError("bouts", "bouts", {"value": 4})))
    assert (error.code, error.field, error.params) == ("bouts", "bouts", {"value": 4})
