"""The ranking of a tournament that a command computes from the files of its sessions, as a site offers them."""

import io
from fractions import Fraction

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from rankings.events import counting
from rankings.publication.report import read_report
from rankings.publication.standings_file import results_csv
from tests.factories import make_director
from tests.rankings.events.several import published_sessions
from tournaments.models import Session, TournamentStandings

pytestmark = pytest.mark.django_db


@pytest.fixture
def files(tournament, tmp_path):
    paths = []
    for session in published_sessions(tournament, by=make_director(tournament.club)):
        path = tmp_path / f"{session.number}.csv"
        path.write_text(results_csv(read_report(session.publications.get().data)))
        paths.append(str(path))
    return paths


def ranking(*files, **options):
    out = io.StringIO()
    call_command("standings", *files, stdout=out, **options)
    head, *rows = [line.split(",") for line in out.getvalue().splitlines()]
    return [dict(zip(head, row, strict=True)) for row in rows]


def test_files_of_sessions_rank_as_the_site_does(tournament, files):
    Session.objects.filter(tournament=tournament, number=2).update(coefficient="1.5")
    counting.refresh(tournament.pk, now=timezone.now())
    kept = TournamentStandings.objects.get(pk=tournament.pk).data["players"]
    rows = ranking(*files, exact=True, coefficients="1,3/2")
    assert [(int(row["rank"]), Fraction(row["total"])) for row in rows] == [
        (row["rank"], Fraction(row["total"])) for row in kept
    ]


def test_the_mean_and_the_best(files):
    sums, means, best = ranking(*files, exact=True), ranking(*files, exact=True, mean=True), ranking(*files, best_of=1)
    assert [Fraction(row["total"]) / 2 for row in sums] == [Fraction(row["total"]) for row in means]
    assert all(Fraction(row["total"]) == max(Fraction(row[f"session_{n}"]) for n in (1, 2)) for row in best)


@pytest.mark.parametrize(
    "wrong", [{"coefficients": "1"}, {"coefficients": "1,0"}, {"coefficients": "a,b"}, {"best_of": 0}]
)
def test_what_cannot_be_is_refused(files, wrong):
    with pytest.raises(CommandError):
        ranking(*files, **wrong)
