"""The operations of a director as data, and with the ids of players who were listed meanwhile."""

import json

import pytest

from tournaments.rules.operations import (
    Arrive,
    Leave,
    Resize,
    Return,
    Substitute,
    Swap,
    WrongEtuis,
    read_operation_data,
    with_players,
    write_operation_data,
)

WRITTEN = [
    (Arrive((1, 2), 3), {"kind": "arrive", "players": [1, 2], "after": 3}),
    (Leave((4,), 2, True), {"kind": "leave", "entrants": [4], "after": 2, "unplayed": True}),
    (Return((4,), 5), {"kind": "return", "entrants": [4], "after": 5}),
    (
        Substitute(4, 1, 2, False, False),
        {"kind": "substitute", "entrant": 4, "player": 1, "position": 2, "own": False, "ranked": False},
    ),
    (Swap(2, 4, 5), {"kind": "swap", "position": 2, "one": 4, "other": 5}),
    (
        WrongEtuis(2, 1, ((3, 4), (5, 6)), False, True),
        {
            "kind": "wrong_etuis",
            "position": 2,
            "table": 1,
            "pairs": [[3, 4], [5, 6]],
            "exchange": False,
            "later": True,
        },
    ),
    (Resize(7), {"kind": "resize", "positions": 7}),
]


@pytest.mark.parametrize(("operation", "data"), WRITTEN, ids=[data["kind"] for _operation, data in WRITTEN])
def test_operation_comes_back_from_its_data(operation, data):
    assert json.loads(json.dumps(write_operation_data(operation))) == data
    assert read_operation_data(data) == operation
    assert hash(read_operation_data(data)) == hash(operation)  # no list is left in it


def test_flags_of_an_operation_have_defaults():
    assert read_operation_data({"kind": "leave", "entrants": [4], "after": 2}) == Leave((4,), 2, unplayed=False)
    assert Substitute(4, 1, 2) == Substitute(4, 1, 2, own=True, ranked=True)
    assert WrongEtuis(2, 1, ((3, 4),)) == WrongEtuis(2, 1, ((3, 4),), exchange=True, later=False)


def test_unknown_kind_is_refused():
    with pytest.raises(KeyError):
        read_operation_data({"kind": "vanish"})


def test_players_who_were_listed_meanwhile_take_the_place_of_their_stand_ins():
    ids = {-1: 11, -2: 12}
    assert with_players(Arrive((-1, 5, -2), 3), ids) == Arrive((11, 5, 12), 3)
    assert with_players(Substitute(-1, -2, 3), ids) == Substitute(-1, 12, 3)
    assert with_players(Swap(-1, -2, 3), ids) == Swap(-1, -2, 3)
