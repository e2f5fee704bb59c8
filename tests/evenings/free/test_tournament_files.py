"""The file of a tournament of donnes libres, from which the command and the script compute its ranking again."""

import csv
import io
import re
from fractions import Fraction

import pytest
from django.urls import reverse
from django.utils import timezone

from evenings.sessions.ranking_rules import change_rules
from rankings.events.counting import refresh
from rankings.publication.publishing import switch_parts
from scoring.files.sheets import SheetError
from scoring.files.tournament_file import rank_tournament_file
from tests.factories import publish
from tests.free_tournaments import play_two_evenings, publish_again
from tests.pages.browsing import browser_of
from tests.rankings.events.test_standings_file import run_script
from tournaments.models import Session, TournamentPublication
from tournaments.published import Shows
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db


def publish_with(*, level=0, stage="", coefficient=1, **rules):
    """Return the published tournament of two evenings. The fields are those of the second evening."""
    tournament, by, _sums = play_two_evenings(is_published=False)
    change_rules(tournament_id=tournament.pk, by=by, now=timezone.now(), **rules)
    second = Session.objects.filter(tournament=tournament, number=2)
    second.update(level=level, stage=stage, coefficient=coefficient)
    refresh(tournament.pk, now=timezone.now())
    for session in tournament.sessions.order_by("number"):
        publish(session, by=by)
    publish_again(tournament, by)
    return tournament, by


def download(tournament):
    url = reverse("tournament_csv", args=[tournament.club.slug, tournament.slug, 1])
    answer = browser_of().get(url)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.nightly("story")
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"best_of": 1, "ties": ["draw"]},
        {"best_of": 1, "coefficient": 2},
        {"level": 1, "carry_over": 50},
        {"level": 1, "carry_over": 0, "best_of": 1},
        {"level": 1, "stage": "final", "carry_over": 25},
    ],
)
def test_command_and_script_compute_the_published_ranking(settings, tmp_path):
    tournament, _by = publish_with(**settings)
    text = download(tournament)
    rows = list(csv.DictReader(io.StringIO(text)))
    assert ("level" in rows[0]) == ("level" in settings)
    assert [row["version"] for row in rows if row["kind"] == "file"] == ["3"]
    file = tmp_path / "tournament.csv"
    file.write_text(text)
    code, said, error = run_script(file)
    assert (code, error) == (0, ""), said
    assert re.fullmatch(r"(\d+) of \1 agree", said[-1])
    ranking = TournamentPublication.objects.get(tournament=tournament).data
    computed = csv.DictReader(io.StringIO(rank_tournament_file(text, exact=True).split("\n\n")[0]))
    found = sorted((int(row["rank"]), Fraction(row["total"])) for row in computed)
    assert found == sorted((row["rank"], Fraction(row["total"])) for row in ranking["players"])


def write_levels(text, *levels):
    """Return the file with other levels of its sessions. All of them are in round 1."""
    rows, out = list(csv.DictReader(io.StringIO(text))), io.StringIO()
    for row, level in zip([row for row in rows if row["kind"] == "session"], levels, strict=True):
        row |= {"level": level, "round": "1"}
    writer = csv.DictWriter(out, rows[0])
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def test_wrong_levels_are_refused_with_their_line():
    text = download(publish_with(level=1)[0])
    for levels, said in ((("x", "0"), "line 3, level: 'x'"), (("0", "1"), "line 4, level: sessions of round 1")):
        with pytest.raises(SheetError, match=said):
            rank_tournament_file(write_levels(text, *levels))


@pytest.mark.nightly("story")
def test_the_file_is_offered_while_readers_see_rankings_and_feuilles():
    tournament, by = publish_with()
    session = tournament.sessions.get(number=1)
    url = reverse("tournament_csv", args=[tournament.club.slug, tournament.slug, 1])
    for shows, status in (
        (Shows(etuis=False), 200),
        (Shows(feuilles=False), 404),
        (Shows(), 200),
        (Shows(ranking=False), 404),
    ):
        switch_parts(session_id=session.pk, shows=shows, word=DirectorWord(by, timezone.now(), ""))
        assert browser_of().get(url).status_code == status
        assert browser_of().get(f"/api/v1/tournaments/{tournament.pk}/publications/1/results.csv").status_code == status
