"""The fixtures of the packages that hold evenings: a session, its director, and short searches for plans."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest

from clubs.models import Membership, User
from evenings.plans import proposals
from movements.search import anneal, even, rove
from tests.factories import make_director, make_tournament
from tournaments.models import Session, Tournament

SHORTER = 20
SEARCHES = (anneal._Evening, even._Sets, rove._Field)


def shorten(cool: Callable[..., None]) -> Callable[..., None]:
    return lambda self, draw, moves: cool(self, draw, moves // SHORTER)


# Each kind of search remembers its own answers: the plan of a test must not depend on the tests before it.
Searches = tuple[Sequence[Callable[..., None]], dict[proposals.PlanQuestion, tuple[proposals.Proposal, ...]]]
WHOLE: Searches = [searching.cool for searching in SEARCHES], proposals.answered
SHORT: Searches = [shorten(cool) for cool in WHOLE[0]], {}


@contextmanager
def search_with(searches: Searches) -> Iterator[None]:
    """Search for plans in this way, until the end of the block."""
    with pytest.MonkeyPatch.context() as patch:
        for searching, cool in zip(SEARCHES, searches[0], strict=True):
            patch.setattr(searching, "cool", cool)
        patch.setattr(proposals, "answered", searches[1])
        yield


@pytest.fixture(autouse=True)
def short_searches(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let each search make a twentieth of its moves, unless the test bears the mark `whole_search`.

    A plan may then repeat a few more meetings, but no étui. How good plans are is asked in tests/movements. An evening
    that the tests of a file share is made before them, so its plan comes from whole searches.
    """
    whole = request.node.get_closest_marker("whole_search")
    with search_with(WHOLE if whole else SHORT):
        yield


@pytest.fixture
def tournament(db: None) -> Tournament:
    return make_tournament()


@pytest.fixture
def session(db: None, evening: int) -> Session:
    """Read the session anew whose number the file's own `evening` gives, which its tests share."""
    return Session.objects.select_related("tournament__club").get(pk=evening)


@pytest.fixture
def director(session: Session) -> User:
    """Return the director of the session's club, new if it has none."""
    club = session.tournament.club
    membership = club.memberships.filter(role=Membership.Role.DIRECTOR).first()
    return membership.user if membership else make_director(club)
