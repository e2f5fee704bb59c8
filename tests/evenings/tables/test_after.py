"""The results of other tables that a table may see: which ones, and how they are written."""

from fractions import Fraction

import pytest

from evenings.plays.table_plays import TablePlay
from evenings.tables.after import After, choose_setting, describe_compared, write_share
from scoring.formats import FREE_DEALS, INDIVIDUAL, TEAM_MATCH
from tests.evenings.plays.test_checks import row
from tests.evenings.tables.values import make_play, make_session
from tests.factories import started_session
from tournaments.models import EtuiStandings, Session, SessionStandings

NOTHING, TOPAGE, RANKING = Session.ShownAfter.NOTHING, Session.ShownAfter.TOPAGE, Session.ShownAfter.RANKING


def counted(base_score, notes=None, **more):
    """Return a play as the standings of an étui keep it."""
    return {"base_score": base_score, "taker": "N", "notes": notes} | more


def told(base_score, *, mine=False, notes=None):
    return {"base_score": base_score, "taker": "N", "notes": notes, "mine": mine}


def after_entry(setting, format=INDIVIDUAL, plays=(), ranking=()):
    """Return what is shown after an entry for étui 7, with these standings. All plays but 9 are planned."""
    after = After(make_session(format), [], here=1, by_name=True)
    after.setting, after.ranking, after.planned = setting, list(ranking), {"4", "5", "6", "8"}
    after.kept = {7: dict(plays)}
    return after


@pytest.mark.parametrize(
    ("how", "position", "setting"),
    [
        ({"shows_after": TOPAGE, "hidden_positions": 3}, 3, TOPAGE),
        ({"shows_after": TOPAGE, "federation": True}, 1, NOTHING),
        ({"shows_after": RANKING, "hidden_positions": 1}, 2, RANKING),
        ({"shows_after": RANKING, "hidden_positions": 1}, 3, NOTHING),
        ({"shows_after": RANKING, "hidden_positions": 0}, 3, RANKING),
        ({"shows_after": NOTHING, "hidden_positions": 0}, 1, NOTHING),
    ],
)
def test_ranking_is_hidden_in_the_last_positions_and_all_in_federation_events(how, position, setting):
    assert choose_setting(make_session(**how), position) == setting


@pytest.mark.parametrize(
    ("notes", "more", "shown"),
    [
        (None, {}, None),
        ({"N": None, "E": None}, {}, None),
        ({"N": "1/3", "E": None, "S": "50"}, {}, {"N": "0.3", "S": "50.0"}),
        ({"N": "40", "S": "60"}, {"fixed": ["N"]}, {"S": "60.0"}),
        ({"N": "40"}, {"fixed": ["N"]}, None),
    ],
)
def test_notes_of_other_tables_are_those_that_were_compared(notes, more, shown):
    for mine in (False, True):
        found = describe_compared(counted(66, notes, **more), INDIVIDUAL, mine=mine)
        assert found == told(66, mine=mine, notes=shown)


@pytest.mark.parametrize(
    ("exact", "format", "text"),
    [
        (None, INDIVIDUAL, None),
        ("175/3", INDIVIDUAL, "58.3"),
        (Fraction(50), INDIVIDUAL, "50.0"),
        (Fraction(4), TEAM_MATCH, "+4.000 MP"),
        ("0", TEAM_MATCH, "0.000 MP"),
        ("-1/3", TEAM_MATCH, "-0.333 MP"),
        ("120", FREE_DEALS, "+120 marks"),
        ("0", FREE_DEALS, "0 marks"),
        ("-61/2", FREE_DEALS, "-30.50 marks"),
    ],
)
def test_shares_have_the_decimals_and_the_unit_of_the_format(exact, format, text):
    assert write_share(exact, format) == text


@pytest.mark.parametrize(
    ("etui", "plays"), [(7, {}), (7, {"4": counted(60)}), (7, {"5": counted(None), "4": counted(60)}), (8, {})]
)
def test_nothing_is_told_before_the_standings_have_the_own_result(etui, plays):
    after = after_entry(TOPAGE, plays=plays)
    shown = make_play(after.session, row())
    shown.play.etui_id = etui
    assert after.data(shown) is None


def test_topage_has_all_results_of_the_plan_the_highest_first():
    plays = {"4": counted(-60), "5": counted(40), "6": counted(None), "8": counted(66, {"N": "100"}), "9": counted(10)}
    after = after_entry(TOPAGE, plays=plays)
    expected = [told(66, notes={"N": "100.0"}), told(40, mine=True), told(-60)]
    assert after.data(make_play(after.session, row())) == {"kind": "topage", "plays": expected}


def test_topage_of_a_match_has_the_own_result_and_those_that_both_rooms_have():
    plays = {
        "4": counted(10),
        "5": counted(20),
        "6": counted(30, {"N": "2"}),
        "8": counted(40, {"N": "2"}, fixed=["N"]),
        "9": counted(50, {"N": "2"}),
    }
    after = after_entry(TOPAGE, TEAM_MATCH, plays)
    expected = [told(30, notes={"N": "+2.000 MP"}), told(20, mine=True)]
    assert after.data(make_play(after.session, row())) == {"kind": "topage", "plays": expected}


@pytest.mark.parametrize(
    ("percents", "shown"),
    [
        (["50.0", "50.0", None], False),
        ([None], False),
        ([], False),
        (["60.0", "40.0"], True),
        (["60.0", None, "40.0"], True),
    ],
)
def test_ranking_is_shown_once_two_players_differ(percents, shown):
    ranking = [{"rank": 1, "name": "Ada Roux", "percent": percent} for percent in percents]
    after = after_entry(RANKING, plays={"5": counted(60)}, ranking=ranking)
    found = after.data(make_play(after.session, row()))
    assert found == ({"kind": "ranking", "players": ranking} if shown else None)


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    """Return a session with standings of the first étui, and a ranking of two players. One of them is not there."""
    session = started_session(positions=3)
    first = session.plays.select_related("etui").filter(position=1).first()
    ranks = [(first.north_id, 1, "175/3"), (0, 2, "40"), (first.east_id, 3, None)]
    players = [{"id": pk, "rank_general": rank, "overall": overall} for pk, rank, overall in ranks]
    SessionStandings.objects.filter(session=session).update(data={"players": players})
    for play in session.plays.filter(table=first.table):
        kept = {str(play.pk): counted(play.position)}
        EtuiStandings.objects.create(
            standings_id=session.pk, etui_id=play.etui_id, results_version=1, plays=kept, sums={}
        )
    return session.pk


@pytest.mark.parametrize(
    ("setting", "called", "here", "entered", "found"),
    [
        (NOTHING, 0, 1, True, NOTHING),
        (TOPAGE, 0, 3, True, TOPAGE),
        (TOPAGE, 0, 3, False, NOTHING),
        (RANKING, 0, 2, True, RANKING),
        (RANKING, 0, 3, True, NOTHING),
        (RANKING, 2, 3, True, RANKING),
        (RANKING, 3, 1, True, NOTHING),
    ],
)
def test_standings_are_read_as_far_as_the_table_may_see_them(session, setting, called, here, entered, found):
    """Enter the first étui of a table, or nothing. Ask as a table that plays position `here`."""
    session.shows_after, session.position, session.hidden_positions = setting, called, 1
    first, other = session.plays.select_related("north__player__person", "east__player__person").filter(
        table=session.plays.first().table, position__lte=2
    )
    plays = [TablePlay(first, [row()] if entered else [], "entered"), TablePlay(other, [], "to_do")]
    own = session.plays.filter(etui=first.etui_id).values_list("pk", flat=True)
    expected = {
        "session": session,
        "format": INDIVIDUAL,
        "setting": found,
        "kept": {} if found == NOTHING else {first.etui_id: {str(first.pk): counted(1)}},
        "planned": set(map(str, own)) if found == TOPAGE else set(),
    }
    for by_name in (False, True):
        names = [who.get_name(by_name=by_name) for who in (first.north, first.east)]
        ranking = [
            {"rank": 1, "name": names[0], "percent": "58.3"},
            {"rank": 3, "name": names[1], "percent": None},
        ]
        after = After(session, plays, here=here, by_name=by_name)
        assert vars(after) == expected | {"ranking": ranking if found == RANKING else []}


def test_ranking_is_empty_before_the_standings_have_the_etui(session):
    session.shows_after = RANKING
    EtuiStandings.objects.all().delete()
    first = session.plays.first()
    after = After(session, [TablePlay(first, [row()], "entered")], here=1, by_name=True)
    assert (after.setting, after.kept, after.ranking) == (RANKING, {}, [])
