"""The rulings on a play that follow each other, and the marks that a change leaves for the standings."""

import pytest
from django.utils import timezone

from evenings.plays import entering
from evenings.plays.adjusting import adjust_play
from tests import shared_evenings
from tests.factories import enter, garde, started_session
from tournaments.errors import ActionRefused, Conflict
from tournaments.models import ChangedEtui, Play, Ruling, Session

pytestmark = pytest.mark.django_db
Kind = Ruling.RulingKind


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    return started_session().pk


play = shared_evenings.first_play


@pytest.fixture
def said(play, director):
    return {"play_id": play.pk, "by": director, "now": timezone.now(), "reason": "cartes vues"}


def set_aside(said, **how):
    return entering.not_played(**{name: value for name, value in said.items() if name != "reason"}, **how)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (lambda said: set_aside(said), Kind.NOT_PLAYED),
        (lambda said: set_aside(said, later=True), Kind.LATER),
        (lambda said: (entering.annul_play(**said), entering.restore_play(**said)), Kind.RESTORED),
        (lambda said: None, Kind.RESTORED),
    ],
)
def test_cancelled_adjustment_gives_way_to_the_ruling_before_it(play, said, before, after):
    before(said)
    adjust_play(notes={"N": "60"}, **said)
    assert entering.restore_play(**said).kind == after
    assert entering.ruling_in_force(play) == after


def test_adjusted_play_is_withdrawn_only_after_the_adjustment(play, director, said):
    enter(play, by=director)
    adjust_play(notes={"N": "60"}, **said)
    with pytest.raises(ActionRefused) as refused:
        entering.withdraw_result(seen_version=1, **said)
    assert refused.value.code == "play_adjusted"


def test_ruling_made_meanwhile_is_seen_first(play, said):
    row = entering.annul_play(**said)
    with pytest.raises(Conflict):
        entering.restore_play(seen_ruling=0, **said)
    assert entering.restore_play(seen_ruling=row.pk, **said).kind == Kind.RESTORED


def test_etui_that_a_player_meets_again_is_neither_played_nor_entered(play, director, said):
    set_aside(said)
    Play.objects.filter(pk=play.pk).update(is_replay=True)
    now = timezone.now()
    for refuse in (
        lambda: entering.to_be_played(play_id=play.pk, by=director, now=now),
        lambda: entering.enter_result(play_id=play.pk, entry=garde(play.etui.taker), by=director, now=now),
    ):
        with pytest.raises(ActionRefused) as refused:
            refuse()
        assert refused.value.code == "etui_met"


def test_adjustment_marks_its_etui_and_raises_the_version_once(session, play, said):
    ChangedEtui.objects.all().delete()
    for _time in range(2):
        adjust_play(notes={"N": "60"}, **said)
        assert list(ChangedEtui.objects.values_list("session", "etui")) == [(session.pk, play.etui_id)]
        assert Session.objects.get(pk=session.pk).results_version == session.results_version + 1


@pytest.mark.parametrize("etuis", [None, [], "two"])
def test_change_marks_etuis_all_or_none_and_raises_the_version_once(session, monkeypatch, etuis):
    queued, numbers = [], sorted(session.deal_set.etuis.values_list("pk", flat=True)[:2])
    monkeypatch.setattr(entering, "queue_standings", queued.append)
    ChangedEtui.objects.all().delete()
    before = session.results_version
    named = numbers if etuis == "two" else etuis
    how = {} if named is None else {"etuis": named}
    entering.raise_results_version(session.pk, **how)
    marked = ChangedEtui.objects.filter(session=session).values_list("etui_id", flat=True)
    assert sorted(marked, key=str) == ([None] if named is None else sorted(named, key=str))
    assert Session.objects.get(pk=session.pk).results_version == before + 1
    assert queued == [session.pk]
