"""The three forms of teams: what they are, and their figures against a plain computation."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.errors import ScoringError
from scoring.formats import QUADRETTES, TEAM_MATCH, TRIPLETTES, Share, Taker, Total, Unit
from scoring.notes import FixedNote
from scoring.plays import Line, ScoringPlay, find_sides
from scoring.ranking import note_plays, standings
from scoring.teams import fill_team_seats, find_line, name_team_line
from scoring.ties import TieBreak, TieRules
from scoring.tournament import Result, Round, rank_tournament
from scoring.values import Contract
from tests.scoring.teams.plain import plain_match_points, plain_ranks, plain_triplettes

N, E, S, W = Line
SCORES = st.one_of(st.none(), st.integers(-60, 60).map(lambda half: 2 * half))


def attack(etui, attacking, defending, score, taker=S, **more):
    return ScoringPlay(etui, fill_team_seats(attacking, defending, taker), taker, score, **more)


def fix_pm(etui, attacking, defending, score, points, **more):
    """Return a half whose attacking team has fixed match points."""
    return attack(etui, attacking, defending, score, fixed=(None, None, FixedNote(Fraction(points)), None), **more)


def totals(ranked):
    return {each.player: each.overall for each in ranked.players if each.overall is not None}


def test_triplettes_are_compared_by_takers_and_weigh_attack_and_defence_alike():
    assert (TRIPLETTES.taker, TRIPLETTES.contracts, TRIPLETTES.may_pass) == (Taker.ETUI, (Contract.GARDE,), False)
    assert (TRIPLETTES.attack_weight, TRIPLETTES.share, TRIPLETTES.lines) == (Fraction(1, 2), Share.SIDE, ("NS", "EW"))
    assert (TRIPLETTES.unit, TRIPLETTES.total, TRIPLETTES.alterne) == (Unit.PER_CENT, Total.MEAN, True)
    assert TRIPLETTES.find_taker("W") == W


@pytest.mark.parametrize("rules", [QUADRETTES, TEAM_MATCH])
def test_south_takes_every_etui_of_teams_that_add_up_match_points(rules):
    assert (rules.unit, rules.total, rules.attack_weight) == (Unit.MATCH_POINTS, Total.SUM, None)
    assert (rules.lines, rules.alterne, rules.may_pass, rules.share) == ((), False, False, Share.SIDE)
    assert [rules.find_taker(line) for line in ("W", "", None)] == [S, S, S]


def test_taker_of_a_match_chooses_among_three_contracts():
    assert QUADRETTES.contracts == (Contract.GARDE,)
    assert TEAM_MATCH.contracts == (Contract.GARDE, Contract.GARDE_SANS, Contract.GARDE_CONTRE)


def test_letter_of_a_team_gives_its_line():
    assert {letter: name_team_line(letter) for letter in ("", "N", "E")} == {"": "", "N": "NS", "E": "EW"}
    with pytest.raises(ScoringError) as raised:
        name_team_line("S")
    assert (raised.value.field, raised.value.params) == ("line", {"value": "S", "choices": "N, E"})


def test_attacking_team_sits_in_the_takers_seat_and_the_other_in_the_three_others():
    assert fill_team_seats("A", "B", "W") == ("B", "B", "B", "A")
    assert find_sides(attack(1, "A", "B", 30, W)) == ("A", "B")
    assert [find_line(taker) for taker in (N, E, S, W)] == ["NS", "EW", "NS", "EW"]
    with pytest.raises(ScoringError) as caught:
        fill_team_seats("A", "B", "F")
    assert caught.value.code == "unknown_value"


@pytest.mark.parametrize(
    ("seats", "taker"),
    [
        (("A", "A", "A", "A"), S),
        (("A", "B", "C", "B"), N),
        (("A", "B", "B", None), N),
        ((None, "B", "B", "B"), N),
        (("A", "A", "B", "B"), N),
        (("A", "B", "B", "B"), None),
        (("A", "B", "B", "B", "B"), N),
    ],
)
def test_play_that_is_not_between_two_teams_is_refused(seats, taker):
    with pytest.raises(ScoringError) as caught:
        find_sides(ScoringPlay(2, seats, taker, 30))
    assert (caught.value.code, caught.value.params["etui"]) == ("two_teams", 2)


def test_triplette_has_the_takers_note_once_and_the_defence_its_complement_once():
    plays = [attack(1, "A", "B", 56, N), attack(1, "C", "D", -56, N), attack(1, "E", "F", 50, N)]
    ranked = standings(plays, TRIPLETTES)
    assert totals(ranked) == {"A": 100, "B": 0, "C": 0, "D": 100, "E": 50, "F": 50}
    assert {(each.attacks, each.defences, each.deals) for each in ranked.players} == {(1, 0, 1), (0, 1, 1)}


def test_global_of_a_triplette_is_half_attack_and_half_defence():
    plays = [
        *(attack(1, "A", "B", 56, N), attack(1, "C", "D", -56, N)),
        *(attack(2, "B", "A", 56, E), attack(2, "D", "C", -56, E)),
        *(attack(3, "A", "B", -30, N), attack(3, "C", "D", 30, N)),
    ]
    found = {each.player: (each.attack, each.defence, each.overall) for each in standings(plays, TRIPLETTES).players}
    assert found == {"A": (50, 0, 25), "B": (100, 50, 75), "C": (50, 100, 75), "D": (0, 50, 25)}


def test_fixed_lines_give_a_ranking_for_each_and_a_classement_alterne_over_two():
    plays = [
        *(attack(1, "A", "B", 60, N), attack(1, "C", "D", 50, N), attack(1, "E", "F", 40, N)),
        *(attack(2, "B", "A", 60, E), attack(2, "D", "C", 50, E), attack(2, "F", "E", 40, E)),
    ]
    lines = {"A": "NS", "C": "NS", "E": "NS", "B": "EW", "D": "EW", "F": "EW"}
    ranked = standings(plays, TRIPLETTES, lines=lines)
    # A 100 and 0, C 50 and 50, E 0 and 100: all 50, so both lines are one group each
    assert {(each.rank_general, each.rank_line, each.rank_alterne) for each in ranked.players} == {(1, 1, 1)}
    penalties = {"A": Fraction(1), "B": Fraction(2), "C": Fraction(3), "F": Fraction(-4)}
    ranked = standings(plays, TRIPLETTES, lines=lines, penalties=penalties)
    assert [(each.player, each.rank_line, each.rank_alterne) for each in ranked.players] == [
        ("F", 1, 1), ("D", 2, 3), ("E", 1, 2), ("A", 2, 4), ("B", 3, 5), ("C", 3, 6)
    ]  # fmt: skip
    general = standings(plays, TRIPLETTES, penalties=penalties)
    assert {(each.line, each.rank_line, each.rank_alterne) for each in general.players} == {("", None, None)}
    assert [each.player for each in general.players] == ["F", "D", "E", "A", "B", "C"]


def test_match_points_are_those_of_the_two_attacks_and_count_once_for_each_team():
    plays = [attack(1, "A", "B", 82), attack(1, "B", "A", 66), attack(2, "A", "B", -68), attack(2, "B", "A", -58)]
    ranked = standings(plays, QUADRETTES)
    assert totals(ranked) == {"A": 4 - Fraction(3162, 1000), "B": Fraction(3162, 1000) - 4}
    assert {each.deals for each in ranked.players} == {2}
    assert ranked.notes[0] == (None, None, 4, None)


def test_points_of_a_match_are_the_winners_alone_or_nobodys():
    plays = [attack(1, "A", "B", 82), attack(1, "B", "A", 66), attack(2, "A", "B", 30), attack(2, "B", "A", 30)]
    ranked = standings(plays, TEAM_MATCH)
    assert totals(ranked) == {"A": 4, "B": 0}
    assert {each.deals for each in ranked.players} == {2}
    assert [notes[2] for notes in ranked.notes] == [4, 0, 0, 0]


@pytest.mark.parametrize("rules", [QUADRETTES, TEAM_MATCH])
@pytest.mark.parametrize(
    "half",
    [
        pytest.param(None, id="missing"),
        pytest.param(attack(1, "B", "A", None), id="annulled"),
        pytest.param(attack((1, "altered"), "B", "A", 66), id="altered"),
        pytest.param(attack(1, "B", "C", 66), id="third team"),
    ],
)
def test_half_alone_counts_for_neither_team(rules, half):
    plays = [attack(1, "A", "B", 82), *([half] if half else [])]
    ranked = standings(plays, rules)
    assert set(ranked.notes) <= {None, (None,) * 4}
    assert {(each.overall, each.deals, each.rank_general) for each in ranked.players} == {(None, 0, None)}


def test_team_that_attacks_another_twice_on_an_etui_is_refused():
    plays = [attack(1, "A", "B", 82), attack(1, "B", "A", 66), attack(1, "A", "B", 50)]
    with pytest.raises(ScoringError) as caught:
        standings(plays, QUADRETTES)
    assert (caught.value.code, dict(caught.value.params)) == (
        "half_twice",
        {"attacking": "A", "defending": "B", "etui": 1},
    )


def test_assigned_base_score_of_a_half_counts_like_one_that_was_played():
    plays = [attack(1, "A", "B", 66), attack(1, "B", "A", 66)]
    assert totals(standings([plays[0]._replace(base_score=82), plays[1]], QUADRETTES)) == {"A": 4, "B": -4}


@pytest.mark.parametrize("rules", [QUADRETTES, TEAM_MATCH])
def test_fixed_points_of_each_team_stand_in_place_of_the_comparison(rules):
    plays = [
        *(attack(1, "A", "B", 82), attack(1, "B", "A", 66)),
        fix_pm(2, "A", "B", None, 3, compared=False),
        fix_pm(2, "B", "A", 20, "1.5", compared=False),
    ]
    ranked = standings(plays, rules)
    lost = 4 if rules is QUADRETTES else 0
    assert totals(ranked) == {"A": 7, "B": Fraction(3, 2) - lost}
    assert {each.deals for each in ranked.players} == {2}
    assert [notes[2] for notes in ranked.notes] == [4, -lost, 3, Fraction(3, 2)]


def test_penalty_is_in_match_points_and_a_starting_bonus_is_a_penalty_below_0():
    plays = [attack(1, "A", "B", 82), attack(1, "B", "A", 66)]
    penalties = {"A": Fraction(3), "B": Fraction(-5)}
    ranked = standings(plays, TEAM_MATCH, penalties=penalties)
    assert totals(ranked) == {"A": 1, "B": 5}
    assert {each.player: each.penalty for each in ranked.players} == penalties


def test_equal_sums_of_match_points_share_a_rank_unless_lots_were_drawn():
    plays = [
        *(attack(1, "A", "B", 30), attack(1, "B", "A", 30)),
        *(attack(1, "C", "D", 46), attack(1, "D", "C", 30)),
    ]
    ranks = {each.player: each.rank_general for each in standings(plays, QUADRETTES).players}
    assert ranks == {"C": 1, "A": 2, "B": 2, "D": 4}
    ties = TieRules(criteria=[TieBreak.ATTACK, TieBreak.DRAW], draw=["B", "A"])
    drawn = standings(plays, QUADRETTES, ties=ties).players
    assert {each.player: each.rank_general for each in drawn} == {"C": 1, "B": 2, "A": 3, "D": 4}
    by_attack = standings(plays, QUADRETTES, ties=replace(ties, criteria=[TieBreak.BEST_ETUI, TieBreak.ATTACK]))
    assert {each.player: each.rank_general for each in by_attack.players} == ranks


def test_best_etui_separates_triplettes_but_never_sums_of_match_points():
    ties = TieRules(criteria=[TieBreak.BEST_ETUI])
    matched = [
        *(attack(1, "A", "B", 46), attack(1, "B", "A", 30), attack(2, "A", "B", 30), attack(2, "B", "A", 46)),
        *(attack(1, "C", "D", 30), attack(1, "D", "C", 30)),
    ]
    assert {each.rank_general for each in standings(matched, QUADRETTES, ties=ties).players} == {1}
    compared = [
        *(attack(1, "A", "B", 60, N), attack(1, "C", "D", 50, N), attack(1, "E", "F", 40, N)),
        *(attack(2, "B", "A", 60, E), attack(2, "D", "C", 50, E), attack(2, "F", "E", 40, E)),
    ]
    ranks = {each.player: each.rank_general for each in standings(compared, TRIPLETTES, ties=ties).players}
    assert ranks == {"A": 1, "B": 1, "E": 1, "F": 1, "C": 5, "D": 5}


@st.composite
def evenings_of_matches(draw):
    """Draw étuis of several matches, with halves that are missing or have no score. A play is that of `plain`."""
    plays = []
    for one, other in draw(st.lists(st.sampled_from([*combinations("ABCDE", 2)]), min_size=1, unique=True)):
        for etui in range(1, draw(st.integers(1, 3)) + 1):
            halves = [(etui, one, other, draw(SCORES)), (etui, other, one, draw(SCORES))]
            plays += halves[draw(st.integers(0, 1)) :] if draw(st.integers(0, 5)) == 0 else halves
    return plays


@given(evenings_of_matches())
def test_quadrettes_sum_to_zero_and_equal_the_plain_computation(plays):
    ranked = standings([attack(*play) for play in plays], QUADRETTES)
    expected, etuis = plain_match_points(plays)
    assert totals(ranked) == {team: Fraction(points, 1000) for team, points in expected.items()}
    assert {each.player: each.deals for each in ranked.players if each.deals} == etuis
    assert sum(totals(ranked).values()) == 0
    assert {each.player: each.rank_general for each in ranked.players if each.deals} == plain_ranks(expected)


@given(evenings_of_matches())
def test_match_gives_points_to_one_side_at_most_and_equals_the_plain_computation(plays):
    scored = [attack(*play) for play in plays]
    expected, etuis = plain_match_points(plays, winners_only=True)
    ranked = standings(scored, TEAM_MATCH)
    assert totals(ranked) == {team: Fraction(points, 1000) for team, points in expected.items()}
    assert {each.player: each.deals for each in ranked.players if each.deals} == etuis
    notes = dict(zip(map(tuple, plays), ranked.notes, strict=True))
    for (etui, one, other, _), mine in notes.items():
        against = next((found for play, found in notes.items() if play[:3] == (etui, other, one)), None)
        assert 0 in (mine[2] if mine and mine[2] else 0, against[2] if against and against[2] else 0)


@st.composite
def evenings_of_triplettes(draw):
    """Draw étuis that two to four tables play, with plays without a score."""
    plays = []
    for etui in range(1, draw(st.integers(1, 6)) + 1):
        teams = draw(st.permutations("ABCDEFGH"))
        for table in range(draw(st.integers(1, 4))):
            plays.append((etui, teams[2 * table], teams[2 * table + 1], draw(SCORES)))
    return plays


@given(evenings_of_triplettes())
def test_triplettes_equal_the_plain_computation_and_takers_average_50(plays):
    scored = [attack(*play, taker=(W, S, E, N)[play[0] % 4]) for play in plays]
    ranked = standings(scored, TRIPLETTES)
    expected = plain_triplettes(plays)
    assert totals(ranked) == expected
    assert {each.player: each.rank_general for each in ranked.players if each.deals} == plain_ranks(expected)
    for etui in {play.etui for play in scored}:
        notes = [
            notes[play.seats.index(find_sides(play).attacking)]
            for play, notes in zip(scored, ranked.notes, strict=True)
            if play.etui == etui and notes
        ]
        assert not notes or sum(notes) == 50 * len(notes)


def test_assigned_note_of_a_triplette_counts_once():
    plays = [
        attack(1, "A", "B", 56, N, fixed=(FixedNote(Fraction(60)), *[FixedNote(Fraction(40))] * 3), compared=False),
        attack(1, "C", "D", 50, N),
    ]
    ranked = standings(plays, TRIPLETTES)
    assert totals(ranked) == {"A": 60, "B": 40, "C": 50, "D": 50}
    assert {each.deals for each in ranked.players} == {1}


def play_session(draw, teams, etuis, *, both):
    """Return the plays of a session: everybody meets everybody, some plays are missing, and one étui is annulled."""
    annulled = draw.randint(1, etuis)
    plays = []
    for one, other in combinations(teams, 2):
        for etui in range(1, etuis + 1):
            sides = [(one, other), (other, one)] if both else [(one, other) if etui % 2 else (other, one)]
            for attacking, defending in sides:
                missing = etui == annulled or draw.random() < 0.05
                plays.append((etui, attacking, defending, None if missing else 2 * draw.randint(-80, 80)))
    return plays


@pytest.mark.parametrize("rules", [TRIPLETTES, QUADRETTES, TEAM_MATCH], ids=lambda rules: rules.name)
def test_event_of_three_sessions_equals_the_plain_computation_to_the_last_digit(rules):
    draw, teams = Random(26), [f"Équipe {number}" for number in range(1, 9)]
    sessions = [play_session(draw, teams, 6, both=rules is not TRIPLETTES) for _ in range(3)]
    penalty = {"Équipe 3": Fraction(5, 2)}
    rounds, sums = [], dict.fromkeys(teams, Fraction())
    for number, plays in enumerate(sessions):
        scored = [attack(*play, taker=S if rules is not TRIPLETTES else N) for play in plays]
        own = penalty if number == 1 else {}
        ranked = standings(scored, rules, penalties=own)
        rounds.append(Round({each.player: Result(each.overall) for each in ranked.players}))
        if rules is TRIPLETTES:
            found = plain_triplettes(plays)
        else:
            found, _ = plain_match_points(plays, winners_only=rules is TEAM_MATCH)
            found = {team: Fraction(points, 1000) for team, points in found.items()}
        for team in teams:
            sums[team] += found[team] - own.get(team, 0)
    total = rank_tournament(rounds)
    assert {each.player: each.total for each in total} == sums
    assert {each.player: each.rank for each in total} == plain_ranks(sums)


def test_etui_of_one_play_gives_50_to_both_triplettes():
    assert totals(standings([attack(1, "A", "B", 56, N)], TRIPLETTES)) == {"A": 50, "B": 50}
    assert note_plays([attack(1, "A", "B", 56, N)], TRIPLETTES) == [(50, 50, 50, 50)]
