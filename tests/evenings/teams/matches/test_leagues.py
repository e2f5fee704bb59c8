"""The league and the knock-out over sessions: tables, rounds, byes, draws, and an independent computation."""

import re
from decimal import Decimal
from fractions import Fraction
from math import isqrt

import pytest
from django.db import connection
from django.template.loader import render_to_string
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from evenings.changes.quarters import decide_match
from evenings.plays.entering import annul_play, not_played
from evenings.plays.entries import entry_of
from evenings.plays.penalties import Sanction, give_penalty
from evenings.plays.ruling import annul_etui
from pages.doors import session_url
from rankings.events.matches import find_matches, pair_rows
from rankings.publication.publishing import SESSIONS
from scoring.formats import MatchPoints
from tests.evenings.teams.matches.evening import (
    attack,
    hand_in,
    make_matches,
    plausible_attack,
    play_matches,
    prepare_match,
    start,
)
from tests.evenings.teams.playing import refresh, replace_member
from tests.evenings.teams.test_quadrettes import refuse
from tests.factories import enter, make_director, make_helper, publish
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import MatchDecision, Penalty, ResultEntry, Session, Tournament
from tournaments.reports.session import RankedPlayer
from tournaments.rules.entry import base_score
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db
THOUSAND = 1000


def give_bonus(session, team, points, by):
    return give_penalty(
        session_id=session.pk,
        entrant_id=session.entrants.get(team__number=team).pk,
        sanction=Sanction(Penalty.PenaltyKind.BONUS, Decimal(points)),
        reason="vainqueur de la saison passée",
        by=by,
        now=timezone.now(),
    )


def play_round(tournament: Tournament, teams: list[int], by, *, missing: int = 0) -> Session:
    return play_matches(start(prepare_match(tournament, teams)), by=by, missing=missing)


def read_page(who, tournament):
    url = reverse("matches", args=[tournament.club.slug, tournament.slug])
    answer = who.get(url, headers={"accept-language": "en"})
    assert answer.status_code == 200
    return words(answer)


class PlainLeague:
    """An independent computation of a league, from the rows of results alone, in thousandths of a point."""

    def __init__(self, sessions, *, without=(), bonuses=()):
        self.points, self.match_points, self.met = {}, {}, {}
        for session in sessions:
            totals = {}
            scores = {}
            for row in ResultEntry.objects.filter(play__session=session, current=True).select_related("play__etui"):
                play = row.play
                if (session.number, play.etui.number) in without or play.pk in without:
                    continue
                teams = play.seats["S"].team.number, play.seats["N"].team.number
                scores[(play.etui.number, *teams)] = base_score(entry_of(row))
                totals.setdefault(frozenset(teams), dict.fromkeys(teams, 0))
            for (etui, one, other), score in scores.items():
                if (etui, other, one) in scores and score > scores[etui, other, one]:
                    square = (score - scores[etui, other, one]) * THOUSAND**2
                    low = isqrt(square)
                    totals[frozenset((one, other))][one] += low + (square - low * low > (low + 1) ** 2 - square)
            for pair, gained in totals.items():
                for number, team, points in bonuses:
                    if number == session.number and team in gained:
                        gained[team] += points
                self.met[session.number, pair] = gained
        for gained in self.met.values():
            (one, mine), (other, theirs) = gained.items()
            for team, own, its in ((one, mine, theirs), (other, theirs, mine)):
                self.points[team] = self.points.get(team, 0) + (2 if own > its else 1 if own == its else 0)
                self.match_points[team] = self.match_points.get(team, 0) + own


@pytest.mark.nightly("statistics")
def test_league_of_five_teams_equals_an_independent_computation():
    """Check five sessions with an annulled étui and play, a missing half, a substitute, a bonus, and a rest each."""
    tournament = make_matches(5)
    by, now = make_director(tournament.club), timezone.now()
    rounds = [[5, 2, 4, 3], [1, 3, 5, 4], [2, 4, 1, 5], [3, 5, 2, 1], [4, 1, 3, 2]]
    sessions = [play_round(tournament, teams, by, missing=number == 3) for number, teams in enumerate(rounds, 1)]
    annul_etui(session_id=sessions[0].pk, etui=3, reason="carte retournée", by=by, now=now)
    annulled = sessions[1].plays.order_by("pk").first()
    annul_play(play_id=annulled.pk, reason="carte vue", by=by, now=now)
    left = sessions[2].plays.filter(entries=None).get()
    not_played(play_id=left.pk, by=by, now=now)
    replace_member(tournament.teams.get(number=4).members.get(place=2), sessions[2], 3)
    give_bonus(sessions[3], 5, "4.5", by)
    for session in sessions:
        publish(refresh(session), by=by, allow_missing=True)
    plain = PlainLeague(sessions, without={(1, 3), annulled.pk}, bonuses=[(4, 5, 4500)])
    found = find_matches(tournament, in_public=True)
    assert {row.team: row.match_points for row in found.table} == {
        team: Fraction(points, THOUSAND) for team, points in plain.match_points.items()
    }
    assert {row.team: row.points for row in found.table} == plain.points
    assert {row.team: row.played for row in found.table} == dict.fromkeys(range(1, 6), 4)
    order = sorted(plain.points, key=lambda team: (-plain.points[team], -plain.match_points[team]))
    assert [row.team for row in found.table] == order
    assert [row.rank for row in found.table] == [1, 2, 3, 4, 5]
    results = {
        (each.session, frozenset((each.home, each.away))): {
            each.result.home: each.result.home_points,
            each.result.away: each.result.away_points,
        }
        for each in found.played
    }
    assert results == {
        key: {team: Fraction(points, THOUSAND) for team, points in gained.items()} for key, gained in plain.met.items()
    }
    assert sum(each.bonuses != {} for each in found.played) == 1
    assert all(pair.meetings for each in found.rounds for pair in each.pairs)
    # An independent count of the étuis: 16 a match, less those that do not count.
    assert sorted(each.result.etuis for each in found.played) == [15, 15, 15, 15, *[16] * 6]
    page = read_page(Client(), tournament)
    first = found.table[0]
    assert f"{first.points} 4" in page
    assert "of it starting bonus +4.500 MP" in page


@pytest.mark.nightly("story")
def test_at_most_one_team_has_match_points_on_an_etui():
    tournament = make_matches(4)
    by = make_director(tournament.club)
    session = play_round(tournament, [1, 2, 3, 4], by)
    notes = {}
    for etui in session.standings.etuis.all():
        for pk, play in etui.plays.items():
            notes[int(pk)] = Fraction(play["notes"]["S"])
    seats = {play.pk: play.seat_ids for play in session.plays.select_related("etui")}
    etuis = dict(session.plays.values_list("pk", "etui_id"))
    pairs = {}
    for pk, points in notes.items():
        pairs.setdefault((etuis[pk], frozenset(seats[pk].values())), []).append(points)
    assert len(pairs) == 2 * 16
    for both in pairs.values():
        assert len(both) == 2
        assert min(both) == 0
        assert max(both) >= 0


@pytest.mark.nightly("process")
def test_settings_of_a_league_count_a_draw_and_a_win():
    tournament = make_matches(2)
    by = make_director(tournament.club)
    session = start(prepare_match(tournament, [1, 2]))
    for play in session.plays.select_related("etui", "table"):
        enter(play, attack(play, 50), by=by)
    publish(refresh(session), by=by)
    assert {row.team: (row.points, row.drawn, row.rank) for row in find_matches(tournament, in_public=True).table} == {
        1: (1, 1, 1),
        2: (1, 1, 1),
    }
    page = browser_of(by).get(reverse("tournament_rules_several", args=[tournament.club.slug, tournament.slug]))
    given = {field.name: "" if (value := field.value()) is None else value for field in page.context["form"]}
    wrong = browser_of(by).post(page.request["PATH_INFO"], given | {"win_points": 3, "draw_points": 4})
    assert "no more than a win" in words(wrong)
    browser_of(by).post(page.request["PATH_INFO"], given | {"win_points": 4, "draw_points": 2})
    tournament.refresh_from_db()
    assert (tournament.win_points, tournament.draw_points, tournament.format) == (4, 2, "team_match")
    assert {row.points for row in find_matches(tournament, in_public=True).table} == {2}


@pytest.mark.nightly("story")
def test_ranking_of_a_session_has_the_result_of_each_match():
    tournament = make_matches(4)
    by = make_director(tournament.club)
    session = play_round(tournament, [1, 2, 3, 4], by)
    give_bonus(session, 2, "3", by)
    session = refresh(session)
    publish(session, by=by)
    address = reverse("ranking", args=[tournament.club.slug, tournament.slug, 1])
    english = {"headers": {"accept-language": "en"}}
    for who, url in ((Client(), address), (browser_of(by), session_url("standings", session))):
        page = words(who.get(url, **english))
        part = page[page.index("The matches of this session") :]
        assert "of it starting bonus +3.000 MP" in part
        assert len(re.findall(r"[+−]?\d+\.\d{3} MP", part)) >= 4


@pytest.mark.nightly("story")
def test_league_shows_nothing_of_a_session_before_its_publication():
    tournament = make_matches(2)
    by = make_director(tournament.club)
    session = play_round(tournament, [1, 2], by)
    director, helper = browser_of(by), browser_of(make_helper(tournament.club))
    for who in (Client(), helper):
        page = read_page(who, tournament)
        assert "not finished" in page
        assert re.search(r"[1-9]\.\d{3} MP", page) is None
    Session.objects.filter(pk=session.pk).update(closed_at=timezone.now())
    assert re.search(r"[1-9]\d*\.\d{3} MP", read_page(director, tournament))
    for who in (Client(), helper):
        assert re.search(r"[1-9]\.\d{3} MP", read_page(who, tournament)) is None
    Session.objects.filter(pk=session.pk).update(closed_at=None)
    SESSIONS.publish(session.pk, DirectorWord(by, timezone.now()))
    assert re.search(r"[1-9]\d*\.\d{3} MP", read_page(Client(), tournament))
    Session.objects.filter(pk=session.pk).update(shows_ranking=False)
    assert re.search(r"[1-9]\.\d{3} MP", read_page(Client(), tournament)) is None


def test_round_is_seated_in_a_session_by_one_button():
    tournament = make_matches(5)
    by = make_director(tournament.club)
    prepare_match(tournament, [1, 2])
    Session.objects.get().entrants.all().delete()
    page = browser_of(by).get(reverse("matches", args=[tournament.club.slug, tournament.slug])).content.decode()
    form = next(part for part in page.split("<form") if 'name="team"' in part)
    teams = re.findall(r'name="team" value="(\d+)"', form)
    assert len(teams) == 4
    session = Session.objects.get()
    browser_of(by).post(session_url("entrants", session), {"team": teams, "action": "number"})
    assert [str(pk) for pk in session.entrants.order_by("number").values_list("team_id", flat=True)] == teams
    found = find_matches(tournament, in_public=False)
    assert [all(pair.meetings for pair in each.pairs) for each in found.rounds] == [True, False, False, False, False]
    assert (
        'name="team"'
        not in browser_of(make_helper(tournament.club))
        .get(reverse("matches", args=[tournament.club.slug, tournament.slug]))
        .content.decode()
    )


def win(tournament, pairs, by, *, draw=()):
    """Play and publish a session in which the first team of each pair wins, or draws if it is in `draw`."""
    session = start(prepare_match(tournament, [team for pair in pairs for team in pair]))
    numbers = dict(session.entrants.values_list("pk", "number"))
    for play in session.plays.select_related("etui", "table"):
        number = numbers[play.south_id]
        enter(play, attack(play, 60 if number % 2 and number not in draw else 50), by=by)
    publish(refresh(session), by=by)
    return session


@pytest.mark.nightly("story")
def test_knock_out_goes_on_with_the_winners_and_a_draw_waits_for_the_director():
    tournament = make_matches(5)
    Tournament.objects.update(meeting="tree")
    tournament.refresh_from_db()
    by, now = make_director(tournament.club), timezone.now()
    first = find_matches(tournament, in_public=True).rounds[0].pairs
    assert [(node.home, node.away, node.bye) for node in first] == [
        (1, None, True),
        (4, 5, False),
        (2, None, True),
        (3, None, True),
    ]
    win(tournament, [(4, 5)], by)
    win(tournament, [(1, 4), (2, 3)], by, draw=(3,))
    semi, final = (each.pairs for each in find_matches(tournament, in_public=True).rounds[1:])
    assert [(node.home, node.away, node.winner) for node in semi] == [(1, 4, 1), (2, 3, None)]
    assert [(node.home, node.away) for node in final] == [(1, None)]
    ids = {team.number: team.pk for team in tournament.teams.all()}
    told = {"tournament_id": tournament.pk, "by": by, "now": now}
    refuse("reason_missing", lambda: decide_match(winner_id=ids[3], loser_id=ids[2], reason=" ", **told))
    refuse("decision_of_two", lambda: decide_match(winner_id=ids[3], loser_id=ids[3], reason="x", **told))
    refuse("team_unknown", lambda: decide_match(winner_id=ids[3], loser_id=999_999, reason="x", **told))
    page = browser_of(by).get(reverse("matches", args=[tournament.club.slug, tournament.slug]))
    assert "Decide who goes on" in words(page)
    assert "Decide who goes on" not in read_page(Client(), tournament)
    sent = {"winner": 3, "team": [2, 3], "reason": "plus d’étuis gagnés"}
    decide = reverse("match_decide", args=[tournament.club.slug, tournament.slug])
    for _twice in range(2):
        assert browser_of(by).post(decide, sent).status_code == 302
    assert MatchDecision.objects.count() == 1
    (final,) = find_matches(tournament, in_public=True).rounds[-1].pairs
    assert (final.home, final.away) == (1, 3)
    assert "Decided by the director: plus d’étuis gagnés" in read_page(Client(), tournament)
    win(tournament, [(3, 1)], by)
    assert find_matches(tournament, in_public=True).rounds[-1].pairs[0].winner == 3
    log = Session.objects.first().log.model.objects.filter(action="match_decided")
    assert {(row.params["winner"], row.params["loser"]) for row in log} <= {(3, 2)}
    # A team that comes after the first session changes no pair, and one that was decided upon cannot be dissolved.
    tournament.teams.create(number=6, made_at=timezone.now())
    assert len(find_matches(tournament, in_public=True).rounds[0].pairs) == 4


def test_single_matches_need_no_decision():
    tournament = make_matches(2)
    Tournament.objects.update(meeting="single")
    one, other = tournament.teams.all()
    told = {"tournament_id": tournament.pk, "by": make_director(tournament.club), "now": timezone.now()}
    refuse("no_decision", lambda: decide_match(winner_id=one.pk, loser_id=other.pk, reason="x", **told))


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("meeting", ["league", "tree"])
def test_page_costs_the_same_queries_for_any_number_of_sessions(meeting):
    asked = []
    for teams in (4, 8):
        tournament = make_matches(teams, name=f"Matchs {teams}")
        Tournament.objects.filter(pk=tournament.pk).update(meeting=meeting)
        by = make_director(tournament.club, f"directrice-{teams}")
        for first in range(1, teams, 2):
            session = start(prepare_match(tournament, [first, first + 1]))
            play = session.plays.select_related("etui", "table").first()
            for half in session.plays.filter(etui=play.etui).select_related("etui", "table"):
                enter(half, plausible_attack(half), by=by)
            publish(refresh(session), by=by, allow_missing=True)
        url = reverse("matches", args=[tournament.club.slug, tournament.slug])
        Client().get(url)
        with CaptureQueriesContext(connection) as queries:
            Client().get(url)
        asked.append(len(queries))
    assert asked[0] == asked[1] <= 10


def test_line_up_of_a_quarter_is_in_no_page_of_readers():
    session = start(prepare_match(make_matches(2)))
    hand_in(session, 1, 1, "4123")
    name = session.tournament.teams.get(number=1).members.get(place=4).player.last_name
    for url in (session_url("session", session), session_url("hall", session)):
        assert f"{name} attacks" not in words(Client().get(url))


def test_rows_of_a_ranking_are_paired_by_their_starting_numbers():
    rows = [
        RankedPlayer(id=number, line="", team=10 * number, number=number, overall=overall, attacks=attacks)
        for number, overall, attacks in ((1, 6, 2), (2, -6, 3), (3, None, 0), (4, None, 0), (5, 2, 1))
    ]
    (match,) = pair_rows(7, rows, 2)
    assert (match.session, match.version) == (7, 2)
    assert match.result == (10, 20, MatchPoints(6), MatchPoints(-6), 3)


@pytest.mark.parametrize(
    ("win", "said"), [(1, "1 point for a match won, 0 for a draw"), (2, "2 points for a match won")]
)
def test_table_of_a_league_tells_one_point_in_the_singular(win, said):
    with override("en"):
        table = render_to_string(
            "public/matches/_table.html", {"tournament": Tournament(win_points=win, draw_points=0)}
        )
    assert said in table
