"""The order of rows in a ranking, the players who share a rank, and the players on the podium."""

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankings.publication.order import Sort, arrange, find_podium_rows, read_sort, shared_ranks, sorts_of


class Row(NamedTuple):
    rank: int | None
    figure: int | None


rows = st.lists(
    st.builds(Row, st.one_of(st.none(), st.integers(1, 9)), st.one_of(st.none(), st.integers(-3, 3))), max_size=12
)


@given(rows, st.booleans())
def test_everybody_is_listed_once_the_unranked_last_and_who_lacks_a_figure_later(listed, descending):
    arranged = arrange(listed, lambda row: row.figure, descending=descending)
    assert sorted(map(repr, arranged)) == sorted(map(repr, listed))
    places = [(row.rank is None, row.figure is None) for row in arranged]
    assert places == sorted(places)
    for group in set(places):
        figures = [row.figure for row in arranged if (row.rank is None, row.figure is None) == group]
        assert group[1] or figures == sorted(figures, reverse=descending)


@pytest.mark.parametrize("descending", [False, True])
def test_equals_keep_their_order_whichever_the_way(descending):
    listed = [Row(rank, 5) for rank in (3, 1, 2)]
    assert arrange(listed, lambda row: row.figure, descending=descending) == listed


@pytest.mark.parametrize(
    ("text", "sort"),
    [
        ("name", Sort("name", descending=False)),
        ("-name", Sort("name", descending=True)),
        ("--name", None),
        ("", None),
        ("nobody", None),
        ("-", None),
    ],
)
def test_sort_is_read_from_an_address_and_written_into_one(text, sort):
    assert read_sort(text, ["rank", "name"]) == sort
    assert sort is None or str(sort) == text
    assert sort is None or str(sort.turned) in sorts_of(["name"])


def test_rank_is_shared_by_who_has_it_with_others():
    assert shared_ranks([1, 1, 3, None, None, 4]) == {1}


@pytest.mark.parametrize(
    ("ranks", "on_podium"),
    [
        ([1, 2, 3, 4], [1, 2, 3]),
        ([1, 1, 1, 1, 5], [1, 1, 1, 1]),
        ([1, 1, 3, 3, 5], [1, 1, 3, 3]),
        ([1, None], [1]),
        ([None, None], []),
        ([], []),
        ([1] * 300, []),
        ([1, *[2] * 6, 8], [1]),
        ([1, 2, *[3] * 5], [1, 2]),
        ([1, *[2] * 5], [1, 2, 2, 2, 2, 2]),
        ([*[1] * 7, 8], []),
        ([4, 2, 1, 3], [1, 2, 3]),
    ],
)
def test_podium_has_the_first_three_ranks_as_far_as_few_share_them(ranks, on_podium):
    assert [row.rank for row in find_podium_rows([Row(rank, 0) for rank in ranks])] == on_podium
