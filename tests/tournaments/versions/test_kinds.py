"""The versions of rankings: every kind takes the same steps, and `tournaments.versions` names no kind."""

import ast
from pathlib import Path

import pytest
from django.utils import timezone

from rankings.events.publishing import TOURNAMENT_RANKINGS, publish_tournament
from rankings.publication.status import SESSION_RANKINGS
from tests.factories import make_tournament, make_user, published_session
from tests.rankings.events.several import published_sessions
from tournaments import versions
from tournaments.errors import ActionRefused
from tournaments.models import LogEntry
from tournaments.versions.steps import DirectorWord

MODULES = sorted(Path(versions.__path__[0]).glob("*.py"))
KINDS = {"Session", "Tournament", "Publication", "TournamentPublication", "Place", "Shows"}


@pytest.fixture
def director(db):
    return make_user("directrice")


@pytest.fixture(params=["session", "tournament"])
def ranking(request, director):
    """Return a kind of rankings, and an owner of that kind that has one."""
    tournament = make_tournament()
    if request.param == "session":
        return SESSION_RANKINGS, published_session(tournament, by=director)
    published_sessions(tournament, by=director)
    publish_tournament(tournament.pk, word=DirectorWord(director, timezone.now()))
    return TOURNAMENT_RANKINGS, tournament


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_room_of_versions_names_no_kind_of_ranking(path):
    names = {node.id for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Name)}
    assert names & KINDS == set()


def test_each_kind_takes_the_same_steps_and_logs_each_under_its_own_name(ranking, director):
    rankings, owner = ranking
    word = DirectorWord(director, timezone.now(), "relu")
    steps = [rankings.make_official, rankings.make_official, rankings.reopen, rankings.withdraw, rankings.withdraw]
    made = [step(owner.pk, word) for step in steps]
    assert [(each.version, each.status) for each in made] == [
        (2, "official"),
        (2, "official"),
        (3, "provisional"),
        (4, "withdrawn"),
        (4, "withdrawn"),
    ]
    logged = LogEntry.objects.filter(action__in=rankings.actions).order_by("id").values_list("action", flat=True)
    actions = rankings.actions
    assert list(dict.fromkeys(logged)) == [actions.published, actions.official, actions.reopened, actions.withdrawn]


def test_each_kind_refuses_a_step_before_the_first_publication(ranking, director):
    rankings, owner = ranking
    owner.publications.all().delete()
    for step in (rankings.make_official, rankings.reopen, rankings.withdraw):
        with pytest.raises(ActionRefused, match="nothing_published"):
            step(owner.pk, DirectorWord(director, timezone.now(), "relu"))
