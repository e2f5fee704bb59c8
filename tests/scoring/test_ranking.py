"""The percentages and ranks: small sessions computed by hand, then properties of every session."""

import dataclasses
import json
import re
from collections.abc import Hashable, Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.contract import ScoringError
from scoring.notes import topage
from scoring.ranking import (
    FREE_AUCTION,
    INDIVIDUAL,
    Line,
    PlayerStanding,
    ScoringPlay,
    SeatNotes,
    Standings,
    standings,
    weigh_sides,
)
from tests.scoring.results import GOLDEN

N, E, S, W = Line


def table(number: int, taker: Line | None, base_score: int | None, etui: Hashable = 1) -> ScoringPlay:
    """Return a play of one étui at a table whose players are N1, E1, S1, W1 and so on."""
    return ScoringPlay(etui, (f"N{number}", f"E{number}", f"S{number}", f"W{number}"), taker, base_score)


def percents(ranked: Standings) -> dict[object, Fraction | None]:
    return {player.player: player.overall for player in ranked.players}


def one(ranked: Standings, name: str) -> PlayerStanding:
    (found,) = (player for player in ranked.players if player.player == name)
    return found


def test_standings_give_the_regulations_topage_of_five_tables():
    plays = [table(number, N, score) for number, score in enumerate([56, 62, -56, -52, 50], start=1)]
    notes = [dict(zip(Line, play_notes, strict=True)) for play_notes in standings(plays).notes if play_notes]
    assert [note[N] for note in notes] == [75, 100, 0, 25, 50]
    assert [note[E] for note in notes] == [note[S] for note in notes] == [note[W] for note in notes]
    assert [note[W] for note in notes] == [25, 0, 100, 75, 50]


def test_overall_is_a_quarter_attack_and_three_quarters_defence():
    plays = [table(1, N, 60, 1), table(2, N, 50, 1), table(1, E, -52, 2), table(2, E, 70, 2), table(1, S, 50, 3)]
    north = one(standings(plays), "N1")
    # attack: 100; defence: the complements of 0 on étui 2 and of 50 on étui 3, which is played once
    assert (north.attack, north.defence, north.attacks, north.defences) == (100, 75, 1, 2)
    assert north.overall == Fraction(100, 4) + Fraction(3 * 75, 4)


def test_overall_of_who_played_one_side_only_is_that_sides_mean():
    ranked = standings([table(1, N, 60), table(2, N, 50)])
    assert (one(ranked, "N1").attack, one(ranked, "N1").defence, one(ranked, "N1").overall) == (100, None, 100)
    assert (one(ranked, "E1").attack, one(ranked, "E1").defence, one(ranked, "E1").overall) == (None, 0, 0)


def test_a_play_without_base_score_leaves_the_count_of_its_etui():
    plays = [table(1, N, 60), table(2, N, 50), table(3, N, None)]
    ranked = standings(plays)
    assert ranked.notes[2] is None
    assert [notes[0] for notes in ranked.notes[:2]] == [100, 0]
    assert standings(plays[:2]).notes == ranked.notes[:2]


def test_players_without_any_note_are_listed_last_and_unranked():
    ranked = standings([table(1, None, None), table(2, N, 60), table(3, N, 50)])
    assert [player.player for player in ranked.players[8:]] == ["N1", "E1", "S1", "W1"]
    fined = standings([table(1, N, 60), table(2, N, 50)], unranked={"N1"}, penalties={"N2": Fraction(1)})
    assert [(player.player, player.rank_general) for player in fined.players[-2:]] == [("N2", 7), ("N1", None)]
    assert one(ranked, "N1") == PlayerStanding("N1", N, None, None, None, 0, 0, None, None, None)


def test_equal_percentages_share_a_rank_and_keep_the_order_of_appearance():
    ranked = standings([table(1, N, 50), table(2, N, 50), table(3, N, 60)])
    assert [(player.player, player.rank_general) for player in ranked.players] == [
        ("N3", 1),
        *((name, 2) for name in ("E1", "S1", "W1", "E2", "S2", "W2")),
        *((name, 8) for name in ("N1", "N2")),
        *((name, 10) for name in ("E3", "S3", "W3")),
    ]


def ranked_by_percent(*tables: tuple[int, int, int, int]) -> Standings:
    """Return standings in which N1, E1, S1, W1, N2 … have exactly these percentages."""

    def as_given(plays: Sequence[ScoringPlay]) -> list[SeatNotes]:
        return [tuple(map(Fraction, play.etui)) for play in plays]

    plays = [table(number, None, 0, percentages) for number, percentages in enumerate(tables, start=1)]
    return standings(plays, dataclasses.replace(FREE_AUCTION, name="given", compare=as_given))


def test_alterne_takes_the_firsts_of_each_line_then_the_seconds_and_so_on():
    ranked = ranked_by_percent((70, 65, 80, 55), (60, 62, 50, 52), (59, 30, 45, 64))
    alterne = sorted(ranked.players, key=lambda player: player.rank_alterne or 0)
    assert [(player.player, player.rank_line, player.rank_alterne) for player in alterne] == [
        *(("S1", 1, 1), ("N1", 1, 2), ("E1", 1, 3), ("W3", 1, 4)),
        *(("E2", 2, 5), ("N2", 2, 6), ("W1", 2, 7), ("S2", 2, 8)),
        *(("N3", 3, 9), ("W2", 3, 10), ("S3", 3, 11), ("E3", 3, 12)),
    ]


def test_alterne_puts_equals_of_a_line_in_the_group_of_the_rank_they_share():
    ranked = ranked_by_percent((70, 65, 80, 55), (60, 65, 50, 52), (60, 30, 45, 51), (40, 20, 10, 50))
    alterne = sorted(ranked.players, key=lambda player: player.rank_alterne or 0)
    assert [(player.player, player.rank_line, player.rank_alterne) for player in alterne] == [
        *(("S1", 1, 1), ("N1", 1, 2), ("E1", 1, 3), ("E2", 1, 3), ("W1", 1, 5)),
        *(("N2", 2, 6), ("N3", 2, 6), ("W2", 2, 8), ("S2", 2, 9)),
        *(("W3", 3, 10), ("S3", 3, 11), ("E3", 3, 12)),
        *(("W4", 4, 13), ("N4", 4, 14), ("E4", 4, 15), ("S4", 4, 16)),
    ]


def test_alterne_gives_equals_of_different_lines_one_rank():
    ranked = ranked_by_percent((70, 70, 60, 50))
    assert [(player.player, player.rank_alterne) for player in ranked.players] == [
        ("N1", 1),
        ("E1", 1),
        ("S1", 3),
        ("W1", 4),
    ]


FREE = [table(1, N, 50), table(2, E, -30), table(3, None, 0)]


def test_free_auction_compares_each_seat_with_the_same_seat():
    # North has the marks +150, +30, 0; East −50, −90, 0; South and West −50, +30, 0
    assert standings(FREE, FREE_AUCTION).notes == (
        tuple(map(Fraction, (100, 50, 0, 0))),
        tuple(map(Fraction, (50, 0, 100, 100))),
        tuple(map(Fraction, (0, 100, 50, 50))),
    )


def test_free_auction_ranks_by_the_mean_and_still_tells_attack_from_defence():
    north = one(standings([*FREE, table(1, S, 70, 2), table(2, S, 60, 2)], FREE_AUCTION), "N1")
    assert (north.attack, north.attacks, north.defence, north.defences, north.overall) == (100, 1, 0, 1, 50)


def test_free_auction_counts_a_passed_out_deal_as_neither_attack_nor_defence():
    east = one(standings(FREE, FREE_AUCTION), "E3")
    assert (east.attack, east.defence, east.overall) == (None, None, 100)


@pytest.mark.parametrize(
    ("plays", "rules", "code", "field", "play"),
    [
        ([table(1, N, 60), ScoringPlay(2, ("S2", "E2", "S2", "W2"), N, 60)], INDIVIDUAL, "player_twice", "S", 1),
        ([table(1, N, 60), ScoringPlay(2, ("N2", "E2", "N1", "W2"), N, 60)], INDIVIDUAL, "player_on_two_lines", "S", 1),
        (
            [table(1, N, 60), ScoringPlay(2, ("N2", "E2", "N1", "W2"), N, None)],
            INDIVIDUAL,
            "player_on_two_lines",
            "S",
            1,
        ),
        ([table(1, N, 60), table(2, None, 60)], INDIVIDUAL, "taker_missing", "taker", 1),
        ([table(1, None, 0)], INDIVIDUAL, "taker_missing", "taker", 0),
        ([table(1, None, 60)], FREE_AUCTION, "taker_missing", "taker", 0),
    ],
)
def test_standings_refuse_plays_that_cannot_be(plays, rules, code, field, play):
    with pytest.raises(ScoringError) as caught:
        standings(plays, rules)
    assert (caught.value.code, caught.value.field, caught.value.params["play"]) == (code, field, play)
    assert str(caught.value)


def test_standings_of_no_play_are_empty():
    assert standings([]) == Standings((), ())


seat = st.integers(1, 4)
plays_of_a_session = st.lists(
    st.builds(
        lambda etui, n, e, s, w, taker, score: ScoringPlay(etui, (f"N{n}", f"E{e}", f"S{s}", f"W{w}"), taker, score),
        *(st.integers(1, 5), seat, seat, seat, seat, st.sampled_from(Line)),
        st.none() | st.integers(-6, 6),
    ),
    max_size=30,
)
both_rules = st.sampled_from([INDIVIDUAL, FREE_AUCTION])
names = st.sets(st.sampled_from([f"{line}{number}" for line in Line for number in range(1, 5)]))


@given(plays_of_a_session, both_rules, st.randoms(use_true_random=False))
def test_standings_do_not_depend_on_the_order_of_plays(plays, rules, rng):
    order = list(range(len(plays)))
    rng.shuffle(order)
    straight, shuffled = standings(plays, rules), standings([plays[index] for index in order], rules)
    assert set(shuffled.players) == set(straight.players)
    assert list(shuffled.notes) == [straight.notes[index] for index in order]


@given(plays_of_a_session)
def test_free_auction_notes_average_50_for_each_seat_of_an_etui(plays):
    notes = standings(plays, FREE_AUCTION).notes
    for etui in {play.etui for play in plays}:
        of_etui = [found for play, found in zip(plays, notes, strict=True) if found and play.etui == etui]
        assert [sum(found[place] for found in of_etui) for place in range(4)] == [50 * len(of_etui)] * 4


@given(plays_of_a_session)
def test_individual_percentages_equal_the_plain_definition(plays):
    attack, defence = {}, {}
    scored = [play for play in plays if play.base_score is not None]
    for play in scored:
        same = [other for other in scored if other.etui == play.etui]
        note = topage([other.base_score for other in same])[same.index(play)]
        for line, player in play.by_seat.items():
            part, value = (attack, note) if line == play.taker else (defence, 100 - note)
            part.setdefault(player, []).append(value)
    for player in standings(plays).players:
        means = [
            sum(notes) / len(notes) if notes else None
            for notes in (attack.get(player.player), defence.get(player.player))
        ]
        assert [player.attack, player.defence] == means
        if None in means:
            assert player.overall == (means[1] if means[0] is None else means[0])
        else:
            assert player.overall == means[0] / 4 + means[1] * 3 / 4


@given(plays_of_a_session, both_rules)
def test_ranks_equal_their_definition_by_counting(plays, rules):
    ranked = standings(plays, rules).players
    placed = [player for player in ranked if player.overall is not None]
    assert list(ranked[: len(placed)]) == placed
    assert [player.overall for player in placed] == sorted((player.overall for player in placed), reverse=True)
    for player in placed:
        better = [other for other in placed if other.overall > player.overall]
        assert player.rank_general == 1 + len(better)
        assert player.rank_line == 1 + sum(other.line == player.line for other in better)
        earlier = sum(other.rank_line < player.rank_line for other in placed)
        assert player.rank_alterne == 1 + earlier + sum(other.rank_line == player.rank_line for other in better)


@given(plays_of_a_session, both_rules)
def test_plays_without_result_change_no_percentage(plays, rules):
    scored = [play for play in plays if play.base_score is not None]
    whole, without = percents(standings(plays, rules)), percents(standings(scored, rules))
    assert {player: value for player, value in whole.items() if value is not None} == without


def ranks(player: PlayerStanding) -> tuple[int | None, int | None, int | None]:
    return player.rank_general, player.rank_line, player.rank_alterne


@given(plays_of_a_session, both_rules, names)
def test_unranked_players_keep_their_percentages_and_leave_the_ranks_to_the_others(plays, rules, fillers):
    everyone, without = standings(plays, rules), standings(plays, rules, unranked=fillers)
    assert (without.notes, percents(without)) == (everyone.notes, percents(everyone))
    placed = [player for player in without.players if player.player not in fillers and player.overall is not None]
    assert [player.player for player in without.players if ranks(player) != (None, None, None)] == [
        player.player for player in placed
    ]
    for player in placed:
        better = [other for other in placed if other.overall > player.overall]
        earlier = sum(other.rank_line < player.rank_line for other in placed)
        assert ranks(player) == (
            1 + len(better),
            1 + sum(other.line == player.line for other in better),
            1 + earlier + sum(other.rank_line == player.rank_line for other in better),
        )


def test_alterne_moves_up_behind_a_first_who_is_unranked():
    plays = [table(1, N, 60), table(2, N, 50), table(3, N, -50)]
    north = [one(standings(plays, unranked={"N1"}), name) for name in ("N1", "N2", "N3")]
    assert [(player.overall, *ranks(player)) for player in north] == [
        (100, None, None, None),
        (50, 4, 1, 4),  # behind E3, S3 and W3, who have 100 in defence
        (0, 8, 2, 8),  # behind the seconds of the other lines
    ]


def test_penalty_is_taken_off_the_overall_percentage_alone_and_before_ranking():
    plays = [table(1, N, 60), table(2, N, 50), table(3, N, -50)]
    ranked = standings(plays, penalties={"N1": Fraction(201, 4), "stranger": Fraction(5)})
    fined, spared = one(ranked, "N1"), one(ranked, "N2")
    assert (fined.attack, fined.overall, fined.penalty) == (100, Fraction(199, 4), Fraction(201, 4))
    assert (spared.overall, spared.penalty) == (50, 0)
    assert (fined.rank_line, spared.rank_line) == (2, 1)
    assert ranked.notes == standings(plays).notes


def test_penalty_goes_below_0_unless_the_rules_have_a_floor():
    plays, ten = [table(1, N, 60), table(2, N, 50)], {"N2": Fraction(10)}
    floor = dataclasses.replace(INDIVIDUAL, penalty_floor=Fraction())
    assert [one(standings(plays, rules, penalties=ten), "N2").overall for rules in (INDIVIDUAL, floor)] == [-10, 0]
    high = dataclasses.replace(INDIVIDUAL, penalty_floor=Fraction(20))  # a floor never raises a percentage
    assert one(standings(plays, high, penalties=ten), "N2").overall == 0
    half = {"N1": Fraction(1, 2)}
    high = dataclasses.replace(INDIVIDUAL, penalty_floor=Fraction(199, 2) + Fraction(1, 4))
    assert one(standings(plays, high, penalties=half), "N1").overall == Fraction(399, 4)


def test_penalty_of_a_player_without_note_is_told_and_ranks_him_nowhere():
    told = one(standings([table(1, N, None)], penalties={"N1": Fraction(5)}), "N1")
    assert (told.overall, told.penalty, told.rank_general) == (None, 5, None)


def test_bonus_is_a_penalty_below_0_that_no_floor_takes_back():
    plays, ten = [table(1, N, 60), table(2, N, 50)], {"N2": Fraction(-10), "N1": Fraction(-1, 3)}
    floor = dataclasses.replace(INDIVIDUAL, penalty_floor=Fraction())
    for rules in (INDIVIDUAL, floor):
        told = standings(plays, rules, penalties=ten)
        assert (one(told, "N2").overall, one(told, "N1").overall) == (10, 100 + Fraction(1, 3))


def test_parts_of_an_etui_altered_half_way_are_topped_apart():
    before = [table(1, N, 60, (7, "before")), table(2, N, 50, (7, "before"))]
    after = [table(3, N, 300, (7, "after")), table(4, N, 200, (7, "after")), table(5, N, 100, (7, "after"))]
    assert [notes[0] for notes in standings(before + after).notes] == [100, 0, 100, 50, 0]


SWAPPED = [table(1, N, 60), table(2, N, 50), ScoringPlay(2, ("E1", "N1", "S1", "W1"), N, 70), table(2, N, 50, 2)]


def test_seats_swapped_by_mistake_count_where_they_sat_and_rank_in_lines_given():
    ranked = standings(SWAPPED, lines={"N1": N, "E1": E})
    north, east = one(ranked, "N1"), one(ranked, "E1")
    assert (north.line, north.attack, north.defence, north.overall) == (N, 100, 0, 25)
    assert (east.line, east.attack, east.defence, east.overall) == (E, 100, 0, 25)
    assert (north.rank_line, east.rank_line) == (1, 2)


def test_lines_given_excuse_nobody_else():
    with pytest.raises(ScoringError) as caught:
        standings(SWAPPED, lines={"N1": N})
    assert (caught.value.code, caught.value.params["player"]) == ("player_on_two_lines", "E1")
    with pytest.raises(ScoringError) as caught:
        standings([ScoringPlay(1, ("N1", "N1", "S1", "W1"), N, 60)], lines={"N1": N})
    assert caught.value.code == "player_twice"


@given(plays_of_a_session, both_rules)
def test_lines_given_as_they_are_sat_on_change_nothing(plays, rules):
    expected = standings(plays, rules)
    assert standings(plays, rules, lines={player.player: player.line for player in expected.players}) == expected


def test_weights_of_the_individual_form_are_those_of_the_regulation():
    told = json.loads((GOLDEN / "fft_duplicate.json").read_text())["global_percent"]["individual"]
    attack, defence = re.fullmatch(r"(\S+) attack mean \+ (\S+) defence mean", told).groups()
    assert (INDIVIDUAL.attack_weight, 1 - INDIVIDUAL.attack_weight) == (Fraction(attack), Fraction(defence))


@pytest.mark.parametrize("weight", [Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(2, 3), Fraction(1)])
@pytest.mark.parametrize(
    ("attack", "defence"),
    [(Fraction(175, 3), Fraction(50)), (Fraction(0), Fraction(1234, 297)), (Fraction(-7, 2), Fraction(100))],
)
def test_both_sides_are_weighed_exactly(weight, attack, defence):
    assert weigh_sides(attack, defence, weight) == weight * attack + (1 - weight) * defence
