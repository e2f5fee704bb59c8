"""The four kinds of rankings: one service publishes them, looks ahead and takes their steps. Each test runs for all."""

import ast
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from clubs.models import Club
from rankings import kinds
from rankings.listing import RANKING_KINDS, newest_versions
from tests.rankings.all_kinds import make_all_kinds
from tournaments import versions
from tournaments.errors import ActionRefused
from tournaments.models import LogEntry, Session
from tournaments.versions import OFFICIAL, DirectorWord

pytestmark = pytest.mark.django_db
NAMES = {"Session", "Tournament", "Publication", "TournamentPublication", "Place", "Shows"}
BY_NAME = {kind.name: kind for kind in RANKING_KINDS}


@pytest.fixture(scope="module")
def world(rows_of_the_file):
    return make_all_kinds()


@pytest.fixture(params=BY_NAME)
def ranking(request, world):
    """Return a kind of rankings, and an owner of that kind that has one version."""
    kind = BY_NAME[request.param]
    version = kind.model.objects.filter(**{f"{kind.owner}__isnull": False}).latest("pk")
    return kind, getattr(version, kind.owner)


def test_newest_version_of_each_ranking_is_listed_once(ranking, world):
    kind, owner = ranking
    listed = list(newest_versions(kind, Club.objects.all()))
    assert [version.kind for version in listed] == [kind.name] * len(listed)
    assert [getattr(version, kind.owner) for version in listed].count(owner) == 1


@pytest.fixture
def word(world):
    return DirectorWord(world.by, timezone.now())


def spoil(owner):
    """Let the newest version have other figures, so that publishing would correct it."""
    newest = owner.publications.order_by("-version").first()
    type(newest).objects.filter(pk=newest.pk).update(results_version=0, digest="another")


@pytest.mark.parametrize("module", [versions, kinds], ids=lambda module: module.__name__)
def test_service_names_no_kind_of_ranking(module):
    names = {node.id for node in ast.walk(ast.parse(Path(module.__file__).read_text())) if isinstance(node, ast.Name)}
    assert names & NAMES == set()


def test_each_kind_takes_the_same_steps_and_logs_each_under_its_own_name(ranking, word):
    kind, owner = ranking
    word = word._replace(reason="relu")
    steps = [kind.make_official, kind.make_official, kind.reopen, kind.withdraw, kind.withdraw]
    made = [step(owner.pk, word) for step in steps]
    assert [(each.version, each.status) for each in made] == [
        (2, "official"),
        (2, "official"),
        (3, "provisional"),
        (4, "withdrawn"),
        (4, "withdrawn"),
    ]
    assert kind.publish(owner.pk, word).version == 5
    assert list_logged(kind, owner) == [*kind.actions[:2], kind.actions.reopened, kind.actions.withdrawn]


def list_logged(kind, owner):
    """Return the actions that the log has of the ranking, each once, in their order."""
    club_log = kind.club_of(owner.publications.first()).log.order_by("id").values_list("action", flat=True)
    sessions = LogEntry.objects.filter(action__in=kind.actions).order_by("id").values_list("action", flat=True)
    logged = [action.removesuffix("_reason") for action in (*sessions, *club_log)]
    return list(dict.fromkeys(action for action in logged if action in kind.actions))


def test_each_kind_refuses_a_step_before_the_first_publication(ranking, word):
    kind, owner = ranking
    owner.publications.all().delete()
    for step in (kind.make_official, kind.reopen, kind.withdraw):
        with pytest.raises(ActionRefused, match="nothing_published"):
            step(owner.pk, word._replace(reason="relu"))


def test_same_figures_of_each_kind_are_published_once(ranking, word):
    kind, owner = ranking
    first = owner.publications.get()
    assert kind.find_due(owner, first, word.now) is None
    assert kind.publish(owner.pk, word) == first
    assert owner.publications.count() == 1


def test_correction_of_official_figures_wants_a_reason_for_each_kind(ranking, word):
    kind, owner = ranking
    official = kind.make_official(owner.pk, word)
    assert official.status == OFFICIAL
    spoil(owner)
    assert kind.find_due(owner, owner.publications.latest("version"), word.now).wants_reason
    with pytest.raises(ActionRefused, match="reason_missing"):
        kind.publish(owner.pk, word)
    corrected = kind.publish(owner.pk, word._replace(reason="relu"))
    assert (corrected.version, corrected.status, corrected.reason) == (3, "provisional", "relu")
    assert corrected.digest == official.digest


def test_window_that_is_over_makes_the_ranking_of_each_kind_official(ranking, word):
    kind, owner = ranking
    owner.publications.update(official_from=word.now)
    Session.objects.update(closed_at=word.now)
    kind.settle_all()
    assert [each.status for each in owner.publications.order_by("version")] == ["provisional", "official"]


@pytest.mark.parametrize("withdrawn", [False, True])
def test_one_page_says_why_readers_do_not_see_a_ranking_of_each_kind(ranking, word, withdrawn):
    """Expect the page of a series that is under way, as it has no version. Withdrawn, it says so beside its buttons."""
    kind, owner = ranking
    page = kind.place(owner.publications.get()).page
    if withdrawn:
        kind.withdraw(owner.pk, word._replace(reason="étui 3 mêlé"))
    else:
        owner.publications.all().delete()
    answer = Client(headers={"accept-language": "en"}).get(page)
    assert ("étui 3 mêlé" in answer.text) == withdrawn
    if kind.name != "series":
        assert (answer.status_code, answer.templates[0].name) == (404, "ranking/not_shown.html")
        assert ("has been withdrawn" in answer.text, "not published yet" in answer.text.lower()) == (
            withdrawn,
            not withdrawn,
        )
