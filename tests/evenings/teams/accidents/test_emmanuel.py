"""A whole evening of Emmanuel 16: four teams attack at three tables at once, and every page shows all of them."""

from collections import Counter, defaultdict
from fractions import Fraction

import pytest
from django.utils import timezone

from evenings.changes.carry_out import number_of_plan
from evenings.changes.mistakes import mend_teams
from evenings.plans.places import read_plan_of_places
from evenings.plans.teams.choosing import choose_team_plan, propose_for_teams, team_shape
from evenings.tables.words import catalogue
from pages.doors import session_url
from scoring.teams import ATTACK, DEFENCE
from tests.evenings.standings.keeping import assert_kept_from_nothing
from tests.evenings.tables.phones import Device
from tests.evenings.teams.evening import make_team_tournament
from tests.evenings.teams.independent_triplettes import find_percentages, find_ranks
from tests.evenings.teams.playing import play_all
from tests.evenings.teams.test_standings import list_plays, read_kept
from tests.evenings.teams.test_starting import list_turns, prepare, start
from tests.factories import enter, make_director
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.errors import ActionRefused
from tournaments.models import Session
from tournaments.rules.operations import Swap, WrongEtuis

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("story")]


def start_emmanuel(positions: int = 4, etuis: int = 2) -> Session:
    session = prepare(make_team_tournament(teams=16), positions=positions, etuis=etuis)
    rules = [each.plan.rule for each in propose_for_teams(session)]
    choice, shape = rules.index("emmanuel16"), team_shape(session)
    choose_team_plan(session_id=session.pk, choice=choice, shape=shape, by=None, now=timezone.now())
    session = start(session)
    Session.objects.filter(pk=session.pk).update(position=1)
    session.refresh_from_db()
    return session


@pytest.fixture
def session(db):
    return start_emmanuel()


def test_whole_evening_equals_an_independent_computation():
    session = start_emmanuel(positions=20, etuis=1)
    session = play_all(session, by=make_director(session.tournament.club), missing=2)
    found = find_percentages(list_plays(session), {})
    overall = {team: figures[2] for team, figures in found.items()}
    ranks = find_ranks(overall)
    assert read_kept(session) == {team: (*found[team], ranks[team], None) for team in found}
    assert len(found) == 16
    assert_kept_from_nothing(session)


def test_attacking_team_sits_at_three_tables_with_one_player_at_each(session):
    plan = read_plan_of_places(session)
    for position, tables in enumerate(plan.positions, start=1):
        assert len(tables) == 12
        assert all(tuple(place.seats) == (ATTACK, DEFENCE) for place in tables)
        badges = defaultdict(set)
        for place in tables:
            badges[place.seats[ATTACK].pk].add(place.badge)
        assert list(badges.values()) == [{1, 2, 3}] * 4
        stops = {way.entrant.pk: way.stops[position - 1] for way in plan.ways}
        assert Counter(len(stop.spots) for stop in stops.values()) == {3: 4, 1: 12}
        for place in tables:
            for entrant in place.seats.values():
                assert place in [spot.place for spot in stops[entrant.pk].spots]
        for pk in badges:
            first, *_rest, last = (spot.place.table for spot in stops[pk].spots)
            assert stops[pk].tables == f"{first}–{last}"


def test_pages_show_all_three_tables(session):
    director = browser_of(make_director(session.tournament.club))
    director.defaults["HTTP_ACCEPT_LANGUAGE"] = "fr"
    plan = words(director.get(session_url("session_plan", session)))
    assert "Attaque" in plan
    assert "Nord-Sud" not in plan
    assert "bleu" in plan
    attacking = read_plan_of_places(session).positions[0][0].seats[ATTACK].own_name
    hall = words(director.get(session_url("hall", session)))
    assert "1–3" in hall
    mine = words(director.get(session_url("hall", session) + f"?q={attacking}"))
    assert all(f"Table {number}, Attaque" in mine for number in (1, 2, 3))
    assert mine.index("bleu") < mine.index("blanc") < mine.index("rouge")
    by_table = words(director.get(session_url("hall", session) + "?by=table"))
    assert by_table.count("Table ") >= 12
    assert director.get(session_url("session", session)).status_code == 200


def test_tables_are_told_which_team_attacks_and_the_tables_to_come(session):
    states = {table.number: Device(table).state() for table in session.tables.all()}
    for state in states.values():
        stop = state["stops"][0]
        assert stop["attacking"] == "N"
        attack = {play["attack"]["team"] for play in stop["plays"]}
        assert attack == {stop["teams"]["N"]["name"]}
    going = {one["name"]: one for state in states.values() for one in state["next"]}
    assert len(going) == 16
    assert Counter(len(one.get("tables", [one["table"]])) for one in going.values()) == {3: 4, 1: 12}
    assert {"tables", "side_attacks", "side_defends"} <= catalogue()["fr"].keys()


def test_three_attacks_at_once_leave_the_turns_of_the_next_session_even(session):
    plays = list(session.plays.select_related("etui"))
    assert Counter(play.badge for play in plays) == {1: 32, 2: 32, 3: 32}
    following = start(prepare(session.tournament, positions=3, etuis=2))
    begin = session.tournament.first_badge - 1
    for turns in list_turns(following).values():
        assert turns == [(begin + k) % 3 + 1 for k in range(len(turns))]


def test_exchanged_defenders_are_corrected_and_other_mistakes_are_refused(session):
    by = make_director(session.tournament.club)
    plays = list(session.plays.filter(position=1, table__number__in=(1, 2)).select_related("etui", "table"))
    for play in plays:
        enter(play, by=by)
    sides = {}
    for play in plays:
        attacks = play.seat_ids[play.taker]
        (defends,) = {*play.seat_ids.values()} - {attacks}
        sides[play.pk] = attacks, defends
    attacking, one = sides[plays[0].pk]
    other = next(defending for _, defending in sides.values() if defending != one)
    seen = number_of_plan(session)
    for wrong in (Swap(1, attacking, one), WrongEtuis(1, 1, ((1, 9),))):
        with pytest.raises(ActionRefused, match="team_at_tables"):
            mend_teams(session_id=session.pk, mistake=wrong, seen=seen, by=by, now=timezone.now())
    mend_teams(session_id=session.pk, mistake=Swap(1, one, other), seen=seen, by=by, now=timezone.now())
    for play in session.plays.filter(pk__in=sides).select_related("etui"):
        attacks, defends = sides[play.pk]
        assert play.seat_ids[play.taker] == attacks
        assert {one: other, other: one}[defends] in play.seat_ids.values()
        assert not play.is_replay


def test_each_team_has_its_note_once_for_each_of_its_tables(session):
    session = play_all(session, by=make_director(session.tournament.club))
    rows = session.standings.data["players"]
    assert {(row["attacks"], row["defences"]) for row in rows} == {(6, 6)}
    assert all(Fraction(row["overall"]) == (Fraction(row["attack"]) + Fraction(row["defence"])) / 2 for row in rows)
