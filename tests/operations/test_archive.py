"""The command `manage.py archive`: a tournament to a file, and a file into a club."""

import io
import json

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.factories import make_club, make_director, make_helper, published_session
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def run(*arguments):
    out = io.StringIO()
    call_command("archive", *map(str, arguments), stdout=out)
    return out.getvalue()


@pytest.fixture
def tournament():
    return published_session(cards=True).tournament


@pytest.fixture
def file(tournament, tmp_path):
    path = tmp_path / "duplicate.zip"
    who = make_director(tournament.club, "qui")
    assert "MB" in run("export", f"{tournament.club.slug}/{tournament.slug}", path, "--cards-for", who.username)
    return path


@pytest.mark.nightly("process")
def test_tournament_is_written_and_brought_into_a_club(tournament, file):
    club = make_club("ailleurs", "Ailleurs")
    preview = json.loads(run("import", file, "--club", club.slug, "--preview"))
    assert (preview["tournament"], preview["known_as"], preview["doubts"]) == (tournament.name, None, 0)
    assert preview["rows"]["publications"] == 1
    assert not club.tournaments.exists()
    assert f"ailleurs/{tournament.slug}" in run("import", file, "--club", club.slug)
    assert "here already" in run("import", file, "--club", club.slug)
    assert json.loads(run("import", file, "--club", club.slug, "--preview"))["known_as"] == tournament.slug
    assert Tournament.objects.count() == 2


@pytest.mark.nightly("process")
@pytest.mark.django_db(transaction=True)
def test_export_reads_all_rows_of_one_moment(tournament, tmp_path):
    path = tmp_path / "x.zip"
    with CaptureQueriesContext(connection) as queries:
        run("export", f"{tournament.club.slug}/{tournament.slug}", path)
    begun = [query["sql"] for query in queries if "ISOLATION" in query["sql"]]
    assert begun == ["SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"]
    assert path.stat().st_size > 10_000


def test_tournament_that_is_here_already_is_recognised_in_its_own_club(tournament, file):
    assert "here already" in run("import", file, "--club", tournament.club.slug)
    assert Tournament.objects.get() == tournament


def test_command_refuses_with_a_sentence(tournament, file, tmp_path):
    place = f"{tournament.club.slug}/{tournament.slug}"
    helper = make_helper(tournament.club)
    (tmp_path / "none.zip").write_bytes(b"none")
    for arguments, words in (
        (("export", "nowhere/none", tmp_path / "x.zip"), "no tournament nowhere/none"),
        (("export", place, tmp_path / "x.zip", "--cards-for", helper.username), "no director"),
        (("export", place, tmp_path / "x.zip", "--cards-for", "nobody"), "no director"),
        (("import", file, "--club", "nowhere"), "no club nowhere"),
        (("import", tmp_path / "missing.zip", "--club", tournament.club.slug), "missing.zip"),
        (("import", tmp_path / "none.zip", "--club", tournament.club.slug), "as a ZIP"),
        (("import", file, "--club", tournament.club.slug, "--answer", "x"), "ROW=PLAYER"),
    ):
        with pytest.raises(CommandError, match=words):
            run(*arguments)
    assert not (tmp_path / "x.zip").exists()
