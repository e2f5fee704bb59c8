"""The coefficient of a session: written with a comma or a point, and refused with a sentence if it is none."""

from decimal import Decimal

import pytest
from django.utils import translation

from pages.doors import session_url
from pages.prepare.setup_forms import UnderWayForm
from rankings.events import counting
from tests.factories import draft_session, make_director, make_tournament, started_session
from tests.pages.browsing import browser_of
from tests.rankings.events.several import played_sessions
from tournaments.models import SectionGroup, Session, Tournament, TournamentStandings

pytestmark = pytest.mark.django_db


def form(language, **given):
    with translation.override(language):
        usual = {"check_by": "same", "shows_after": "nothing", "hidden_positions": "1", "minutes_per_etui": "9"}
        bound = UnderWayForm(Tournament(format="individual"), usual | given)
        bound.full_clean()
        return bound, {name: list(map(str, errors)) for name, errors in bound.errors.items()}


@pytest.mark.parametrize(
    ("language", "typed", "read"),
    [("fr", "1,5", "1.5"), ("fr", "1.5", "1.5"), ("en", "1.5", "1.5"), ("fr", "2", "2"), ("fr", "", "1")],
)
def test_a_coefficient_is_read_as_it_is_written(language, typed, read):
    assert form(language, coefficient=typed)[0].cleaned_data["coefficient"] == Decimal(read)


@pytest.mark.parametrize("typed", ["0", "-1", "1234567", "1,234", "deux", "1e3", "NaN", "Infinity", "100,01"])
def test_what_is_no_coefficient_is_refused(typed):
    assert form("fr", coefficient=typed)[1].keys() == {"coefficient"}


def test_a_coefficient_of_0_is_refused_with_a_word():
    assert form("en", coefficient="0")[1]["coefficient"] == [
        "A coefficient is above 0: write 1 if the session counts like the others."
    ]


def test_a_session_under_way_may_weigh_more(client):
    tournament = make_tournament()
    director = make_director(tournament.club)
    session = played_sessions(tournament, by=director)[1]
    counting.refresh(tournament.pk, now=session.started_at)
    before = TournamentStandings.objects.get(pk=tournament.pk)
    browser = browser_of(director)
    answer = browser.post(
        session_url("session_edit", session),
        {"check_by": "same", "shows_after": "nothing", "hidden_positions": 1, "minutes_per_etui": 9, "stage": "final"}
        | {"coefficient": "2.5"},
    )
    assert answer.status_code == 302
    session.refresh_from_db()
    assert (session.coefficient, session.stage) == (Decimal("2.5"), "final")
    assert not counting.is_tournament_fresh(Tournament.objects.get(pk=tournament.pk), before)


def test_what_was_typed_comes_back_with_what_is_wrong():
    session = draft_session()
    browser = browser_of(make_director(session.tournament.club))
    page = browser.post(session_url("session_edit", session), {"coefficient": "0", "date": "2026-11-20"})
    assert page.status_code == 200
    assert 'value="0"' in page.text
    assert '<details class="folded" open>' in page.text


@pytest.mark.nightly("story")
def test_sections_weigh_alike():
    tournament = make_tournament()
    director = make_director(tournament.club)
    one, other = started_session(tournament), started_session(tournament)
    group = SectionGroup.objects.create(tournament=tournament)
    Session.objects.filter(pk__in=[one.pk, other.pk]).update(group=group)
    browser_of(director).post(
        session_url("session_edit", one),
        {"check_by": "same", "shows_after": "nothing", "hidden_positions": 1, "minutes_per_etui": 9}
        | {"coefficient": "3", "stage": "qualifying"},
    )
    other.refresh_from_db()
    assert (other.coefficient, other.stage) == (3, "qualifying")
