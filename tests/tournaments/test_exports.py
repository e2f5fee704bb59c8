"""The published results as a file: what it holds, and that the command line computes the same ranking from it."""

import csv
import io

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from tests.factories import make_director, publish, published_session
from tournaments.exports import results_csv
from tournaments.report import Report
from tournaments.services.results import annul_play

pytestmark = pytest.mark.django_db


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def report_of(session):
    return Report(session.publications.first().data)


def test_each_play_is_a_line_in_the_order_of_the_etuis():
    lines = rows(results_csv(report_of(published_session())))
    assert [int(line["etui"]) for line in lines] == sorted([1, 2, 3, 4, 5] * 5)
    assert {line["taker"] for line in lines} <= set("NESW")


def test_play_that_does_not_count_has_no_figure():
    session = published_session()
    director = make_director(session.tournament.club, "autre")
    play = session.plays.first()
    annul_play(play_id=play.pk, reason="étui altéré", by=director, now=timezone.now())
    publish(session, by=director)
    empty = [line for line in rows(results_csv(report_of(session))) if line["base_score"] == ""]
    assert [(int(line["position"]), int(line["table"])) for line in empty] == [(play.position, play.table.number)]


def test_players_of_one_name_are_told_apart_by_their_seat():
    session = published_session()
    data = report_of(session).data
    for player in data["players"][:2]:
        player["name"] = "Zoé Dupont"
    names = {line[seat] for line in rows(results_csv(Report(data))) for seat in "NESW"}
    assert len(names) == 20
    assert len([name for name in names if name.startswith("Zoé Dupont (")]) == 2


def test_command_line_computes_the_published_ranking_from_the_download(client, tmp_path):
    session = published_session()
    place = session.tournament
    response = client.get(reverse("results_csv", args=[place.club.slug, place.slug, session.number, 1]))
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    file = tmp_path / "results.csv"
    file.write_bytes(response.content)
    out = io.StringIO()
    call_command("standings", str(file), stdout=out)
    computed = {line["player"]: (line["rank_general"], line["rank_alterne"]) for line in rows(out.getvalue())}
    published = {
        player["name"]: (str(player["rank_general"]), str(player["rank_alterne"]))
        for player in report_of(session).players
    }
    assert computed == published
