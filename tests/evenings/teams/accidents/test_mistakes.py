"""The mistakes at tables of teams: exchanged étuis, exchanged seats. Results follow, and no attacker is lost unsaid."""

from dataclasses import replace

import pytest
from django.utils import timezone

from evenings.changes.carry_out import number_of_plan, undo_change
from evenings.changes.mistakes import find_mended_teams, mend_teams
from evenings.changes.teams import let_team_leave
from evenings.plans.current import evening_of
from evenings.plans.layout import find_laid_rows
from evenings.plans.teams.choosing import choose_team_plan, propose_for_teams, team_shape
from evenings.plays.entering import enter_result
from evenings.plays.entries import entry_of
from pages.doors import session_url
from scoring.teams import find_line
from tests import shared_evenings
from tests.evenings.standings.keeping import assert_kept_from_nothing
from tests.evenings.teams.evening import make_team_tournament
from tests.evenings.teams.independent_triplettes import find_percentages
from tests.evenings.teams.playing import refresh
from tests.evenings.teams.test_standings import list_plays, read_kept
from tests.evenings.teams.test_starting import prepare, start
from tests.factories import enter, enter_all, garde, make_director
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.errors import ActionRefused, Conflict
from tournaments.models import LogEntry, Play, ResultEntry, Session, TeamMember
from tournaments.rules.entry import taker_of
from tournaments.rules.operations import Swap, WrongEtuis

pytestmark = pytest.mark.django_db


def start_two_lines(*, teams: int = 10, positions: int = 5, etuis: int = 2) -> Session:
    session = prepare(make_team_tournament(teams=teams), positions=positions, etuis=etuis)
    rules = [each.plan.rule for each in propose_for_teams(session)]
    choice, shape = rules.index("two_lines"), team_shape(session)
    choose_team_plan(session_id=session.pk, choice=choice, shape=shape, by=None, now=timezone.now())
    session = start(session)
    Session.objects.filter(pk=session.pk).update(position=1)
    return Session.objects.select_related("tournament__club", "deal_set").get(pk=session.pk)


@pytest.fixture
def session(db):
    return start_two_lines()


director = shared_evenings.director_of_session


def at(session: Session, position: int, table: int) -> list[Play]:
    plays = session.plays.filter(position=position, table__number=table)
    return list(plays.select_related("etui", "table", "session__tournament").order_by("etui__number"))


def play_position(session: Session, position: int, by) -> None:
    enter_all(session, by=by, plays=session.plays.filter(position=position, is_replay=False).select_related("etui"))


def mend(session: Session, mistake, by):
    return mend_teams(session_id=session.pk, mistake=mistake, seen=number_of_plan(session), by=by, now=timezone.now())


def undo(session: Session, by):
    return undo_change(session_id=session.pk, seen=number_of_plan(session), by=by, now=timezone.now())


def attacking(play: Play) -> int:
    return play.seats[play.taker].number


def defending(play: Play) -> int:
    return next(seat.number for seat in play.seats.values() if seat.number != attacking(play))


def name_out_of_turn(play: Play, by) -> TeamMember:
    """Enter a result in which the member after the one whose turn it is attacked. Return that member."""
    other = TeamMember.objects.get(team=play.seats[play.taker].team, place=play.badge % 3 + 1)
    entry = replace(garde(play.etui.taker), attacker=other.pk)
    enter_result(play_id=play.pk, entry=entry, by=by, now=timezone.now())
    return other


def current(play: Play) -> ResultEntry:
    return ResultEntry.objects.get(play=play, current=True)


def exchange(session: Session, table: int = 1, other: int = 2, position: int = 1) -> WrongEtuis:
    """Return the mistake in which two tables played each other's étuis."""
    mine, theirs = ([play.etui.number for play in at(session, position, one)] for one in (table, other))
    return WrongEtuis(position, table, tuple(zip(mine, theirs, strict=True)), exchange=True)


@pytest.mark.nightly("story")
def test_exchanged_etuis_take_their_results_along(session, director):
    play_position(session, 1, director)
    before = {play.pk: (play.etui.number, {attacking(play), defending(play)}) for play in at(session, 1, 1)}
    others = [play.etui.number for play in at(session, 1, 2)]
    mend(session, exchange(session), director)
    for play in at(session, 1, 1):
        assert play.etui.number in others
        assert {attacking(play), defending(play)} == before[play.pk][1]
        assert taker_of(entry_of(current(play))) == play.etui.taker == play.taker
        team = play.seats[play.taker]
        assert (team.line == "N") == (find_line(play.etui.taker) == "NS")
    session = refresh(session)
    assert_kept_from_nothing(session)
    found = find_percentages(list_plays(session), {})
    assert {team: figures[:3] for team, figures in read_kept(session).items()} == found


@pytest.mark.nightly("story")
def test_nobody_plays_an_exchanged_etui_again(session, director):
    play_position(session, 1, director)
    mistake = exchange(session)
    played = {number for pair in mistake.pairs for number in pair}
    mend(session, mistake, director)
    again = session.plays.filter(position__gt=1, is_replay=True).select_related("etui")
    assert {play.etui.number for play in again} <= played
    met = {(play.etui_id, pk) for play in session.plays.filter(position=1) for pk in play.seat_ids.values()}
    later = session.plays.filter(position__gt=1)
    replays = {play.pk for play in later if any((play.etui_id, pk) in met for pk in play.seat_ids.values())}
    assert replays == {play.pk for play in again}
    assert replays
    play_position(session, 2, director)
    assert_kept_from_nothing(refresh(session))


@pytest.mark.nightly("story")
def test_undone_exchange_leaves_every_row_as_it_was(session, director):
    for play in (*at(session, 1, 1), *at(session, 1, 2)):
        name_out_of_turn(play, director)
    before = find_laid_rows(session)
    named = {row.play_id: row.attacker_id for row in ResultEntry.objects.filter(current=True)}
    mend(session, exchange(session), director)
    assert find_laid_rows(session) != before
    undo(session, director)
    assert find_laid_rows(session) == before
    assert {row.play_id: row.attacker_id for row in ResultEntry.objects.filter(current=True)} == named
    for play in at(session, 1, 1):
        assert taker_of(entry_of(current(play))) == play.etui.taker


def pair_of_takers(session: Session, *, same_side: bool) -> tuple[Play, Play]:
    """Return a play of table 1 and one of another table in position 1 whose takers sit on the same side, or not."""
    mine = at(session, 1, 1)
    others = [play for number in (2, 3, 4, 5) for play in at(session, 1, number)]
    pairs = ((one, other) for one in mine for other in others)
    return next(
        (one, other)
        for one, other in pairs
        if (find_line(one.etui.taker) == find_line(other.etui.taker)) == same_side
        and one.etui.taker != other.etui.taker
    )


def test_attacker_stays_if_the_same_team_attacks_the_etui_that_was_played(session, director):
    play, other = pair_of_takers(session, same_side=True)
    attacker, badge = name_out_of_turn(play, director), play.badge
    mend(session, WrongEtuis(1, 1, ((play.etui.number, other.etui.number),)), director)
    play = Play.objects.select_related("etui").get(pk=play.pk)
    row = current(play)
    assert (row.version, row.attacker, play.badge) == (2, attacker, badge)
    assert row.taker == play.etui.taker == other.etui.taker
    assert not LogEntry.objects.filter(action="attacker_out").exists()


@pytest.mark.nightly("story")
def test_attacker_of_the_team_that_defended_is_taken_out_and_logged(session, director):
    play, other = pair_of_takers(session, same_side=False)
    attacker, was = name_out_of_turn(play, director), attacking(play)
    mistake = WrongEtuis(1, 1, ((play.etui.number, other.etui.number),))
    mended = find_mended_teams(session, mistake)
    assert play.pk in mended.turned
    mend(session, mistake, director)
    play = Play.objects.select_related("etui").get(pk=play.pk)
    assert attacking(play) != was
    # The team that attacks now has one other étui in this position, for the badge that begins.
    assert play.badge == session.tournament.first_badge % 3 + 1
    assert current(play).attacker is None
    assert LogEntry.objects.get(action="attacker_out").params["etui"] == other.etui.number
    undo(session, director)
    assert current(play).attacker == attacker


@pytest.mark.nightly("story")
def test_turns_that_were_played_stay_and_later_ones_are_even_again(session, director):
    play_position(session, 1, director)
    play, other = pair_of_takers(session, same_side=False)
    stay = {one.pk: one.badge for one in session.plays.filter(position=1).exclude(pk__in=[play.pk, other.pk])}
    mend(session, exchange(session, 1, other.table.number), director)
    turned = [one.pk for one in session.plays.filter(pk__in=stay) if one.badge != stay[one.pk]]
    assert len(turned) <= 2
    counts: dict[int, list[int]] = {}
    for one in session.plays.select_related("etui").order_by("position", "etui__number"):
        counts.setdefault(attacking(one), [0, 0, 0])[one.badge - 1] += 1
    assert all(max(each) - min(each) <= 2 for each in counts.values()), turned


@pytest.mark.nightly("story")
def test_teams_of_one_table_that_sat_the_wrong_way_round(session, director):
    first, *rest = at(session, 1, 1)
    attacker = name_out_of_turn(first, director)
    for play in rest:
        enter(play, by=director)
    roles = {play.pk: (attacking(play), defending(play)) for play in at(session, 1, 1)}
    one, other = (session.entrants.get(number=number).pk for number in roles[first.pk])
    mend(session, Swap(1, one, other), director)
    assert {play.pk: (defending(play), attacking(play)) for play in at(session, 1, 1)} == roles
    assert current(first).attacker is None
    assert current(first).reason == "@seats_mended"
    assert_kept_from_nothing(refresh(session))
    undo(session, director)
    assert {play.pk: (attacking(play), defending(play)) for play in at(session, 1, 1)} == roles
    assert current(first).attacker == attacker


@pytest.mark.nightly("story")
def test_teams_of_two_tables_that_exchanged_seats(session, director):
    play_position(session, 1, director)
    left, right = at(session, 1, 1)[0], at(session, 1, 2)[0]
    one = next(seat for seat in left.seats.values() if seat.line == "E")
    other = next(seat for seat in right.seats.values() if seat.line == "E")
    mend(session, Swap(1, one.pk, other.pk), director)
    for play in at(session, 1, 1):
        assert other.pk in play.seat_ids.values()
        assert one.pk not in play.seat_ids.values()
    session = refresh(session)
    assert_kept_from_nothing(session)
    assert {team: figures[:3] for team, figures in read_kept(session).items()} == find_percentages(
        list_plays(session), {}
    )


def test_team_that_rested_played_in_place_of_another(db):
    session = start_two_lines(teams=9)
    by = make_director(session.tournament.club)
    evening = evening_of(session)
    resting, playing = evening.find_resting(1)[0], at(session, 1, 1)[0].seats["N"]
    mend(session, Swap(1, resting.pk, playing.pk), by)
    seated = {pk for play in session.plays.filter(position=1) for pk in play.seat_ids.values()}
    assert resting.pk in seated
    assert playing.pk not in seated
    assert [one.pk for one in evening_of(session).find_resting(1)] == [playing.pk]


@pytest.mark.nightly("story")
def test_team_can_leave_after_a_mistake_was_corrected(session, director):
    play_position(session, 1, director)
    mend(session, exchange(session), director)
    replays = set(session.plays.filter(is_replay=True).values_list("position", "table", "etui"))
    gone = session.entrants.get(number=10)
    seen = number_of_plan(session)
    let_team_leave(session_id=session.pk, entrant_id=gone.pk, after=3, seen=seen, by=director, now=timezone.now())
    left = set(session.plays.filter(is_replay=True).values_list("position", "table", "etui"))
    assert left <= replays
    assert {one for one in replays if one[0] <= 3} <= left


@pytest.mark.nightly("story")
@pytest.mark.parametrize(
    ("mistake", "code"),
    [
        (lambda s, one, other: Swap(1, one, one), "swap_of_one"),
        (lambda s, one, other: Swap(4, one, other), "position_unknown"),
        (lambda s, one, other: Swap(1, one, 10**9), "entrant_unknown"),
        (lambda s, one, other: WrongEtuis(1, 99, ((1, 2),)), "table_unknown"),
        (lambda s, one, other: WrongEtuis(1, 1, ((1, 1),)), "etuis_unchanged"),
        (lambda s, one, other: WrongEtuis(1, 1, ((1, 10**5),)), "etui_unknown"),
        (lambda s, one, other: WrongEtuis(1, 1, ((1, 2),)), "etui_twice_at_table"),
    ],
)
def test_impossible_mistakes_are_refused(session, director, mistake, code):
    one, other = session.entrants.order_by("number").values_list("pk", flat=True)[:2]
    rows = find_laid_rows(session)
    with pytest.raises(ActionRefused) as refused:
        mend(session, mistake(session, one, other), director)
    assert refused.value.code == code
    assert find_laid_rows(session) == rows


@pytest.mark.nightly("story")
def test_correction_of_an_old_plan_is_refused(session, director):
    with pytest.raises(Conflict):
        mend_teams(session_id=session.pk, mistake=exchange(session), seen=9, by=director, now=timezone.now())


@pytest.mark.guard("a mistake of an evening of teams is corrected")
def test_pages_show_what_follows_keep_what_was_typed_and_correct(session, director):
    browser = browser_of(director)
    browser.defaults["HTTP_ACCEPT_LANGUAGE"] = "fr"
    play_position(session, 1, director)
    listed = words(browser.get(session_url("changes", session)))
    assert "Deux équipes ont échangé leurs places" in listed
    url = session_url("change", session, "swap")
    play = at(session, 1, 1)[0]
    one, other = (session.entrants.get(number=number) for number in (attacking(play), defending(play)))
    page = browser.post(url, {"position": 1, "one": one.pk, "other": one.pk})
    assert "figure deux fois" in words(page)
    assert str(page.context["form"]["one"].value()) == str(one.pk)
    told = {"position": 1, "one": one.pk, "other": other.pk}
    page = browser.post(url, told)
    assert "l’autre équipe attaque" in words(page).replace("\xa0", " ")
    shown, seen = page.context["shown"], page.context["seen"]
    changed = browser.post(
        url, {**told, "other": session.entrants.get(number=5).pk, "go": 1, "shown": shown, "seen": seen}
    )
    assert "Votre demande, ou la liste des joueurs, a changé" in words(changed)
    browser.post(url, {**told, "go": 1, "shown": shown, "seen": seen})
    assert attacking(at(session, 1, 1)[0]) == other.number
    assert "ont échangé leurs places à la position 1" in words(browser.get(session_url("changes", session)))

    url = session_url("change", session, "wrong_etuis")
    assert "En position" in words(browser.get(url)) or "étuis" in words(browser.get(url))
    url += "?position=1&table=3"
    first, second = ([play.etui.number for play in at(session, 1, table)] for table in (3, 4))
    fields = {f"etui_{mine}": theirs for mine, theirs in zip(first, second, strict=True)} | {"exchange": "on"}
    assert all(f"etui_{number}" in browser.get(url).context["form"].fields for number in first)
    page = browser.post(url, fields)
    browser.post(url, fields | {"go": 1, "shown": page.context["shown"], "seen": page.context["seen"]})
    assert [play.etui.number for play in at(session, 1, 3)] == second
    undone = browser.post(session_url("change_undo", session), {"seen": number_of_plan(session)})
    assert undone.status_code == 302
    assert [play.etui.number for play in at(session, 1, 3)] == first
