"""The records of deals: text and JSON and back, typed text, partial records, claims, and what a record comes to."""

import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deals.domain.cards import CARDS, EXCUSE, HAND, PETIT, TRUMP_21, Seat, seats, show_card
from deals.domain.deal import Deal
from referee.cards import cards_of
from referee.errors import PlayRefused
from referee.games import NAMES
from referee.records.cards import read_typed_card
from referee.records.judging import judge_record
from referee.records.notation import dumps, loads, record_from_data, record_to_data
from referee.records.reading import read_record
from referee.records.values import DealRecord, RecordError
from referee.rules import PlayRules, order_of_play, seat_of
from scoring.values import Contract, Side
from tests.referee.games import play_at_random, start_at_random


def test_example_of_the_page_is_read_and_judged_without_a_fault():
    page = (Path(__file__).parents[3] / "docs" / "records.md").read_text()
    lines = page.partition("## The text")[2].partition("\n\nEach line")[0].split("\n")
    text = "".join(f"{line.strip()}\n" for line in lines if line.strip())
    assert dumps(loads(text)) == text
    assert judge_record(loads(text)).faults == ()


def record_of(seed: int, players: int = 4, cards: int = 78) -> DealRecord:
    """Return the record of a random deal, played to so many cards."""
    rng = random.Random(seed)
    state = play_at_random(rng, start_at_random(rng, players), cards)
    terms, order = state.terms, order_of_play(players)
    hands = {seat: cards_of(terms.dealt[order.index(seat)]) for seat in order}
    played = [card for trick in state.tricks for card in trick.cards] + list(state.cards)
    return DealRecord(
        players=players,
        dealer=seat_of(terms.dealer, players),
        taker=seat_of(terms.taker, players),
        contract=terms.contract,
        deal=Deal([hands[seat] for seat in seats(players)], cards_of(terms.chien)),
        called=terms.called,
        ecart=None if terms.ecart is None else tuple(cards_of(terms.ecart)),
        cards=tuple(played),
    )


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([3, 4, 5]), st.integers(0, 78), st.data())
def test_every_record_is_read_back_from_its_text_and_from_json(seed, players, cards, data):
    record = record_of(seed, players, cards)
    if data.draw(st.booleans()):
        record = replace(record, deal=None)
    if data.draw(st.booleans()):
        record = replace(record, ecart=None)
    if data.draw(st.booleans()):
        record = replace(record, chelem=record.taker)
    if data.draw(st.booleans()) and not record.is_complete:
        record = replace(record, claim=data.draw(st.sampled_from([Side.ATTACK, Side.DEFENCE])))
    text = dumps(record)
    assert loads(text) == record
    assert dumps(loads(text)) == text
    assert read_record(text) == record
    assert record_from_data(record_to_data(record)) == record


def test_passed_deal_and_an_auction_are_read_back():
    passed = DealRecord(4, Seat.N, None, None, bids=(None,) * 4)
    assert dumps(passed) == "record 4\ndealer N\nbids pass pass pass pass\n"
    bids = (None, Contract.PRISE, None, Contract.GARDE_CONTRE)
    bid = DealRecord(4, Seat.N, Seat.N, Contract.GARDE_CONTRE, bids=bids, poignees=((Seat.E, tuple(range(56, 66))),))
    for record in (passed, bid):
        assert loads(dumps(record)) == record == record_from_data(record_to_data(record))
    assert judge_record(passed).tricks == ()


LEAD = DealRecord(4, Seat.N, Seat.E, Contract.GARDE, cards=(13,))


def test_opening_lead_alone_is_a_record():
    assert dumps(LEAD) == "record 4\ndealer N\ntaker E garde\ntrick ♠R\n"
    assert loads(dumps(LEAD)) == LEAD
    judged = judge_record(LEAD)
    assert (judged.tricks, judged.faults, judged.result) == ((), (), None)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"cards": (13, 13)}, "twice"),
        ({"cards": (13,), "ecart": (13, 0, 1, 2, 3, 4)}, "twice"),
        ({"ecart": (0, 1, 2)}, "ecart"),
        ({"cards": tuple(range(73))}, "tricks"),
        ({"called": 13}, "called"),
        ({"players": 3}, "seat"),
        ({"dealer": Seat.F}, "seat"),
        ({"bids": (None, None, None, None)}, "bids"),
        ({"bids": (Contract.GARDE, Contract.PRISE, None, None)}, "bids"),
        ({"taker": None, "contract": None}, "taker"),
        ({"taker": None}, "taker"),
        ({"claim": Side.NONE}, "claim"),
        ({"cards": tuple(range(72)), "claim": Side.ATTACK}, "claim"),
    ],
)
def test_record_that_contradicts_itself_is_refused(change, code):
    change = {"taker": Seat.W, **change} if "players" in change else change
    with pytest.raises(RecordError) as caught:
        replace(LEAD, **change)
    assert caught.value.code == code
    assert str(caught.value)


TEXT = dumps(LEAD)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "first"),
        ("record 6\n", "first"),
        ("record 4\ntaker E garde\n", "dealer"),
        (TEXT + "dealer N\n", "again"),
        (TEXT + "weather fine\n", "key"),
        (TEXT + "claim both\n", "value"),
        (TEXT.replace("dealer N", "dealer X"), "value"),
        (TEXT.replace("E garde", "E petite"), "value"),
        (TEXT + "deal 1 2 3\n", "hands"),
        (TEXT + "bids pass\n", "value"),
        (TEXT.replace("♠R", "♠K"), "card"),
        (TEXT.replace("♠R", ""), "card"),
        (TEXT.rstrip("\n"), "canonical"),
        (TEXT.replace("trick ♠R\n", "trick ♠R\n\n"), "canonical"),
        ("record 4\n" + "trick ♠R\n" * 200_000, "long"),
    ],
)
def test_text_that_no_record_has_is_refused(text, code):
    with pytest.raises(RecordError) as caught:
        loads(text)
    assert caught.value.code == code
    assert str(caught.value)


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {"players": 4, "weather": "fine"},
        {"players": "4\ndealer N"},
        {"players": 4, "dealer": 3},
        {"players": 4, "dealer": "N", "tricks": "♠R"},
        {"players": 4, "dealer": "N", "tricks": ["♠R"]},
        {"players": 4, "dealer": "N", "poignees": [["W"]]},
        {"players": 4, "dealer": "N\ntaker E garde"},
    ],
)
def test_json_that_is_no_record_is_refused(data):
    with pytest.raises(RecordError, match=r"JSON object|wrong value"):
        record_from_data(data)


@pytest.mark.parametrize("card", range(CARDS))
def test_cards_are_read_as_the_site_and_the_vectors_write_them(card):
    assert read_typed_card(show_card(card), 1) == card
    assert read_typed_card(NAMES[card], 1) == card


@pytest.mark.parametrize(
    ("text", "language", "card"),
    [
        *((text, None, 13) for text in ("R♠", "♠K", "sr", "P14", "Rpique", "r-pique", "♤R")),
        *((text, None, 11) for text in ("♠C", "♠N", "♠12")),
        *((text, None, 9) for text in ("♠10", "♠T", "10♠")),
        *((text, None, EXCUSE) for text in ("*", "0", "E", "22", "excuse", "00-T")),
        *((text, None, TRUMP_21) for text in ("21", "A21", "21-T", "atout-21")),
        ("1", None, PETIT),
        ("CR", "fr", 27),
        ("CR", "en", 55),
        ("TR", "fr", 55),
        ("5T", "en", PETIT + 4),
        ("Rcœur", None, 27),
        ("DV", None, 38),
    ],
)
def test_typed_card_is_understood(text, language, card):
    assert read_typed_card(text, 1, language) == card


@pytest.mark.parametrize("text", ["CR", "CC", "TV", "10C", "T5"])
def test_letter_that_names_two_suits_is_asked_about(text):
    with pytest.raises(RecordError) as caught:
        read_typed_card(text, 7)
    assert (caught.value.code, caught.value.params["line"]) == ("suit_letter", 7)
    assert set("♥♣★") & set(caught.value.params["choices"])


@pytest.mark.parametrize("text", ["", "♠", "23", "♠15", "♠0", "XX", "♠RR", "R", "A22", "ATOUT-R", "99999999999"])
def test_what_is_no_card_is_refused(text):
    with pytest.raises(RecordError) as caught:
        read_typed_card(text, 1)
    assert caught.value.code == "card"


def test_typed_record_is_read():
    typed = """
    Partie 4
    Donneur : Nord       # the étui says so
    Preneur : Est, Garde
    1. r♠ 3♠ ; 7♠ as-pique"""
    with pytest.raises(RecordError):
        read_record(typed)
    read = read_record(typed.replace("as-pique", "1♠").lstrip("\n"))
    assert read == replace(LEAD, cards=(13, 2, 6, 0))


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("seed", range(8))
def test_complete_record_comes_to_the_result_of_its_game(seed, players):
    rng = random.Random(seed)
    state = play_at_random(rng, start_at_random(rng, players))
    judged = judge_record(record_of(seed, players))
    assert judged.result == state.result
    assert (judged.tricks, judged.faults) == (state.tricks, ())
    assert (judged.half_points, judged.bouts) == (state.result.half_points, state.result.bouts)
    bare = judge_record(replace(record_of(seed, players), deal=None))
    assert (bare.faults, bare.result) == ((), None)
    assert [trick.winner for trick in bare.tricks][:-1] == [trick.winner for trick in state.tricks][:-1]


def swap_first_illegal(record: DealRecord) -> DealRecord:
    """Return the record with a card exchanged for one that its player had to keep back."""
    for place in range(1, len(record.cards) - 1):
        for later in range(place + 1, len(record.cards)):
            cards = list(record.cards)
            cards[place], cards[later] = cards[later], cards[place]
            try:
                judged = judge_record(replace(record, cards=tuple(cards[: place + 1])))
            except PlayRefused:
                continue
            if judged.faults:
                return replace(record, cards=tuple(cards[: place + 1]))
    raise AssertionError


def test_revoke_is_kept_and_marked():
    record = swap_first_illegal(record_of(3, cards=40))
    (fault,) = judge_record(record).faults
    assert fault.code in ("follow", "trump", "overtrump")
    assert fault.card == record.cards[-1]


def test_card_of_another_hand_is_of_another_deal():
    record = record_of(5, cards=8)
    other = next(card for card in record.deal.hand(Seat.N) if card not in record.cards)
    own = next(card for card in record.deal.hand(Seat.S) if card not in record.cards)
    for card in (other, own):
        cards = (*record.cards[:4], card)
        turn = judge_record(replace(record, cards=record.cards[:4])).tricks[0].winner
        if card in record.deal.hand(seat_of(turn, 4)) or record.contract in (Contract.PRISE, Contract.GARDE):
            continue
        with pytest.raises(PlayRefused, match="does not hold"):
            judge_record(replace(record, cards=cards))


def test_suit_denied_before_is_a_fault_without_the_hands():
    cards = (13, 0, 20, 2, 12, 1, 3, 4)
    (fault,) = judge_record(replace(LEAD, cards=cards)).faults
    assert (fault.code, fault.seat, fault.card, fault.trick) == ("denied", Seat.E, 3, 2)


def test_claim_is_refused_by_the_setting_and_by_the_21():
    record = record_of(9, cards=8)
    holder = (
        next(seat for seat in seats(4) if TRUMP_21 in record.deal.hand(seat))
        if TRUMP_21
        not in (
            *record.deal.chien,
            *record.cards,
        )
        else record.taker
    )
    attack = holder == record.taker
    false = replace(record, claim=Side.DEFENCE if attack else Side.ATTACK)
    if TRUMP_21 not in record.cards:
        assert [fault.code for fault in judge_record(false).faults] == ["claim"]
    assert judge_record(replace(record, claim=Side.ATTACK if attack else Side.DEFENCE)).faults == ()
    with pytest.raises(RecordError, match="not allowed"):
        judge_record(false, PlayRules(claims=False))


END = DealRecord(4, Seat.N, Seat.W, Contract.GARDE_SANS)


def record_of_end(west: list[int], south: list[int], played: tuple[int, ...], claim: Side) -> DealRecord:
    """Return the record of a garde sans of West, who leads, with these cards left in two hands after those played."""
    free = [card for card in range(CARDS) if card not in (*west, *south, *played)]
    hands = {Seat.W: [*west], Seat.S: [*south], Seat.E: [], Seat.N: []}
    for seat, card in zip((Seat.W, Seat.S, Seat.E, Seat.N) * HAND[4], played, strict=False):
        hands[seat].append(card)
    for hand in hands.values():
        while len(hand) < HAND[4]:
            hand.append(free.pop(0))
    return replace(END, deal=Deal([hands[seat] for seat in seats(4)], free), cards=played, claim=claim)


def test_highest_trump_that_is_left_makes_a_claim_false():
    first = (TRUMP_21, PETIT + 1, PETIT + 2, PETIT + 3)
    for claim, expected in ((Side.ATTACK, ["claim"]), (Side.DEFENCE, [])):
        record = record_of_end([PETIT + 18], [PETIT + 19], first, claim)
        assert [fault.code for fault in judge_record(record).faults] == expected
    (fault,) = judge_record(record_of_end([PETIT + 18], [PETIT + 19], first, Side.ATTACK)).faults
    assert (fault.seat, fault.card, fault.trick) == (Seat.S, PETIT + 19, 2)


@pytest.mark.parametrize(("taken", "expected"), [(17, []), (16, ["claim"])])
def test_excuse_may_win_the_last_trick_of_a_chelem_that_is_claimed(taken, expected):
    """Let West win every trick but those after `taken`, with the Excuse left, while South keeps a trump."""
    spare = iter(card for card in range(CARDS) if card not in (EXCUSE, TRUMP_21))
    wins, others = list(range(TRUMP_21 - 1, PETIT - 1, -1)), [card for card in spare if card < PETIT]
    cards: list[int] = []
    for _ in range(17):
        cards += [wins.pop(0), *(others.pop() for _ in range(3))]
    record = record_of_end([EXCUSE], [TRUMP_21], tuple(cards[: 4 * taken]), Side.ATTACK)
    assert [fault.code for fault in judge_record(record).faults if fault.code == "claim"] == expected


TEN = tuple(range(PETIT, PETIT + 10))


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        ({"poignees": ((Seat.W, TEN[:9]),)}, ["poignee_size"]),
        ({"poignees": ((Seat.W, (*TEN[:9], 5)),)}, ["poignee_held"]),
        ({"poignees": ((Seat.W, TEN),)}, []),
        ({"poignees": ((Seat.W, TEN), (Seat.W, TEN))}, ["poignee_late"]),
        ({"poignees": ((Seat.W, TEN),), "cards": (13, TEN[0])}, ["poignee_held"]),
        ({"poignees": ((Seat.W, TEN),), "ecart": (TEN[3], 0, 1, 2, 3, 4)}, ["poignee_held"]),
        ({"poignees": ((Seat.E, TEN),), "ecart": (TEN[3], 0, 1, 2, 3, 4)}, []),
        ({"poignees": ((Seat.W, (*TEN[:9], EXCUSE)),), "cards": (TRUMP_21,)}, ["poignee_excuse"]),
        ({"poignees": ((Seat.W, (*TEN[:9], EXCUSE)),), "cards": (TEN[0],)}, []),
        ({"poignees": ((Seat.E, (*TEN[:9], EXCUSE)),), "ecart": (TEN[9], 0, 1, 2, 3, 4)}, []),
    ],
)
def test_poignee_of_an_unknown_hand_is_checked_as_far_as_its_cards_are_known(change, codes):
    assert [fault.code for fault in judge_record(replace(LEAD, **change)).faults] == codes


def test_poignee_of_a_known_hand_is_checked_whole():
    record = next(each for each in map(record_of, range(80)) if each.contract == Contract.GARDE_SANS)
    held = [card for card in record.deal.hand(Seat.N) if card >= PETIT]
    foreign = [card for card in range(PETIT, EXCUSE) if card not in held][:10]
    for cards, code in ((foreign, "poignee_held"), (held[:3], "poignee_size")):
        faults = judge_record(replace(record, poignees=((Seat.N, tuple(cards)),))).faults
        assert [fault.code for fault in faults] == [code]
        assert str(faults[0])


def test_record_with_a_deal_of_77_cards_is_refused():
    text = dumps(record_of(2))
    deal = next(line for line in text.splitlines() if line.startswith("deal "))
    hand = deal.split()[1]
    card = next(place for place, letter in enumerate(hand) if letter in "RDCVT98765432")
    with pytest.raises(RecordError, match="17 cards"):
        loads(text.replace(hand, hand[:card] + hand[card + 1 :], 1))


def test_ecart_with_a_trump_is_a_fault_and_of_other_cards_an_error():
    record = next(each for each in map(record_of, range(50)) if each.ecart)
    hand = [*record.deal.hand(record.taker), *record.deal.chien]
    trump = next(card for card in hand if PETIT < card < TRUMP_21)
    kept = record.ecart[:5]
    told = replace(record, ecart=(*kept, trump), cards=())
    assert [fault.code for fault in judge_record(told).faults] == ["ecart_trump"]
    other = next(card for card in range(CARDS) if card not in hand)
    with pytest.raises(PlayRefused, match="not among"):
        judge_record(replace(record, ecart=(*kept, other), cards=()))


def test_most_cards_of_a_record_are_those_of_the_hands():
    assert record_of(1).is_complete
    assert len(record_of(1).cards) == 4 * HAND[4]
