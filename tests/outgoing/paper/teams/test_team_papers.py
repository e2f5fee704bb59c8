"""The papers of an evening of triplettes, read back from the PDFs: who attacks, defends and waits, by member."""

import datetime as dt
from collections import Counter, defaultdict

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from deals.domain.cards import Seat
from evenings.plans.evening_plan import EveningPaper, Position, SessionHeading
from evenings.plans.teams.evening_plan import (
    PrintedMember,
    PrintedTeam,
    PrintedTurn,
    TeamSitting,
    list_member_ways,
    list_teams,
)
from evenings.plans.teams.printing import read_printed_plan
from evenings.teams.membership import MemberSpan
from outgoing.paper.pdf import make_heading
from outgoing.paper.teams import plan as papers
from pages.desk.papers.documents import DOCUMENTS, FEUILLES, TEAM_DOCUMENTS, TEAM_FEUILLES
from pages.doors import session_url
from scoring.formats import TRIPLETTES
from tests.evenings.teams.evening import triplettes_session
from tests.evenings.teams.playing import play_all
from tests.factories import make_director
from tests.outgoing.paper.test_pdf import drawn_codes, flat, printed
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.codes import group_code
from tournaments.models import PersonalLink, TableToken

pytestmark = pytest.mark.django_db
PLAN = ("guides", "cards", "badges", "poster", "teams", "players", "sheets", "fiche")
LONG = "Marie-Élisabeth Vandenbroucke-Desmoulins"


@pytest.fixture
def desk(evening, session):
    return browser_of(evening.director)


def pdf_of(desk, session, document, language="en", **more):
    desk.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    answer = desk.get(session_url("prints_pdf", session), {"document": document, **more})
    assert answer.status_code == 200, document
    return answer.content


@pytest.mark.usefixtures("english")
@pytest.mark.parametrize(
    ("first", "last", "said"), [(1, None, ""), (1, 4, "to position 4"), (3, None, "from position 3")]
)
def test_span_of_a_member_is_said_unless_it_is_the_whole_session(first, last, said):
    assert papers.say_span(PrintedMember(1, "Zoé", 1, span=MemberSpan(first, last))) == said


def test_everything_that_single_players_print_is_there_for_teams():
    single = {each.code for each in (*DOCUMENTS, *FEUILLES)}
    assert single < {each.code for each in (*TEAM_DOCUMENTS, *TEAM_FEUILLES)}


@pytest.mark.nightly("print")
@pytest.mark.parametrize("language", ["fr", "en"])
def test_page_of_prints_offers_each_document_and_each_answers(session, desk, language):
    desk.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    page = desk.get(session_url("prints", session))
    codes = [each.code for each in page.context["documents"]]
    assert codes == [each.code for each in (*TEAM_DOCUMENTS, *TEAM_FEUILLES)]
    for code in codes:
        assert pdf_of(desk, session, code, language).startswith(b"%PDF")
    assert ("Liste des équipes" if language == "fr" else "List of teams") in words(page)


def test_way_of_each_member_is_what_the_plays_say(session):
    """Derive attack, defence and waiting from the stored plays alone, and compare them with the cards."""
    plays = session.plays.filter(is_replay=False).select_related("etui")
    found = defaultdict(Counter)
    for way in list_member_ways(read_printed_plan(session, make_heading(session))):
        for stop in way.stops:
            for turn in stop.sitting.turns if stop.sitting else ():
                own = turn.attacking == way.team.id
                role = "defends" if not own else "attacks" if turn.badge == way.member.place else "waits"
                found[stop.position, turn.etui, way.team.id][role] += 1
    expected = {}
    for play in plays:
        sides = set(play.seat_ids.values())
        attacking = play.seat_ids[play.taker]
        (defending,) = sides - {attacking}
        expected[play.position, play.etui.number, attacking] = {"attacks": 1, "waits": 2}
        expected[play.position, play.etui.number, defending] = {"defends": 3}
    assert {key: dict(value) for key, value in found.items()} == expected


def test_kth_etui_that_a_team_attacks_is_on_the_card_of_the_kth_colour(evening, session):
    """Check it for a team that plays from the first position to the last."""
    first, turns = evening.tournament.first_badge, []
    for way in list_member_ways(read_printed_plan(session, make_heading(session))):
        if way.team.number == 3:
            for stop in way.stops:
                for turn in stop.sitting.turns if stop.sitting else ():
                    if (turn.attacking, turn.badge) == (way.team.id, way.member.place):
                        turns.append((stop.position, turn.etui, way.member.place))
    badges = [place for _position, _etui, place in sorted(turns)]
    assert len(badges) > 6
    assert badges == [(first - 1 + k) % 3 + 1 for k in range(len(badges))]


def cards_of(document):
    """Return the texts of each guide card, by the name of its owner."""
    cards, name = {}, ""
    runs = [run for page in printed(document) for run in page]
    for before, run in zip(["", *runs], runs, strict=False):
        if run in ("blue", "white", "red"):
            name = before
            cards[name] = []
        if name:
            cards[name].append(run)
    return cards


@pytest.mark.nightly("print")
def test_guide_card_says_attack_with_the_seat_wait_and_defence(evening, session, desk):
    cards = cards_of(pdf_of(desk, session, "guides"))
    member = evening.member(1, 1)
    (card,) = [runs for name, runs in cards.items() if name == member.player.name]
    plan = read_printed_plan(session, make_heading(session))
    (way,) = [way for way in list_member_ways(plan) if way.member.id == member.pk]
    position, sitting, _seat = way.stops[0]
    mine = [turn for turn in sitting.turns if turn.attacking == way.team.id]
    attacks = [turn for turn in mine if turn.badge == 1]
    told = [str(position), str(sitting.table)]
    start = card.index("Defends") + 1
    assert card[start : start + 2] == told
    row = card[start : card.index("2", start + 2) if "2" in card[start + 2 :] else None]
    for turn in attacks:
        assert str(turn.etui) in row
        assert str(turn.taker) in row
    text = " ".join(card)
    assert "In defence the captain seats the three players" in text


def test_substitute_has_the_positions_from_the_change_on(evening, session, desk):
    plan = read_printed_plan(session, make_heading(session))
    ways = {way.member.name: [stop.position for stop in way.stops] for way in list_member_ways(plan)}
    assert ways["Prénom04 Fam204"] == [1, 2]
    assert ways["Éloïse Remplaçante"] == [3, 4, 5]
    assert ways["Prénom06 Fam106"] == [1, 2]  # the team left
    assert ways["Prénom09 Fam109"] == [3, 4, 5]
    text = flat(pdf_of(desk, session, "players"))
    assert "Remplaçante Éloïse 4 white from position 3" in text


@pytest.mark.nightly("print")
def test_each_member_has_a_code_of_their_own_and_a_team_has_none(session, desk):
    PersonalLink.objects.all().delete()
    document = pdf_of(desk, session, "guides")
    links = list(PersonalLink.objects.all())
    ways = list(list_member_ways(read_printed_plan(session, make_heading(session))))
    assert {link.member_id for link in links} == {way.member.id for way in ways}
    text = flat(document).replace(" ", "\xa0")
    assert [link.code for link in links if group_code(link.code) not in text] == []
    assert len(drawn_codes(document)) == len(links)
    pdf_of(desk, session, "feuilles")
    assert not PersonalLink.objects.filter(member=None).exists()
    assert sorted(PersonalLink.objects.values_list("token", flat=True)) == sorted(link.token for link in links)


@pytest.mark.nightly("print")
def test_revoked_link_of_a_member_stays_revoked(evening, session, desk):
    pdf_of(desk, session, "guides")
    gone = PersonalLink.objects.get(member=evening.member(1, 1))
    gone.revoked_at = evening.now
    gone.save()
    document = pdf_of(desk, session, "guides")
    assert group_code(gone.code) not in flat(document).replace(" ", "\xa0")
    assert PersonalLink.objects.filter(member=gone.member).count() == 1


def test_badges_have_every_colour_in_words_and_every_name(session, desk):
    text = flat(pdf_of(desk, session, "badges", "fr"))
    ways = list(list_member_ways(read_printed_plan(session, make_heading(session))))
    for place, word in ((1, "BLEU"), (2, "BLANC"), (3, "ROUGE")):
        assert text.count(word) == sum(way.member.place == place for way in ways)
    for word in [*LONG.split("-"), "Œillet", "Éloïse"]:
        assert word in text


@pytest.mark.nightly("print")
def test_table_card_says_who_meets_and_which_colour_attacks_each_etui(session, desk):
    pages = printed(pdf_of(desk, session, "cards"))
    runs = [run for page in pages for run in page]
    card = " ".join(runs[runs.index("Who attacks") + 1 :])
    sitting = read_printed_plan(session, make_heading(session)).positions[0].at(1)
    colours = {1: "blue", 2: "white", 3: "red"}
    numbers = {team.id: str(team.number) for team in sitting.teams}
    assert len(sitting.turns) == 4
    for turn in sitting.turns:
        assert f"{turn.etui} {turn.taker} {numbers[turn.attacking]} {colours[turn.badge]}" in card
    for team in sitting.teams:
        assert f"{team.number} {team.name.split()[0]}" in card
    codes = TableToken.objects.filter(table__session=session, revoked_at=None).values_list("number", flat=True)
    text = flat(pdf_of(desk, session, "cards")).replace(" ", "\xa0")
    assert codes
    assert [code for code in codes if group_code(code) not in text] == []


def test_score_sheet_names_the_attacker_with_the_colour_and_both_teams_sign(evening, session, desk):
    text = flat(pdf_of(desk, session, "sheets"))
    sitting = read_printed_plan(session, make_heading(session)).positions[0].at(1)
    turn = sitting.turns[0]
    attacking = next(team for team in sitting.teams if team.id == turn.attacking)
    attacker = attacking.find_attacker(turn.badge, 1)
    assert f"{attacker.name} {('', 'blue', 'white', 'red')[turn.badge]}" in text
    assert "If another player attacked, write the name." in text
    for side, team in zip(("NS", "EW"), sitting.teams, strict=True):
        assert f"{side} {team.number} {team.name}" in text


def test_poster_and_list_of_teams_have_all_teams(session, desk):
    poster, listed = flat(pdf_of(desk, session, "poster")), flat(pdf_of(desk, session, "teams", "fr"))
    listed = listed.replace("\N{NO-BREAK SPACE}", " ")
    assert "NS" in poster
    plan = read_printed_plan(session, make_heading(session))
    for team in list_teams(plan):
        assert str(team.number) in poster.split()
        for member in team.members:
            assert member.name.split()[0] in listed
    assert "(dès la pos. 3)" in listed
    assert "(jusqu’à la pos. 2)" in listed


@pytest.mark.nightly("print")
def test_changed_cards_are_those_of_the_teams_that_a_change_moves(evening, session, desk):
    changed = cards_of(pdf_of(desk, session, "guides", touched=""))
    one = cards_of(pdf_of(desk, session, "guides", entrant=evening.entrant(2).pk))
    assert sorted(one) == ["Prénom02 Fam102", "Prénom02 Fam202", "Prénom02 Fam302"]
    assert len(changed) <= len(cards_of(pdf_of(desk, session, "guides")))


@pytest.mark.nightly("print")
def test_papers_of_the_plan_are_the_same_before_and_after_the_results():
    session = triplettes_session(teams=4)
    by = make_director(session.tournament.club)
    desk = browser_of(by)
    before = {code: pdf_of(desk, session, code) for code in PLAN}
    play_all(session, by=by)
    assert {code: pdf_of(desk, session, code) for code in PLAN} == before


@pytest.mark.nightly("print")
def test_plan_takes_no_query_for_each_team():
    counts = []
    for teams in (6, 12):
        session = triplettes_session(teams=teams)
        heading = make_heading(session)
        with CaptureQueriesContext(connection) as queries:
            read_printed_plan(session, heading)
        counts.append(len(queries))
    assert counts == [3, 3]


def team(number: int) -> PrintedTeam:
    members = tuple(
        PrintedMember(10 * number + place, f"M{number}{place}", place, f"M{number}{place}") for place in (1, 2, 3)
    )
    return PrintedTeam(number, number, f"Équipe {number}", members)


def test_members_of_a_team_at_three_tables_go_where_they_attack():
    """Take a position of Emmanuel 16: a team attacks three others, with one of its players at each table."""
    one, *others = (team(number) for number in (1, 2, 3, 4))
    sittings = tuple(
        TeamSitting(place, (one, other), tuple(PrintedTurn(etui, Seat("N"), 1, place) for etui in (5, 6)), True)
        for place, other in enumerate(others, start=1)
    )
    heading = SessionHeading("Club", "Tournoi", 1, dt.date(2026, 11, 20))
    evening = EveningPaper(heading, TRIPLETTES, (Position(1, sittings),))
    ways = {way.member.name: way.stops[0].sitting for way in list_member_ways(evening)}
    assert [ways[f"M1{place}"].table for place in (1, 2, 3)] == [1, 2, 3]
    assert [ways[f"M{number}2"].table for number in (2, 3, 4)] == [1, 2, 3]
    text = flat(papers.guides(evening, language="en"))
    assert text.count("5 N 6 N") == 3
    cards = flat(papers.table_cards(evening, language="en"))
    assert "Attack" in cards
    assert "Defence" in cards


def test_member_without_a_position_has_no_card_and_the_newest_attacker_is_named():
    old = PrintedMember(1, "Old", 1, span=MemberSpan(1, 2))
    new = PrintedMember(2, "New", 1, span=MemberSpan(2, None))
    pair = PrintedTeam(1, 1, "Équipe 1", (old, new, PrintedMember(3, "Never", 2, span=MemberSpan(9, None))))
    assert [pair.find_attacker(1, position) for position in (1, 2, 3)] == [old, new, new]
    assert pair.find_attacker(2, 1) is None
    sitting = TeamSitting(1, (pair, team(2)), (PrintedTurn(1, Seat("N"), 1, 1),))
    heading = SessionHeading("Club", "Tournoi", 1, dt.date(2026, 11, 20))
    evening = EveningPaper(heading, TRIPLETTES, (Position(1, (sitting,)),))
    assert [way.member.name for way in list_member_ways(evening)][:1] == ["Old"]
    assert "Never" not in [way.member.name for way in list_member_ways(evening)]
    with pytest.raises(ValueError, match="nobody plays"):
        EveningPaper(heading, TRIPLETTES, (Position(1, ()),))
