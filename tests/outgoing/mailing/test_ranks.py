"""The ranks in a letter with a feuille: that of the session's reference comes first."""

from types import SimpleNamespace

import pytest
from django.utils.translation import override

from evenings.reference import Reference
from outgoing.mailing.feuilles import say_figures
from scoring.formats import INDIVIDUAL


@pytest.mark.parametrize(
    ("reference", "alterne", "told"),
    [
        (Reference.ALTERNE, 3, ["Rank, alterné 3", "Rank, général 5"]),
        (Reference.GENERAL, 3, ["Rank, général 5", "Rank, alterné 3"]),
        (Reference.GENERAL, None, ["Rank, général 5"]),
        (Reference.SECTIONS, 3, ["Rank, all sections 9", "Rank, général 5", "Rank, alterné 3"]),
        (None, 3, []),
    ],
)
def test_letter_tells_the_rank_of_the_reference_first(reference, alterne, told):
    player = SimpleNamespace(id=1, overall=None, penalty=0, rank_general=5, rank_alterne=alterne)
    ranking = SimpleNamespace(together=[SimpleNamespace(id=1, rank_general=9)])
    report = SimpleNamespace(data=SimpleNamespace(format=INDIVIDUAL), ranking=ranking)
    with override("en"):
        assert list(say_figures(player, report, reference))[1:] == told
