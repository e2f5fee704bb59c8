"""The attacker of a play of teams: entered at the desk, by programs and at the table, and corrected alone."""

from dataclasses import replace
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from evenings.plays.attackers import settle_attacker
from evenings.plays.desk_state import desk_plays
from evenings.plays.entering import correct_result, enter_result
from evenings.plays.entries import entry_of
from evenings.standings.computing import compute
from pages.doors import session_url
from tests.api.conftest import Client as Program
from tests.evenings.tables.phones import Device, command
from tests.evenings.teams.evening import triplettes_session
from tests.factories import garde, make_director, started_session
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.errors import ActionRefused, Conflict
from tournaments.models import EntryCheck, Play, Session, TeamMember
from tournaments.rules.entry import entry_to_data

pytestmark = pytest.mark.django_db


@pytest.fixture
def session() -> Session:
    return triplettes_session(rule="two_lines")


@pytest.fixture
def play(session):
    return session.plays.select_related("etui", "table").order_by("position", "table__number", "etui__number").first()


@pytest.fixture
def arbiter(session):
    return make_director(session.tournament.club)


def members(play: Play, *, defending: bool = False) -> dict[int, TeamMember]:
    """Return the members of the attacking or the defending team of the play, by place."""
    attacking = play.seats[play.taker].team_id
    found = {seat.team_id for seat in play.seats.values() if (seat.team_id != attacking) == defending}
    return {member.place: member for member in TeamMember.objects.filter(team__in=found).select_related("player")}


def out_of_turn(play: Play) -> TeamMember:
    return members(play)[play.badge % 3 + 1]


def result(play: Play, attacker: TeamMember | None = None):
    return replace(garde(play.taker), attacker=attacker and attacker.pk)


def enter(play, entry, by):
    return enter_result(play_id=play.pk, entry=entry, by=by, now=timezone.now())


def test_result_without_a_name_means_the_member_whose_turn_it_is(play, arbiter):
    assert enter(play, result(play), arbiter).attacker is None
    named = enter(play, result(play, members(play)[play.badge]), arbiter)
    assert (named.version, named.attacker) == (1, None)


def test_member_of_the_attacking_team_attacks_out_of_turn(play, arbiter):
    row = enter(play, result(play, out_of_turn(play)), arbiter)
    row.refresh_from_db()
    assert row.attacker == out_of_turn(play)
    assert entry_of(row).attacker == out_of_turn(play).pk
    with pytest.raises(Conflict):
        enter(play, result(play), arbiter)


def test_member_who_is_named_is_locked_before_anything_is_read_of_them(play):
    named = members(play)[play.badge % 3 + 1]
    with CaptureQueriesContext(connection) as asked:
        assert settle_attacker(play, named.pk) == named.pk
    about = [query["sql"] for query in asked if 'FROM "tournaments_teammember"' in query["sql"]]
    assert [sql.endswith("FOR NO KEY UPDATE") for sql in about] == [True, False]


@pytest.mark.parametrize(
    ("whose", "code"), [("defending", "attacker_stranger"), ("gone", "attacker_away"), ("nobody", "attacker_unknown")]
)
def test_only_an_active_member_of_the_attacking_team_may_attack(play, arbiter, whose, code):
    member = out_of_turn(play)
    if whose == "defending":
        member = members(play, defending=True)[1]
    if whose == "gone":
        TeamMember.objects.filter(pk=member.pk).update(ended_at=timezone.now())
    if whose == "nobody":
        member = TeamMember(pk=10**9)
    with pytest.raises(ActionRefused) as refused:
        enter(play, result(play, member), arbiter)
    assert refused.value.code == code
    assert not play.entries.exists()


@pytest.mark.nightly("story")
def test_single_players_name_no_attacker(arbiter):

    single = started_session().plays.first()
    with pytest.raises(ActionRefused) as refused:
        enter(single, result(single, TeamMember(pk=1)), arbiter)
    assert refused.value.code == "attacker_without_team"


@pytest.mark.nightly("story")
def test_attacker_is_corrected_alone_and_no_note_moves(session, play, arbiter):
    others = Play.objects.filter(session=session, etui=play.etui).exclude(pk=play.pk)
    for other in others:
        enter(other, garde(other.etui.taker, points=60), arbiter)
    first = enter(play, result(play), arbiter)
    before = compute(session.pk)
    told = {"play_id": play.pk, "seen_version": 1, "by": arbiter, "now": timezone.now()}
    with pytest.raises(ActionRefused, match="reason_missing"):
        correct_result(entry=result(play, out_of_turn(play)), **told)
    row = correct_result(entry=result(play, out_of_turn(play)), reason="Rouge a attaqué", **told)
    assert (row.version, row.attacker, first.attacker) == (2, out_of_turn(play), None)
    after = compute(session.pk)
    assert before is not None
    assert after.data == before.data
    (shown,) = [each for each in desk_plays(session, flags=True) if each.pk == play.pk]
    assert shown.state == "done"  # a remark, and no doubt that a arbiter must settle


@pytest.mark.nightly("story")
def test_desk_asks_who_attacked_and_says_whose_turn_it_was(session, play, arbiter):
    browser = browser_of(arbiter)
    browser.defaults["HTTP_ACCEPT_LANGUAGE"] = "fr"
    url, other = session_url("play", session, play.pk), out_of_turn(play)
    page = words(browser.get(url))
    assert "Qui a attaqué" in page
    assert members(play, defending=True)[1].player.name not in page.split("Qui a attaqué")[1].split("Bouts")[0]
    data = {"kind": "fiche", "sign": "+", "figure": "60", "attacker": other.place}
    page = browser.post(url, data)
    shown = page.context["summary"].shown
    browser.post(url, data | {"shown": shown})
    assert play.entries.get().attacker == other
    assert "n’était pas son tour" in words(browser.get(url)).replace("\xa0", " ")
    form = browser.get(url + "?correct").context["form"]
    assert str(form["attacker"].value()) == str(other.place)
    data |= {"attacker": members(play, defending=True)[1].place + 7}
    assert browser.post(url + "?correct", data).context["form"].errors


def test_grid_of_slips_takes_an_attacker_and_keeps_it_in_a_correction(session, play, arbiter):
    browser, other = browser_of(arbiter), out_of_turn(play)
    url = session_url("bulk", session) + f"?position={play.position}"
    page = browser.get(url).content.decode()
    assert page.index(f'name="score-{play.pk}"') < page.index(f'name="attacker-{play.pk}"')  # the score is typed first
    browser.post(url, {f"score-{play.pk}": "60", f"attacker-{play.pk}": str(other.place)})
    assert play.entries.get().attacker == other
    sent = {f"score-{play.pk}": "70", f"reason-{play.pk}": "Relu", f"seen-{play.pk}": "1"}
    browser.post(url, sent)
    row = play.entries.get(current=True)
    assert (row.version, row.fiche_score, row.attacker) == (2, 70, other)


@pytest.mark.nightly("story")
def test_program_names_the_attacker_by_id_or_by_colour(play, arbiter):
    program, other = Program(arbiter), out_of_turn(play)
    path, colours = f"plays/{play.pk}/result/", ("blue", "white", "red")
    assert program.get(f"plays/{play.pk}/")["badge"] == colours[play.badge - 1]
    answer = program.post(path, {"base_score": 60, "attacker": colours[other.place - 1]}, status=201)
    assert answer["attacker"] == other.pk
    program.post(path, {"base_score": 60, "attacker": other.pk}, status=200)
    kept = program.put(path, {"base_score": 70, "reason": "Relu", "seen_version": 1}, status=200)
    assert kept["attacker"] == other.pk
    named = {"base_score": 70, "reason": "Tour", "seen_version": 2, "attacker": colours[play.badge - 1]}
    assert "attacker" not in program.put(path, named, status=200)
    stranger = members(play, defending=True)[1]
    wrong = program.put(path, named | {"seen_version": 3, "attacker": stranger.pk}, status=422)
    assert wrong["error"]["code"] == "attacker_stranger"


def entered(kind: str, play: Play, place: int | None, **fields):
    told = entry_to_data(garde(play.taker)) | ({} if place is None else {"attacker": place})
    return command(kind, play=play, key=uuid4(), **fields) | {"entry": told}


def test_table_names_the_attacker_and_the_other_team_checks(play):
    device, other = Device(play.table), out_of_turn(play)
    device.send("join")
    shown = device.play(play.pk)
    sides = {seat.name for seat in play.seats.values()}
    assert {shown["attack"]["team"], shown["attack"]["defence"]} == sides
    assert shown["attack"]["badge"] == play.badge
    assert [member["name"] for member in shown["attack"]["members"]] == [
        member.player.name for member in members(play).values()
    ]
    device.send_again(entered("enter", play, other.place, seat=play.taker))
    assert device.play(play.pk)["entry"]["attacker"] == other.place
    assert play.entries.get().attacker == other
    defender = next(line for line in "NESW" if line != play.taker)
    assert device.send("check", play=play, version=1, agrees=True, seat=play.taker).status == "refused"
    assert device.send("check", play=play, version=1, agrees=True, seat=defender).status == "received"


@pytest.mark.nightly("story")
def test_table_corrects_the_attacker_and_a_second_entry_that_differs_is_contested(play):
    device = Device(play.table)
    device.send("join")
    device.send_again(entered("enter", play, play.badge))
    assert play.entries.get().attacker is None
    assert device.send_again(entered("enter", play, out_of_turn(play).place)).status == "conflict"
    changed = device.send_again(entered("correct", play, out_of_turn(play).place, seen_version=1))
    assert changed.status == "received"
    assert play.entries.get(current=True).attacker == out_of_turn(play)


@pytest.mark.nightly("story")
def test_correction_at_the_table_that_names_no_attacker_keeps_the_one_entered(play):
    device, other = Device(play.table), out_of_turn(play)
    device.send("join")
    device.send_again(entered("enter", play, other.place))
    for version, place, attacker in ((1, None, other), (2, play.badge, None)):
        corrected = entered("correct", play, place, seen_version=version)
        corrected["entry"] |= entry_to_data(garde(play.taker, points=49 + version))
        assert device.send_again(corrected).status == "received"
        row = play.entries.get(current=True)
        assert (row.version, row.half_points, row.attacker) == (version + 1, 98 + 2 * version, attacker)


@pytest.mark.nightly("story")
def test_second_device_that_names_the_same_attacker_checks(play):
    first, second, other = Device(play.table), Device(play.table, "phone-two"), out_of_turn(play)
    first.send("join")
    first.send_again(entered("enter", play, other.place))
    second.send("take_over")
    second.send_again(entered("enter", play, other.place))
    assert EntryCheck.objects.get().entry.attacker == other


@pytest.mark.parametrize("place", [4, 0, True, "2"])
def test_place_that_no_member_has_is_refused(play, place):
    device = Device(play.table)
    device.send("join")
    assert device.send_again(entered("enter", play, place)).status == "refused"
    assert not play.entries.exists()


def test_screen_names_both_teams_and_sends_each_team_on_once(session, play):
    state = Device(play.table).state()
    stop = state["stops"][0]
    assert set(stop["teams"]) == {"N", "E"}
    assert len(state["next"]) == 2
    assert {going["line"] for going in state["next"]} <= {"N", "E"}


@pytest.mark.nightly("story")
def test_states_of_tables_take_no_query_for_each_team():
    counts = []
    for teams in (6, 12):
        session = triplettes_session(teams=teams)
        device = Device(session.tables.first())
        with CaptureQueriesContext(connection) as queries:
            device.state()
        counts.append(len(queries))
    assert counts[0] == counts[1]
