"""The plans for few players, with rovers: they sit on the line of a player who rests, and rank in their own line."""

from collections import Counter, defaultdict
from fractions import Fraction

import pytest
from django.utils import timezone

from clubs.players import add_players
from clubs.roster import RosterLine
from deals.sets import create_set_dealt_at_table
from evenings.changes.carry_out import change_session, number_of_plan
from evenings.changes.outcomes import outcomes, running_evening
from evenings.changes.ways import find_held
from evenings.plans.choosing import choose_plan, proposals_for, shape_of
from evenings.plans.current import evening_of, member_of
from evenings.plans.places import read_plan_of_places
from evenings.plans.starting import start_session
from evenings.sessions.setup import create_session, seats_in_order, set_entrants, use_deal_set
from evenings.standings import computing
from movements import compute_figures
from outgoing.paper import pdf
from pages.desk.prints import evening_to_print
from pages.doors import session_url
from scoring.ranking import Line
from tests.evenings.changes.test_carry_out import newcomers
from tests.evenings.tables.phones import Device, tokens_of
from tests.factories import (
    DATE,
    draft_session,
    enter_all,
    make_director,
    make_tournament,
    publish,
)
from tests.outgoing.paper.test_pdf import flat
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.errors import ActionRefused
from tournaments.models import Entrant, PlanVersion, Session
from tournaments.rules.operations import (
    Arrive,
    Leave,
    Operation,
    Resize,
    Swap,
)

pytestmark = pytest.mark.django_db


def evening(players: int, positions: int = 5, etuis: int = 4) -> Session:
    """Start a session whose plan has rovers on any line."""
    tournament = make_tournament()
    session = create_session(tournament=tournament, date=DATE, positions=positions, etuis_per_position=etuis)
    names = [RosterLine(f"Nom{number:02}", "Zoé") for number in range(1, players + 1)]
    people = add_players(club=tournament.club, lines=names)
    set_entrants(session_id=session.pk, seats=seats_in_order([player.pk for player in people]))
    now = timezone.now()
    deal_set = create_set_dealt_at_table(
        club=tournament.club, name="étuis", count=(positions + 1) * etuis, now=now, by=None
    )
    session = use_deal_set(session_id=session.pk, deal_set=deal_set)
    choice = next(index for index, one in enumerate(proposals_for(session)) if one.code == "any_line")
    choose_plan(session_id=session.pk, choice=choice, shape=shape_of(session), by=None, now=now)
    return start_session(session_id=session.pk, now=now)


def change(session: Session, operation: Operation, by, code: str = "") -> PlanVersion:
    """Carry out a change by the first outcome with this code, or by the first of all."""
    session.refresh_from_db()
    ways = [way.code for way in outcomes(session, operation)]
    told = {"choice": ways.index(code) if code else 0, "seen": number_of_plan(session), "by": by}
    return change_session(session_id=session.pk, operation=operation, now=timezone.now(), **told)


def seats_of(session: Session, position: int) -> dict[int, str]:
    """Return the line on which each entrant sits in a position."""
    plays = session.plays.filter(position=position)
    return {seated: line for play in plays for line, seated in play.seat_ids.items()}


def abroad(session: Session) -> list[tuple[Entrant, int, str]]:
    """Return each entrant who sits on another line than their own, with the position and that line."""
    entrants = session.entrants.select_related("player").in_bulk()
    return [
        (entrants[pk], position, line)
        for position in range(1, session.positions + 1)
        for pk, line in sorted(seats_of(session, position).items())
        if entrants[pk].line != line
    ]


@pytest.mark.nightly("story")
@pytest.mark.parametrize("players", [5, 6, 7, 9, 10, 11, 13, 14, 15])
def test_everybody_rests_alike_in_the_plays_that_are_laid_out(players):
    session = evening(players)
    rests = Counter(dict.fromkeys(session.entrants.values_list("pk", flat=True), 0))
    for position in range(1, 6):
        resting = set(rests) - set(seats_of(session, position))
        assert len(resting) == players % 4
        rests.update(resting)
    assert max(rests.values()) - min(rests.values()) <= 1
    assert abroad(session)
    assert session.plays.count() == players // 4 * 5 * 4


@pytest.mark.nightly("story")
def test_a_rover_has_the_notes_of_his_seats_and_a_rank_in_his_own_line():
    session = evening(10)
    director = make_director(session.tournament.club)
    enter_all(session, by=director)
    data = computing.compute(session.pk).data
    notes: dict[int, dict[bool, list[Fraction]]] = {}
    for play in session.plays.select_related("etui"):
        told = data["plays"][str(play.pk)]
        for line, entrant in play.seat_ids.items():
            mine = notes.setdefault(entrant, {True: [], False: []})
            mine[line == told["taker"]].append(Fraction(told["notes"][line]))
    entrants = session.entrants.in_bulk()
    ranked = {line: [] for line in map(str, Line)}
    for player in data["players"]:
        mine = notes[player["id"]]
        attack, defence = (sum(mine[taken], Fraction()) / len(mine[taken]) for taken in (True, False))
        assert (Fraction(player["attack"]), Fraction(player["defence"])) == (attack, defence)
        assert Fraction(player["overall"]) == (attack + 3 * defence) / 4
        assert player["line"] == entrants[player["id"]].line
        ranked[player["line"]].append((-Fraction(player["overall"]), player["rank_line"]))
    assert {line: len(places) for line, places in ranked.items()} == {"N": 3, "E": 3, "S": 2, "W": 2}
    for places in ranked.values():
        assert [1 + sum(other < value for other, _ in places) for value, _ in places] == [rank for _, rank in places]
    publish(session, by=director)
    rover, _, _ = abroad(session)[0]
    page = words(browser_of(director).get(session_url("live_feuille", session, rover.pk)))
    assert rover.player.last_name in page


@pytest.mark.nightly("print")
def test_pages_prints_and_tables_tell_a_rover_on_which_line_to_sit():
    session = evening(9)
    director = browser_of(make_director(session.tournament.club))
    rover, position, line = abroad(session)[0]
    name = {"N": "North", "E": "East", "S": "South", "W": "West"}
    session.position = position
    session.save(update_fields=["position"])
    hall = words(director.get(session_url("hall", session), {"q": rover.player.last_name}))
    assert f", {name[line]}" in hall
    by_table = words(director.get(session_url("hall", session), {"by": "table"}))
    assert all(f"Table {number}" in by_table for number in (1, 2))
    assert director.get(session_url("session_plan", session)).status_code == 200
    way = next(way for way in read_plan_of_places(session).ways if way.entrant.pk == rover.pk)
    assert way.stops[position - 1].line == line
    printed = evening_to_print(session, read_plan_of_places(session))
    for document in (pdf.guides, pdf.table_cards, pdf.poster, pdf.players, pdf.score_sheets):
        assert rover.player.last_name in flat(document(printed, language="en")) or document is pdf.poster


@pytest.mark.nightly("story")
def test_table_screen_sends_a_rover_to_the_seat_of_the_next_position():
    session = evening(10)
    tokens_of(session)
    seated = {position: seats_of(session, position) for position in range(1, 6)}
    stays = next(one for one in abroad(session) if one[0].pk in seated[one[1] - 1])
    rover, position, line = stays
    director = make_director(session.tournament.club)
    enter_all(session, by=director, plays=session.plays.filter(position__lt=position - 1).select_related("etui"))
    Session.objects.filter(pk=session.pk).update(position=position - 1)
    screens = [Device(table).state() for table in session.tables.all()]
    going = {one["name"]: (one["line"], one["table"]) for state in screens for one in state["next"]}
    table = next(play.table.number for play in session.plays.filter(position=position) if play.seats[line] == rover)
    assert going[rover.name] == (line, table)


@pytest.mark.nightly("story")
@pytest.mark.parametrize("players", [9, 11, 14])
def test_somebody_goes_or_comes_and_the_evening_goes_on_with_equal_rests(players):
    session = evening(players, positions=6)
    director = make_director(session.tournament.club)
    enter_all(session, by=director, plays=session.plays.filter(position=1).select_related("etui"))
    fixed = session.entrants.get(line="W", number=1)
    change(session, Leave((fixed.pk,), after=1), director, "replanned")
    assert session.plays.filter(position=2).count() == (players - 1) // 4 * 4
    resting = evening_of(session).plan.list_resting()[1:]
    assert {len(there) for there in resting} == {(players - 1) % 4}
    enter_all(session, by=director, plays=session.plays.filter(position=2).select_related("etui"))
    (late,) = add_players(club=session.tournament.club, lines=[RosterLine("Tardif", "")])
    change(session, Arrive((late.pk,), after=2), director, "replanned")
    plan = evening_of(session).plan
    assert {len(there) for there in plan.list_resting()[2:]} == {players % 4}
    one, other = sorted(seats_of(session, 2))[:2]
    change(session, Swap(2, one, other), director)
    change(session, Resize(7), director)
    for play in session.plays.filter(position__gte=3):
        assert len({*play.seat_ids.values()}) == 4
    seen = Counter((seated, play.etui_id) for play in session.plays.all() for seated in play.seat_ids.values())
    assert max(seen.values()) == 1
    rests = Counter(member for there in evening_of(session).plan.list_resting() for member in there)
    constant = [rests[member_of(entrant)] for entrant in session.entrants.filter(first_position=1, last_position=None)]
    assert max(constant) - min(constant) <= 1


@pytest.mark.nightly("story")
def test_thirty_players_start_with_rovers_once_the_director_has_chosen():
    session = draft_session(tables=7, positions=5, etuis_per_position=1)
    director = make_director(session.tournament.club)
    ids = [entrant.player_id for entrant in session.entrants.all()]
    ids += newcomers(session, "Vingt-neuf", "Trente")
    set_entrants(session_id=session.pk, seats=seats_in_order(ids))
    with pytest.raises(ActionRefused, match="plan_to_choose"):
        start_session(session_id=session.pk, now=timezone.now())
    choose_plan(session_id=session.pk, choice=0, shape=shape_of(session), by=director, now=timezone.now())
    session = start_session(session_id=session.pk, now=timezone.now())
    evening = running_evening(session)
    rests = defaultdict(int)
    for position in range(1, 6):
        for resting in evening.find_resting(position):
            rests[resting.pk] += 1
    assert set(rests.values()) == {1}
    assert len(rests) == 10
    assert find_held(session) == 0
    assert compute_figures(evening.plan).perfect
