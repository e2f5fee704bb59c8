"""The penalties and bonuses of quadrettes: match points, in the forms, the log, the tables and the report."""

from decimal import Decimal
from fractions import Fraction

import pytest
from django.utils import timezone

from evenings.plays.adjusting import adjust_play
from evenings.plays.penalties import Sanction, give_penalty, take_back_penalty
from outgoing.paper.report_rows import Teller, rulings
from outgoing.sheets.director_tables import make_rulings
from pages.doors import session_url
from tests.evenings.teams.playing import play_all, refresh
from tests.evenings.teams.test_quadrettes import make_quadrettes, prepare, refuse, start
from tests.factories import make_director
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import LogEntry, Penalty
from tournaments.words.log_sentences import say_log

pytestmark = pytest.mark.django_db
KINDS = Penalty.PenaltyKind


@pytest.fixture
def session():
    return start(prepare(make_quadrettes(4), positions=3))


@pytest.fixture
def arbiter(session):
    return make_director(session.tournament.club)


def give(session, by, kind, points="2.50", position=0):
    entrant = session.entrants.get(team__number=2)
    sanction = Sanction(kind, Decimal(points), position)
    told = {"session_id": session.pk, "entrant_id": entrant.pk, "reason": "en retard", "by": by, "now": timezone.now()}
    return give_penalty(**told, sanction=sanction)


@pytest.mark.nightly("story")
def test_penalty_and_bonus_change_the_sum_by_match_points(session, arbiter):
    session = play_all(session, by=arbiter)
    before = {row["id"]: Fraction(row["overall"]) for row in session.standings.data["players"]}
    own = give(session, arbiter, KINDS.PENALTY).entrant_id
    give(session, arbiter, KINDS.BONUS, "9", 2)
    after = {row["id"]: Fraction(row["overall"]) for row in refresh(session).standings.data["players"]}
    assert after[own] == before[own] - Fraction("2.5") + 9  # a bonus for one position counts in full
    assert {pk: after[pk] for pk in after if pk != own} == {pk: before[pk] for pk in before if pk != own}


@pytest.mark.nightly("story")
def test_form_and_preview_speak_of_a_teams_match_points(session, arbiter):
    session = play_all(session, by=arbiter)
    url, browser = session_url("penalties", session), browser_of(arbiter)
    page = words(browser.get(url))
    assert "Match points taken off a team’s sum" in page
    assert "Taken off the sum, or added to it" in page
    assert "Even for one position, the match points count in full." in page
    given = {"entrant": session.entrants.get(team__number=2).pk, "kind": "penalty", "points": "2.5", "reason": "retard"}
    page = words(browser.post(url, given))
    assert "−2.50 match points" in page
    for word in ("percentage", "Percentage", "player", "%"):
        assert word not in page, word
    browser.post(url, given | {"apply": "1"})
    assert Penalty.objects.get().points == Decimal("2.50")
    assert "−2.50 match points" in words(browser.get(url))


def test_log_table_and_report_say_match_points(session, arbiter, english):
    for kind in (KINDS.PENALTY, KINDS.BONUS):
        take_back_penalty(
            session_id=session.pk,
            penalty_id=give(session, arbiter, kind).pk,
            reason="erreur",
            by=arbiter,
            now=timezone.now(),
        )
        give(session, arbiter, kind, position=2)
    play = session.plays.first()
    adjust_play(play_id=play.pk, notes={"S": "-3.162"}, reason="carte vue", by=arbiter, now=timezone.now())
    told = [say_log(entry) for entry in LogEntry.objects.filter(session=session)]
    report = [row.what for row in rulings(Teller(session, frozenset()))]
    for text in (*told, *report):
        assert "percentage" not in text
    for told_there in (told, report):
        assert sum("match points" in text for text in told_there) == 6
    table = make_rulings(session)
    assert [str(column.label) for column in table.columns if column.name == "points"] == ["Match points"]
    assert any("−3.162 MP" in str(cell) for row in table.rows for cell in row)


@pytest.mark.parametrize(
    ("points", "code"), [("100.01", "penalty_range"), ("0", "penalty_range"), ("1.005", "penalty_decimals")]
)
def test_points_out_of_bounds_are_refused(session, arbiter, points, code):
    refuse(code, lambda: give(session, arbiter, KINDS.PENALTY, points))
