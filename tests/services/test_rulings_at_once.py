"""Two people who rule on one play at once, on two connections to PostgreSQL: the second waits and sees the first."""

from decimal import Decimal
from functools import partial

import pytest
from django.utils import timezone

from evenings.plays.adjusting import adjust_play
from evenings.plays.entering import annul_play
from evenings.plays.penalties import Sanction, give_penalty
from evenings.plays.ruling import annul_etui, restore_etui
from evenings.standings import computing
from evenings.standings.preview import weigh_up
from tests.evenings.standings.keeping import assert_kept_from_nothing
from tests.factories import enter, garde, make_director, started_session
from tests.services.test_plan_at_once import take_in_turn
from tournaments.errors import Conflict
from tournaments.locks import lock_play, lock_session
from tournaments.models import EtuiRuling, Penalty, Ruling

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("race")]


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


def test_second_word_on_a_player_is_a_conflict_and_the_same_one_is_given_once(play, directors):
    about = {"session_id": play.session_id, "entrant_id": play.north_id, "seen": 0, "now": timezone.now()}

    def give(by, points):
        return give_penalty(sanction=Sanction(points=Decimal(points)), reason="Retard", by=by, **about)

    held = partial(lock_session, play.session_id)
    same = take_in_turn(partial(give, directors[0], 1), held, partial(give, directors[1], 1))
    assert same == [Penalty.objects.get()] * 2
    outcome = take_in_turn(partial(give, directors[0], 1), held, partial(give, directors[1], 2))[1]
    assert (type(outcome), Penalty.objects.count()) == (Conflict, 1)


def test_restoring_what_somebody_annulled_meanwhile_is_a_conflict(play, directors):
    said = {"session_id": play.session_id, "etui": play.etui.number, "reason": "x", "now": timezone.now()}
    outcomes = take_in_turn(
        partial(annul_etui, by=directors[0], seen_ruling=0, **said),
        partial(lock_session, play.session_id),
        partial(restore_etui, by=directors[1], seen_ruling=0, **said),
    )
    assert isinstance(outcomes[1], Conflict)
    assert list(EtuiRuling.objects.values_list("kind", flat=True)) == ["annulled"]


def test_preview_beside_a_result_has_both_rankings_of_one_moment(play, directors):
    """Enter the result after the first ranking has been read, while the ruling waits for the play."""
    others = play.session.plays.filter(etui=play.etui_id).exclude(pk=play.pk).select_related("etui")
    for each, points in zip([play, *others[:2]], (40, 50, 60), strict=True):
        enter(each, garde(each.etui.taker, points=points), by=directors[0])
    rule = partial(annul_play, play_id=play.pk, reason="x", by=directors[1], now=timezone.now())
    late = others[3]
    outcomes = take_in_turn(
        partial(enter, late, garde(late.etui.taker, points=45), by=directors[0]),
        partial(lock_session, play.session_id),
        partial(weigh_up, play.session_id, rule),
    )
    was, will_be = outcomes[1]
    assert was == {player["id"]: player for player in computing.compute(play.session_id).figures["players"]}
    assert not Ruling.objects.exists()
    rule()
    assert will_be == {player["id"]: player for player in computing.compute(play.session_id).figures["players"]}


def test_same_ruling_of_two_at_once_is_one(play, directors):
    same = [partial(adjust, play, by, notes={"N": "60"}) for by in directors]
    first, second = take_in_turn(same[0], partial(lock_play, play.pk), same[1])
    assert first == second == Ruling.objects.get()


def test_result_that_comes_while_a_play_is_adjusted_is_kept_in_the_standings_too(play, directors):
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
