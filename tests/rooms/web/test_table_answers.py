"""The moves that the forms of a table send."""

import pytest
from django.http import QueryDict

from referee.errors import PlayRefused
from rooms.web.table.pages import read_answer, read_count, read_ticked


@pytest.mark.parametrize(
    ("sent", "move"),
    [
        ("move=k:55", "k:55"),
        ("move=-", "-"),
        ("move=x", "x"),
        ("", ""),
        ("move=e&ecart=17&ecart=3&ecart=20", "e:3,17,20"),
        ("move=e&ecart=17&ecart=3&chelem=x", "e:3,17 x"),
        ("move=p-simple&poignee-simple=76&poignee-simple=56&poignee-double=60", "p:56,76"),
        ("move=e&ecart=a&ecart=3", "e:3,a"),
    ],
)
def test_form_is_read_as_moves(sent, move):
    assert read_answer(QueryDict(sent)) == move


@pytest.mark.parametrize(("sent", "code"), [("move=e", "ecart_size"), ("move=p-double", "poignee_size")])
def test_form_without_a_ticked_card_is_refused_by_the_rule(sent, code):
    with pytest.raises(PlayRefused) as refused:
        read_answer(QueryDict(sent))
    assert refused.value.code == code


def test_ticked_cards_are_kept():
    assert read_ticked(QueryDict("ecart=3&ecart=x&poignee-triple=60&other=4")) == {3, 60}
    assert read_ticked(QueryDict(f"ecart={'7' * 5000}&ecart=²&ecart=-3")) == set()


@pytest.mark.parametrize(
    ("text", "number"), [("7", 7), ("0", 0), ("", None), ("-1", None), ("²", None), ("9" * 9, None)]
)
def test_count_of_an_address_is_a_short_number(text, number):
    assert read_count(text) == number
