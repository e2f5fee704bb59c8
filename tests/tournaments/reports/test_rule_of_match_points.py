"""The rule of match points below a ranking: in quadrettes the other team loses them, in team matches it has 0."""

import pytest

from tournaments.words.formats import say_word


@pytest.mark.usefixtures("english")
@pytest.mark.parametrize(("name", "has_nothing"), [("quadrettes", False), ("team_match", True)])
def test_ranking_explains_the_match_points_of_its_own_format(name, has_nothing):
    told = say_word(name, "how_compared")
    assert ("and the other team has 0" in told, "loses as many" in told) == (has_nothing, not has_nothing)
