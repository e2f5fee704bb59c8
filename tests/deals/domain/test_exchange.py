"""The exchange of deal sets as text, CSV and JSON: exact round trips, tolerant reading, errors with their place."""

import json
import re
from dataclasses import astuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deals.domain.cards import HAND, Seat, seats
from deals.domain.deal import Deal, dumps
from deals.domain.dealing import commitment, deal_etui, seed_commitment
from deals.domain.etui import name_seats, taker_and_dealer
from deals.domain.exchange import (
    EtuiSet,
    NumberedEtui,
    read_etui_csv,
    read_etui_text,
    read_json,
    write_csv,
    write_json,
    write_text,
)
from deals.domain.reading import ExchangeError, JsonPlace, TextPlace

SEED = bytes(range(32))
DEALS = [deal_etui(SEED, number).deal for number in range(1, 4)]
TEXTS = [dumps(deal) for deal in DEALS]
USUAL = EtuiSet(4, tuple(NumberedEtui(n, *taker_and_dealer(n), deal) for n, deal in enumerate(DEALS, 1)))
HANDS = TEXTS[0].split(" ")
FORMATS = [(write_text, read_etui_text), (write_csv, read_etui_csv), (write_json, read_json)]
READERS = [read for _, read in FORMATS]


@st.composite
def deals(draw, players):
    cards = draw(st.permutations(range(78)))
    size = HAND[players]
    return Deal([cards[i * size : (i + 1) * size] for i in range(players)], cards[players * size :])


@st.composite
def etui_sets(draw):
    players = draw(st.sampled_from([3, 4, 5]))
    numbers = sorted(draw(st.sets(st.integers(1, 10_000), min_size=1, max_size=4)))
    seat = st.sampled_from(seats(players))
    etuis = [
        NumberedEtui(number, draw(st.none() | seat), draw(seat), draw(st.none() | deals(players))) for number in numbers
    ]
    return EtuiSet(players, tuple(etuis))


@st.composite
def identified_sets(draw):
    plain = draw(etui_sets())
    seed = draw(st.none() | st.binary(min_size=32, max_size=32))
    words = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
    profile, value_name = draw(st.sampled_from(["", "garde-1"])), draw(words)
    if seed:
        bound = [commitment(seed, plain.players, profile, value_name), seed_commitment(seed)]
    else:
        bound = ["", commitment(SEED)]
    return EtuiSet(
        plain.players,
        plain.etuis,
        name=draw(words),
        seed=seed.hex() if seed else "",
        commitment=draw(st.sampled_from(bound)),
        profile=profile,
        value_name=value_name,
        value=draw(words),
    )


def refusal(read, text):
    with pytest.raises(ExchangeError) as caught:
        read(text)
    params = dict(caught.value.params)
    assert "\n" not in str(caught.value)
    place = params.pop("place", None)
    return caught.value.code, *(astuple(place) if place else ()), params


# Round trips


@pytest.mark.parametrize(("write", "read"), FORMATS)
@given(etui_set=etui_sets())
def test_reading_is_the_inverse_of_writing(write, read, etui_set):
    assert read(write(etui_set)) == etui_set


@given(identified_sets())
def test_json_keeps_what_identifies_the_set(etui_set):
    assert read_json(write_json(etui_set)) == etui_set


@given(identified_sets())
def test_text_and_csv_keep_the_etuis_alone(etui_set):
    assert (
        read_etui_text(write_text(etui_set))
        == read_etui_csv(write_csv(etui_set))
        == EtuiSet(etui_set.players, etui_set.etuis)
    )


def test_text_of_usual_etuis_is_number_and_deal():
    assert write_text(USUAL) == "".join(f"{number} {text}\n" for number, text in enumerate(TEXTS, 1))


def test_text_says_who_takes_and_deals_where_the_number_does_not():
    etui_set = EtuiSet(4, (NumberedEtui(1, Seat.E, Seat.N), NumberedEtui(2, None, Seat.S, DEALS[0])))
    assert write_text(etui_set) == f"1 taker=E -\n2 taker=- dealer=S {TEXTS[0]}\n"


def test_csv_has_a_column_for_each_hand():
    etui_set = EtuiSet(4, (NumberedEtui(1, Seat.W, Seat.N, DEALS[0]), NumberedEtui(2, None, Seat.S)))
    assert write_csv(etui_set) == (
        f"number,taker,dealer,N,E,S,W,chien\n1,W,N,{TEXTS[0].replace(' ', ',')}\n2,-,S,,,,,\n"
    )


def test_json_is_an_object_that_any_program_reads():
    assert json.loads(write_json(EtuiSet(4, (NumberedEtui(7, None, Seat.S, DEALS[0]),), name="Été"))) == {
        "players": 4,
        "name": "Été",
        "seed": "",
        "commitment": "",
        "profile": "",
        "value_name": "",
        "value": "",
        "boards": [{"number": 7, "taker": None, "dealer": "S", "deal": TEXTS[0]}],
    }


# Tolerant reading


@pytest.mark.parametrize(
    "first",
    [
        f"1 {TEXTS[0]}",
        f"  1: {TEXTS[0]}  # the first",
        f"1. {TEXTS[0].lower()}",
        f"1)\t{TEXTS[0].replace(' ', '   ')}",
        f"1 {TEXTS[0].replace('T', '10')}",
        f"1 {TEXTS[0].translate(str.maketrans('RDCV', 'KQNJ'))}",
        f"1 {TEXTS[0].translate(str.maketrans('-', '–'))}",
        f"1 {TEXTS[0].replace('*', '-Excuse')}",
        f"1 {TEXTS[0].replace('*', 'e').replace('-.', '.')}",
        "1 " + " | ".join(hand.replace(".", " . ").replace("-", " - ") for hand in HANDS),
        f"1 preneur=o donneur: N {TEXTS[0]}",
        f"01 TAKER=w {TEXTS[0].replace('T8732', '2378T')}",
    ],
)
def test_text_is_read_in_many_ways(first):
    text = f"\ufeff# a set\r\n\r\n{first}\r\n\r\n3 {TEXTS[2]}\r\n2 {TEXTS[1]}"
    assert read_etui_text(text) == USUAL


def test_ace_is_read_as_one():
    assert read_etui_text(f"1 {TEXTS[0].replace('R81', 'R8A')}").etuis == USUAL.etuis[:1]


@pytest.mark.parametrize("nothing", ["", " -", " –", " - - - - -", "   # dealt at the table"])
def test_etui_without_cards(nothing):
    assert read_etui_text(f"5{nothing}\n") == EtuiSet(4, (NumberedEtui(5, *taker_and_dealer(5)),))


def test_etuis_without_cards_are_for_the_players_that_a_line_says():
    assert read_etui_text("Players: 5\n2\n") == EtuiSet(5, (NumberedEtui(2, None, Seat.F),))


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_csv_is_read_with_any_delimiter_and_order_of_columns(delimiter):
    lines = [["Étui", "chien", "o", "s", "e", "n"]]
    lines += [[str(n), *reversed(text.split(" "))] for n, text in enumerate(TEXTS, 1)]
    text = "\r\n\r\n".join(delimiter.join(f'"{cell}"' for cell in line) for line in lines)
    assert read_etui_csv("\ufeff" + text) == USUAL


def test_csv_trumps_may_have_commas_in_quotes():
    hands = [f'"{hand.replace("-", ",")}"' if hand[0] != "-" else hand for hand in HANDS]
    hands = [hand.replace(".,.", ".-.") for hand in hands]
    assert read_etui_csv(f"number,N,E,S,W,chien\n1,{','.join(hands)}\n").etuis == USUAL.etuis[:1]


def test_csv_of_numbers_alone_has_etuis_without_cards():
    assert read_etui_csv("number\n1\n2\n") == EtuiSet(4, tuple(NumberedEtui(n, *taker_and_dealer(n)) for n in (1, 2)))


def test_json_needs_the_numbers_alone():
    assert read_json('{"boards": [{"number": 2}, {"number": 1}]}') == EtuiSet(
        4, tuple(NumberedEtui(n, *taker_and_dealer(n)) for n in (1, 2))
    )


def test_named_seats_of_three_and_five_are_the_dealer_alone_who_passes_to_the_right():
    assert [name_seats(n, 3) for n in (1, 2, 3, 4)] == [(None, "N"), (None, "S"), (None, "E"), (None, "N")]
    assert [name_seats(n, 5)[1] for n in range(1, 6)] == ["N", "F", "W", "S", "E"]


# Strict meaning


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ("no_boards", {})),
        ("# nothing\n\n", ("no_boards", {})),
        ("1 -\nx -", ("number", 2, 1, {"found": "“x”", "most": 10_000})),
        ("1 -\n  0 -", ("number", 2, 3, {"found": "“0”", "most": 10_000})),
        ("10001", ("number", 1, 1, {"found": "“10001”", "most": 10_000})),
        ("٣ -", ("number", 1, 1, {"found": "“٣”", "most": 10_000})),
        ("1 -\n\n1 -", ("repeated", 3, 1, {"found": "“1”", "first": TextPlace(1, 1)})),
        ("players 6\n1", ("players", 1, 9, {"found": "“6”"})),
        ("players 3\nplayers 4\n1", ("other_players", 2, 9, {"found": 4, "expected": 3})),
        (f"players 3\n1 {TEXTS[0]}", ("other_players", 2, 3, {"found": 4, "expected": 3})),
        ("1 taker=X -", ("seat", 1, 9, {"found": "“X”", "seats": "N, E, S, W"})),
        ("1 dealer=- -", ("seat", 1, 10, {"found": "“-”", "seats": "N, E, S, W"})),
        ("players 3\n1 dealer=W", ("seat", 2, 10, {"found": "“W”", "seats": "N, E, S"})),
        ("1 RDCV", ("hands", 1, 3, {"found": 1})),
        (f"1 RDCV {' '.join(HANDS[1:])}", ("suits", 1, 3, {"hand": "N", "found": 1})),
        (f"1 {TEXTS[0].replace('T8732', 'T8X32')}", ("rank", 1, 5, {"hand": "N", "found": "“X”"})),
        (f"1 {TEXTS[0].replace('T8732', 'T8032')}", ("rank", 1, 5, {"hand": "N", "found": "“0”"})),
        (f"1 {TEXTS[0].replace('17-10', '22-10')}", ("trump", 1, 18, {"hand": "N", "found": "“22”"})),
        (f"1 {TEXTS[0].replace('17-10', '0-10')}", ("trump", 1, 18, {"hand": "N", "found": "“0”"})),
        (f"1 {TEXTS[0].replace('17-10', 'V-10')}", ("trump", 1, 18, {"hand": "N", "found": "“V”"})),
        (
            f"1 {TEXTS[0].replace('T8732', '88732')}",
            ("duplicate_card", 1, 4, {"hand": "N", "card": "♠8", "other": "N"}),
        ),
        (f"1 {TEXTS[0].replace('T8732', 'T873')}", ("size", 1, 3, {"hand": "N", "expected": 18, "found": 17})),
    ],
)
def test_wrong_text_names_line_and_column(text, expected):
    assert refusal(read_etui_text, text) == expected


HEADER = "number,taker,dealer,N,E,S,W,chien"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\n", ("no_boards", {})),
        (HEADER, ("no_boards", {})),
        ("N,E", ("column_missing", 1, 1, {"found": "“number”"})),
        ("number,N,E,S,W", ("column_missing", 1, 1, {"found": "“chien”"})),
        ("number,N,S,chien", ("column_missing", 1, 1, {"found": "“E”"})),
        ("number,étui", ("column_repeated", 1, 8, {"found": "“number”"})),
        (
            "number,X",
            ("column", 1, 8, {"found": "“X”", "known": "number, taker, dealer, N, E, S, W, F, chien"}),
        ),
        (f"{HEADER}\n1,W,N", ("cells", 2, 1, {"found": 3, "expected": 8})),
        (f"{HEADER}\n1,W,Z,,,,,", ("seat", 2, 5, {"found": "“Z”", "seats": "N, E, S, W"})),
        (f"{HEADER}\n\n1,W,N,RD,,,,", ("hand_missing", 3, 10, {"hand": "E"})),
        (f'{HEADER}\n1,W,N,"RD,,,,', ("quote", 2, 7, {})),
        (f'{HEADER}\n1,W,N,R"D,,,,', ("quote", 2, 7, {})),
        (f'{HEADER}\n1,W,N,"R"D,,,,', ("quote", 2, 7, {})),
        (
            f"{HEADER}\n1,W,N,{TEXTS[0].replace(' ', ',').replace('T8732', 'TT732')}",
            ("duplicate_card", 2, 8, {"hand": "N", "card": "♠10", "other": "N"}),
        ),
    ],
)
def test_wrong_csv_names_line_and_column(text, expected):
    assert refusal(read_etui_csv, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ("json", 1, 1, {})),
        ('{"boards": [}', ("json", 1, 13, {})),
        ("[" * 100_000, ("json", "$", {})),
        ("9" * 5000, ("json", "$", {})),
        ("[]", ("type", "$", {"expected": "an object"})),
        ("{}", ("field_missing", "$", {"found": "“boards”"})),
        ('{"boards": {}}', ("type", "boards", {"expected": "a list"})),
        ('{"boards": []}', ("no_boards", {})),
        ('{"boards": [1]}', ("type", "boards[0]", {"expected": "an object"})),
        ('{"boards": [{}]}', ("field_missing", "boards[0]", {"found": "“number”"})),
        ('{"boards": [\n {"number": true}]}', ("number", "boards[0].number", {"found": "“True”", "most": 10_000})),
        (
            '{"boards": [{"number": 1}, {"number": 1}]}',
            ("repeated", "boards[1].number", {"found": "“1”", "first": JsonPlace("boards[0].number")}),
        ),
        ('{"name": "a", "boards": [{"number": 1}], "name": "b"}', ("field_repeated", "$", {"found": "“name”"})),
        (
            '{"boards": [{"number": 1, "number": 2}]}',
            ("field_repeated", "boards[0]", {"found": "“number”"}),
        ),
        (
            '{"boards": [{"number": 1}, {"number": 2, "cards": 2}]}',
            ("field", "boards[1]", {"found": "“cards”", "known": "number, taker, dealer, deal"}),
        ),
        ('{"boards": [{"number": 1, "deal": 2}]}', ("type", "boards[0].deal", {"expected": "a text or null"})),
        (
            '{"boards": [{"number": 1, "dealer": "X"}]}',
            ("seat", "boards[0].dealer", {"found": "“X”", "seats": "N, E, S, W"}),
        ),
        ('{"players": 7, "boards": [{"number": 1}]}', ("players", "players", {"found": "“7”"})),
        (
            '{"players": 3, "boards": [{"number": 1, "deal": "' + TEXTS[0] + '"}]}',
            ("other_players", "boards[0].deal", {"found": 4, "expected": 3}),
        ),
        ('{"boards": [{"number": 1, "deal": "RDCV"}]}', ("hands", "boards[0].deal", {"found": 1})),
        ('{"name": 7, "boards": [{"number": 1}]}', ("type", "name", {"expected": "a text"})),
        ('{"boards": [{"number": 1}],\n "seed": "00"}', ("seed", "seed", {})),
        (
            '{"boards": [{"number": 1}],\n"value": "' + "x" * 201 + '"}',
            ("length", "value", {"field": "value", "most": 200}),
        ),
        (
            f'{{"boards": [{{"number": 1}}], "seed": "{SEED.hex()}",\n"commitment": "{SEED.hex()}"}}',
            ("commitment", "commitment", {}),
        ),
        (
            '{"boards": [{"number": 1}],\n"profile": "garde-9"}',
            ("profile", "profile", {"found": "“garde-9”", "known": "garde-1, garde-1-south, auction-1"}),
        ),
        (
            '{"boards": [\n{"number": 1,\n "deal": "' + TEXTS[0].replace("17-10", "22-10") + '"}]}',
            ("trump", "boards[0].deal", {"hand": "N", "found": "“22”"}),
        ),
    ],
)
def test_wrong_json_names_the_path_of_the_value(text, expected):
    assert refusal(read_json, text) == expected


def test_a_set_may_have_ten_thousand_etuis():
    text = "".join(f"{number}\n" for number in range(1, 10_001))
    assert [etui.number for etui in read_etui_text(text).etuis] == list(range(1, 10_001))


# Fuzzing: the result is a valid set, or an error that names line and cause


@pytest.mark.parametrize("read", READERS)
@given(text=st.text())
def test_any_text_is_a_set_or_an_error_with_its_place(read, text):
    check(read, text)


@pytest.mark.parametrize(("write", "read"), FORMATS)
@given(data=st.data())
def test_mutated_set_is_a_set_or_an_error_with_its_place(write, read, data):
    text = write(data.draw(st.sampled_from([USUAL, EtuiSet(5, (NumberedEtui(3, None, Seat.F),))])))
    for _ in range(data.draw(st.integers(1, 4))):
        at, cut = data.draw(st.integers(0, len(text))), data.draw(st.integers(0, 3))
        text = text[:at] + data.draw(st.text('RDCVT9810.-*e ,;|"\n{}[]:#=taker', max_size=3)) + text[at + cut :]
    check(read, text)


def check(read, text):
    error = None
    try:
        etui_set = read(text)
    except ExchangeError as caught:
        error = caught
    if error is None:
        numbers = [etui.number for etui in etui_set.etuis]
        assert numbers == sorted(set(numbers)) != []
        for write, again in FORMATS:
            assert again(write(etui_set)).etuis == etui_set.etuis
    else:
        place = error.params.get("place")
        assert (place is None) == (error.code == "no_boards")
        if isinstance(place, TextPlace):
            assert 1 <= place.line <= len(re.split("\r\n|\r|\n", text))
            assert place.column >= 1
        assert len(str(error)) < 300
        assert str(error).splitlines() == [str(error)]
