"""The odd afternoons of quadrettes: 5 teams, 41 teams, a team that goes or comes late, substitutes, halves alone."""

import re
from fractions import Fraction

import pytest
from django.utils import timezone

from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.changes.carry_out import number_of_plan, undo_change
from evenings.changes.teams import let_team_arrive, let_team_leave
from evenings.plans.current import current_version, evening_of
from evenings.plans.layout import find_laid_rows
from evenings.plays.attackers import members_in, members_of
from evenings.teams.substitutes import replace_member
from movements import PlanError, find_faults
from pages.doors import session_url
from tests.evenings.standings.keeping import assert_kept_from_nothing
from tests.evenings.teams.evening import make_teams
from tests.evenings.teams.playing import play_all, refresh
from tests.evenings.teams.test_quadrettes import find_member, line_up, make_quadrettes, prepare, start
from tests.evenings.teams.test_standings import list_plays
from tests.factories import enter, garde, make_director
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tests.scoring.teams.plain import plain_match_points
from tournaments.models import ResultEntry, Session

pytestmark = pytest.mark.django_db


def make_session(teams=6, positions=5, etuis=2):
    session = start(prepare(make_quadrettes(teams), positions=positions, etuis=etuis))
    return session, make_director(session.tournament.club)


def play_until(session, position, by):
    for play in session.plays.filter(position__lte=position, entries=None).select_related("etui"):
        enter(play, by=by)
    Session.objects.filter(pk=session.pk).update(position=position)


def let_leave(session, number, after, by):
    entrant = session.entrants.get(team__number=number)
    told = {"session_id": session.pk, "seen": number_of_plan(session), "by": by, "now": timezone.now()}
    let_team_leave(entrant_id=entrant.pk, after=after, **told)
    return entrant


def read_sums(session):
    """Return {team: (sum of match points, étuis that count)} as the site has them, without teams that have none."""
    numbers = dict(session.entrants.values_list("pk", "team__number"))
    return {
        numbers[row["id"]]: (Fraction(row["overall"]), row["attacks"])
        for row in refresh(session).standings.data["players"]
        if row["overall"] is not None
    }


def compute_sums(session):
    totals, etuis = plain_match_points(list_plays(session))
    return {team: (Fraction(total, 1000), etuis[team]) for team, total in totals.items()}


@pytest.mark.nightly("story")
@pytest.mark.parametrize(("teams", "positions"), [(6, 5), (5, 4), (7, 6)])
def test_team_gone_at_position_three_leaves_its_opponents_resting_without_points(teams, positions):
    session, by = make_session(teams, positions)
    play_until(session, 2, by)
    before = find_laid_rows(session)
    gone = let_leave(session, 4, 2, by)
    after = find_laid_rows(session)
    assert {pk: row for pk, row in after.items() if row["position"] <= 2} == {
        pk: row for pk, row in before.items() if row["position"] <= 2
    }
    evening = evening_of(session)
    assert (evening.code, find_faults(evening.plan)) == ("there_and_back" if teams % 2 else "at_once", [])
    assert evening.show().text
    for position in range(3, positions + 1):
        there = session.plays.filter(position=position).select_related("etui")
        assert gone.pk not in {pk for play in there for pk in play.seat_ids.values()}
        resting = {entrant.pk for entrant in evening.find_resting(position)} - {gone.pk}
        met = [met_by(row, gone.pk) for row in before.values() if row["position"] == position]
        opponents = {pk for pair in met for pk in pair}
        # With an even number of teams, the team had one opponent. With an odd number it had two, who play on one side.
        assert (len(opponents), resting) == ((1, opponents) if teams % 2 == 0 else (2, set()))
    play_until(session, positions, by)
    assert read_sums(session) == compute_sums(session)
    assert read_sums(session)[4][1] == 4  # two étuis in each of two positions
    assert_kept_from_nothing(refresh(session))


def met_by(row, entrant):
    """Return the teams of a row's play, if the team of this entrant is one of them."""
    seats = {row[f"{line}_id"] for line in ("north", "east", "south", "west")}
    return seats - {entrant} if entrant in seats else set()


@pytest.mark.nightly("story")
def test_team_gone_between_the_halves_of_a_match_takes_the_points_of_both_with_it():
    """Let a team of five go after the first half of its matches. One half alone counts for nobody."""
    session, by = make_session(5, 4)
    play_until(session, 1, by)
    gone = session.entrants.get(team__number=4)
    browser = browser_of(by)
    follows = words(browser.post(session_url("change", session, "leave"), {"who": gone.pk, "after": 1}))
    assert re.search(r"Étuis [\d–, ]+ of .+ and Team 4 count for nobody: only one half is played\.", follows)
    assert re.search(r"Position 2: the attackers of Team \d rest", follows)
    assert re.search(r"Position 2: the defenders of Team \d rest", follows)
    let_leave(session, 4, 1, by)
    play_until(session, 4, by)
    sums = read_sums(session)
    assert sums == compute_sums(session)
    assert 4 not in sums
    alone = session.plays.filter(position=1, south=gone).select_related("etui").first()
    kept = refresh(session).standings.etuis.get(etui=alone.etui).plays[str(alone.pk)]
    assert kept["base_score"] is not None
    assert kept["notes"] in (None, {}) or kept["notes"]["S"] is None
    page = words(browser_of(by).get(session_url("live_etui", session, alone.etui.number)))
    assert "no match points for either team" in page


@pytest.mark.nightly("story")
def test_undo_of_a_departure_restores_every_row_and_line_up():
    session, by = make_session(6, 5)
    play_until(session, 2, by)
    line_up(session, 2, "4123", reason="malade")
    before = find_laid_rows(session)
    let_leave(session, 4, 2, by)
    undo_change(session_id=session.pk, seen=number_of_plan(session), by=by, now=timezone.now())
    assert find_laid_rows(session) == before
    assert {*session.plays.filter(south__team__number=2).values_list("position", "badge")} == {
        (1, 1), (2, 1), (3, 4), (4, 4), (5, 4)
    }  # fmt: skip


@pytest.mark.parametrize(("teams", "positions"), [(6, 5), (5, 4)])
@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "you can undo the start, and start with all teams"), ("fr", "vous pouvez annuler le départ")],
)
def test_late_team_finds_no_place_and_the_page_says_what_to_do(teams, positions, language, said):
    session, by = make_session(teams, positions)
    (late,) = make_teams(session.tournament, 1, first=teams + 1, places=(1, 2, 3, 4))
    told = {"session_id": session.pk, "team_id": late.pk, "seen": number_of_plan(session)}
    with pytest.raises(PlanError) as refused:
        let_team_arrive(after=0, by=by, now=timezone.now(), **told)
    assert refused.value.code == "no_place_for_team"
    browser = browser_of(by)
    browser.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    assert said in words(browser.post(session_url("change", session, "arrive"), {"who": late.pk, "after": 0}))


@pytest.mark.nightly("story")
def test_forty_one_teams_play_and_nobody_rests():
    session, by = make_session(41, 4, 1)
    evening = evening_of(session)
    assert current_version(session).code == "there_and_back"
    assert [evening.find_resting(position) for position in range(1, 5)] == [[]] * 4
    session = play_all(session, by=by, missing=3)
    assert read_sums(session) == compute_sums(session)
    assert sum(total for total, _etuis in read_sums(session).values()) == 0


@pytest.mark.nightly("story")
def test_substitute_of_the_attacker_takes_over_the_badge_from_the_position_on():
    session, by = make_session(6, 5)
    play_until(session, 2, by)
    (player,) = add_players(club=session.tournament.club, lines=[RosterLine("Ersatz", "Zoé")])
    told = {"tournament_id": session.tournament_id, "by": by, "now": timezone.now()}
    left = find_member(3, 1)
    came = replace_member(member_id=left.pk, player=player.pk, session_id=session.pk, position=3, **told)
    assert came.place == 1
    assert {*session.plays.filter(south__team__number=3).values_list("badge", flat=True)} == {1}
    play_until(session, 5, by)
    members = members_of([left.team_id])
    attackers = {}
    for play in session.plays.filter(south__team__number=3).select_related("etui", "session"):
        row = ResultEntry.objects.get(play=play, current=True)
        assert row.attacker is None  # nobody attacked out of turn
        attackers.setdefault(play.position, set()).add(members_in(play, members, left.team_id)[play.badge])
    assert attackers == {position: {left if position <= 2 else came} for position in range(1, 6)}
    assert read_sums(session) == compute_sums(session)


@pytest.mark.nightly("story")
def test_half_that_was_played_alone_or_corrected_counts_only_with_the_other_half():
    session, by = make_session(4, 3)
    play = session.plays.filter(position=1).select_related("etui").first()
    half = session.plays.select_related("etui").get(
        position=1, etui=play.etui, south=play.north_id, north=play.south_id
    )
    enter(play, garde("S", points=60), by=by)
    assert read_sums(session) == {}
    enter(half, garde("S", points=41), by=by)
    numbers = dict(session.entrants.values_list("pk", "team__number"))
    won = {numbers[play.south_id]: (Fraction(6164, 1000), 1), numbers[play.north_id]: (Fraction(-6164, 1000), 1)}
    assert read_sums(session) == won  # the scores are +88 and +50, and √38 = 6.164
