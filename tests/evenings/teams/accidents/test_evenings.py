"""The odd evenings of triplettes: five teams, 41 teams, a team gone at position 3, parts not played, sections."""

from collections import Counter
from dataclasses import replace
from uuid import uuid4

import pytest
from django.utils import timezone
from django.utils.translation import override

from evenings.changes.carry_out import number_of_plan, undo_change
from evenings.changes.teams import let_team_leave
from evenings.plans.current import evening_of
from evenings.plans.layout import find_laid_rows
from evenings.plans.starting import start_session
from evenings.plans.teams.choosing import choose_team_plan, propose_for_teams, team_shape
from evenings.plans.teams.seating import seat_teams
from evenings.plays.entering import correct_result, not_played, withdraw_result
from evenings.plays.ruling import annul_etui
from evenings.sessions.sections import Together, put_together
from evenings.sessions.setup import create_session, use_deal_set
from evenings.standings.computing import compute
from pages.doors import session_url
from rankings.careers.keeping import refresh as refresh_careers
from tests.evenings.standings.keeping import assert_kept_from_nothing
from tests.evenings.tables.phones import Device, command
from tests.evenings.teams.evening import make_team_tournament, triplettes_session
from tests.evenings.teams.independent_triplettes import find_alternate_ranks, find_percentages, find_ranks
from tests.evenings.teams.playing import play_all, refresh
from tests.evenings.teams.test_standings import list_plays, read_kept
from tests.evenings.teams.test_starting import list_turns, prepare, start
from tests.factories import enter, garde, make_director, publish
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.errors import ActionRefused
from tournaments.models import Appearance, LogEntry, Play, ResultEntry, Session, Team, TeamMember
from tournaments.rules.entry import entry_to_data

pytestmark = pytest.mark.django_db


def choose(session: Session, rule: str) -> None:
    rules = [each.plan.rule for each in propose_for_teams(session)]
    choice, shape = rules.index(rule), team_shape(session)
    choose_team_plan(session_id=session.pk, choice=choice, shape=shape, by=None, now=timezone.now())


def start_by(rule: str, *, teams: int, positions: int, etuis: int = 2, tournament=None) -> Session:
    session = prepare(tournament or make_team_tournament(teams=teams), positions=positions, etuis=etuis)
    choose(session, rule)
    return start(session)


def play_it(session: Session, missing: int = 0) -> Session:
    return play_all(session, by=session.tournament.club.memberships.get().user, missing=missing)


def play_rest(session: Session, by) -> Session:
    """Enter the results that are missing, one by one, and compute the standings."""
    for play in session.plays.filter(entries=None).select_related("etui"):
        enter(play, by=by)
    return refresh(session)


def assert_figures(session: Session, annulled=()) -> None:
    found = find_percentages(list_plays(session, annulled), {})
    ranks = find_ranks({team: figures[2] for team, figures in found.items()})
    kept = read_kept(session)
    assert {team: kept[team][:4] for team in found} == {team: (*found[team], ranks[team]) for team in found}
    assert_kept_from_nothing(session)


def test_five_teams_rest_once_each_and_are_all_ranked():
    session = start_by("all_meet", teams=5, positions=5)
    make_director(session.tournament.club)
    evening = evening_of(session)
    resting = [entrant.number for position in range(1, 6) for entrant in evening.find_resting(position)]
    assert sorted(resting) == [1, 2, 3, 4, 5]
    session = play_it(session)
    assert len(read_kept(session)) == 5
    assert_figures(session)


@pytest.mark.nightly("story")
def test_forty_one_teams_play_on_two_lines():
    session = prepare(make_team_tournament(teams=41), positions=5, etuis=2)
    assert propose_for_teams(session)[0].plan.rule == "two_lines"
    choose(session, "two_lines")
    session = start(session)
    make_director(session.tournament.club)
    assert Counter(session.entrants.values_list("line", flat=True)) == {"N": 21, "E": 20}
    evening = evening_of(session)
    resting = [evening.find_resting(position) for position in range(1, 6)]
    assert [len(rest) for rest in resting] == [1] * 5
    assert {rest[0].line for rest in resting} == {"N"}
    assert len({rest[0].pk for rest in resting}) == 5
    session = play_it(session, missing=3)
    assert_figures(session)
    kept = read_kept(session)
    lines = {team: "NS" if team <= 21 else "EW" for team in kept}
    assert {team: figures[4] for team, figures in kept.items()} == find_alternate_ranks(
        {team: figures[2] for team, figures in kept.items()}, lines
    )


def test_page_of_a_team_of_two_says_what_is_missing_and_the_session_does_not_start():
    tournament = make_team_tournament(teams=4)
    session = prepare(tournament, positions=3)
    member = Team.objects.get(number=2).members.get(place=3)
    member.ended_at = timezone.now()
    member.save()
    browser = browser_of(make_director(tournament.club))
    browser.defaults["HTTP_ACCEPT_LANGUAGE"] = "fr"
    with pytest.raises(ActionRefused) as refused, override("fr"):
        start(session)
    assert refused.value.code == "team_incomplete"
    assert "Les Bouts" in words(browser.get(session_url("session", session)))
    session.refresh_from_db()
    assert session.status == Session.Status.DRAFT


@pytest.mark.nightly("story")
@pytest.mark.parametrize(("rule", "teams"), [("all_meet", 8), ("two_lines", 10)])
def test_team_gone_at_position_three_and_the_undo_of_it(rule, teams):
    session = start_by(rule, teams=teams, positions=4)
    by = make_director(session.tournament.club)
    for play in session.plays.filter(position__lte=2).select_related("etui"):
        enter(play, by=by)
    before, turns = find_laid_rows(session), list_turns(session)
    gone = session.entrants.get(number=8)
    seen = number_of_plan(session)
    let_team_leave(session_id=session.pk, entrant_id=gone.pk, after=2, seen=seen, by=by, now=timezone.now())
    seated = {pk for play in session.plays.filter(position__gt=2) for pk in play.seat_ids.values()}
    assert gone.pk not in seated
    assert {pk: row for pk, row in find_laid_rows(session).items() if row["position"] <= 2} == {
        pk: row for pk, row in before.items() if row["position"] <= 2
    }
    for team, given in list_turns(session).items():
        assert max(Counter(given).values()) - min(Counter(given)[badge] for badge in (1, 2, 3)) <= 1, team
    undo_change(session_id=session.pk, seen=number_of_plan(session), by=by, now=timezone.now())
    assert find_laid_rows(session) == before
    assert list_turns(session) == turns
    assert_figures(play_rest(session, by))


@pytest.mark.nightly("story")
def test_annulled_etui_keeps_its_colour_even_if_a_team_leaves():
    session = start_by("all_meet", teams=8, positions=4)
    by, now = make_director(session.tournament.club), timezone.now()
    for play in session.plays.filter(position=1).select_related("etui"):
        enter(play, by=by)
    annul_etui(session_id=session.pk, etui=2, reason="carte retournée", by=by, now=now)
    colours = {play.pk: play.badge for play in session.plays.filter(position=1)}
    gone, seen = session.entrants.get(number=3), number_of_plan(session)
    let_team_leave(session_id=session.pk, entrant_id=gone.pk, after=1, seen=seen, by=by, now=now)
    assert {play.pk: play.badge for play in session.plays.filter(position=1)} == colours
    session = play_rest(session, by)
    found = find_percentages(list_plays(session, (2,)), {})
    assert {team: figures[:3] for team, figures in read_kept(session).items()} == found
    assert_kept_from_nothing(session)


@pytest.mark.nightly("story")
def test_half_of_a_position_that_is_not_played_counts_for_nobody():
    session = start_by("all_meet", teams=6, positions=3, etuis=4)
    by, now = make_director(session.tournament.club), timezone.now()
    plays = list(session.plays.select_related("etui").order_by("position", "table", "etui__number"))
    left = [play for play in plays if play.position == 2][2:4]
    for play in plays:
        if play in left:
            not_played(play_id=play.pk, by=by, now=now)
        else:
            enter(play, by=by)
    session = refresh(session)
    assert_figures(session)
    assert list_turns(session) == list_turns(Session.objects.get(pk=session.pk))
    row = next(row for row in session.standings.data["players"] if row["id"] == left[0].seat_ids["N"])
    assert row["attacks"] + row["defences"] == 10


@pytest.mark.nightly("story")
def test_next_session_with_another_plan_goes_on_with_the_turns():
    tournament = make_team_tournament(teams=8)
    make_director(tournament.club)
    first = start_by("all_meet", teams=8, positions=3, tournament=tournament)
    second = start_by("two_lines", teams=8, positions=3, tournament=tournament)
    begin = tournament.first_badge - 1
    for turns in list_turns(first, second).values():
        assert turns == [(begin + k) % 3 + 1 for k in range(len(turns))]
    for session in (first, second):
        assert_figures(play_it(session))


def test_draw_gives_two_lines_of_the_same_teams():
    session = prepare(make_team_tournament(teams=9), positions=3, etuis=2)
    seat_teams(session_id=session.pk, draw=True, by=None, now=timezone.now())
    numbers = dict(session.entrants.values_list("team__number", "number"))
    choose(session, "two_lines")
    start(session)
    drawn = dict(session.entrants.values_list("team__number", "number"))
    assert drawn == numbers
    lines = Counter(session.entrants.values_list("line", flat=True))
    assert lines == {"N": 5, "E": 4}
    assert LogEntry.objects.get(action="teams_drawn").params["seed"]


@pytest.mark.nightly("story")
def test_sections_of_triplettes_are_compared_over_both():
    tournament = make_team_tournament(teams=8)
    by, now = make_director(tournament.club), timezone.now()
    first = prepare(tournament, positions=3, etuis=2)
    second = create_session(tournament=tournament, date=first.date, positions=3, etuis_per_position=2)
    first.refresh_from_db()
    use_deal_set(session_id=second.pk, deal_set=first.deal_set)
    teams = list(tournament.teams.order_by("number").values_list("pk", flat=True))
    seat_teams(session_id=first.pk, teams=teams[:4], by=by, now=now)
    seat_teams(session_id=second.pk, teams=teams[4:], by=by, now=now)
    put_together(tournament_id=tournament.pk, numbers=[first.number, second.number], how=Together(), by=by, now=now)
    sessions = [start_session(session_id=session.pk, by=by, now=now) for session in (first, second)]
    for session in sessions:
        play_rest(session, by)
    sessions = [refresh(session) for session in sessions]
    found = find_percentages([play for session in sessions for play in list_plays(session)], {})
    kept = {team: figures[:3] for session in sessions for team, figures in read_kept(session).items()}
    assert kept == found


# Who attacked is found out later: only the counts of persons move.


def member_of(play: Play, place: int) -> TeamMember:
    return TeamMember.objects.get(team=play.seats[play.taker].team, place=place)


def count_attacks(session: Session) -> Counter[int]:
    """Return the number of attacks of each player, by the badges and by the attackers of the results alone."""
    counts: Counter[int] = Counter()
    for row in ResultEntry.objects.filter(play__session=session, current=True).select_related("play__etui", "attacker"):
        attacker = row.attacker or member_of(row.play, row.play.badge)
        counts[attacker.player_id] += 1
    return counts


@pytest.mark.nightly("story")
@pytest.mark.parametrize("where", ["table", "desk"])
def test_attacker_out_of_turn_is_corrected_two_etuis_later_and_no_note_moves(where):
    session = triplettes_session(teams=6, rule="two_lines")
    by = make_director(session.tournament.club)
    play, *others = session.plays.filter(position=1, table__number=1).select_related("etui", "table")
    device = Device(play.table)
    device.send("join")
    for one in (play, *others[:2]):
        device.send("enter", play=one, entry=garde(one.etui.taker), seat=one.etui.taker)
    for one in session.plays.filter(etui=play.etui, entries=None).select_related("etui"):
        enter(one, garde(one.etui.taker, points=60), by=by)
    before, counts = compute(session.pk).data, count_attacks(session)
    actual = member_of(play, play.badge % 3 + 1)
    if where == "table":
        told = entry_to_data(garde(play.etui.taker)) | {"attacker": actual.place}
        sent = command("correct", play=play, key=uuid4(), seen_version=1, seat=play.etui.taker) | {"entry": told}
        assert device.send_again(sent).status == "received"
    else:
        browser = browser_of(by)
        url = session_url("play", session, play.pk) + "?correct"
        form = browser.get(url).context["form"]
        data = {bound.name: bound.value() for bound in form if bound.value() not in (None, "", [])}
        data |= {"attacker": actual.place, "reason": "Ce n’était pas son tour", "seen_version": 1}
        preview = browser.post(url, data)
        assert "attacked out of turn" in words(preview)
        assert "No place or percentage changes" in words(preview)
        browser.post(url, data | {"shown": preview.context["summary"].shown})
    row = ResultEntry.objects.get(play=play, current=True)
    assert (row.version, row.attacker) == (2, actual)
    assert compute(session.pk).data == before
    moved = count_attacks(session)
    moved.subtract(counts)
    assert {player: change for player, change in moved.items() if change} == {
        actual.player_id: 1,
        member_of(play, play.badge).player_id: -1,
    }
    play_rest(session, by)
    publish(session, by=by)
    refresh_careers(session.pk)
    told = {row.player: row.figures.get("a", [0])[0] for row in Appearance.objects.filter(session=session)}
    assert {player: attacks for player, attacks in told.items() if attacks} == dict(count_attacks(session))


def test_result_that_is_withdrawn_and_played_again_names_its_attacker_anew():
    session = triplettes_session(teams=4)
    by, now = make_director(session.tournament.club), timezone.now()
    play = session.plays.select_related("etui", "table").first()
    other = member_of(play, play.badge % 3 + 1)
    device = Device(play.table)
    device.send("join")
    told = entry_to_data(garde(play.etui.taker)) | {"attacker": other.place}
    device.send_again(command("enter", play=play, key=uuid4(), seat=play.etui.taker) | {"entry": told})
    points = replace(garde(play.etui.taker, points=60), attacker=other.pk)
    correct_result(play_id=play.pk, seen_version=1, entry=points, reason="recompté", by=by, now=now)
    assert device.play(play.pk)["entry"]["attacker"] == other.place
    withdraw_result(play_id=play.pk, seen_version=2, reason="autre étui", by=by, now=now)
    assert not ResultEntry.objects.filter(play=play, current=True).exists()
    told = entry_to_data(garde(play.etui.taker)) | {"attacker": other.place}
    again = command("enter", play=play, key=uuid4(), seat=play.etui.taker) | {"entry": told}
    assert device.send_again(again).status == "received"
    assert ResultEntry.objects.get(play=play, current=True).attacker == other


def test_correction_that_names_no_attacker_keeps_the_one_that_was_named():
    session = triplettes_session(teams=4)
    play = session.plays.select_related("etui", "table").first()
    other = member_of(play, play.badge % 3 + 1)
    device = Device(play.table)
    device.send("join")
    told = entry_to_data(garde(play.etui.taker)) | {"attacker": other.place}
    device.send_again(command("enter", play=play, key=uuid4(), seat=play.etui.taker) | {"entry": told})
    plain = entry_to_data(garde(play.etui.taker, points=60))
    sent = command("correct", play=play, key=uuid4(), seen_version=1, seat=play.etui.taker) | {"entry": plain}
    assert device.send_again(sent).status == "received"
    assert ResultEntry.objects.get(play=play, current=True).attacker == other
