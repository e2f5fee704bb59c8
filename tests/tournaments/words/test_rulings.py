"""The words of an arbiter's decision about a deal that a table dealt."""

import pytest
from django.utils.translation import override

from tournaments.models import Ruling
from tournaments.words.rulings import say_taken

NAMES = {"N": "Ada", "E": "Bob", "S": "Cyr", "W": "Dan", "C": "Eve"}


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"taker": "N"}, ["taker: Ada"]),
        ({"taker": "N", "partner": "S"}, ["taker: Ada", "partner: Cyr"]),
        ({"taker": "N", "partner": "N"}, ["taker: Ada", "alone"]),
        ({"marks": {"S": 20, "N": -10, "E": -10}}, ["Ada −10", "Bob −10", "Cyr +20"]),
        ({}, []),
    ],
)
def test_decision_names_the_taker_and_the_partner_or_the_marks(told, said):
    with override("en"):
        assert say_taken(Ruling(**told), NAMES) == said
