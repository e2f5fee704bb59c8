"""The desk's states and warnings, and its cache, without a database."""

import uuid

import pytest
from django.utils.translation import override

from deals.domain.deal import dumps
from deals.models import Etui
from evenings.plays.desk_state import (
    CHECK_ETUI,
    DISPUTED,
    DONE,
    ODD,
    DeskRows,
    KeptDeskRows,
    clashes_of,
    close_for,
    desk_play,
    desk_state,
    find_plays_to_look_at,
    flags_of,
    record_clashes_of,
    show_plays,
)
from evenings.plays.entries import to_row
from evenings.plays.table_plays import table_play
from referee.records import notation
from scoring.formats import FREE_AUCTION, FREE_DEALS, INDIVIDUAL, TEAM_MATCH
from tests.evenings.plays.test_checks import DIRECTOR, row
from tests.evenings.records.played import first_cards, play_deal
from tests.tournaments.rules.test_record_clash import make_deal
from tournaments.models import EtuiRuling, Play, PlayingDirector, PlayRecord, Ruling, Session, Table, Tournament
from tournaments.words.rulings import say_doubt

POSSIBLE, IMPOSSIBLE = 60, 3  # base scores of a fiche
OTHER_DEAL = make_deal(99)


def session_of(format):
    return Session(tournament=Tournament(format=format.name, rules="fft"))


def play_in(session, pk, *rows, etui=None, rulings=(), records=(), **how):
    """Return a play of table `pk` with these entries, rulings of these kinds and records that count."""
    etui = etui or Etui(pk=1, taker="N", dealer="W")
    how = {"position": 1, "north_id": 1, "east_id": 2, "south_id": 3, "west_id": 4} | how
    play = Play(pk=pk, session=session, etui=etui, table=Table(number=pk), **how)
    play._prefetched_objects_cache = {
        "entries": list(rows),
        "rulings": [Ruling(kind=kind) for kind in rulings],
        "records": list(records),
    }
    return table_play(play, None)


def fiche(score, **how):
    return row(fiche_score=score, check_by=Session.Check.NONE, **how)


def test_play_tells_whether_a_result_is_missing_and_whether_it_is_annulled():
    session = session_of(INDIVIDUAL)
    plays = [play_in(session, 1), play_in(session, 2, row()), play_in(session, 3, row(), rulings=["annulled"])]
    shown = [desk_play(each, "") for each in plays]
    assert [(each.missing, each.annulled, each.closed) for each in shown] == [
        (True, False, False),
        (False, False, False),
        (False, True, False),
    ]


def test_play_tells_the_entries_that_contradict_the_one_that_counts():
    counts, other = row(), row(pk=2, version=2, current=False, contested=True, fiche_score=50)
    session = session_of(INDIVIDUAL)
    shown = [desk_play(play_in(session, 1, *rows), "") for rows in ((), (counts,), (counts, other))]
    assert [each.contested for each in shown] == [[], [], [other]]


@pytest.mark.parametrize(
    ("checks", "state"),
    [
        ([], ODD),
        ([(True, None, 1)], ODD),
        ([(True, DIRECTOR, 1)], DONE),
        ([(True, None, 1), (True, DIRECTOR, 2)], DONE),
    ],
)
def test_only_a_director_who_agrees_ends_a_warning(checks, state):
    assert desk_state(play_in(session_of(INDIVIDUAL), 1, row(checks=checks)), ODD) == state


def test_fiche_that_no_contract_gives_is_disputed_if_the_taker_is_known_beforehand():
    for format, flags in ((TEAM_MATCH, {2: DISPUTED}), (FREE_AUCTION, {})):
        session = session_of(format)
        rows = fiche(POSSIBLE), fiche(IMPOSSIBLE), row(taker="")
        plays = [play_in(session, pk, each) for pk, each in enumerate(rows, start=1)]
        assert flags_of(session, [*plays, play_in(session, 4)], {}) == flags


def test_free_deals_are_not_compared_and_impossible_ones_are_disputed():
    session = session_of(FREE_DEALS)
    plays = [
        play_in(session, 1, fiche(POSSIBLE)),
        play_in(session, 2, fiche(IMPOSSIBLE)),
        play_in(session, 3, fiche(IMPOSSIBLE), rulings=["annulled"]),
        play_in(session, 4),
    ]
    assert flags_of(session, plays, {}) == {2: DISPUTED}


def facts(points, pk=1, **how):
    how = {"kind": "facts", "bouts": 2, "half_points": 2 * points, "fiche_score": None} | how
    return row(pk=pk, check_by=Session.Check.NONE, contract="garde", **how)


OTHER = {"pk": 2, "version": 2, "current": False, "contested": True}


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([fiche(60), fiche(-52, **OTHER)], "+60 or −52"),
        ([facts(41), facts(22, **OTHER)], "41 or 22 points"),
        ([facts(41), fiche(60, **OTHER)], "+50 or +60"),
        ([facts(41), facts(41, **OTHER | {"petit_au_bout": "attack"})], "+50 or +70"),
        ([fiche(60, checks=[(False, None, 1)])], "the other side disputes +60"),
        ([fiche(IMPOSSIBLE)], "no result gives +3"),
    ],
)
def test_disputed_play_says_its_reason_in_figures(rows, said):
    session = session_of(INDIVIDUAL)
    (play,) = show_plays(session, [play_in(session, 1, *rows)], {}, flags=True).values()
    with override("en"):
        assert [play.state, *map(say_doubt, play.doubts)] == [DISPUTED, said]


@pytest.mark.parametrize(
    ("others", "own", "said"),
    [
        ([fiche(score) for score in (-40, 30, 34, 36)], fiche(148), "+148; the others from −40 to +36"),
        (
            [facts(points) for points in (40, 41, 43, 44)] + [fiche(60)],
            facts(85),
            "85 points; the others from 40 to 44",
        ),
        (
            [facts(points, bouts=1) for points in (25, 36, 38, 41)],
            facts(15),
            "15 points; the others from 30 to 46, for equal bouts",
        ),
    ],
)
def test_odd_play_says_its_figure_and_the_range_of_the_other_tables(others, own, said):
    session = session_of(INDIVIDUAL)
    elsewhere = play_in(session, 9, fiche(200), etui=Etui(pk=2, taker="N", dealer="W"))
    annulled = play_in(session, 8, fiche(-300), rulings=["annulled"])
    plays = [play_in(session, pk, each) for pk, each in enumerate([own, *others], start=1)]
    found = show_plays(session, [*plays, elsewhere, annulled], {}, flags=True)
    with override("en"):
        assert {pk: [*map(say_doubt, play.doubts)] for pk, play in found.items() if play.doubts} == {1: [said]}
    assert [each.pk for each in find_plays_to_look_at(found.values())] == [1]


def test_nothing_is_doubted_without_flags_or_about_a_closed_étui():
    session = session_of(INDIVIDUAL)
    doubted = play_in(session, 1, fiche(60), fiche(-52, **OTHER))
    found = show_plays(session, [doubted], {}, flags=False)
    playing = PlayingDirector(entrant_id=1)
    waits = play_in(session, 2, north_id=1)
    shown = close_for(playing, list(show_plays(session, [doubted, waits], {}, flags=True).values()))
    assert [each.doubts for each in (*found.values(), *shown)] == [(), (), ()]


@pytest.fixture(scope="module")
def recorded():
    """Return the deal of an étui, its record, and the entry of its result."""
    deal = make_deal(5)
    record, entry = play_deal(deal, "W", "N")
    told = PlayRecord(text=notation.dumps(record), current=True, key=uuid.UUID(int=1), version=1)
    return deal, told, row(check_by=Session.Check.NONE, **to_row(entry))


@pytest.mark.parametrize(
    ("cards", "altered", "clash"),
    [("own", False, False), ("other", False, True), ("other", True, False), ("", False, False), ("", True, False)],
)
def test_record_clashes_with_the_cards_of_the_etui_as_it_was_dealt(recorded, cards, altered, clash):
    deal, record, entry = recorded
    etui = Etui(pk=1, taker="N", dealer="W", cards={"own": dumps(deal), "other": dumps(OTHER_DEAL), "": ""}[cards])
    play = play_in(session_of(INDIVIDUAL), 1, entry, etui=etui).play
    assert bool(record_clashes_of(play, entry, record, altered=altered)) is clash


def test_nothing_clashes_without_cards_or_a_record(recorded):
    _deal, _record, entry = recorded
    play = play_in(session_of(INDIVIDUAL), 1, entry).play
    assert clashes_of(play, entry) == record_clashes_of(play, entry, None, altered=False) == ()


def test_record_of_a_play_after_an_alteration_is_not_compared_with_the_cards(recorded):
    deal, record, entry = recorded
    session, etui = session_of(INDIVIDUAL), Etui(pk=1, taker="N", dealer="W", cards=dumps(deal))
    begun = first_cards(play_deal(OTHER_DEAL, "W", "N")[0], 4)  # it contradicts the cards, but not the result
    wrong = PlayRecord(text=notation.dumps(begun), current=True)
    plays = [play_in(session, 1, entry, etui=etui, records=[record])]
    plays += [play_in(session, pk, entry, etui=etui, records=[wrong], position=pk) for pk in (2, 3)]
    found = flags_of(session, plays, {1: EtuiRuling(kind="split", from_position=3)})
    assert found == {2: CHECK_ETUI}


def rows_of_tables(count):
    return DeskRows(1, dict.fromkeys(range(count), 1), {}, {}, {})


@pytest.mark.parametrize(
    ("sessions", "kept"),
    [
        ([(1, 400), (2, 400)], [1, 2]),
        ([(1, 500), (2, 500)], [1, 2]),
        ([(1, 500), (2, 501)], [2]),
        ([(1, 400), (2, 400), (3, 400)], [2, 3]),
        ([(1, 400), (2, 400), (1, 400), (3, 400)], [1, 3]),
        ([(1, 400), (2, 1_500)], [2]),
        ([(1, 1_500)], [1]),
    ],
)
def test_cache_has_the_sessions_used_last_up_to_a_thousand_tables(sessions, kept):
    cache = KeptDeskRows()
    for pk, tables in sessions:
        cache[pk, True] = rows_of_tables(tables)
    assert [pk for pk, _flags in cache] == kept
