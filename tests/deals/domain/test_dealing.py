"""The dealing algorithm TDG-1: its published vectors, and a slow second implementation of the specification."""

import hashlib
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deals.domain.cards import CARDS
from deals.domain.deal import dumps, has_petit_sec
from deals.domain.dealing import (
    MAX_ETUI,
    DealingError,
    commitment,
    deal_etui,
    draw_seed,
    mix_seed,
    seed_commitment,
    seed_from_hex,
)

SEED = bytes(range(32))
ETUI_1 = (
    "T8732.R8.9.T96.17-10-8-7-5-4* RCV9641.952.-.R81.18-16-9-3-2 -.7431.CVT76432.DC7.21-20-6"
    " D5.DCVT6.D1.V543.15-14-13-12-11 -.-.R85.2.19-1"
)


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def plain_stream(seed, etui, attempt, players):
    block = 0
    while True:
        numbers = (number.to_bytes(4, "big") for number in (etui, attempt, block))
        yield from sha256(b"TDG1", seed, bytes([players]), *numbers)
        block += 1


def plain_shuffle(seed, etui, attempt, players):
    stream = plain_stream(seed, etui, attempt, players)
    cards = list(range(78))
    for i in range(77, 0, -1):
        byte = next(stream)
        while byte >= 256 - (256 % (i + 1)):
            byte = next(stream)
        j = byte % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def plain_deal(seed, etui, players, accept=lambda piles: True):
    """Return hands and chien as sets, and the number of the attempt, by the specification alone."""
    size = {3: 24, 4: 18, 5: 15}[players]
    attempt = 0
    while True:
        cards = plain_shuffle(seed, etui, attempt, players)
        hands = [set(cards[s * size : s * size + size]) for s in range(players)]
        petit_sec = any(56 in hand and not hand & set(range(57, 78)) for hand in hands)
        piles = [*hands, set(cards[players * size :])]
        if not petit_sec and accept(piles):
            return piles, attempt
        attempt += 1


def as_sets(deal):
    return [set(pile) for pile in deal.piles]


def refusal(call, *args):
    with pytest.raises(DealingError) as caught:
        call(*args)
    return caught.value.code, caught.value.params


# The published vectors


def test_commitment_vectors():
    assert commitment(SEED) == "bc6188ed8e957ce5db3e8da4d49bc75c8d3eaf29f51dba96934489f35dc811c7"
    assert commitment(SEED, 4, "garde-1") == "813ff6d66767d181eb63885e1ced6a0ed25fb109e964eca5591c1c468fc182ea"
    name = "Loto du 21 novembre 2026, numéros croissants"
    assert commitment(SEED, 5, "", name) == "17f5946ad992dc98f5ee2d0e3277b4f845caa770f3a184a4acd9a5fae2dc1f0f"
    assert seed_commitment(SEED) == "8516c27dc89bdf82b0d05567858cb2d7eae83835a70424c82096812cc7ee972b"


def test_commitment_is_another_whatever_is_changed():
    told = [(4,), (3,), (5,), (4, "garde-1"), (4, "garde-2"), (4, "", "garde-1"), (4, "g", "arde-1"), (4, "", "Loto")]
    assert len({commitment(SEED, *identity) for identity in told} | {seed_commitment(SEED)}) == len(told) + 1


def test_drawn_seed_follows_both_the_random_bytes_and_what_was_given():
    assert draw_seed(SEED, b"") == sha256(b"TDGS", SEED)
    assert len({draw_seed(SEED, b""), draw_seed(SEED, SEED), draw_seed(bytes(32), SEED), SEED}) == 4


def test_etui_1_vector():
    etui = deal_etui(SEED, 1)
    assert (dumps(etui.deal), etui.attempt) == (ETUI_1, 0)


def test_etuis_1_to_36_vector():
    lines = "".join(f"{number} {dumps(deal_etui(SEED, number).deal)}\n" for number in range(1, 37))
    expected = "923af29d98a871047e4d3a813e0ed9764159e351d764a1746f725f716d4828ea"
    assert hashlib.sha256(lines.encode()).hexdigest() == expected


def test_first_etui_with_a_second_attempt_is_226():
    assert [n for n in range(1, 227) if deal_etui(SEED, n).attempt] == [226]
    assert deal_etui(SEED, 226).attempt == 1


# The second implementation


@pytest.mark.nightly("statistics")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_etuis_agree_with_the_plain_implementation(players):
    for number in range(1, 10_001):
        deal, attempt = deal_etui(SEED, number, players)
        assert (as_sets(deal), attempt) == plain_deal(SEED, number, players)


@given(st.binary(min_size=32, max_size=32), st.integers(1, 2**32 - 1), st.sampled_from([3, 4, 5]))
def test_any_etui_of_any_seed_agrees_with_the_plain_implementation(seed, number, players):
    deal, attempt = deal_etui(seed, number, players)
    assert (as_sets(deal), attempt) == plain_deal(seed, number, players)


def test_accept_moves_on_to_the_next_attempt():
    deal, attempt = deal_etui(SEED, 5, accept=lambda deal: 76 in deal.hands[1])
    assert (as_sets(deal), attempt) == plain_deal(SEED, 5, 4, lambda piles: 76 in piles[1])
    assert attempt > 0


# Invariants


@given(st.binary(min_size=32, max_size=32), st.integers(1, 2**32 - 1), st.sampled_from([3, 4, 5]))
def test_every_card_is_dealt_once_and_no_hand_has_a_petit_sec(seed, number, players):
    deal = deal_etui(seed, number, players).deal
    assert sorted(card for pile in deal.piles for card in pile) == list(range(CARDS))
    assert [len(pile) for pile in deal.piles] == {3: [24] * 3 + [6], 4: [18] * 4 + [6], 5: [15] * 5 + [3]}[players]
    assert not has_petit_sec(deal)


def test_petit_sec_has_the_probability_that_the_specification_states():
    """Compute it from four hands: the Petit is with 17 of the 56 cards that are neither trump nor Excuse."""
    assert (4 * comb(56, 17) * 6001312165589) == 11066915160 * comb(78, 18)


@pytest.mark.parametrize("players", [3, 5])
def test_etuis_depend_on_the_number_of_players(players):
    assert plain_shuffle(SEED, 1, 0, 4) != plain_shuffle(SEED, 1, 0, players)
    assert deal_etui(SEED, 1, players).deal.players == players


# Seeds


def test_mixed_seed_is_the_hash_of_seed_and_value():
    assert mix_seed(SEED, "7 14 21 28 35 + 3") == sha256(b"TDGM", SEED, b"7 14 21 28 35 + 3")
    assert mix_seed(SEED, "é") == sha256(b"TDGM", SEED, b"\xc3\xa9")


def test_mixed_seed_counts_every_letter_of_the_value():
    assert len({mix_seed(SEED, value) for value in ("", "a", "A", "a ")} | {SEED}) == 5


@pytest.mark.parametrize("text", [SEED.hex(), SEED.hex().upper(), f" {SEED.hex()}\n"])
def test_seed_from_hex(text):
    assert seed_from_hex(text) == SEED


@given(st.text())
def test_seed_from_hex_refuses_what_is_no_seed(text):
    assert refusal(seed_from_hex, text)[0] in {"seed_digit", "seed_digits"}


def test_seed_from_hex_says_where_it_is_wrong():
    assert refusal(seed_from_hex, "00g") == ("seed_digit", {"column": 3, "found": "g"})
    assert refusal(seed_from_hex, "00") == ("seed_digits", {"found": 2})


@pytest.mark.parametrize("size", [0, 31, 33])
@pytest.mark.parametrize("call", [commitment, lambda seed: mix_seed(seed, ""), lambda seed: deal_etui(seed, 1)])
def test_seed_of_a_wrong_size_is_refused_everywhere(call, size):
    assert refusal(call, bytes(size)) == ("seed_size", {"found": size})


@pytest.mark.parametrize("number", [-1, 0, 2**32])
def test_etui_number_out_of_range_is_refused(number):
    assert refusal(deal_etui, SEED, number) == ("board", {"found": number})


def test_last_etui_that_has_a_number_is_dealt():
    assert deal_etui(SEED, MAX_ETUI).deal != deal_etui(SEED, MAX_ETUI - 1).deal


@pytest.mark.parametrize("players", [0, 2, 6])
def test_etui_for_a_wrong_number_of_players_is_refused(players):
    assert refusal(deal_etui, SEED, 1, players) == ("players", {"found": players})


def test_accept_that_refuses_everything_ends_in_an_error(monkeypatch):
    monkeypatch.setattr("deals.domain.dealing.MAX_ATTEMPTS", 10)
    assert refusal(deal_etui, SEED, 7, 4, lambda deal: False) == ("attempts", {"board": 7, "found": 10})
