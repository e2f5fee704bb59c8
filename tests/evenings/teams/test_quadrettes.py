"""A session of quadrettes: line-ups, two tables a match, South takes, and match points equal to a plain computation."""

from fractions import Fraction

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from deals.sets import create_deal_set, create_set_dealt_at_table
from evenings.changes.line_ups import choose_line_up
from evenings.plans.current import current_version
from evenings.plans.starting import start_session, unstart_session
from evenings.plans.teams.choosing import choose_team_plan, propose_for_teams, team_shape
from evenings.plans.teams.seating import seat_teams
from evenings.plays.adjusting import adjust_play
from evenings.plays.entering import annul_play
from evenings.plays.ruling import split_etui
from evenings.sessions.setup import create_session, create_tournament, use_deal_set
from evenings.teams.lineups import read_line_ups
from movements import find_faults, read_plan
from pages.doors import session_url
from rankings.events import counting as events
from scoring.errors import ScoringError
from scoring.ties import TieBreak
from tests.evenings.standings.keeping import assert_kept_from_nothing
from tests.evenings.tables.phones import Device
from tests.evenings.teams.evening import make_teams, triplettes_session
from tests.evenings.teams.playing import play_all, refresh
from tests.evenings.teams.test_standings import list_plays
from tests.factories import DATE, enter, garde, make_club, make_director
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tests.scoring.teams.plain import plain_match_points, plain_ranks
from tests.worlds import kept_world
from tournaments.errors import ActionRefused
from tournaments.models import LineUp, LogEntry, Session, TeamMember, Tournament, TournamentStandings

pytestmark = pytest.mark.django_db
THOUSAND = 1000


@kept_world
def make_quadrettes(teams: int = 6) -> Tournament:
    tournament = create_tournament(club=make_club(), name="Quadrettes d’été", format="quadrettes", now=timezone.now())
    make_teams(tournament, teams, places=(1, 2, 3, 4))
    return tournament


def prepare(tournament: Tournament, *, positions: int = 5, etuis: int = 4, dealt: bool = False) -> Session:
    """Return a session in preparation. Its étuis name South if they are `dealt`, else they name each line in turn."""
    now, club = timezone.now(), tournament.club
    session = create_session(tournament=tournament, date=DATE, positions=positions, etuis_per_position=etuis)
    told = {"club": club, "name": "Étuis", "count": 2 * positions * etuis, "by": None, "now": now}
    make = create_deal_set if dealt else create_set_dealt_at_table
    use_deal_set(session_id=session.pk, deal_set=make(**told, **({"profile": "garde-1-south"} if dealt else {})))
    seat_teams(session_id=session.pk, now=now)
    return session


def start(session: Session) -> Session:
    return start_session(session_id=session.pk, now=timezone.now())


def find_member(team: int, place: int) -> TeamMember:
    return TeamMember.objects.get(team__number=team, place=place, ended_at=None)


def line_up(session: Session, team: int, places: str = "2134", **said) -> LineUp:
    """Choose the line-up of a team. `places` has the places of the members South, North, East and West."""
    members = {seat: find_member(team, int(place)).pk for seat, place in zip("SNEW", places, strict=True)}
    told = {"by": None, "now": timezone.now()} | said
    pk = session.tournament.teams.get(number=team).pk
    return choose_line_up(session_id=session.pk, team_id=pk, members=members, **told)


def list_attackers(session: Session) -> dict[int, set[int]]:
    """Return the places that attack, by the team's number."""
    numbers = dict(session.entrants.values_list("pk", "team__number"))
    found: dict[int, set[int]] = {}
    for play in session.plays.all():
        found.setdefault(numbers[play.south_id], set()).add(play.badge)
    return found


@pytest.mark.nightly("story")
def test_south_attacks_and_the_other_team_has_the_three_other_seats():
    session = start(prepare(make_quadrettes()))
    version = current_version(session)
    assert (version.code, find_faults(read_plan(version.data))) == ("at_once", [])
    assert session.tables.count() == 6
    for play in session.plays.select_related("etui", "session"):
        assert play.taker == "S"
        assert play.north_id == play.east_id == play.west_id != play.south_id
    # Each match has its mirror in the same position, on the same étuis.
    attacks = {(play.position, play.etui_id, play.south_id, play.north_id) for play in session.plays.all()}
    assert attacks == {(position, etui, other, one) for position, etui, one, other in attacks}
    assert len(attacks) == 6 * 5 * 4
    assert not session.plays.filter(is_replay=True).exists()


def test_odd_number_of_teams_plays_each_match_in_two_positions_and_nobody_replays():
    session = start(prepare(make_quadrettes(5), positions=4))
    assert current_version(session).code == "there_and_back"
    assert session.plays.count() == 5 * 4 * 4
    assert not session.plays.filter(is_replay=True).exists()


@pytest.mark.nightly("story")
def test_attackers_are_those_of_the_line_ups_and_the_first_member_without_one():
    tournament = make_quadrettes(4)
    session = prepare(tournament, positions=3)
    line_up(session, 2, "3124")
    line_up(session, 3, "4123")
    assert line_up(session, 3, "4123") == LineUp.objects.last()
    assert LineUp.objects.count() == 2
    assert list_attackers(start(session)) == {1: {1}, 2: {3}, 3: {4}, 4: {1}}
    second = prepare(tournament, positions=3)
    assert {each.team.number: (each.attacker.place, each.chosen) for each in read_line_ups(second).values()} == {
        1: (1, False),
        2: (3, False),
        3: (4, False),
        4: (1, False),
    }
    assert list_attackers(start(second)) == {1: {1}, 2: {3}, 3: {4}, 4: {1}}


@pytest.mark.nightly("story")
def test_undone_start_keeps_the_line_ups():
    session = prepare(make_quadrettes(4), positions=3)
    line_up(session, 1, "2134")
    by = make_director(session.tournament.club)
    before = list_attackers(start(session))
    unstart_session(session_id=session.pk, by=by, now=timezone.now())
    assert list_attackers(start(session)) == before


@pytest.mark.nightly("story")
def test_line_up_of_a_running_session_changes_only_the_positions_to_come():
    session = start(prepare(make_quadrettes(4), positions=3))
    Session.objects.update(position=1)
    refuse("line_up_reason", lambda: line_up(session, 2, "4123"))
    changed = line_up(session, 2, "4123", reason="Zoé est malade")
    assert changed.position == 2
    attacks = session.plays.filter(south__team__number=2)
    assert set(attacks.values_list("position", "badge")) == {(1, 1), (2, 4), (3, 4)}
    # The defenders of the others' attacks have no badge of their own: those plays stay.
    assert {*session.plays.exclude(south__team__number=2).values_list("badge", flat=True)} == {1}
    log = LogEntry.objects.get(action="line_up_changed")
    assert (log.params["team"], log.params["position"]) == (2, 2)
    Session.objects.update(position=3)
    refuse("line_up_late", lambda: line_up(session, 2, "1234", reason="encore"))


def refuse(code: str, call) -> None:
    with pytest.raises(ActionRefused) as caught:
        call()
    assert caught.value.code == code


def test_line_up_with_a_stranger_or_one_who_also_attacks_is_refused():
    session = prepare(make_quadrettes(4), positions=3)
    own = {"N": find_member(1, 2).pk, "E": find_member(1, 3).pk, "W": find_member(1, 4).pk}
    told = {"session_id": session.pk, "team_id": find_member(1, 1).team_id, "by": None, "now": timezone.now()}
    refuse("line_up_incomplete", lambda: choose_line_up(members=own, **told))
    refuse("line_up_stranger", lambda: choose_line_up(members={**own, "S": find_member(2, 1).pk}, **told))
    refuse("line_up_twice", lambda: choose_line_up(members={**own, "S": own["N"]}, **told))
    refuse("team_unknown", lambda: choose_line_up(members=own, **{**told, "team_id": 999_999}))
    seats = {"attacker_id": own["N"], "in_north_id": own["N"], "in_east_id": own["E"], "in_west_id": own["W"]}
    with pytest.raises(IntegrityError), transaction.atomic():
        LineUp.objects.create(session=session, team_id=told["team_id"], made_at=timezone.now(), **seats)
    assert not LineUp.objects.exists()


def test_substitute_takes_over_the_seat_in_the_line_up():
    session = prepare(make_quadrettes(4), positions=3)
    line_up(session, 1, "3124")
    gone = find_member(1, 3)
    heir = TeamMember.objects.get(team__number=4, place=4)
    gone.ended_at = timezone.now()
    gone.save()
    TeamMember.objects.filter(pk=heir.pk).update(ended_at=timezone.now())
    new = TeamMember.objects.create(
        tournament=session.tournament, team=gone.team, player=heir.player, place=3, replaces=gone
    )
    assert read_line_ups(session)[gone.team_id].attacker == new


@pytest.mark.nightly("story")
@pytest.mark.parametrize("teams", [5, 6])
@pytest.mark.parametrize("dealt", [True, False])
def test_standings_equal_a_plain_computation(teams, dealt):
    """Check the sums of match points after missing plays, an annulled play and an étui altered between its halves."""
    session = start(prepare(make_quadrettes(teams), positions=4, dealt=dealt))
    by, now = make_director(session.tournament.club), timezone.now()
    session = play_all(session, by=by, missing=2)
    assert_figures_are_plain(session)
    plays = list(session.plays.select_related("etui").order_by("pk"))
    annul_play(play_id=plays[0].pk, reason="carte vue", by=by, now=now)
    session = refresh(session)
    assert_figures_are_plain(session, without=[plays[0].pk])
    # An étui that was altered after the first half: the two halves do not meet.
    match = [play for play in plays if play.etui_id == plays[5].etui_id]
    split_etui(
        session_id=session.pk,
        etui=plays[5].etui.number,
        from_position=match[0].position,
        before=[match[0].pk],
        reason="carte retournée",
        by=by,
        now=now,
    )
    session = refresh(session)
    assert_kept_from_nothing(session)
    assert_figures_are_plain(session, without=[plays[0].pk], apart=[match[0].pk])


def assert_figures_are_plain(session: Session, without=(), apart=()) -> None:
    ids = session.plays.values_list("pk", flat=True)
    plays = [
        (f"{etui} before" if pk in apart else etui, attacking, defending, None if pk in without else score)
        for pk, (etui, attacking, defending, score) in zip(ids, list_plays(session), strict=True)
    ]
    totals, etuis = plain_match_points(plays)
    ranks = plain_ranks(totals)
    numbers = dict(session.entrants.values_list("pk", "team__number"))
    rows = {numbers[row["id"]]: row for row in session.standings.data["players"]}
    kept = {team: row for team, row in rows.items() if row["overall"] is not None}
    assert {team: Fraction(row["overall"]) for team, row in kept.items()} == {
        team: Fraction(total, THOUSAND) for team, total in totals.items()
    }
    assert {team: row["rank_general"] for team, row in kept.items()} == ranks
    assert {team: row["attacks"] for team, row in kept.items()} == etuis
    assert {row["rank_alterne"] for row in rows.values()} == {None}
    assert sum(totals.values()) == 0


@pytest.mark.nightly("story")
def test_event_of_three_sessions_adds_up_the_match_points():
    tournament = make_quadrettes(6)
    by, totals = make_director(tournament.club), dict.fromkeys(range(1, 7), Fraction())
    for missing in (0, 3, 1):
        session = play_all(start(prepare(tournament, positions=5)), by=by, missing=missing)
        points, _ = plain_match_points(list_plays(session))
        for team, found in points.items():
            totals[team] += Fraction(found, THOUSAND)
    events.refresh(tournament.pk, now=timezone.now())
    rows = TournamentStandings.objects.get(pk=tournament.pk).data["players"]
    assert {row["team"]: (Fraction(row["total"]), row["rank"]) for row in rows} == {
        team: (total, plain_ranks(totals)[team]) for team, total in totals.items()
    }


@pytest.mark.nightly("story")
def test_halves_and_sets_of_their_own_are_offered_and_can_be_chosen():
    session = prepare(make_quadrettes(4), positions=3)
    assert [each.code for each in propose_for_teams(session)] == ["at_once", "halves", "apart"]
    choose_team_plan(session_id=session.pk, choice=1, shape=team_shape(session), by=None, now=timezone.now())
    assert current_version(start(session)).code == "halves"


@pytest.mark.nightly("story")
def test_line_ups_are_chosen_on_their_page_and_a_refused_one_keeps_what_was_chosen():
    session = prepare(make_quadrettes(4), positions=3)
    browser = browser_of(make_director(session.tournament.club))
    browser.defaults["HTTP_ACCEPT_LANGUAGE"] = "fr"
    url = session_url("line_ups", session)
    assert url in browser.get(session_url("entrants", session)).content.decode()
    page = words(browser.get(url))
    assert "Personne d’autre ne voit les compositions" in page
    assert page.count("comme proposé") == 1 + 4  # the help, and the four teams
    first, second = (find_member(team, 1).team_id for team in (1, 2))
    given = {f"{seat}-{first}": find_member(1, place).pk for seat, place in zip("SNEW", (2, 1, 3, 4), strict=True)}
    given |= {f"{seat}-{second}": find_member(2, place).pk for seat, place in zip("SNEW", (2, 2, 3, 4), strict=True)}
    answer = browser.post(url, given)
    assert answer.status_code == 409
    assert "Un joueur a deux places" in words(answer)
    assert f'<option value="{find_member(2, 2).pk}" selected' in " ".join(answer.content.decode().split())
    assert [line_up.team_id for line_up in LineUp.objects.all()] == [first]
    session = start(session)
    assert list_attackers(session)[1] == {2}
    answer = browser.post(url, {f"S-{first}": find_member(1, 1).pk, f"N-{first}": find_member(1, 2).pk})
    assert (answer.status_code, "dites pourquoi" in words(answer)) == (409, True)
    sent = {f"S-{first}": find_member(1, 1).pk, f"N-{first}": find_member(1, 2).pk, "reason": "malade"}
    assert browser.post(url, sent).status_code == 302
    assert list_attackers(session)[1] == {1}


def test_session_of_triplettes_has_no_line_ups():
    session = triplettes_session(teams=4)
    browser = browser_of(make_director(session.tournament.club))
    page = browser.get(session_url("line_ups", session))
    assert "No line-ups here" in words(page)
    assert "<select" not in page.content.decode()


@pytest.mark.nightly("crawl")
def test_page_of_line_ups_costs_the_same_queries_for_any_number_of_teams():
    asked = []
    for teams in (4, 12):
        session = prepare(make_quadrettes(teams), positions=3)
        browser = browser_of(make_director(session.tournament.club, f"directrice-{teams}"))
        browser.get(session_url("line_ups", session))
        with CaptureQueriesContext(connection) as queries:
            browser.get(session_url("line_ups", session))
        asked.append(len(queries))
    assert asked[0] == asked[1] <= 12


@pytest.mark.nightly("story")
def test_arbiter_fixes_the_match_points_of_an_attack_or_assigns_a_score_to_a_half():
    session = start(prepare(make_quadrettes(4), positions=3))
    by, now = make_director(session.tournament.club), timezone.now()
    session = play_all(session, by=by)
    play = session.plays.select_related("etui").first()
    told = {"play_id": play.pk, "reason": "carte vue", "by": by, "now": now}
    with pytest.raises(ScoringError):
        adjust_play(notes={"S": "better 60"}, **told)
    with pytest.raises(ScoringError):
        adjust_play(notes={"S": "1.2345"}, **told)
    refuse("points_of_attack", lambda: adjust_play(notes={"N": "5"}, **told))
    before = {row["id"]: Fraction(row["overall"]) for row in session.standings.data["players"]}
    was = Fraction(session.standings.etuis.get(etui=play.etui_id).plays[str(play.pk)]["notes"]["S"])
    adjust_play(notes={"S": "-3.162"}, **told)
    session = refresh(session)
    assert_kept_from_nothing(session)
    after = {row["id"]: Fraction(row["overall"]) for row in session.standings.data["players"]}
    assert after[play.south_id] == before[play.south_id] - was + Fraction(-3162, 1000)
    assert {pk: after[pk] for pk in after if pk != play.south_id} == {
        pk: before[pk] for pk in before if pk != play.south_id
    }
    other = session.plays.select_related("etui").last()
    adjust_play(play_id=other.pk, score=-60, reason="faute", by=by, now=now)
    session = refresh(session)
    scores = [
        list_play if pk != other.pk else (*list_play[:3], -60)
        for pk, list_play in zip(session.plays.values_list("pk", flat=True), list_plays(session), strict=True)
    ]
    totals, _ = plain_match_points(scores)
    numbers = dict(session.entrants.values_list("pk", "team__number"))
    for row in session.standings.data["players"]:
        if row["id"] != play.south_id:
            assert Fraction(row["overall"]) == Fraction(totals[numbers[row["id"]]], THOUSAND)


def test_form_of_the_arbiter_offers_the_match_points_of_the_attack_alone():
    session = start(prepare(make_quadrettes(4), positions=3))
    by = make_director(session.tournament.club)
    session = play_all(session, by=by)
    play = session.plays.first()
    url = f"{session_url('session', session)}plays/{play.pk}/adjust/"
    browser = browser_of(by)
    page = browser.get(url)
    assert "Match points of" in words(page)
    assert "Player by player" not in words(page)
    wrong = {"fix_attack": "figure", "note_attack": "60000", "reason": "x", "compared": "in"}
    answer = browser.post(url, wrong)
    assert "is not a number of match points" in words(answer)
    assert 'value="60000"' in answer.content.decode()


@pytest.mark.nightly("story")
def test_equal_sums_share_a_rank_whatever_criteria_the_tournament_has():
    session = start(prepare(make_quadrettes(4), positions=3))
    by = make_director(session.tournament.club)
    Tournament.objects.update(ties=[TieBreak.ATTACK, TieBreak.BEST_ETUI])
    for play in session.plays.select_related("etui"):
        enter(play, garde("S"), by=by)
    assert {row["rank_general"] for row in refresh(session).standings.data["players"]} == {1}


def test_screen_of_a_table_names_the_attacker_of_the_line_up_without_a_badge():
    session = prepare(make_quadrettes(4), positions=3)
    line_up(session, 2, "3124")
    session = start(session)
    table = session.plays.filter(position=1, south__team__number=2).first().table
    device = Device(table)
    device.send("join")
    attack = device.state()["stops"][0]["plays"][0]["attack"]
    assert (attack["team"], attack["badge"], attack["coloured"]) == ("Les Bouts", 3, False)
    assert [member["place"] for member in attack["members"]] == [1, 2, 3, 4]


@pytest.mark.nightly("story")
def test_line_up_leaves_the_positions_that_have_begun_though_none_was_called():
    session = start(prepare(make_quadrettes(4), positions=3))
    play = session.plays.select_related("etui").filter(position=2).first()
    enter(play, garde("S"), by=make_director(session.tournament.club))
    assert Session.objects.get().position == 0
    assert line_up(session, 2, "4123", reason="Zoé est malade").position == 3
    attacks = session.plays.filter(south__team__number=2)
    assert set(attacks.values_list("position", "badge")) == {(1, 1), (2, 1), (3, 4)}


def test_page_of_a_running_session_stores_the_line_up_that_changed_alone():
    session = start(prepare(make_quadrettes(4), positions=3))
    browser = browser_of(make_director(session.tournament.club))
    first = find_member(1, 1).team_id
    sent = {f"S-{first}": find_member(1, 2).pk, f"N-{first}": find_member(1, 1).pk, "reason": "malade"}
    assert browser.post(session_url("line_ups", session), sent).status_code == 302
    assert [line_up.team_id for line_up in LineUp.objects.all()] == [first]
