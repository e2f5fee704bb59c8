"""The notes that an arbiter fixes: how they are written, what they are worth, and that the others' topage stays."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.errors import ScoringError
from scoring.notes import FixedNote, Part, Tally, find_deal_part, read_fixed, read_fixed_points
from scoring.ranking import FREE_AUCTION, INDIVIDUAL, Line, ScoringPlay, note_plays, standings, tally_plays

N, E, S, W = Line
FIXED = st.builds(FixedNote, st.fractions(0, 100, max_denominator=12), st.booleans())
ROWS = st.tuples(*[st.none() | FIXED] * 4).map(lambda fixed: fixed if any(fixed) else ())
seat = st.integers(1, 4)
plays_of_a_session = st.lists(
    st.builds(
        lambda etui, n, e, s, w, taker, score, fixed, compared: ScoringPlay(
            etui, (f"N{n}", f"E{e}", f"S{s}", f"W{w}"), taker, score, fixed, compared or not fixed
        ),
        *(st.integers(1, 5), seat, seat, seat, seat, st.sampled_from(Line)),
        *(st.none() | st.integers(-6, 6), st.just(()) | ROWS, st.booleans()),
    ),
    max_size=30,
)
both_rules = st.sampled_from([INDIVIDUAL, FREE_AUCTION])


def table(number, score, *fixed, taker=N, etui=1, compared=True):
    return ScoringPlay(etui, (f"N{number}", f"E{number}", f"S{number}", f"W{number}"), taker, score, fixed, compared)


def one(ranked, player):
    return next(each for each in ranked.players if each.player == player)


@given(FIXED)
def test_note_is_read_as_it_is_written(fixed):
    assert read_fixed(str(fixed)) == fixed


@pytest.mark.parametrize(
    ("text", "note"), [("12.5", "25/2"), ("-3.162", "-1581/500"), ("1000", "1000"), ("-1000", "-1000")]
)
def test_match_points_are_read_up_to_1000_either_way(text, note):
    assert read_fixed_points(text) == FixedNote(Fraction(note))


@pytest.mark.parametrize("text", ["1001", "-1001", "1000.001", "3.1622", "better 12", "1/3", ""])
def test_anything_else_is_no_match_points(text):
    with pytest.raises(ScoringError) as raised:
        read_fixed_points(text, "N")
    assert (raised.value.code, raised.value.params) == ("fixed_points", {"value": text, "most": 1000})


@pytest.mark.parametrize(("text", "note"), [("62.5", "125/2"), ("better 062.50", "better 125/2"), ("200/2", "100")])
def test_note_is_kept_in_lowest_terms(text, note):
    assert str(read_fixed(text)) == note


@pytest.mark.parametrize(
    "text",
    [
        *("", "-1", "100.1", "201/2", "1/0", "1/00", "6O", "60,5", " 60", "60\n", "better", "best 60", "better  60"),
        *("1e2", "inf", "nan", "1_0", "٦٠", "9" * 5000, "1/" + "9" * 5000),
    ],
)
def test_anything_else_is_no_note(text):
    with pytest.raises(ScoringError) as raised:
        read_fixed(text, "N")
    assert (raised.value.code, raised.value.field, raised.value.params) == ("fixed_note", "N", {"value": text[:40]})


def test_four_fixed_notes_of_a_play_that_is_in_leave_the_others_their_topage():
    sixty = [FixedNote(Fraction(60))] * 4
    plays = [table(1, 60), table(2, 50), table(3, 40, *sixty)]
    assert [notes[0] for notes in standings(plays).notes] == [100, 50, 60]
    out = [*plays[:2], table(3, 40, *sixty, compared=False)]
    assert [notes[0] for notes in standings(out).notes] == [100, 0, 60]
    unplayed = [*plays[:2], table(3, None, *sixty)]
    assert [notes[0] for notes in standings(unplayed).notes] == [100, 0, 60]


def test_others_of_a_play_have_its_topage_where_it_is_in_and_no_note_where_it_is_out():
    fixed = (FixedNote(Fraction(60)), None, None, None)
    for compared, defence in ((True, 100), (False, None)):
        ranked = standings([table(1, 60), table(2, 50, *fixed, compared=compared)])
        assert ranked.notes[1] == (60, defence, defence, defence)
        assert one(ranked, "E2").defence == defence
        assert one(ranked, "N2").attack == 60


@pytest.mark.parametrize(
    ("own", "figure", "comes_to"), [((100, 0, 100), 60, Fraction(200, 3)), ((0, 100, 0), 60, 60), ((), 60, 60)]
)
def test_better_note_is_that_of_the_same_side_unfixed_alone(own, figure, comes_to):
    """Compare only with unfixed notes of the same side. The player's best note is in defence, so it is left out."""
    plays = [table(9, None, FixedNote(Fraction(figure), better=True), None, None, None, etui="fouled")]
    plays += [table(9, None, FixedNote(Fraction(100)), None, None, None, etui="other")]
    for number, note in enumerate(own):
        plays += [table(9, note, etui=number), table(number, 100 - note, etui=number)]
    plays += [table(9, -90, taker=E, etui="defends"), table(1, 90, taker=E, etui="defends")]
    ranked = standings(plays)
    assert ranked.notes[0] == (comes_to, None, None, None)
    assert one(ranked, "N9").attack == (sum(own) + comes_to + 100) / Fraction(len(own) + 2)
    assert one(ranked, "N9").defence == 100
    assert one(ranked, "N9").attacks == len(own) + 2


def test_part_is_by_who_took_or_nobodys():
    parts = [
        find_deal_part(line, taker, score)
        for line, taker, score in ((N, N, 60), (S, N, 60), (N, None, 0), (N, None, None))
    ]
    assert parts == [Part.ATTACK, Part.DEFENCE, Part.PASSED, Part.OPEN]
    assert find_deal_part(N, N, None) == Part.ATTACK


def test_note_of_a_deal_with_no_known_taker_is_compared_with_all_of_ones_own():
    better = FixedNote(Fraction(0), better=True)
    plays = [table(1, 60), table(2, 50), table(1, 0, taker=None, etui=2), table(2, 40, taker=S, etui=2)]
    ranked = standings([*plays, table(1, None, better, None, None, None, taker=None, etui=3)], FREE_AUCTION)
    assert one(ranked, "N1").overall == ranked.notes[-1][0] == (100 + 100) / Fraction(2)
    assert (one(ranked, "N1").attacks, one(ranked, "N1").defences, one(ranked, "N1").deals) == (1, 0, 3)


@given(plays_of_a_session, both_rules)
def test_topage_averages_50_over_takers_and_over_seats_whatever_is_missing_or_fixed(plays, rules):
    notes = note_plays(plays, rules)
    for etui in {play.etui for play in plays}:
        compared = [(play, found) for play, found in zip(plays, notes, strict=True) if found and play.etui == etui]
        if rules == FREE_AUCTION:
            assert [sum(found[seat] for _play, found in compared) for seat in range(4)] == [50 * len(compared)] * 4
        else:
            assert sum(found["NESW".index(play.taker)] for play, found in compared) == 50 * len(compared)


@given(plays_of_a_session, both_rules, st.randoms(use_true_random=False))
def test_order_of_plays_changes_nothing(plays, rules, rng):
    order = list(range(len(plays)))
    rng.shuffle(order)
    straight, shuffled = standings(plays, rules), standings([plays[index] for index in order], rules)
    assert set(shuffled.players) == set(straight.players)
    assert list(shuffled.notes) == [straight.notes[index] for index in order]


def test_tally_takes_off_again_all_that_it_was_given():
    tally = Tally(plays=4)
    tally.attack.add(2, 99)
    tally.fix(Part.ATTACK, FixedNote(Fraction(50)), times=2)
    assert tally.deals == 3
    moved = Tally()
    moved.move(tally)
    assert moved == tally
    moved.move(tally, -1)
    assert moved == Tally()


@given(plays_of_a_session, plays_of_a_session, both_rules)
def test_what_is_added_and_taken_off_again_leaves_the_very_same(plays, others, rules):
    first, second = (tally_plays(each, note_plays(each, rules)) for each in (plays, others))
    for player, tally in second.items():
        mine = first.setdefault(player, Tally())
        before = (mine.plays, mine.deals, dict(mine.fixed), mine.with_fixed().attack)
        mine.move(tally)
        assert mine.deals == before[1] + tally.deals
        mine.move(tally, -1)
        assert (mine.plays, mine.deals, mine.fixed, mine.with_fixed().attack) == before


@given(plays_of_a_session, both_rules)
def test_fixed_note_of_one_touches_nobody_elses(plays, rules):
    """Check plays that are compared: all other notes are as if no note had been fixed."""
    inside = [play._replace(compared=True) for play in plays]
    fixed, plain = standings(inside, rules).notes, standings([play._replace(fixed=()) for play in inside], rules).notes
    for play, one_note, other in zip(inside, fixed, plain, strict=True):
        kept = [index for index in range(4) if not (play.fixed and play.fixed[index])]
        assert [one_note and one_note[index] for index in kept] == [other and other[index] for index in kept]
