"""The entry, correction and annulment of results: what is stored, what is refused, and that nothing is lost."""

from dataclasses import replace

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from evenings.plays.entering import annul_play, correct_result, enter_result, restore_play
from evenings.plays.entries import entry_of, to_row
from scoring.contract import Contract, DealResult, ScoringError
from scoring.ranking import Line
from tests.factories import garde, make_helper, make_tournament, started_session
from tournaments.errors import ActionRefused, Conflict
from tournaments.models import ResultEntry, Session
from tournaments.rules.entry import AllPassed, Bout, EntryError, Facts, Fiche

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    return started_session().pk


@pytest.fixture
def play(session):
    return session.plays.select_related("etui").first()


@pytest.fixture
def entry(play):
    return garde(play.etui.taker)


def enter(play, entry, by):
    return enter_result(play_id=play.pk, entry=entry, by=by, now=timezone.now())


def correct(play, entry, by, *, reason="relu", seen_version=1):
    return correct_result(
        play_id=play.pk, entry=entry, reason=reason, seen_version=seen_version, by=by, now=timezone.now()
    )


def version_of(session):
    return Session.objects.get(pk=session.pk).results_version


def test_result_entered_is_the_current_version_with_its_author(play, entry, director):
    row = enter(play, entry, director)
    assert (row.version, row.current, row.author, row.reason) == (1, True, director, "")
    assert entry_of(ResultEntry.objects.get(pk=row.pk)) == entry


@pytest.mark.parametrize("make", [lambda taker: garde(taker), lambda taker: Fiche(Line(taker), -56)])
def test_every_kind_of_entry_comes_back_as_it_was(play, director, make):
    entry = make(play.etui.taker)
    assert entry_of(ResultEntry.objects.get(pk=enter(play, entry, director).pk)) == entry


def test_same_result_twice_changes_nothing(session, play, entry, director):
    first = enter(play, entry, director)
    before = version_of(session)
    assert enter(play, entry, director).pk == first.pk
    assert (play.entries.count(), version_of(session)) == (1, before)


def test_same_result_whose_bouts_are_only_counted_keeps_those_that_were_named(play, director):
    """Check a correction that is saved at the desk without a change: the desk counts bouts, and keeps their names."""
    counted = garde(play.etui.taker)
    first = enter(play, replace(counted, attack_bouts=frozenset({Bout.TRUMP_21, Bout.PETIT})), director)
    assert correct(play, counted, director).pk == first.pk
    other = replace(counted, attack_bouts=frozenset({Bout.TRUMP_21, Bout.EXCUSE}))
    assert correct(play, other, director).version == 2


def test_another_result_for_an_entered_play_is_a_conflict(play, entry, director):
    enter(play, entry, director)
    with pytest.raises(Conflict) as caught:
        enter(play, garde(play.etui.taker, points=50), director)
    assert (caught.value.code, caught.value.params) == ("result_already_entered", {})
    assert play.entries.count() == 1


def test_helper_cannot_find_out_by_guessing_what_another_has_entered(play, entry, director):
    helper, colleague = (make_helper(play.session.tournament.club, name) for name in ("table1", "table2"))
    enter(play, entry, helper)
    for guess in (entry, garde(play.etui.taker, points=50)):
        with pytest.raises(Conflict) as caught:
            enter(play, guess, colleague)
        assert (caught.value.code, caught.value.params) == ("result_already_entered", {})
    assert enter(play, entry, helper) == enter(play, entry, director)
    assert play.entries.count() == 1


def test_each_change_raises_the_results_version_once(session, play, entry, director):
    before = version_of(session)
    enter(play, entry, director)
    correct(play, Fiche(entry.taker, 106), director)
    annul_play(play_id=play.pk, reason="mal reconstitué", by=director, now=timezone.now())
    restore_play(play_id=play.pk, reason="vérifié", by=director, now=timezone.now())
    assert version_of(session) == before + 4


def test_correction_adds_a_version_and_keeps_the_old_one(play, entry, director):
    enter(play, entry, director)
    row = correct(play, Fiche(entry.taker, 106), director, reason="  fiche relue ")
    assert (row.version, row.current, row.reason) == (2, True, "fiche relue")
    assert list(play.entries.order_by("version").values_list("version", "current")) == [(1, False), (2, True)]


def test_correction_without_reason_is_refused(play, entry, director):
    enter(play, entry, director)
    with pytest.raises(ActionRefused) as caught:
        correct(play, Fiche(entry.taker, 106), director, reason="  ")
    assert (caught.value.code, caught.value.field) == ("reason_missing", "reason")


def test_correction_of_a_version_that_no_longer_counts_is_a_conflict(play, entry, director):
    enter(play, entry, director)
    correct(play, Fiche(entry.taker, 106), director)
    with pytest.raises(Conflict) as caught:
        correct(play, Fiche(entry.taker, 108), director, seen_version=1)
    assert (caught.value.code, caught.value.params) == ("corrected_meanwhile", {"version": 2})


def test_correction_sent_twice_changes_nothing(play, entry, director):
    enter(play, entry, director)
    first = correct(play, Fiche(entry.taker, 106), director)
    assert correct(play, Fiche(entry.taker, 106), director).pk == first.pk
    assert play.entries.count() == 2


def test_correction_where_nothing_is_entered_is_refused(play, entry, director):
    with pytest.raises(ActionRefused) as caught:
        correct(play, entry, director)
    assert caught.value.code == "nothing_to_correct"


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        (lambda taker, other: garde(other), "taker_not_of_etui"),
        (lambda taker, other: Fiche(Line(other), 106), "taker_not_of_etui"),
        (lambda taker, other: Facts(Line(taker), DealResult(4, Contract.PRISE, 2, 98)), "contract_not_imposed"),
        (
            lambda taker, other: Facts(Line(taker), DealResult(5, Contract.GARDE, 2, 98, partner=True)),
            "four_players_only",
        ),
        (lambda taker, other: Fiche(Line(taker), 2001), "fiche_range"),
        (lambda taker, other: AllPassed(), "pass_not_allowed"),
    ],
)
def test_imposed_garde_refuses_what_its_etui_cannot_have(play, director, entry, code):
    other = next(line for line in Line if line != play.etui.taker)
    with pytest.raises(EntryError) as caught:
        enter(play, entry(play.etui.taker, other), director)
    assert caught.value.code == code
    assert not play.entries.exists()


def test_facts_that_arithmetic_forbids_are_refused(play, director):
    with pytest.raises(ScoringError) as caught:
        enter(play, garde(play.etui.taker, bouts=0, points=91), director)
    assert caught.value.code == "points_too_high"
    assert not play.entries.exists()


def test_free_auction_takes_any_taker_any_contract_and_four_passes(director):
    session = started_session(make_tournament(director.memberships.get().club, auction="free", name="Libre"))
    first, second, third = session.plays.all()[:3]
    result = DealResult(4, Contract.GARDE_SANS, 2, 90)
    for line, play in zip((Line.N, Line.W), (first, second), strict=True):
        assert entry_of(enter(play, Facts(line, result), director)) == Facts(line, result)
    assert entry_of(enter(third, AllPassed(), director)) == AllPassed()


def test_annulled_play_keeps_its_result_and_comes_back_by_a_ruling_of_its_own(play, entry, director):
    enter(play, entry, director)
    annul_play(play_id=play.pk, reason="étui altéré", by=director, now=timezone.now())
    annul_play(play_id=play.pk, reason="encore", by=director, now=timezone.now())
    restore_play(play_id=play.pk, reason="vérifié", by=director, now=timezone.now())
    assert list(play.rulings.values_list("kind", "reason")) == [("annulled", "étui altéré"), ("restored", "vérifié")]
    assert play.entries.filter(current=True).count() == 1


def test_annulling_without_reason_is_refused(play, director):
    with pytest.raises(ActionRefused, match="reason_missing"):
        annul_play(play_id=play.pk, reason=" ", by=director, now=timezone.now())


def test_restoring_a_play_that_counts_changes_nothing(play, director):
    assert restore_play(play_id=play.pk, reason="", by=director, now=timezone.now()) is None


def test_draft_sessions_have_no_play_to_enter(play, entry, director):
    Session.objects.filter(pk=play.session_id).update(status="draft", started_at=None)
    with pytest.raises(ActionRefused, match="play_gone"):
        enter(play, entry, director)


@pytest.mark.parametrize(
    ("change", "constraint"),
    [
        ({"version": 2, "reason": "x"}, "entry_one_current_per_play"),
        ({"version": 1, "current": False}, "entry_version_once_per_play"),
        ({"version": 2, "current": False}, "entry_correction_has_reason"),
        ({"version": 2, "current": False, "reason": "x", "taker": ""}, "entry_holds_what_its_kind_says"),
        ({"version": 2, "current": False, "reason": "x", "fiche_score": 4}, "entry_holds_what_its_kind_says"),
        ({"version": 2, "current": False, "reason": "x", "kind": "fiche"}, "entry_holds_what_its_kind_says"),
        ({"version": 2, "current": False, "reason": "x", "kind": "passed"}, "entry_holds_what_its_kind_says"),
    ],
)
def test_database_itself_holds_the_invariants(play, entry, director, change, constraint):
    enter(play, entry, director)
    row = to_row(entry) | {"play": play, "author": director, "entered_at": timezone.now()} | change
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        ResultEntry.objects.create(**row)
