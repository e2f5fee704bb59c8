"""The arbiter's own score and notes for a play: what may be ruled, when, and what it changes."""

import pytest
from django.utils import timezone

from evenings.plays import entering, ruling
from evenings.plays.adjusting import adjust_play
from evenings.plays.session_plays import plays_of
from evenings.plays.table_plays import may_correct
from evenings.standings import computing
from pages.doors import session_url
from scoring.errors import ScoringError
from tests.evenings.tables.phones import Device, tokens_of
from tests.factories import enter, garde, make_tournament, started_session
from tests.pages.browsing import browser_of
from tournaments.errors import ActionRefused, Conflict
from tournaments.models import LogEntry, Play, Session
from tournaments.rules.entry import AllPassed, EntryError

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    return started_session().pk


@pytest.fixture
def plays(session, director):
    """Return the plays of étui 1, by position, with results of 25, 0, 75, 50 and 100 %."""
    plays = list(
        session.plays.filter(etui__number=1).select_related("etui", "session__tournament").order_by("position")
    )
    for play, points in zip(plays, (50, 45, 60, 55, 70), strict=True):
        enter(play, garde(play.etui.taker, points=points), by=director)
    return plays


@pytest.fixture
def adjust(director):
    def adjust(play, **told):
        return adjust_play(
            **{"play_id": play.pk, "reason": "Étui mal refait", "by": director, "now": timezone.now()} | told
        )

    return adjust


def told_of(play):
    return computing.compute(play.session_id).data["plays"][str(play.pk)]


def notes_of(plays):
    return [told_of(play)["notes"] and told_of(play)["notes"][play.etui.taker] for play in plays]


def state_of(play):
    return next(each.state for each in plays_of(play.session) if each.play.pk == play.pk)


@pytest.mark.nightly("story")
def test_assigned_score_counts_in_place_of_the_one_entered_until_it_is_taken_back(session, plays, director, adjust):
    before = computing.compute(session.pk).data
    row = adjust(plays[0], score=90, article="R-RS 5.3")
    assert (state_of(plays[0]), told_of(plays[0])["base_score"]) == ("adjusted", 90)
    assert notes_of(plays) == ["75", "0", "50", "25", "100"]
    assert (row.author, row.reason, row.article, row.taker) == (director, "Étui mal refait", "R-RS 5.3", "")
    entering.restore_play(play_id=plays[0].pk, reason="erreur", by=director, now=timezone.now())
    assert computing.compute(session.pk).data == before


@pytest.mark.nightly("story")
def test_fixed_notes_stand_in_place_of_the_topage_and_the_play_is_in_or_out(plays, adjust):
    taker = plays[4].etui.taker
    facing = next(line for line in "NESW" if line != taker)
    adjust(plays[4], notes={taker: "60", facing: "better 60"}, compared=True)
    told = told_of(plays[4])
    assert set(told["fixed"]) == {taker, facing}
    assert notes_of(plays) == ["25", "0", "75", "50", "60"]
    assert sorted(told["notes"].values()) == ["0", "0", "60", "better 60"]
    adjust(plays[4], notes={taker: "60", facing: "better 60"}, compared=False)
    assert notes_of(plays) == ["100/3", "0", "100", "200/3", "60"]
    assert [note for line, note in told_of(plays[4])["notes"].items() if line not in (taker, facing)] == [None, None]


def test_notes_fixed_without_a_result_end_the_waiting_and_compare_nothing(session, adjust):
    play = session.plays.select_related("etui", "session__tournament").first()
    adjust(play, notes=dict.fromkeys("NESW", "60"))
    told = told_of(play)
    assert (state_of(play), told["state"], told["base_score"]) == ("adjusted", "scored", None)
    assert (told["taker"], set(told["notes"].values())) == (play.etui.taker, {"60"})
    assert computing.compute(session.pk).data["topped"] == 0


@pytest.mark.nightly("story")
def test_result_that_comes_after_an_adjustment_is_kept_and_the_ruling_stands(session, plays, director, adjust):
    play = session.plays.exclude(etui__number=1).select_related("etui", "session__tournament").first()
    adjust(play, notes={"N": "60"}, compared=False)
    enter(play, by=director)
    assert (state_of(play), told_of(play)["notes"]["N"], play.entries.count()) == ("adjusted", "60", 1)


def test_same_adjustment_twice_is_one_row_and_one_line_of_the_log_without_figures(plays, adjust):
    first = adjust(plays[0], notes={"S": "60.5", "N": "175/2"})
    assert adjust(plays[0], notes={"N": "87.5", "S": "121/2"}, seen_ruling=0) == first
    assert first.notes == {"N": "175/2", "S": "121/2"}
    (line,) = LogEntry.objects.filter(action="play_adjusted")
    assert set(line.params) == {"etui", "table", "position"}


def test_ruling_between_looking_and_adjusting_is_a_conflict_and_changes_nothing(plays, director, adjust):
    said = {"reason": "étui abîmé", "by": director, "now": timezone.now()}
    annulled = entering.annul_play(play_id=plays[0].pk, **said)
    with pytest.raises(Conflict) as raised:
        adjust(plays[0], score=90, seen_ruling=0)
    assert raised.value.code == "ruled_meanwhile"
    with pytest.raises(ActionRefused) as refused:
        adjust(plays[0], score=90)
    assert refused.value.code == "play_annulled"
    adjust(plays[0], score=90, seen_ruling=annulled.pk)
    assert state_of(plays[0]) == "adjusted"
    entering.restore_play(play_id=plays[0].pk, **said)
    assert state_of(plays[0]) == "annulled"


@pytest.mark.nightly("story")
@pytest.mark.parametrize("later", [False, True])
def test_taken_back_adjustment_leaves_the_play_set_aside_as_before(session, director, adjust, later):
    play = session.plays.select_related("etui", "session__tournament").first()
    said = {"play_id": play.pk, "by": director, "now": timezone.now()}
    entering.not_played(later=later, **said)
    for note in ("60", "50"):
        adjust(play, notes={"N": note})
    assert entering.to_be_played(**said) is None
    with pytest.raises(ActionRefused) as refused:
        entering.not_played(**said)
    assert refused.value.code == "play_adjusted"
    with pytest.raises(ActionRefused):
        entering.restore_play(reason=" ", **said)
    entering.restore_play(reason="erreur", **said)
    assert state_of(play) == ("later" if later else "not_played")


@pytest.mark.nightly("story")
def test_adjusted_play_is_the_directors_alone(plays, director, adjust):
    play = Play.objects.select_related("table", "session__tournament__club").get(pk=plays[0].pk)
    assert may_correct(play)
    adjust(play, notes={"N": "60"})
    assert not may_correct(play)
    said = {"play_id": play.pk, "by": director, "now": timezone.now()}
    with pytest.raises(ActionRefused) as refused:
        entering.withdraw_result(seen_version=1, reason="autre ligne", **said)
    assert refused.value.code == "play_adjusted"


@pytest.mark.parametrize(
    ("told", "error", "code"),
    [
        ({}, ActionRefused, "adjustment_empty"),
        ({"score": 90, "compared": False}, ActionRefused, "adjustment_empty"),
        ({"notes": {"N": "60"}, "reason": "  "}, ActionRefused, "reason_missing"),
        ({"notes": {"N": "101"}}, ScoringError, "fixed_note"),
        ({"notes": {"N": "-1"}}, ScoringError, "fixed_note"),
        ({"notes": {"N": "1/0"}}, ScoringError, "fixed_note"),
        ({"notes": {"N": "9" * 5000}}, ScoringError, "fixed_note"),
        ({"notes": {"N": "better"}}, ScoringError, "fixed_note"),
        ({"notes": {"N": "60 "}}, ScoringError, "fixed_note"),
        ({"notes": {"N": "٦٠"}}, ScoringError, "fixed_note"),
        ({"notes": {"X" * 5000: "60"}}, ScoringError, "unknown_value"),
        ({"score": 90, "taker": "Z"}, ScoringError, "unknown_value"),
        ({"score": 10**5000}, EntryError, "fiche_range"),
        ({"score": -2001}, EntryError, "fiche_range"),
        ({"marks": {"N": 30, "E": -10, "S": -10, "W": -10}}, EntryError, "sheet_elsewhere"),
        ({"notes": {"N": "60"}, "play_id": 2**31}, ActionRefused, "play_gone"),
    ],
)
def test_what_cannot_be_ruled_is_refused_and_nothing_is_written(session, plays, adjust, told, error, code):
    version = Session.objects.get(pk=session.pk).results_version
    with pytest.raises(error) as raised:
        adjust(plays[0], **told)
    assert raised.value.code == code
    assert len(str(raised.value)) < 300
    assert not plays[0].rulings.exists()
    assert Session.objects.get(pk=session.pk).results_version == version


def test_etuis_taker_alone_takes_an_imposed_contract(plays, adjust):
    other = next(line for line in "NESW" if line != plays[0].etui.taker)
    with pytest.raises(EntryError) as raised:
        adjust(plays[0], score=90, taker=other)
    assert raised.value.code == "taker_not_of_etui"
    assert adjust(plays[0], score=90, taker=plays[0].etui.taker).taker == ""


def test_play_of_an_annulled_etui_is_not_adjusted(session, plays, director, adjust):
    ruling.annul_etui(session_id=session.pk, etui=1, reason="x", by=director, now=timezone.now())
    with pytest.raises(ActionRefused) as raised:
        adjust(plays[0], notes={"N": "60"})
    assert raised.value.code == "play_annulled"


def test_replay_has_fixed_notes_and_no_score(session, adjust):
    play = session.plays.select_related("etui", "session__tournament").first()
    Play.objects.filter(pk=play.pk).update(is_replay=True)
    with pytest.raises(ActionRefused) as raised:
        adjust(play, score=90)
    assert raised.value.code == "etui_met"
    adjust(play, notes=dict.fromkeys("NESW", "60"))
    assert (state_of(play), told_of(play)["base_score"], told_of(play)["notes"]["N"]) == ("adjusted", None, "60")


@pytest.fixture
def free(db):
    session = started_session(make_tournament(auction="free"))
    return session.plays.select_related("etui", "session__tournament__club").first()


@pytest.mark.nightly("story")
def test_score_of_a_free_auction_is_for_whoever_was_entered_unless_it_says_for_whom(free, director, adjust):
    with pytest.raises(EntryError) as raised:
        adjust(free, score=90)
    assert raised.value.code == "taker_missing"
    enter(free, garde("S"), by=director)
    assert adjust(free, score=90).taker == "S"
    assert (told_of(free)["taker"], told_of(free)["base_score"]) == ("S", 90)
    adjust(free, score=90, taker="E")
    assert (told_of(free)["taker"], told_of(free)["base_score"]) == ("E", 90)


def test_deal_passed_out_by_the_arbiter(free, director, adjust):
    assert adjust(free, score=0).taker == ""
    assert (told_of(free)["taker"], told_of(free)["base_score"]) == (None, 0)
    enter(free, AllPassed(), by=director)
    with pytest.raises(EntryError):
        adjust(free, score=1)


@pytest.mark.nightly("story")
def test_pages_of_the_evening_show_a_play_that_is_decided_without_a_result(session, director, adjust):
    play = session.plays.select_related("etui", "session__tournament").first()
    adjust(play, notes=dict.fromkeys("NESW", "60"))
    browser = browser_of(director)
    for page, args in (("session", ()), ("bulk", ()), ("play", (play.pk,)), ("standings", ()), ("live_etui", (1,))):
        answer = browser.get(session_url(page, session, *args))
        assert answer.status_code == 200, page
    tokens_of(session)
    device = Device(session.tables.get(pk=play.table_id))
    device.send("join")
    told = device.play(play.pk)
    assert (told["state"], told["entry"], told["final"]) == ("adjusted", None, False)
    sent = device.send("not_played", play=play)
    assert (sent.status, sent.error.code) == ("refused", "play_adjusted")
