"""The field of a simultaneous: against a plain computation, and its invariants."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.errors import ScoringError
from scoring.notes import FixedNote
from scoring.ranking import FREE_AUCTION, INDIVIDUAL, Line, ScoringPlay, note_plays, standings
from scoring.simultaneous import EtuiKey, FieldEntrant, FieldSession, count_scores, find_notes_by_score, rank_field
from scoring.ties import UnrankedReason
from tests.scoring.fields import plain_field

LINES = tuple(Line)


def seats_of(club, table, shift=0):
    return tuple(f"{club}{line}{(table + shift) % 9}" for line in "NESW")


@st.composite
def club_sessions(draw, name, etuis=4):
    """Return a session of one to three tables with scores, rulings, fillers, substitutes and penalties."""
    tables = draw(st.integers(1, 3))
    plays = []
    for number in range(1, etuis + 1):
        for table in range(tables):
            score = draw(st.none() | st.sampled_from([-70, -52, 50, 56, 62, 106]))
            fixed, compared = (), True
            if draw(st.integers(0, 9)) == 0:
                note = FixedNote(Fraction(draw(st.integers(0, 100))), draw(st.booleans()))
                fixed = tuple(note if draw(st.booleans()) else None for _line in LINES)
                fixed, compared = fixed if any(fixed) else (), draw(st.booleans())
            own = name if draw(st.integers(0, 9)) == 0 else None
            part = draw(st.sampled_from([1, 1, 1, 2]))
            key = EtuiKey(number, part, own)
            plays.append(
                ScoringPlay(key, seats_of(name, table), LINES[(number + table) % 4], score, fixed, compared=compared)
            )
    entrants = {}
    for table in range(tables):
        for line, who in zip(LINES, seats_of(name, table), strict=True):
            person = draw(st.sampled_from([who, who, who, f"both {line} {table}"]))
            entrants[who] = FieldEntrant(person, str(line), draw(st.integers(0, 9)) > 0, draw(st.integers(0, 9)) == 0)
    penalties = {who: Fraction(draw(st.sampled_from(["5", "1/3", "-2"]))) for who in list(entrants)[:1]}
    begun = draw(st.integers(0, 2))
    return FieldSession(
        name, begun, plays, entrants, penalties, draw(st.sampled_from([0, 50, 100])), draw(st.booleans())
    )


@st.composite
def fields(draw):
    return [draw(club_sessions(name)) for name in "ABC"[: draw(st.integers(1, 3))]]


def plain(session):
    return {
        "name": session.key,
        "begun": session.begun,
        "plays": [
            {
                "etui": play.etui,
                "seats": dict(zip("NESW", play.seats, strict=True)),
                "taker": str(play.taker),
                "score": play.base_score,
                "fixed": {
                    seat: ("better", each.note) if each.better else each.note
                    for seat, each in zip("NESW", play.fixed, strict=False)
                    if each
                },
                "out": not play.compared,
            }
            for play in session.plays
        ],
        "people": {
            who: {"who": each.person, "line": each.line, "ranked": each.ranked, "substitute": each.is_substitute}
            for who, each in session.entrants.items()
        },
        "penalties": session.penalties,
        "least_share": session.least_share,
        "substitutes": session.substitutes_ranked,
    }


def told(ranked):
    return {
        player.player: {
            "attack": player.attack,
            "defence": player.defence,
            "overall": player.overall,
            "deals": player.deals,
            "line": player.line,
            "rank": player.rank_general,
            "rank_line": player.rank_line,
            "rank_alterne": player.rank_alterne,
        }
        for player in ranked.players
    }


@given(fields(), st.sets(st.integers(1, 4), max_size=1), st.booleans())
def test_a_field_equals_a_plain_computation(sessions, annulled, looked):
    lookers = {next(iter(sessions[0].entrants))} if looked else set()
    ranked = rank_field(sessions, INDIVIDUAL, annulled=annulled, lookers=lookers)
    expected = plain_field(
        [plain(each) for each in sessions],
        annulled=annulled,
        lookers=lookers,
        number_of=lambda play: play["etui"].number,
    )
    assert told(ranked) == {who: figures for (_club, who), figures in expected.items()}


@given(fields(), st.randoms(use_true_random=False))
def test_the_order_of_sessions_and_plays_changes_nothing(sessions, chance):
    mixed = [replace(each, plays=chance.sample(each.plays, len(each.plays))) for each in sessions]
    chance.shuffle(mixed)
    assert told(rank_field(mixed, INDIVIDUAL)) == told(rank_field(sessions, INDIVIDUAL))


@given(fields(), st.integers(0, 10_000))
def test_a_correction_taken_back_changes_nothing(sessions, place):
    first = sessions[0]
    at = place % len(first.plays)
    corrected = [*first.plays]
    corrected[at] = corrected[at]._replace(base_score=400)
    other = rank_field([replace(first, plays=corrected), *sessions[1:]], INDIVIDUAL)
    again = rank_field(sessions, INDIVIDUAL)
    assert told(again) == told(rank_field(sessions, INDIVIDUAL))
    if first.plays[at].compared and not first.plays[at].fixed:
        assert told(other) != told(again) or first.plays[at].base_score is not None


@given(club_sessions("A"), st.sampled_from([INDIVIDUAL, FREE_AUCTION]))
def test_one_club_alone_has_its_own_standings(session, rules):
    entrants = {who: entrant._replace(person=who, is_substitute=False) for who, entrant in session.entrants.items()}
    session = replace(session, entrants=entrants)
    own = standings(
        session.plays,
        rules,
        unranked={who for who, entrant in entrants.items() if not entrant.ranked},
        penalties=session.penalties,
        lines={who: entrant.line for who, entrant in entrants.items()},
        least_share=session.least_share,
    )
    ranked = rank_field([session], rules)
    assert {player.player: player for player in ranked.players} == {player.player: player for player in own.players}
    assert ranked.notes["A"] == note_plays(session.plays, rules)


@given(fields(), st.sampled_from([INDIVIDUAL, FREE_AUCTION]))
def test_frequencies_give_the_notes_of_every_play(sessions, rules):
    ranked = rank_field(sessions, rules)
    for session in sessions:
        for play, notes in zip(session.plays, ranked.notes[session.key], strict=True):
            if notes is not None:
                found = find_notes_by_score(ranked.frequencies[play.etui], rules)
                assert found[str(play.taker), play.base_score] == notes


def test_frequencies_of_deals_that_all_passed_give_their_notes():
    plays = [ScoringPlay(1, (1, 2, 3, 4), None, 0), ScoringPlay(1, (5, 6, 7, 8), Line.E, 60)]
    (found,) = count_scores(plays).values()
    notes = find_notes_by_score(found, FREE_AUCTION)
    assert [notes[None, 0], notes["E", 60]] == note_plays(plays, FREE_AUCTION)
    assert notes[None, 0] == (100, 0, 100, 100)


def two_clubs():
    """Return two sessions of one table and one étui. North of both clubs is the same person."""
    sessions = []
    for name, begun, score in (("A", 1, 56), ("B", 0, 62)):
        seats = seats_of(name, 0)
        entrants = {
            who: FieldEntrant(who, str(line), ranked=True, is_substitute=False)
            for line, who in zip(LINES, seats, strict=True)
        }
        entrants[seats[0]] = entrants[seats[0]]._replace(person="Ada")
        sessions.append(FieldSession(name, begun, [ScoringPlay(EtuiKey(1, 1), seats, Line.N, score)], entrants))
    return sessions


def test_a_person_in_two_clubs_counts_in_the_session_that_began_first():
    ranked = rank_field(two_clubs(), INDIVIDUAL)
    assert ranked.again == {"AN0"}
    assert [player.player for player in ranked.players if player.line == "N"] == ["BN0"]
    # both plays are still compared
    assert ranked.notes["B"] == [(100, 0, 0, 0)]


def test_a_person_counts_where_the_first_note_is():
    late, early = two_clubs()
    empty = replace(early, plays=[early.plays[0]._replace(base_score=None)])
    assert rank_field([late, empty], INDIVIDUAL).again == {"BN0"}


def test_a_looker_has_percentages_and_no_rank():
    ranked = rank_field(two_clubs(), INDIVIDUAL, lookers={"BN0"})
    north = next(player for player in ranked.players if player.player == "BN0")
    assert (north.overall, north.rank_general, north.unranked) == (100, None, UnrankedReason.LOOKED)
    assert {player.rank_general for player in ranked.players} == {None, 1, 4}


def test_plays_of_a_club_that_altered_an_etui_are_compared_there_only():
    late, early = two_clubs()
    altered = replace(late, plays=[late.plays[0]._replace(etui=EtuiKey(1, 1, "A"))])
    ranked = rank_field([altered, early], INDIVIDUAL)
    assert ranked.notes["A"] == ranked.notes["B"] == [(50, 50, 50, 50)]


def test_an_etui_annulled_for_all_has_no_fixed_note_either():
    late, early = two_clubs()
    fixed = (FixedNote(Fraction(60)), None, None, None)
    ruled = replace(late, plays=[late.plays[0]._replace(fixed=fixed)])
    ranked = rank_field([ruled, early], INDIVIDUAL, annulled={1})
    assert {player.overall for player in ranked.players} == {None}
    assert ranked.frequencies == {}


def test_play_that_cannot_be_is_refused_in_a_field():
    late, early = two_clubs()
    (play,) = late.plays
    twice = replace(late, plays=[play._replace(seats=(*play.seats[:3], play.seats[0]))])
    with pytest.raises(ScoringError) as caught:
        rank_field([twice, early], INDIVIDUAL)
    assert caught.value.code == "player_twice"


def test_without_alterne_nobody_has_such_a_rank():
    ranked = rank_field(two_clubs(), INDIVIDUAL, alterne=False)
    assert {player.rank_alterne for player in ranked.players} == {None}
    assert {player.rank_line for player in ranked.players} >= {1}


@pytest.mark.parametrize(("share", "rank"), [(50, 4), (51, None)])
def test_the_least_share_is_of_the_most_deals_in_the_field(share, rank):
    late, early = two_clubs()
    more = ScoringPlay(EtuiKey(2, 1), early.plays[0].seats, Line.E, 50)
    longer = replace(early, plays=[*early.plays, more])
    short = replace(late, least_share=share)
    ranked = rank_field([short, longer], INDIVIDUAL)
    east = next(player for player in ranked.players if player.player == "AE0")
    assert east.overall == 100
    assert (east.rank_general is None) is (rank is None)
