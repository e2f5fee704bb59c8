"""A player who left and comes back: on the old seat where it is free, with all earlier results."""

from itertools import pairwise

import pytest
from django.utils import timezone

from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.changes.carry_out import undo_change
from evenings.changes.outcomes import outcomes
from evenings.changes.preview import find_touched
from evenings.plans.layout import find_laid_rows
from pages.doors import session_url
from tests.deals.exports import test_pdf as reader
from tests.evenings.changes.test_wrong_etuis import change, computed, from_plain_history, play_position
from tests.factories import enter_all, started_session
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.errors import ActionRefused
from tournaments.models import Entrant, Session
from tournaments.rules.operations import Leave, Resize, Return, Substitute, WrongEtuis

COLUMN = {"N": "north", "E": "east", "S": "south", "W": "west"}
pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    return started_session(tables=7, positions=5, etuis_per_position=2).pk


def places(session: Session, entrant: Entrant, *, after: int) -> list[tuple[int, int, int]]:
    plays = session.plays.filter(position__gt=after, **{COLUMN[entrant.line]: entrant})
    return sorted(plays.values_list("position", "table__number", "etui__number"))


@pytest.fixture
def gone(session, director) -> Entrant:
    """Return East 4, who left after position 1; the others have played position 2."""
    entrant = session.entrants.get(line="E", number=4)
    play_position(session, 1, director)
    change(session, Leave((entrant.pk,), after=1), director)
    play_position(session, 2, director)
    entrant.refresh_from_db()
    return entrant


@pytest.mark.nightly("story")
def test_who_comes_back_has_the_old_places_and_all_results(session, director):
    entrant = session.entrants.get(line="E", number=4)
    planned = places(session, entrant, after=2)
    play_position(session, 1, director)
    change(session, Leave((entrant.pk,), after=1), director)
    play_position(session, 2, director)
    before, stay = find_laid_rows(session), session.entrants.filter(pk=entrant.pk).values().get()
    back = Return((entrant.pk,), after=2)
    assert outcomes(session, back)[0].code == "kept"
    version = change(session, back, director)
    assert places(session, entrant, after=2) == planned
    undo_change(session_id=session.pk, seen=version.number, by=director, now=timezone.now())
    assert (find_laid_rows(session), session.entrants.filter(pk=entrant.pk).values().get()) == (before, stay)
    change(session, back, director)
    for position in (3, 4, 5):
        play_position(session, position, director)
    entrant.refresh_from_db()
    assert [entrant.is_there(position) for position in range(1, 6)] == [True, False, True, True, True]
    assert computed(session) == from_plain_history(session)
    assert len(computed(session)) == 28
    assert session.entrants.count() == 28


@pytest.mark.nightly("story")
def test_who_comes_back_after_a_wrong_etui_moves_nobody(session, director):
    entrant = session.entrants.get(line="E", number=4)
    planned = places(session, entrant, after=2)
    play_position(session, 1, director)
    # Make North of the player's table in position 4 a person who has already met one of its étuis in position 1.
    later = session.plays.filter(position=4, east=entrant).select_related("etui").first()
    first = session.plays.filter(position=1, north=later.north_id).select_related("etui", "table").first()
    pairs = ((first.etui.number, later.etui.number),)
    change(session, WrongEtuis(1, first.table.number, pairs, exchange=False), director)
    change(session, Leave((entrant.pk,), after=1), director)
    play_position(session, 2, director)
    back = Return((entrant.pk,), after=2)
    assert outcomes(session, back)[0].code == "kept"
    change(session, back, director)
    assert set(places(session, entrant, after=2)) <= set(planned)
    for position in (3, 4, 5):
        play_position(session, position, director)
    assert computed(session) == from_plain_history(session)


@pytest.mark.nightly("story")
def test_who_comes_back_to_a_seat_that_is_taken_has_another(session, director):
    entrant = session.entrants.get(line="W", number=2)
    play_position(session, 1, director)
    (other,) = add_players(club=session.tournament.club, lines=[RosterLine("Remplaçant", "")])
    change(session, Substitute(entrant.pk, other.pk, position=2), director)
    change(session, Return((entrant.pk,), after=2), director)
    assert places(session, entrant, after=2)
    substitute = session.entrants.get(player=other)
    assert places(session, substitute, after=1)
    for position in (2, 3, 4, 5):
        play_position(session, position, director)
    assert computed(session) == from_plain_history(session)


def test_only_who_has_gone_by_then_comes_back(session, director, gone):
    for operation, code in (
        (Return((session.entrants.get(line="N", number=1).pk,), after=2), "entrant_there"),
        (Return((), after=2), "nobody_named"),
        (Return((10**9,), after=2), "entrant_unknown"),
    ):
        with pytest.raises(ActionRefused, match=code):
            outcomes(session, operation)


@pytest.mark.guard("a player comes back during an evening")
def test_return_is_asked_for_on_its_page(session, director, gone):
    page = browser_of(director).get(session_url("change", session, "return"))
    assert gone.player.name.split()[-1] in words(page)
    shown = words(
        browser_of(director).post(session_url("change", session, "return"), {"entrants": gone.pk, "after": 2})
    )
    assert f"{gone.player.name} is back from position 3 on." in shown


# Guide cards


def heads_of(cards):
    """Return the owners of the cards: the name above the club's on each card."""
    runs = [run for page in reader.printed(cards) for run in page]
    return sorted(name for name, below in pairwise(runs) if below.startswith("Club"))


@pytest.mark.nightly("story")
def test_guide_cards_of_those_whom_the_last_change_touches(session, director):
    browser = browser_of(director)
    address = session_url("prints_pdf", session) + "?document=guides"
    assert find_touched(session) == []
    assert "guide cards that have changed" not in words(browser.get(session_url("prints", session)))
    enter_all(session, by=director, plays=session.plays.filter(position=1).select_related("etui"))
    everybody = browser.get(address).content
    gone = session.entrants.get(line="E", number=4)
    met = {
        seated
        for play in session.plays.filter(east=gone, position__gt=1)
        for seated in play.seat_ids.values()
    }  # fmt: skip
    change(session, Leave((gone.pk,), after=1), director)
    touched = find_touched(session)
    assert {entrant.pk for entrant in touched} == met - {gone.pk}
    text = words(browser.get(session_url("prints", session)))
    assert f"The {len(touched)} guide cards that have changed" in text
    assert f"with the guide cards of {len(touched)} players" in words(browser.get(session_url("changes", session)))
    some = browser.get(f"{address}&touched")
    assert some["Content-Type"] == "application/pdf"
    assert heads_of(everybody) == sorted(entrant.player.name for entrant in session.entrants.all())
    assert heads_of(some.content) == sorted(entrant.player.name for entrant in touched)
    change(session, Resize(4), director)
    assert len(find_touched(session)) == 27
