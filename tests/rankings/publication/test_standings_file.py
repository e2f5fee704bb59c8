"""The file of published results: its lines, and that the command line computes the same ranking from it."""

import csv
import io
import random
import subprocess
import sys
from contextlib import suppress
from decimal import Decimal

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from clubs.models import Player
from clubs.players import add_players
from clubs.roster import RosterLine
from clubs.shown import PublicPlayer
from evenings.changes.carry_out import change_session, number_of_plan
from evenings.plans.starting import start_session
from evenings.plays.adjusting import adjust_play
from evenings.plays.entering import annul_play
from evenings.plays.penalties import Sanction, give_penalty
from evenings.plays.ruling import annul_etui, split_etui
from rankings.publication.report import PlayedEvening, read_in_public, read_report
from rankings.publication.standings_file import names_of, results_csv
from scoring.ranking import Line
from tests.examples import draw_seeds
from tests.factories import draft_session, enter, make_director, make_tournament, publish, published_session
from tournaments.rules.entry import AllPassed, EntryError, Fiche
from tournaments.rules.operations import Leave, Substitute, Swap

pytestmark = pytest.mark.django_db


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def plays(text):
    return [row for row in rows(text) if row["kind"] == "play"]


def report_of(session):
    return read_report(session.publications.first().data)


def test_each_play_is_a_line_in_the_order_of_the_etuis():
    lines = plays(results_csv(report_of(published_session())))
    assert [int(line["etui"]) for line in lines] == sorted([1, 2, 3, 4, 5] * 5)
    assert {line["taker"] for line in lines} <= set("NESW")


def test_play_that_does_not_count_has_no_figure():
    session = published_session()
    director = make_director(session.tournament.club, "autre")
    play = session.plays.first()
    annul_play(play_id=play.pk, reason="étui altéré", by=director, now=timezone.now())
    publish(session, by=director)
    empty = [line for line in plays(results_csv(report_of(session))) if line["base_score"] == ""]
    assert [(int(line["position"]), int(line["table"])) for line in empty] == [(play.position, play.table.number)]


def test_players_of_one_name_are_told_apart_by_their_seat():
    session = published_session()
    data = report_of(session).data
    for player, licence in zip(data.players[:2], ("101", "102"), strict=True):
        renamed = Player.objects.get(pk=player.player)
        renamed.last_name, renamed.licence = "Dupont", licence
        renamed.save()
    names = {line[seat] for line in plays(results_csv(read_in_public(data))) for seat in "NESW"}
    assert len(names) == 20
    assert len([name for name in names if name.startswith("Zoé Dupont (")]) == 2


def change(session, operation, by):
    seen = number_of_plan(session)
    change_session(session_id=session.pk, operation=operation, choice=0, seen=seen, by=by, now=timezone.now())
    session.refresh_from_db()


def random_evening(rng, auction):
    """Play an evening of seven tables and five positions, with every event that changes a ranking."""
    session = draft_session(make_tournament(auction=auction), tables=7, positions=5)
    director = make_director(session.tournament.club)
    how = {"by": director, "now": timezone.now()}
    start_session(session_id=session.pk, now=timezone.now())
    session.refresh_from_db()
    session.entrants.filter(pk__in=rng.sample([each.pk for each in session.entrants.all()], 2)).update(ranked=False)
    came = add_players(
        club=session.tournament.club, lines=[RosterLine("=HYPERLINK(1)", ""), RosterLine("Autre", "Zoé")]
    )
    first, second, other, *_ = rng.sample(list(session.entrants.filter(ranked=True)), 8)
    change(session, Substitute(first.pk, came[0].pk, 3), director)
    change(session, Substitute(second.pk, came[1].pk, 2, own=False), director)
    for play in rng.sample(list(session.plays.filter(position=1)), 2):
        change(session, Swap(1, play.north_id, play.east_id), director)
    change(session, Leave((other.pk,), after=4), director)
    for play in session.plays.select_related("etui"):
        taker = Line(play.etui.taker or rng.choice("NESW"))
        if auction == "free" and rng.random() < 0.1:
            enter(play, AllPassed(), by=director)
        elif rng.random() < 0.9:
            enter(play, Fiche(taker, 2 * rng.choice((1, -1)) * rng.randint(16, 90)), by=director)
    for play in rng.sample(list(session.plays.all()), 2):
        annul_play(play_id=play.pk, reason="étui altéré", **how)
    for etui, position in ((2, 3), (5, 2)):
        split_etui(session_id=session.pk, etui=etui, from_position=position, reason="carte déplacée", **how)
    session.plays.filter(etui__number=3, position__in=(2, 3, 4)).update(position=3)
    halves = session.plays.filter(etui__number=3, position=3).order_by("pk")
    before = [play.pk for play in halves[:1]]
    split_etui(session_id=session.pk, etui=3, from_position=3, before=before, reason="carte tombée", **how)
    annul_etui(session_id=session.pk, etui=6, reason="deux Roi de Cœur", **how)
    for play in rng.sample(list(session.plays.exclude(etui__number=6).exclude(rulings__kind="annulled")), 6):
        notes = {line: f"{rng.choice(('', 'better '))}{rng.randint(0, 400)}/4" for line in rng.sample("NESW", 3)}
        about = (
            {"notes": notes, "compared": rng.random() < 0.5}
            if rng.random() < 0.7
            else {"score": 2 * rng.randint(9, 99)}
        )
        with suppress(EntryError):  # refused where nobody took
            adjust_play(play_id=play.pk, reason="étui mal refait", **about, **how)
    for number, entrant in enumerate(rng.sample(list(session.entrants.all()), 4)):
        points = Decimal(rng.randint(1, 100)) / 4
        sanction = Sanction(("penalty", "bonus")[number % 2], points, position=number)
        give_penalty(session_id=session.pk, entrant_id=entrant.pk, sanction=sanction, reason="retard", **how)
    publish(session, by=director, allow_missing=True)
    return session


@pytest.mark.nightly("story")
@pytest.mark.parametrize("auction", ["imposed", "free"])
@pytest.mark.parametrize("seed", draw_seeds(10, fewest=2))
def test_download_gives_the_published_ranking_to_the_last_fraction(client, tmp_path, seed, auction):
    session = random_evening(random.Random(seed), auction)
    place = session.tournament
    response = client.get(reverse("results_csv", args=[place.club.slug, place.slug, session.number, 1]))
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    file = tmp_path / "results.csv"
    file.write_bytes(response.content)
    out = io.StringIO()
    call_command("standings", str(file), exact=True, stdout=out)
    columns = ("line", "attack", "defence", "global", "rank_general", "rank_alterne")
    computed = {line["player"]: tuple(line[column] for column in columns) for line in rows(out.getvalue())}
    keys = ("line", "attack", "defence", "overall", "rank_general", "rank_alterne")
    report = report_of(session)
    names = names_of(report)
    published = {
        names[player.id]: tuple("" if (cell := getattr(player, key)) is None else str(cell) for key in keys)
        for player in report.players
    }
    assert computed == published
    assert "'=HYPERLINK(1)" in computed
    script = settings.BASE_DIR / "deals" / "static" / "deals" / "topage_standings.py"
    command = [sys.executable, "-S", "-E", str(script), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    count = len(published)
    assert (done.stdout, done.stderr, done.returncode) == (f"{count} of {count} agree\n", "", 0)


@pytest.fixture(scope="module")
def published(rows_of_the_file):
    """Return the published report of a plain evening."""
    with transaction.atomic():
        data = report_of(published_session()).data
        transaction.set_rollback(True)
    return data


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ('=HYPERLINK("http://x")', '\'=HYPERLINK("http://x")'),
        ("+33 6", "'+33 6"),
        ("-1+1", "'-1+1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1+1", "'=1+1"),
        ("\r\n=1+1", "'=1+1"),
        ("＝1+1", "'＝1+1"),
        ("Jean-Loup = 4", "Jean-Loup = 4"),
    ],
)
def test_no_cell_is_a_formula(published, name, written):
    first, *others = published.people
    names = {first: PublicPlayer(name, True)} | {player: PublicPlayer(f"Nom {player}", True) for player in others}
    lines = rows(results_csv(PlayedEvening(published, names)))
    assert written in {line["player"] for line in lines if line["kind"] == "player"}
    assert written in {line[seat] for line in lines if line["kind"] == "play" for seat in "NESW"}
