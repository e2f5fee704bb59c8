"""Two who rule on one play at the same time, on two connections to PostgreSQL: the second waits, and sees the first."""

from functools import partial

import pytest
from django.utils import timezone

from tests.factories import enter, garde, make_director, started_session
from tests.services.test_plan_at_once import take_in_turn
from tests.tournaments.standings.keeping import assert_kept_from_nothing
from tournaments.errors import Conflict
from tournaments.locks import lock_play
from tournaments.models import Ruling
from tournaments.plays.adjusting import adjust_play
from tournaments.plays.entering import annul_play
from tournaments.standings import computing

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def play():
    return started_session().plays.select_related("etui", "session__tournament__club").first()


@pytest.fixture
def directors(play):
    return [make_director(play.session.tournament.club, name) for name in ("une", "autre")]


def adjust(play, by, **told):
    return adjust_play(**{"play_id": play.pk, "seen_ruling": 0, "reason": "x", "by": by, "now": timezone.now()} | told)


@pytest.mark.parametrize(
    "first",
    [
        lambda play, by: adjust(play, by, notes={"N": "40"}),
        lambda play, by: annul_play(play_id=play.pk, reason="x", by=by, now=timezone.now()),
    ],
)
def test_second_ruling_on_what_was_seen_before_the_first_is_a_conflict(play, directors, first):
    one, other = directors
    outcomes = take_in_turn(
        partial(first, play, one), partial(lock_play, play.pk), partial(adjust, play, other, notes={"N": "60"})
    )
    assert isinstance(outcomes[1], Conflict)
    assert outcomes[1].code == "ruled_meanwhile"
    assert list(Ruling.objects.values_list("pk", "author")) == [(outcomes[0].pk, one.pk)]


def test_same_ruling_of_two_at_once_is_one(play, directors):
    same = [partial(adjust, play, by, notes={"N": "60"}) for by in directors]
    first, second = take_in_turn(same[0], partial(lock_play, play.pk), same[1])
    assert first == second == Ruling.objects.get()


def test_result_that_comes_while_a_play_is_adjusted_is_kept_and_the_standings_hold_both(play, directors):
    one, other = directors
    outcomes = take_in_turn(
        partial(adjust, play, one, notes={"N": "60"}),
        partial(lock_play, play.pk),
        partial(enter, play, garde(play.etui.taker), by=other),
    )
    assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    computing.refresh(play.session_id, now=timezone.now())
    assert_kept_from_nothing(play.session)
    play.session.standings.refresh_from_db()
    (told,) = [row.plays[str(play.pk)] for row in play.session.standings.etuis.filter(etui=play.etui_id)]
    assert (told["fixed"], told["notes"]["N"], told["base_score"]) == (["N"], "60", 66)
