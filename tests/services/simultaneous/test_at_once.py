"""Two directors who act at once on a simultaneous, on two connections to PostgreSQL: the second sees the first."""

import datetime as dt
from functools import partial

import pytest
from django.utils import timezone

from archives.elsewhere.results import lock_former_results
from deals.models import DealSet
from evenings.plans.copies import CopyRefused
from evenings.plans.starting import start_session
from evenings.sessions.put_away import put_tournament_away
from evenings.sessions.setup import use_deal_set
from rankings.simultaneous.hours import FieldHours, change_hours, open_simultaneous
from rankings.simultaneous.membership import join_by_link, leave_simultaneous
from rankings.simultaneous.setup import RulingGiven, close_simultaneous, rule_for_all
from rankings.simultaneous.writing import SimultaneousRefused, lock_simultaneous
from tests.archives.elsewhere.test_sites import bring, play_elsewhere
from tests.factories import draft_session, make_club, make_director, make_tournament
from tests.rankings.simultaneous.world import HOUR, director_of, draft_of, join_club, make_simultaneous
from tests.services.test_plan_at_once import take_in_turn
from tournaments.errors import ActionRefused
from tournaments.locks import lock_deal_set, lock_session, lock_tournament
from tournaments.models import FieldRuling, Session, Simultaneous, SimultaneousClub

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("race")]
LINK = "a" * 43


@pytest.fixture
def simultaneous():
    made = make_simultaneous()
    Simultaneous.objects.filter(pk=made.pk).update(token=LINK)
    made.refresh_from_db()
    return made


@pytest.fixture
def hold(simultaneous):
    """Return a function that locks the simultaneous."""
    return partial(lock_simultaneous, simultaneous.pk)


@pytest.fixture
def organiser(simultaneous):
    return simultaneous.club.memberships.get().user


@pytest.fixture
def row(simultaneous):
    """Return the row of a club that takes part."""
    return join_club(simultaneous, "besancon")


def join(club, by):
    return join_by_link(club=club, token=LINK, by=by, now=timezone.now())


def make_draft(row, name="Autre"):
    """Return a session of the club in preparation, which plays no étuis yet."""
    return draft_session(make_tournament(row.club, name=name))


def code_of(outcome):
    assert isinstance(outcome, SimultaneousRefused | CopyRefused), outcome
    return outcome.code


def test_club_whose_two_directors_join_at_once_takes_part_once(hold):
    club = make_club("lyon", "Lyon")
    one, other = (partial(join, club, make_director(club, name)) for name in ("une", "autre"))
    first, second = take_in_turn(one, hold, other)
    assert first.pk == second.pk == SimultaneousClub.objects.get(club=club).pk
    assert DealSet.objects.filter(club=club).count() == 1


def test_club_that_joins_while_the_organiser_closes_is_refused(simultaneous, hold, organiser):
    club = make_club("lyon", "Lyon")
    close = partial(close_simultaneous, simultaneous_id=simultaneous.pk, by=organiser, now=timezone.now())
    _closed, refused = take_in_turn(close, hold, partial(join, club, make_director(club)))
    assert code_of(refused) == "simultaneous_is_closed"
    assert not SimultaneousClub.objects.filter(club=club).exists()


def test_organiser_who_closes_while_a_club_joins_closes_with_it(simultaneous, hold, organiser):
    club = make_club("lyon", "Lyon")
    close = partial(close_simultaneous, simultaneous_id=simultaneous.pk, by=organiser, now=timezone.now())
    joined, closed = take_in_turn(partial(join, club, make_director(club)), hold, close)
    assert joined.agreed_at is not None
    assert closed.closed_at is not None


def test_two_sessions_that_take_the_copy_at_once_are_one(row):
    drafts = [make_draft(row, name) for name in ("Une", "Autre")]
    one, other = (partial(use_deal_set, session_id=each.pk, deal_set=row.deal_set) for each in drafts)
    taken, refused = take_in_turn(one, partial(lock_deal_set, row.deal_set_id), other)
    assert code_of(refused) == "copy_played_once"
    row.refresh_from_db()
    assert row.session == taken
    assert list(Session.objects.filter(deal_set=row.deal_set)) == [taken]


def test_session_that_starts_twice_at_once_starts_once(row):
    session = draft_of(row)
    start = partial(start_session, session_id=session.pk, by=director_of(row), now=timezone.now())
    first, second = take_in_turn(start, partial(lock_session, session.pk), start)
    assert (first.pk, first.started_at) == (second.pk, second.started_at)
    assert session.plays.count() == first.plays.count() > 0


def test_tournament_that_comes_back_while_another_takes_the_copy_is_refused(row):
    former, by, now = draft_of(row), director_of(row), timezone.now()
    put_tournament_away(tournament_id=former.tournament_id, by=by, now=now)
    other = make_draft(row)
    back = partial(put_tournament_away, tournament_id=former.tournament_id, by=by, now=now, back=True)
    take = partial(use_deal_set, session_id=other.pk, deal_set=row.deal_set)
    taken, refused = take_in_turn(take, partial(lock_deal_set, row.deal_set_id), back)
    assert code_of(refused) == "copy_played_once"
    row.refresh_from_db()
    assert row.session == taken


def test_copy_that_is_taken_while_a_tournament_comes_back_is_refused(row):
    former, by, now = draft_of(row), director_of(row), timezone.now()
    put_tournament_away(tournament_id=former.tournament_id, by=by, now=now)
    other = make_draft(row)
    back = partial(put_tournament_away, tournament_id=former.tournament_id, by=by, now=now, back=True)

    def hold():
        lock_tournament(former.tournament_id, no_key=True)
        lock_deal_set(row.deal_set_id)

    _back, refused = take_in_turn(back, hold, partial(use_deal_set, session_id=other.pk, deal_set=row.deal_set))
    assert code_of(refused) == "copy_played_once"
    row.refresh_from_db()
    assert row.session == former


def test_same_ruling_of_two_directors_is_one(simultaneous, hold, organiser):
    other = make_director(simultaneous.club, "autre")
    given = RulingGiven(etui=1, kind="annulled", reason="cartes mêlées")
    one, two = (
        partial(rule_for_all, simultaneous_id=simultaneous.pk, given=given, by=by, now=timezone.now())
        for by in (organiser, other)
    )
    first, second = take_in_turn(one, hold, two)
    assert first == second == FieldRuling.objects.get()


def test_ruling_that_was_lifted_meanwhile_is_not_lifted_again(simultaneous, hold, organiser):
    rule = partial(rule_for_all, simultaneous_id=simultaneous.pk, by=organiser, now=timezone.now())
    rule(given=RulingGiven(etui=1, kind="annulled", reason="cartes mêlées"))
    one, two = (partial(rule, given=RulingGiven(etui=1, kind="lifted", reason=reason)) for reason in ("x", "y"))
    _lifted, refused = take_in_turn(one, hold, two)
    assert code_of(refused) == "simultaneous_not_ruled"
    assert list(FieldRuling.objects.order_by("pk").values_list("kind", flat=True)) == ["annulled", "lifted"]


def move(simultaneous, by, opens_in):
    """Return a call that moves the opening hour by so many hours, and the other two after it."""
    opens = timezone.now() + opens_in * HOUR
    hours = FieldHours(opens, opens + 2 * HOUR, opens + 3 * HOUR)
    return partial(change_hours, simultaneous_id=simultaneous.pk, hours=hours, by=by, now=timezone.now())


def test_club_that_starts_while_the_opening_hour_is_put_off_is_refused(simultaneous, row, organiser):
    session = draft_of(row)
    start = partial(start_session, session_id=session.pk, by=director_of(row), now=timezone.now())
    hold = partial(lock_session, session.pk, no_key=True)
    _moved, refused = take_in_turn(move(simultaneous, organiser, 1), hold, start)
    assert code_of(refused) == "simultaneous_not_open"
    session.refresh_from_db()
    assert (session.status, session.started_at) == (Session.Status.DRAFT, None)


def test_hour_that_is_put_off_while_a_club_starts_holds_its_results(simultaneous, row, organiser):
    session = draft_of(row)
    start = partial(start_session, session_id=session.pk, by=director_of(row), now=timezone.now())
    _started, moved = take_in_turn(start, partial(lock_session, session.pk), move(simultaneous, organiser, 1))
    session.refresh_from_db()
    assert session.started_at is not None
    assert session.held_until == moved.public_at


def test_public_hour_that_is_put_off_while_the_job_opens_stays_secret(simultaneous, row, organiser):
    """Let the job begin after the old public hour, while the organiser still writes the new one."""
    session = draft_of(row)
    later = simultaneous.public_at + dt.timedelta(seconds=1)
    opened = partial(open_simultaneous, simultaneous.pk, now=later)
    hold = partial(lock_session, session.pk, no_key=True)
    _moved, was_opened = take_in_turn(move(simultaneous, organiser, 9), hold, opened)
    assert was_opened is False
    master = DealSet.objects.get(pk=simultaneous.deal_set_id)
    assert master.revealed_at is None
    assert set(row.deal_set.etuis.values_list("cards", flat=True)) == {""}


def test_two_jobs_that_open_at_once_give_each_club_its_cards(simultaneous, row):
    later = simultaneous.public_at + dt.timedelta(seconds=1)
    opened = partial(open_simultaneous, simultaneous.pk, now=later)
    outcomes = take_in_turn(opened, partial(lock_simultaneous, simultaneous.pk), opened)
    assert outcomes == [True, True]
    dealt = list(simultaneous.deal_set.etuis.order_by("number").values_list("cards", flat=True))
    assert list(row.deal_set.etuis.order_by("number").values_list("cards", flat=True)) == dealt
    row.deal_set.refresh_from_db()
    assert row.deal_set.given_up_at == later


def test_session_that_takes_the_copy_while_the_club_leaves_is_refused(row):
    other, by = make_draft(row), director_of(row)
    leave = partial(leave_simultaneous, club=row.club, row_id=row.pk, reason="trop loin", by=by, now=timezone.now())

    def hold():
        lock_simultaneous(row.simultaneous_id)
        lock_deal_set(row.deal_set_id)

    left, refused = take_in_turn(leave, hold, partial(use_deal_set, session_id=other.pk, deal_set=row.deal_set))
    assert left.left_at is not None
    assert isinstance(refused, ActionRefused)
    assert refused.code == "set_given_up"
    assert not Session.objects.filter(deal_set=row.deal_set).exists()


def test_club_that_leaves_while_its_session_takes_the_copy_keeps_both(row):
    other, by = make_draft(row), director_of(row)
    leave = partial(leave_simultaneous, club=row.club, row_id=row.pk, reason="trop loin", by=by, now=timezone.now())

    def hold():
        lock_session(other.pk)
        lock_deal_set(row.deal_set_id)

    taken, left = take_in_turn(partial(use_deal_set, session_id=other.pk, deal_set=row.deal_set), hold, leave)
    row.refresh_from_db()
    assert (left.left_at, row.session) == (row.left_at, taken)
    assert row.left_at is not None


def test_results_that_come_again_while_the_hours_move_are_kept(simultaneous, organiser):
    far_club = make_club("ailleurs", "Tarot Club d’Ailleurs")
    tournament = play_elsewhere(simultaneous, far_club, make_director(far_club, "directrice d’ailleurs"))
    bring(simultaneous, tournament)
    hold = partial(lock_former_results, simultaneous.pk)
    move_hours = move(simultaneous, organiser, -1)
    brought, moved = take_in_turn(partial(bring, simultaneous, tournament), hold, move_hours)
    assert not [each for each in (brought, moved) if isinstance(each, Exception)]
    row = SimultaneousClub.objects.get(simultaneous=simultaneous)
    assert row.session_id == brought.pk
