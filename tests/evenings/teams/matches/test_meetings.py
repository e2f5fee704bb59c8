"""The meetings of two teams: several of one pair, single matches, equal teams of a league, and the files."""

import csv
import io

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evenings.changes.quarters import decide_order
from rankings.events.matches import find_matches
from tests.api.conftest import Client as Program
from tests.evenings.teams.matches.evening import make_matches, prepare_match, start
from tests.evenings.teams.matches.test_leagues import play_round, read_page, win
from tests.evenings.teams.playing import refresh
from tests.evenings.teams.test_quadrettes import refuse
from tests.factories import make_director, make_helper, publish
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import MatchDecision, Session, Tournament

pytestmark = pytest.mark.django_db


def address(name, tournament):
    return reverse(name, args=[tournament.club.slug, tournament.slug])


def read_csv(who, tournament, table):
    answer = who.get(f"{address('matches_file', tournament)}?table={table}", headers={"accept-language": "en"})
    assert answer.status_code == 200
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig")), delimiter=";"))


@pytest.mark.nightly("story")
def test_all_sessions_of_two_teams_of_a_league_are_shown():
    tournament = make_matches(4)
    by = make_director(tournament.club)
    win(tournament, [(1, 2)], by)
    win(tournament, [(2, 1)], by, draw=(1,))
    win(tournament, [(2, 1)], by)
    prepare_match(tournament, [1, 2])
    found = find_matches(tournament, in_public=True)
    (pair,) = [each for one in found.rounds for each in one.pairs if {each.home, each.away} == {1, 2}]
    assert [(each.session, each.result is not None) for each in pair.meetings] == [
        (1, True),
        (2, True),
        (3, True),
        (4, False),
    ]
    assert [each.winner for each in pair.meetings[:3]] == [1, None, 2]
    assert {row.team: (row.points, row.played) for row in found.table} == {1: (3, 3), 2: (3, 3), 3: (0, 0), 4: (0, 0)}
    page = read_page(Client(), tournament)
    assert all(f"Session {number}" in page for number in range(1, 5))
    rounds = Program(None).get(f"tournaments/{tournament.pk}/matches/")["rounds"]
    (match,) = [each for one in rounds for each in one["matches"] if each["home"] == 1 and each["away"] == 2]
    assert [each["version"] for each in match["meetings"]] == [1, 1, 1, None]
    assert (match["session"], match["winner"]) == (3, 2)
    assert [row["Session"] for row in read_csv(Client(), tournament, "matches") if row["Version of the ranking"]] == [
        "1",
        "2",
        "3",
    ]


@pytest.mark.nightly("story")
def test_single_matches_stand_session_by_session_without_a_table():
    tournament = make_matches(4)
    Tournament.objects.update(meeting="single")
    tournament.refresh_from_db()
    by = make_director(tournament.club)
    play_round(tournament, [1, 2, 3, 4], by)
    publish(refresh(Session.objects.get()), by=by)
    prepare_match(tournament, [1, 3])
    found = find_matches(tournament, in_public=True)
    assert [(each.number, [(pair.home, pair.away) for pair in each.pairs]) for each in found.rounds] == [
        (1, [(1, 2), (3, 4)]),
        (2, [(1, 3)]),
    ]
    page = read_page(Client(), tournament)
    assert "The matches" in page
    assert "Table of the league" not in page
    assert "Round" not in page
    answer = Program(None).get(f"tournaments/{tournament.pk}/matches/")
    assert (answer["meeting"], answer["table"], len(answer["rounds"])) == ("single", [], 2)


def make_equal_teams():
    """Return a league in which 1, 2 and 3 have won twice each and have equal match points, and 4 has lost all."""
    tournament = make_matches(4)
    by = make_director(tournament.club)
    win(tournament, [(1, 2), (3, 4)], by)
    win(tournament, [(2, 3), (1, 4)], by)
    win(tournament, [(3, 1), (2, 4)], by)
    return tournament, by


@pytest.mark.nightly("story")
def test_director_puts_equal_teams_of_a_league_in_order_with_a_reason():
    tournament, by = make_equal_teams()
    found = find_matches(tournament, in_public=True)
    ranks = {row.team: (row.points, row.rank) for row in found.table}
    (group,) = [each for each in found.equals if len(each) > 1]
    assert len({ranks[team] for team in group}) == 1
    url, browser = address("matches", tournament), browser_of(by)
    english = {"headers": {"accept-language": "en"}}
    assert "Put equal teams in order" in words(browser.get(url, **english))
    assert "Put equal teams in order" not in read_page(Client(), tournament)
    assert "Put equal teams in order" not in read_page(browser_of(make_helper(tournament.club)), tournament)
    order = group[::-1]
    sent = {"team": group, "reason": "tirage au sort"} | {f"place-{team}": 1 for team in group}
    answer = browser.post(address("match_decide", tournament), sent, follow=True, **english)
    assert "Give each team a place of its own." in words(answer)
    assert MatchDecision.objects.count() == 0
    sent |= {f"place-{team}": place for place, team in enumerate(order, start=1)}
    for _twice in range(2):
        assert browser.post(address("match_decide", tournament), sent).status_code == 302
    assert MatchDecision.objects.count() == len(group) * (len(group) - 1) / 2
    table = {row.team: row.rank for row in find_matches(tournament, in_public=True).table}
    assert sorted(group, key=table.get) == order
    assert len({*table.values()}) == 4
    page = read_page(Client(), tournament)
    assert "tirage au sort" in page
    ids = {team.number: team.pk for team in tournament.teams.all()}
    told = {"tournament_id": tournament.pk, "by": by, "now": timezone.now()}
    refuse("reason_missing", lambda: decide_order(teams=[ids[1], ids[2]], reason=" ", **told))
    refuse("decision_of_two", lambda: decide_order(teams=[ids[1], ids[2], ids[1]], reason="x", **told))


@pytest.mark.nightly("story")
def test_second_order_of_equal_teams_replaces_the_first_one():
    tournament, by = make_equal_teams()
    (group,) = find_matches(tournament, in_public=True).equals
    ids = {team.number: team.pk for team in tournament.teams.all()}
    orders = [group, [*group[1:], group[0]], group[::-1]]
    assert len(group) == 3
    for order in orders:
        told = {"tournament_id": tournament.pk, "by": by, "now": timezone.now()}
        decide_order(teams=[ids[team] for team in order], reason=f"tirage {order}", **told)
        found = find_matches(tournament, in_public=True)
        ranks = {row.team: row.rank for row in found.table}
        assert sorted(group, key=ranks.get) == order
        page = read_page(Client(), tournament)
        assert page.count("tirage") == 2  # each team before the next one, by the newest word alone
        assert page.count(f"tirage {order}") == 2


@pytest.mark.guard("a league whose team has left")
def test_team_that_leaves_after_a_closed_session_keeps_the_page_of_single_matches():
    tournament = make_matches(2)
    Tournament.objects.update(meeting="single")
    tournament.refresh_from_db()
    session = play_round(tournament, [1, 2], make_director(tournament.club))
    Session.objects.filter(pk=session.pk).update(closed_at=timezone.now())
    tournament.teams.filter(number=1).update(left_at=timezone.now())
    for meeting in ("single", "league", "tree"):
        Tournament.objects.update(meeting=meeting)
        tournament.refresh_from_db()
        assert ("Team 1" in read_page(Client(), tournament)) >= (meeting == "single")


@pytest.mark.guard("the files of single matches")
def test_files_have_what_their_reader_sees_on_the_page():
    tournament = make_matches(2)
    by = make_director(tournament.club)
    session = play_round(tournament, [1, 2], by)
    Session.objects.filter(pk=session.pk).update(closed_at=timezone.now())
    for who, points in ((Client(), False), (browser_of(make_helper(tournament.club)), False), (browser_of(by), True)):
        (row,) = read_csv(who, tournament, "matches")
        assert bool(row["Match points of the first team"]) == points
        assert row["Version of the ranking"] == ""
    publish(session, by=by)
    tournament.teams.filter(number=1).update(name="=1+1")
    (row,) = read_csv(Client(), tournament, "matches")
    assert row["Version of the ranking"] == "1"
    assert row["First team"] in ("'=1+1", "Team 1")
    league = read_csv(Client(), tournament, "league")
    assert [each["Rank"] for each in league] == ["1", "2"]
    book = Client().get(f"{address('matches_file', tournament)}?kind=xlsx")
    assert book.content.startswith(b"PK")
    for wrong in ("?kind=exe", "?table=x"):
        assert Client().get(address("matches_file", tournament) + wrong).status_code == 404


@pytest.mark.nightly("story")
def test_page_of_a_league_of_forty_teams_costs_few_queries(django_assert_max_num_queries):
    tournament = make_matches(40)
    start(prepare_match(tournament, list(range(1, 41))))
    for first in range(1, 10, 2):
        prepare_match(tournament, [first, 41 - first])
    for who in (Client(), browser_of(make_director(tournament.club))):
        who.get(address("matches", tournament))
        with django_assert_max_num_queries(14):
            assert who.get(address("matches", tournament)).status_code == 200
