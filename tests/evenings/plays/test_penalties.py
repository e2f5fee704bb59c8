"""The penalties, bonuses and warnings: their effect, given once and taken back, and a club's own list of them."""

from decimal import Decimal
from fractions import Fraction

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from evenings.plays.penalties import (
    Sanction,
    find_most_points,
    give_penalty,
    keep_usual,
    name_penalty_action,
    remove_usual,
    take_back_penalty,
)
from evenings.standings import computing
from scoring.formats import FREE_DEALS, INDIVIDUAL, QUADRETTES
from tests.factories import enter_all, make_director, started_session
from tournaments.errors import ActionRefused, Conflict
from tournaments.models import LogEntry, Penalty, Session, UsualPenalty

pytestmark = pytest.mark.django_db
PENALTY, BONUS, WARNING = Penalty.PenaltyKind


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    session = started_session()
    enter_all(session, by=make_director(session.tournament.club))
    return session.pk


@pytest.fixture
def entrant(session):
    return session.entrants.first()


@pytest.fixture
def said(session):
    return {"reason": "Retard", "by": session.tournament.club.memberships.get().user, "now": timezone.now()}


@pytest.fixture
def give(session, entrant, said):
    def give(*sanction, **more):
        given = {"session_id": session.pk, "entrant_id": entrant.pk, "sanction": Sanction(*sanction)}
        return give_penalty(**(given | said | more))

    return give


def figures_of(entrant):
    players = computing.compute(entrant.session_id).data["players"]
    return next(each for each in players if each["id"] == entrant.pk)


def overall(entrant):
    return Fraction(figures_of(entrant)["overall"])


@pytest.mark.parametrize(
    ("sanction", "taken_off"),
    [
        ((PENALTY, Decimal("2.5")), Fraction(5, 2)),
        ((BONUS, Decimal("2.5")), Fraction(-5, 2)),
        ((WARNING,), 0),
        ((PENALTY, Decimal("2.5"), 3), Fraction(1, 2)),
        ((BONUS, Decimal("0.01"), 5), Fraction(-1, 500)),
    ],
)
def test_it_weighs_on_the_overall_percentage_until_it_is_taken_back(give, entrant, said, sanction, taken_off):
    before = overall(entrant)
    given = give(*sanction)
    assert before - overall(entrant) == Fraction(figures_of(entrant)["penalty"]) == taken_off
    about = {"session_id": entrant.session_id, "penalty_id": given.pk}
    back = take_back_penalty(**about, **said)
    assert (overall(entrant), take_back_penalty(**about, **said)) == (before, back)
    kind = sanction[0].value
    log = LogEntry.objects.filter(session=entrant.session_id).order_by("id").values_list("action", flat=True)
    assert list(log)[-2:] == [f"{kind}_position" if len(sanction) == 3 else kind, f"{kind}_taken_back"]


def test_log_names_the_player_and_standings_follow_except_for_a_warning(session, entrant, give):
    before = Session.objects.get(pk=session.pk).results_version
    for sanction, raised in (((WARNING,), 0), ((PENALTY, Decimal(2)), 1), ((BONUS, Decimal(2), 4), 2)):
        given = give(*sanction)
        params = LogEntry.objects.filter(session=session).latest("id").params
        assert params == {"name": entrant.name, "points": str(given.points), "position": given.position}
        assert Session.objects.get(pk=session.pk).results_version == before + raised


@pytest.mark.parametrize(
    ("format", "kind", "how", "action"),
    [
        (INDIVIDUAL, PENALTY, {}, "penalty"),
        (QUADRETTES, PENALTY, {}, "penalty_mp"),
        (FREE_DEALS, PENALTY, {"position": 2}, "penalty_position_marks"),
        (FREE_DEALS, BONUS, {}, "bonus_marks"),
        (QUADRETTES, BONUS, {"position": 2, "reverses_id": 1}, "bonus_taken_back_mp"),
        (FREE_DEALS, WARNING, {"position": 2}, "warning_position"),
        (QUADRETTES, WARNING, {"reverses_id": 1}, "warning_taken_back"),
    ],
)
def test_sentence_of_the_log_names_the_unit_except_for_a_warning(format, kind, how, action):
    assert name_penalty_action(Penalty(kind=kind, **how), format) == action


def test_only_what_was_given_is_taken_back(give, entrant, said):
    given, about = give(PENALTY, Decimal(1)), {"session_id": entrant.session_id} | said
    back = take_back_penalty(penalty_id=given.pk, **about)
    for unknown in (back.pk, back.pk + 1):
        with pytest.raises(ActionRefused, match="penalty_unknown"):
            take_back_penalty(penalty_id=unknown, **about)


def test_several_weigh_together_and_may_lift_a_player(give, entrant):
    before = overall(entrant)
    for sanction in ((PENALTY, Decimal(1)), (BONUS, Decimal(3)), (PENALTY, Decimal("0.5"), 2)):
        give(*sanction)
    assert before - overall(entrant) == 1 - 3 + Fraction(1, 10)


def test_sent_twice_it_is_given_once_and_meant_twice_it_is_given_twice(give):
    first = give(PENALTY, Decimal(1), seen=0)
    assert give(PENALTY, Decimal(1), seen=0) == first == give(PENALTY, Decimal(1))
    second = give(PENALTY, Decimal(1), seen=first.pk)
    assert (second != first, Penalty.objects.count()) == (True, 2)


def test_what_somebody_else_said_of_the_player_meanwhile_is_looked_at_first(session, give):
    first = give(WARNING, seen=0)
    with pytest.raises(Conflict, match="penalised_meanwhile"):
        give(PENALTY, Decimal(1), seen=first.pk - 1)
    other = session.entrants.last()
    assert give(PENALTY, Decimal(1), seen=first.pk - 1, entrant_id=other.pk).entrant == other


def test_warning_changes_no_result(session, give):
    give(WARNING, Decimal(0), 2)
    before = session.results_version
    session.refresh_from_db()
    assert session.results_version == before


def test_article_is_kept_and_found_in_the_log(give):
    assert give(PENALTY, Decimal(1), 0, "R.14 §2").article == "R.14 §2"
    assert LogEntry.objects.filter(words__contains="R.14").count() == 1


@pytest.mark.parametrize(
    ("sanction", "more", "code"),
    [
        ((PENALTY, Decimal(0)), {}, "penalty_range"),
        ((PENALTY, Decimal(-1)), {}, "penalty_range"),
        ((BONUS, Decimal("100.01")), {}, "penalty_range"),
        ((BONUS, Decimal("1.001")), {}, "penalty_decimals"),
        ((WARNING, Decimal(1)), {}, "warning_points"),
        (("blame", Decimal(1)), {}, "penalty_kind"),
        ((PENALTY, Decimal(1), 6), {}, "penalty_position"),
        ((PENALTY, Decimal(1), -1), {}, "penalty_position"),
        ((PENALTY, Decimal(1)), {"entrant_id": 0}, "entrant_unknown"),
        ((PENALTY, Decimal(1)), {"reason": " "}, "reason_missing"),
    ],
)
def test_what_cannot_be_is_refused(give, sanction, more, code):
    with pytest.raises(ActionRefused) as refused:
        give(*sanction, **more)
    assert (refused.value.code, Penalty.objects.count()) == (code, 0)


def test_nothing_is_said_before_the_start(session, give):
    Session.objects.filter(pk=session.pk).update(status="draft", started_at=None)
    with pytest.raises(ActionRefused, match="session_not_started"):
        give(PENALTY, Decimal(1))


def test_club_keeps_its_own_list(session, said):
    club = session.tournament.club
    late = keep_usual(club=club, sanction=Sanction(PENALTY, Decimal(1), 1, "R.3"), **said)
    assert keep_usual(club=club, sanction=Sanction(PENALTY, Decimal(1), 1, "R.3"), **said) == late
    assert (late.for_position, late.article, late.points) == (True, "R.3", 1)
    changed = keep_usual(club=club, usual_id=late.pk, sanction=Sanction(WARNING), **said | {"reason": "Téléphone"})
    assert (changed.pk, changed.kind, changed.points, changed.reason) == (late.pk, WARNING, 0, "Téléphone")
    for _time in range(2):
        remove_usual(club=club, usual_id=late.pk, by=said["by"], now=said["now"])
    with pytest.raises(ActionRefused, match="usual_unknown"):
        keep_usual(club=club, usual_id=late.pk, sanction=Sanction(PENALTY, Decimal(1)), **said)
    with pytest.raises(ActionRefused, match="penalty_range"):
        keep_usual(club=club, sanction=Sanction(BONUS), **said)
    kept, removed = "usual_penalty_kept", "usual_penalty_removed"
    assert list(club.log.order_by("id").values_list("action", flat=True)) == [kept, kept, removed]


def test_list_is_locked_before_it_is_read(session, said):
    club = session.tournament.club
    usual = keep_usual(club=club, sanction=Sanction(WARNING), **said)
    for act in (
        lambda: keep_usual(club=club, sanction=Sanction(WARNING), **said),
        lambda: remove_usual(club=club, usual_id=usual.pk, by=said["by"], now=said["now"]),
    ):
        with CaptureQueriesContext(connection) as asked:
            act()
        queries = [query["sql"] for query in asked if query["sql"].startswith("SELECT")]
        assert '"clubs_club"' in queries[0]
        assert queries[0].endswith("FOR UPDATE")


def test_list_has_sixty_entries_at_most(session, said):
    club = session.tournament.club
    UsualPenalty.objects.bulk_create(
        UsualPenalty(club=club, points=1, reason=f"motif {number}") for number in range(59)
    )
    keep_usual(club=club, sanction=Sanction(PENALTY, Decimal(1)), **said | {"reason": "motif 60"})
    with pytest.raises(ActionRefused, match="usual_too_many"):
        keep_usual(club=club, sanction=Sanction(PENALTY, Decimal(1)), **said)


def test_sanction_is_a_penalty_for_the_whole_session_unless_it_says_otherwise():
    assert Sanction(points=Decimal(2)) == Sanction(PENALTY, Decimal(2), 0, "")


@pytest.mark.parametrize(("format", "most"), [(INDIVIDUAL, 100), (QUADRETTES, 100), (FREE_DEALS, 9_999)])
def test_marks_may_be_more_than_percentage_points(format, most):
    assert find_most_points(format) == most
