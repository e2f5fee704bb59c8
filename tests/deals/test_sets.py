"""The life of a deal set: made, sealed, drawn, typed, copied and revealed, each step once and in order."""

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from deals.domain.cards import Seat
from deals.domain.deal import dumps, loads
from deals.domain.dealing import commitment, deal_etui, draw_seed, mix_seed, seed_commitment
from deals.domain.etui import taker_and_dealer
from deals.domain.exchange import EtuiSet, NumberedEtui
from deals.domain.profile import get_profile
from deals.errors import DealSetRefused
from deals.models import DealLook, DealSet, Etui
from deals.sets import (
    add_etuis,
    copy_deal_set,
    create_deal_set,
    create_set_dealt_at_table,
    deal_from_public_value,
    import_deal_set,
    record_look,
    reveal_deal_set,
    seal_deal_set,
    type_cards,
)
from tests.factories import SEED, make_club, make_director

pytestmark = pytest.mark.django_db
COMMITMENT = "bc6188ed8e957ce5db3e8da4d49bc75c8d3eaf29f51dba96934489f35dc811c7"


@pytest.fixture
def club():
    return make_club()


def make(club, **how):
    return create_deal_set(
        club=club, name="étuis", count=how.pop("count", 4), now=timezone.now(), by=None, seed=SEED, **how
    )


def refusal(call, **kwargs):
    with pytest.raises(DealSetRefused) as caught:
        call(**kwargs)
    return caught.value.code


def test_generated_set_holds_the_deals_of_its_seed(club):
    deal_set = make(club)
    assert deal_set.commitment == COMMITMENT
    assert [etui.cards for etui in deal_set.etuis.all()] == [dumps(deal_etui(SEED, n).deal) for n in range(1, 5)]
    assert {etui.origin for etui in deal_set.etuis.all()} == {Etui.Origin.GENERATED}


def test_seed_drawn_here_is_new_each_time(club):
    now = timezone.now()
    seeds = {create_deal_set(club=club, name="x", count=1, now=now, by=None).seed for _ in range(3)}
    assert len(seeds) == 3
    assert {len(seed) for seed in seeds} == {64}


def test_takers_of_a_profiled_set_have_hands_worth_taking(club):
    deal_set = make(club, profile="garde-1", count=36)
    profile = get_profile("garde-1")
    assert all(profile.accepts(loads(etui.cards).hand(Seat(etui.taker))) for etui in deal_set.etuis.all())


def test_south_takes_every_etui_of_a_set_that_says_so_also_of_those_added_later(club):
    deal_set = make(club, profile="garde-1-south", count=6)
    add_etuis(deal_set_id=deal_set.pk, last=9)
    etuis = list(deal_set.etuis.all())
    assert [etui.taker for etui in etuis] == ["S"] * 9
    assert [etui.dealer for etui in etuis] == [taker_and_dealer(etui.number)[1] for etui in etuis]
    profile = get_profile("garde-1-south")
    assert all(profile.accepts(loads(etui.cards).hand(Seat.S)) for etui in etuis)
    assert deal_set.commitment == commitment(bytes.fromhex(deal_set.seed), 4, "garde-1-south")


def test_imported_etui_that_names_another_taker_than_the_profile_is_refused(club):
    etui_set = EtuiSet(4, (NumberedEtui(1, Seat.N, Seat.W),), seed=SEED.hex(), profile="garde-1-south")
    with transaction.atomic():
        assert refusal(imported, club=club, etui_set=etui_set) == "taker_not_of_profile"


def test_imported_etuis_of_a_set_in_which_south_takes_are_dealt_for_south(club):
    etui_set = EtuiSet(4, (NumberedEtui(1, Seat.S, Seat.W),), seed=SEED.hex(), profile="garde-1-south")
    (etui,) = imported(club, etui_set).etuis.all()
    assert (etui.taker, get_profile("garde-1-south").accepts(loads(etui.cards).hand(Seat.S))) == ("S", True)


@pytest.mark.parametrize("players", [3, 5])
def test_sets_for_three_and_five_players_name_a_dealer_and_no_taker(club, players):
    etuis = list(make(club, players=players, count=6).etuis.all())
    assert {loads(etui.cards).players for etui in etuis} == {players}
    assert "".join(etui.dealer for etui in etuis) == {3: "NSENSE", 5: "NFWSEN"}[players]
    assert {etui.taker for etui in etuis} == {""}


def test_etuis_dealt_at_the_table_have_no_cards_and_no_seed(club):
    deal_set = create_set_dealt_at_table(club=club, name="x", count=28, now=timezone.now(), by=None)
    assert (deal_set.seed, deal_set.commitment) == ("", "")
    assert {(etui.cards, etui.origin) for etui in deal_set.etuis.all()} == {("", "none")}
    assert deal_set.etuis.count() == 28


@pytest.mark.parametrize("count", [0, 1000])
def test_set_has_1_to_999_etuis(club, count):
    with transaction.atomic():
        assert refusal(make, club=club, count=count) == "too_many_etuis"


def test_sealing_again_keeps_the_first_moment(club):
    deal_set = make(club)
    first = timezone.now()
    seal_deal_set(deal_set=deal_set, now=first)
    seal_deal_set(deal_set=deal_set, now=timezone.now())
    assert deal_set.sealed_at == first


def test_named_value_is_mixed_into_the_seed_after_sealing(club):
    deal_set = make(club, value_name="Loto du 21 novembre 2026")
    assert {etui.cards for etui in deal_set.etuis.all()} == {""}
    assert refusal(deal_from_public_value, deal_set_id=deal_set.pk, value="7 12 19") == "set_not_sealed"
    seal_deal_set(deal_set=deal_set, now=timezone.now())
    assert refusal(deal_from_public_value, deal_set_id=deal_set.pk, value=" ") == "value_missing"
    deal_from_public_value(deal_set_id=deal_set.pk, value=" 7 12 19 ")
    deal_from_public_value(deal_set_id=deal_set.pk, value="7 12 19")
    assert refusal(deal_from_public_value, deal_set_id=deal_set.pk, value="7 12 20") == "value_given"
    mixed = mix_seed(SEED, "7 12 19")
    assert [etui.cards for etui in deal_set.etuis.all()] == [dumps(deal_etui(mixed, n).deal) for n in range(1, 5)]


def test_value_that_was_not_named_in_advance_is_refused(club):
    assert refusal(deal_from_public_value, deal_set_id=make(club).pk, value="7") == "no_value_named"


def test_cards_are_typed_once(club):
    deal_set = create_set_dealt_at_table(club=club, name="x", count=2, now=timezone.now(), by=None)
    one, two = (deal_etui(SEED, number).deal for number in (1, 2))
    etui = type_cards(deal_set_id=deal_set.pk, number=1, cards=one)
    assert (etui.cards, etui.origin) == (dumps(one), "typed")
    assert type_cards(deal_set_id=deal_set.pk, number=1, cards=one) == etui
    assert refusal(type_cards, deal_set_id=deal_set.pk, number=1, cards=two) == "cards_known"
    assert refusal(type_cards, deal_set_id=deal_set.pk, number=3, cards=two) == "etui_unknown"
    three = deal_etui(SEED, 1, 3).deal
    assert refusal(type_cards, deal_set_id=deal_set.pk, number=2, cards=three) == "players_differ"


def test_generated_cards_are_never_typed_over(club):
    assert refusal(type_cards, deal_set_id=make(club).pk, number=1, cards=deal_etui(SEED, 2).deal) == "cards_known"


def test_imported_set_has_cards_where_they_are_given_and_no_seed(club):
    deal = deal_etui(SEED, 1).deal
    etui_set = EtuiSet(4, (NumberedEtui(5, Seat.N, Seat.W, deal), NumberedEtui(7, None, Seat.E)))
    deal_set = import_deal_set(club=club, name="x", etui_set=etui_set, now=timezone.now(), by=None)
    assert list(deal_set.etuis.values_list("number", "taker", "dealer", "cards", "origin")) == [
        (5, "N", "W", dumps(deal), "imported"),
        (7, "", "E", "", "none"),
    ]
    assert (deal_set.seed, deal_set.commitment) == ("", "")


def imported(club, etui_set):
    return import_deal_set(club=club, name="x", etui_set=etui_set, now=timezone.now(), by=make_director(club))


def test_imported_seed_is_kept_marked_and_logged(club):
    etuis = tuple(NumberedEtui(number, Seat.N, Seat.W, deal_etui(SEED, number).deal) for number in (5, 7))
    deal_set = imported(club, EtuiSet(4, (*etuis, NumberedEtui(9, Seat.N, Seat.W)), seed=SEED.hex().upper()))
    assert (deal_set.seed, deal_set.commitment, deal_set.seed_imported) == (SEED.hex(), COMMITMENT, True)
    assert list(deal_set.etuis.values_list("number", "cards", "origin")) == [
        (number, dumps(deal_etui(SEED, number).deal), "generated") for number in (5, 7, 9)
    ]
    assert list(deal_set.looks.values_list("user__username", "kind", "first_etui", "last_etui")) == [
        ("directrice", "seed", 5, 9)
    ]


def test_imported_seed_with_an_older_commitment_keeps_it(club):
    etui_set = EtuiSet(4, (NumberedEtui(1, Seat.N, Seat.W),), seed=SEED.hex(), commitment=seed_commitment(SEED))
    assert imported(club, etui_set).commitment == seed_commitment(SEED)


@pytest.mark.parametrize(
    ("told", "code"),
    [
        ({"value": "7"}, "no_value_named"),
        ({"value_name": "Loto"}, "cards_not_of_seed"),
        ({"value_name": "Loto", "value": "7"}, "cards_not_of_seed"),
        ({"profile": "garde-1"}, "cards_not_of_seed"),
        ({"players": 5, "profile": "garde-1"}, "profile_players"),
    ],
    ids=str,
)
def test_imported_cards_must_be_those_of_their_seed(club, told, code):
    players = told.get("players", 4)
    etuis = (NumberedEtui(1, None, Seat.N, deal_etui(SEED, 1, players).deal),)
    with transaction.atomic():
        assert (
            refusal(imported, club=club, etui_set=EtuiSet(**{"players": 4} | told, etuis=etuis, seed=SEED.hex()))
            == code
        )


def test_imported_seed_waits_for_its_public_value(club):
    etui_set = EtuiSet(4, (NumberedEtui(1, None, Seat.N),), seed=SEED.hex(), value_name="Loto")
    deal_set = imported(club, etui_set)
    assert list(deal_set.etuis.values_list("origin", flat=True)) == ["awaited"]


def test_what_a_program_gives_does_not_choose_the_seed(club):
    now = timezone.now()
    made = [create_deal_set(club=club, name="x", count=1, now=now, by=None, given=SEED) for _ in range(2)]
    assert len({deal_set.seed for deal_set in made} | {SEED.hex(), draw_seed(SEED, b"").hex()}) == 4
    assert not any(deal_set.seed_imported for deal_set in made)


def test_import_numbers_its_etuis_up_to_999(club):
    how = {"club": club, "name": "x", "now": timezone.now(), "by": None}
    assert (
        refusal(import_deal_set, etui_set=EtuiSet(4, (NumberedEtui(1000, None, Seat.N),)), **how) == "number_too_high"
    )
    assert DealSet.objects.count() == 0


def test_only_dealt_sets_with_a_seed_are_copied(club):
    how = {"club": make_club("autre"), "by": make_director(club), "now": timezone.now()}
    table = create_set_dealt_at_table(club=club, name="x", count=1, now=timezone.now(), by=None)
    assert refusal(copy_deal_set, deal_set=table, **how) == "copy_without_seed"
    assert refusal(copy_deal_set, deal_set=make(club, value_name="Loto"), **how) == "copy_before_value"
    deal_set = make(club)
    seal_deal_set(deal_set=deal_set, now=timezone.now())
    reveal_deal_set(deal_set=deal_set, now=timezone.now())
    assert refusal(copy_deal_set, deal_set=deal_set, **how) == "seed_revealed"


def test_copy_has_the_same_commitment_and_cards_in_another_club(club):
    deal_set = make(club)
    seal_deal_set(deal_set=deal_set, now=timezone.now())
    other = make_club("autre")
    copy = copy_deal_set(deal_set=deal_set, club=other, by=make_director(other), now=timezone.now())
    assert (copy.club, copy.commitment, copy.sealed_at) == (other, deal_set.commitment, deal_set.sealed_at)
    columns = ("number", "taker", "dealer", "cards", "origin", "attempt")
    assert list(copy.etuis.values_list(*columns)) == list(deal_set.etuis.values_list(*columns))
    assert DealSet.objects.get(pk=deal_set.pk).club == club


def test_reveal_shows_the_seed_of_every_copy_at_once(club):
    deal_set = make(club)
    assert refusal(reveal_deal_set, deal_set=deal_set, now=timezone.now()) == "set_not_sealed"
    seal_deal_set(deal_set=deal_set, now=timezone.now())
    copy = copy_deal_set(deal_set=deal_set, club=make_club("autre"), by=make_director(club), now=timezone.now())
    moment = timezone.now()
    reveal_deal_set(deal_set=deal_set, now=moment)
    copy.refresh_from_db()
    assert deal_set.revealed_at == copy.revealed_at == moment


def test_set_without_seed_has_nothing_to_reveal(club):
    deal_set = create_set_dealt_at_table(club=club, name="x", count=1, now=timezone.now(), by=None)
    assert refusal(reveal_deal_set, deal_set=deal_set, now=timezone.now()) == "no_seed"


def test_look_is_noted(club):
    deal_set, director = make(club), make_director(club)
    how = {"deal_set": deal_set, "user": director, "now": timezone.now()}
    record_look(first=1, last=4, **how)
    record_look(first=2, last=3, kind=DealLook.LookKind.PRINTED, document="building", **how)
    columns = ("user", "first_etui", "last_etui", "kind", "document")
    assert list(deal_set.looks.values_list(*columns)) == [
        (director.pk, 2, 3, "printed", "building"),
        (director.pk, 1, 4, "seen", ""),
    ]


@pytest.mark.parametrize(
    ("change", "constraint"),
    [
        ({"commitment": ""}, "dealset_seed_with_commitment"),
        ({"value": "7"}, "dealset_value_named_in_advance"),
        ({"revealed_at": timezone.now()}, "dealset_reveals_a_sealed_seed"),
        ({"players": 6}, "dealset_players_3_4_5"),
    ],
)
def test_database_itself_holds_the_invariants(club, change, constraint):
    deal_set = make(club)
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        DealSet.objects.filter(pk=deal_set.pk).update(**change)


def test_seed_never_shows_in_the_text_of_a_set(club):
    deal_set = make(club)
    assert deal_set.seed not in f"{deal_set} {deal_set!r} {deal_set.etuis.first()!r}"
    assert commitment(bytes.fromhex(deal_set.seed)) == COMMITMENT


# More étuis


@pytest.mark.parametrize("cards", [True, False])
def test_etuis_are_added_and_the_others_stay(club, cards):
    def made(count):
        if cards:
            return make(club, count=count, profile="garde-1")
        return create_set_dealt_at_table(club=club, name="x", count=count, now=timezone.now(), by=None)

    deal_set, whole = made(5), made(8)
    seal_deal_set(deal_set=deal_set, now=timezone.now())
    assert add_etuis(deal_set_id=deal_set.pk, last=8) == range(6, 9)
    assert not add_etuis(deal_set_id=deal_set.pk, last=8)
    told = ("number", "taker", "dealer", "cards", "origin", "attempt")
    assert list(deal_set.etuis.values_list(*told)) == list(whole.etuis.values_list(*told))


def test_etuis_added_to_a_set_that_waits_for_its_value_wait_too(club):
    deal_set = make(club, count=2, value_name="loto")
    seal_deal_set(deal_set=deal_set, now=timezone.now())
    add_etuis(deal_set_id=deal_set.pk, last=3)
    assert {etui.origin for etui in deal_set.etuis.all()} == {Etui.Origin.AWAITED}
    deal_from_public_value(deal_set_id=deal_set.pk, value="17 23 4")
    add_etuis(deal_set_id=deal_set.pk, last=4)
    seed = mix_seed(SEED, "17 23 4")
    assert [etui.cards for etui in deal_set.etuis.all()] == [dumps(deal_etui(seed, n).deal) for n in range(1, 5)]


def test_no_etui_is_added_to_a_revealed_set_nor_beyond_the_last(club):
    deal_set = make(club)
    assert refusal(add_etuis, deal_set_id=deal_set.pk, last=1000) == "too_many_etuis"
    seal_deal_set(deal_set=deal_set, now=timezone.now())
    reveal_deal_set(deal_set=deal_set, now=timezone.now())
    assert refusal(add_etuis, deal_set_id=deal_set.pk, last=5) == "seed_revealed"
