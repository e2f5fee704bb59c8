"""The papers of quadrettes, read back from the PDFs: who attacks at which table, who defends where, and no colour."""

from collections import Counter

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from evenings.changes.carry_out import number_of_plan
from evenings.changes.teams import let_team_leave
from evenings.plans.teams.evening_plan import list_member_ways
from evenings.plans.teams.printing import read_printed_plan
from outgoing.paper.pdf import make_heading
from pages.desk.papers.documents import MIRROR_DOCUMENTS, MIRROR_FEUILLES
from pages.doors import session_url
from tests.evenings.teams.test_quadrettes import find_member, line_up, make_quadrettes, prepare, start
from tests.factories import enter_all, make_director, publish
from tests.outgoing.paper.test_pdf import flat, printed
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import PersonalLink, Session

pytestmark = pytest.mark.django_db
COLOURS = ("blue", "white", "red", "bleu", "blanc", "rouge")
LONG = "Les Trois Mousquetaires de l’Excuse et du Petit au bout"


@pytest.fixture
def draft():
    tournament = make_quadrettes(6)
    tournament.teams.filter(number=3).update(name=LONG)
    session = prepare(tournament, positions=5)
    line_up(session, 2, "3124")
    return session


@pytest.fixture
def desk(draft):
    return browser_of(make_director(draft.tournament.club))


def pdf_of(desk, session, document, language="en"):
    desk.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    answer = desk.get(session_url("prints_pdf", session), {"document": document})
    assert answer.status_code == 200, document
    return answer.content


def read_ways(session):
    return list(list_member_ways(read_printed_plan(session, make_heading(session))))


@pytest.mark.nightly("print")
@pytest.mark.parametrize("language", ["fr", "en"])
def test_each_paper_of_quadrettes_is_offered_answers_and_names_no_colour(draft, desk, language):
    session = start(draft)
    by = make_director(session.tournament.club, "arbitre")
    enter_all(session, by=by)
    publish(session, by=by)
    desk.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    page = desk.get(session_url("prints", session))
    codes = [each.code for each in page.context["documents"]]
    assert codes == [each.code for each in (*MIRROR_DOCUMENTS, *MIRROR_FEUILLES)]
    assert "badges" not in codes
    for code in codes:
        text = flat(pdf_of(desk, session, code, language)).lower().split()
        assert [word for word in COLOURS if word in text] == [], code
        assert "%" not in " ".join(text), code
    assert not {*COLOURS} & {*words(page).lower().split()}


def test_way_of_each_member_is_what_the_plays_and_the_line_ups_say(draft):
    session = start(draft)
    expected = {}
    for play in session.plays.all():
        expected[play.position, play.south_id, "S"] = (play.table.number, play.badge)
    seats = {1: "1234", 2: "3124"}  # the places South, North, East, West
    attacks = 0
    for way in read_ways(session):
        places = seats.get(way.team.number, "1234")
        seat = "SNEW"[places.index(str(way.member.place))]
        for stop in way.stops:
            assert stop.seat == seat
            if seat == "S":
                attacks += 1
                assert expected[stop.position, way.team.id, "S"] == (stop.sitting.table, way.member.place)
            else:
                assert stop.sitting.table == way.team.number  # a table has the number of the team that defends there
                assert stop.sitting.teams[1] == way.team
    assert attacks == 6 * 5


def test_team_of_quadrettes_whose_opponent_has_gone_rests_with_all_its_members(draft):
    session = start(draft)
    gone, by = session.entrants.get(number=6), make_director(session.tournament.club, "arbitre")
    said = {"by": by, "now": timezone.now(), "seen": number_of_plan(session)}
    let_team_leave(entrant_id=gone.pk, session_id=session.pk, after=1, **said)
    rests = Counter(
        (way.team.number, stop.position) for way in read_ways(session) for stop in way.stops if stop.sitting is None
    )
    plays = {(play.position, play.south_id) for play in session.plays.all()}
    teams = {each.number: each.pk for each in session.entrants.exclude(number=6)}
    expected = {(n, p): 4 for n, pk in teams.items() for p in range(2, 6) if (p, pk) not in plays}
    assert {key: count for key, count in rests.items() if key[0] != 6} == expected
    assert len(expected) == 4


@pytest.mark.nightly("print")
def test_guide_cards_say_where_to_attack_and_who_comes(draft, desk):
    session = start(draft)
    text = flat(pdf_of(desk, session, "guides"))
    assert text.count("In attack you sit South") == 6
    assert text.count("In defence you keep your seat") == 18
    assert LONG in text
    links = PersonalLink.objects.filter(member__team__entries__session=session)
    assert links.count() == 24


@pytest.mark.nightly("print")
def test_table_card_names_the_attacker_and_the_defenders_once(draft, desk):
    session = start(draft)
    card = flat(pdf_of(desk, session, "cards")).split("Table 2")[1].split("Table 3")[0]
    assert "N Prénom02 Fam102 E Prénom02 Fam202 W Prénom02 Fam402" in card
    assert card.count("Fam102") == 1
    for play in session.plays.filter(table__number=2).select_related("south__team"):
        attacker = find_member(play.south.team.number, play.badge).player.name
        assert f"S {attacker}" in card


@pytest.mark.nightly("print")
def test_score_sheet_has_room_for_the_other_table_and_match_points_and_south_writes(draft, desk):
    session = start(draft)
    text = flat(pdf_of(desk, session, "sheets"))
    assert text.count("Other table") == text.count("Total · Match points") == 6 * 5
    assert "South writes" in text
    assert "North writes" not in text
    assert "Contract" not in text
    french = flat(pdf_of(desk, session, "sheets", "fr"))
    assert french.count("Points de match") == 2 * 6 * 5


@pytest.mark.nightly("print")
def test_lists_have_the_seats_and_the_tables_of_attackers_and_defenders(draft, desk):
    session = start(draft)
    listed = flat(pdf_of(desk, session, "teams"))
    tables = {way.member.name: way.stops[0] for way in read_ways(session)}
    for name, stop in tables.items():
        assert f"{stop.seat} {name} (Table {stop.sitting.table} )" in listed
    assert "S Prénom02 Fam302" in listed
    door = flat(pdf_of(desk, session, "players", "fr"))
    stop = tables["Prénom02 Fam302"]
    assert f"Fam302 Prénom02 2 S {stop.sitting.table}" in door


@pytest.mark.guard("line-ups are secret before the start")
def test_line_ups_are_secret_before_the_start_and_their_sheets_are_not(draft, desk):
    refused = desk.get(session_url("prints_pdf", draft), {"document": "line_ups"})
    assert refused.status_code == 302
    assert refused["Location"] == session_url("session", draft)
    empty = flat(pdf_of(desk, draft, "line_up_sheets", "fr"))
    assert empty.count("Capitaine") == 6
    assert empty.index("Fam102") < empty.index("Fam202") < empty.index("Fam302")  # by place, not by the line-up
    assert "line_up_sheets" in desk.get(session_url("line_ups", draft)).content.decode()
    session = start(draft)
    filled = flat(pdf_of(desk, session, "line_ups", "fr"))
    names = [find_member(2, place).player.name for place in (3, 1, 2, 4)]
    assert "2 Les Bouts " + " ".join(names) in filled


@pytest.mark.nightly("print")
def test_papers_follow_a_line_up_that_changed_during_the_session(draft, desk):
    session = start(draft)
    Session.objects.update(position=2)
    line_up(session, 4, "4123", reason="malade")
    ways = {way.member.place: way.stops for way in read_ways(session) if way.team.number == 4}
    assert [stop.seat for stop in ways[1]] == ["S", "S", "N", "N", "N"]
    assert [stop.seat for stop in ways[4]] == ["W", "W", "S", "S", "S"]
    assert "Team 4: its line-up changed from position 3 on; reason: malade" in flat(pdf_of(desk, session, "report"))
    filled = flat(pdf_of(desk, session, "line_ups"))
    assert "from position 3 Prénom04 Fam404 Prénom04 Fam104" in filled
    assert flat(pdf_of(desk, session, "guides")).count("In attack you sit South") == 7
    card = flat(pdf_of(desk, session, "cards")).split("Table 4")[1].split("Table 5")[0]
    assert card.count("N Prénom04 Fam204") == card.count("N Prénom04 Fam104") == 1


@pytest.mark.nightly("crawl")
def test_sheets_of_line_ups_take_the_same_queries_for_any_number_of_teams():
    asked = []
    for teams in (4, 12):
        session = prepare(make_quadrettes(teams), positions=3)
        desk = browser_of(make_director(session.tournament.club, f"directrice-{teams}"))
        pdf_of(desk, session, "line_up_sheets")
        session = start(session)
        heading = make_heading(session)
        with CaptureQueriesContext(connection) as queries:
            read_printed_plan(session, heading)
        asked.append(len(queries))
    assert asked == [5, 5]


@pytest.mark.nightly("print")
@pytest.mark.parametrize("teams", [5, 6])
def test_feuille_of_a_member_has_the_attacks_or_the_defences_alone(teams):
    session = start(prepare(make_quadrettes(teams), positions=4))
    by = make_director(session.tournament.club)
    enter_all(session, by=by)
    publish(session, by=by)
    pages = printed(pdf_of(browser_of(by), session, "member_feuilles"))
    text = " ".join(run for page in pages for run in page)
    assert text.count("Feuille de route") == 4 * teams
    assert "waits" not in text
    assert "Waited" not in text
    assert text.count("16 deals") == 4 * teams
