"""A tournament in one file: exported with all its sessions, then read and computed by the command and the script."""

import csv
import io
import random
import subprocess
import sys
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Player
from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.plans.starting import start_session
from evenings.plays.adjusting import adjust_play
from evenings.plays.penalties import Sanction, give_penalty
from evenings.plays.ruling import split_etui
from evenings.sessions.sections import Together, put_together
from evenings.sessions.setup import create_session, seats_in_order, set_entrants, use_deal_set
from rankings.events import publishing
from rankings.events.standings_file import write_tournament_csv
from rankings.publication.publishing import SESSIONS, switch_parts
from scoring.files.sheets import SheetError
from scoring.files.tournament_file import rank_tournament_file as ranked
from scoring.ranking import Line
from tests.factories import enter, make_director, make_tournament, publish, started_session
from tests.rankings.events.several import published_sessions
from tournaments.errors import ActionRefused
from tournaments.models import Session, TieDraw, Tournament
from tournaments.published import Shows
from tournaments.rules.entry import AllPassed, EntryError, Fiche
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db
SCRIPT = settings.BASE_DIR / "deals" / "static" / "deals" / "topage_standings.py"
SHAPE = {"tables": 5, "positions": 5}


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def run_script(file):
    command = [sys.executable, "-S", "-E", str(SCRIPT), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout.splitlines(), done.stderr


def beside(first):
    """Start a section of twenty other players on the same étuis."""
    session = Session.objects.select_related("tournament__club", "deal_set").get(pk=first.pk)
    other = create_session(tournament=session.tournament, date=session.date, positions=5, etuis_per_position=1)
    lines = [RosterLine(f"=Autre{number:02}", "") for number in range(20)]
    players = [player.pk for player in add_players(club=session.tournament.club, lines=lines)]
    set_entrants(session_id=other.pk, seats=seats_in_order(players))
    use_deal_set(session_id=other.pk, deal_set=session.deal_set, first_etui=1)
    return start_session(session_id=other.pk, now=timezone.now())


def play_at_random(session, rng, by):
    how = {"by": by, "now": timezone.now(), "reason": "étui mal refait"}
    for play in session.plays.select_related("etui"):
        taker = Line(play.etui.taker or rng.choice("NESW"))
        if not play.etui.taker and rng.random() < 0.1:
            enter(play, AllPassed(), by=by)
        elif rng.random() < 0.95:
            enter(play, Fiche(taker, 2 * rng.choice((1, -1)) * rng.randint(16, 90)), by=by)
    split_etui(session_id=session.pk, etui=2, from_position=3, **how)
    for play in rng.sample(list(session.plays.all()), 3):
        notes = {line: f"{rng.choice(('', 'better '))}{rng.randint(0, 400)}/4" for line in rng.sample("NESW", 2)}
        with suppress(EntryError):  # refused where nobody took
            adjust_play(play_id=play.pk, notes=notes, compared=rng.random() < 0.5, **how)
    late = rng.choice(list(session.entrants.all()))
    sanction = Sanction("penalty", Decimal(rng.randint(1, 20)) / 4)
    give_penalty(session_id=session.pk, entrant_id=late.pk, sanction=sanction, **how)


def play_tournament(rng, auction):
    """Play two sections with one topage, a session of more players, and a final of the first section's players."""
    tournament = make_tournament(auction=auction)
    director = make_director(tournament.club)
    first = started_session(tournament, **SHAPE)
    sections = [first, beside(first)]
    numbers = [session.number for session in sections]
    how = {"by": director, "now": timezone.now()}
    put_together(tournament_id=tournament.pk, numbers=numbers, how=Together(), **how)
    sessions = [*sections, started_session(tournament, tables=7, positions=3), started_session(tournament, **SHAPE)]
    for session, weight, stage in zip(sessions, ("1", "1", "1.5", "2"), ("qualifying",) * 3 + ("final",), strict=True):
        Session.objects.filter(pk=session.pk).update(coefficient=weight, stage=stage)
        play_at_random(session, rng, director)
    Tournament.objects.filter(pk=tournament.pk).update(
        counting=rng.choice(("sum", "mean")), best_of=1, least_sessions=2, carry_over=50, ties=["attack"]
    )
    for session in sessions:
        publish(Session.objects.get(pk=session.pk), by=director, allow_missing=True)
    return publishing.TOURNAMENTS.publish(tournament.pk, word=DirectorWord(director, timezone.now()))


def address(publication, name="tournament_csv"):
    place = publication.tournament
    return reverse(name, args=[place.club.slug, place.slug, publication.version])


@pytest.mark.nightly("story")
@pytest.mark.parametrize("auction", ["imposed", "free"])
def test_file_gives_the_published_ranking_and_those_of_the_sessions(auction, tmp_path):
    publication = play_tournament(random.Random(auction), auction)
    answer = Client().get(address(publication))
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    file = tmp_path / "tournament.csv"
    file.write_bytes(answer.content)
    lines = rows(answer.content.decode())
    # the two sections have one topage
    assert {line["field"] for line in lines if line["kind"] == "session"} == {"1", "3", "4"}
    out = io.StringIO()
    call_command("standings", str(file), exact=True, stdout=out)
    whole, sessions = out.getvalue().split("\n\n")
    called = {line["player"] for line in lines if "Autre" in line["player"]}
    assert called
    assert all(name.startswith("'=Autre") for name in called)  # no spreadsheet runs such a name as a formula
    published = publication.data["players"]
    assert [(row["rank"], Fraction(row["total"]), int(row["sessions"])) for row in rows(whole)] == [
        (str(player["rank"] or ""), Fraction(player["total"]), player["played"])
        for player in published
        if player["total"] is not None
    ]
    keys = ("attack", "defence", "global", "rank_general", "rank_alterne")
    told = [line for line in lines if line["kind"] == "player" and line["session"]]
    assert {(row["session"], row["player"]): [row[key] for key in keys] for row in rows(sessions)} == {
        (row["session"], row["player"]): [row[key] for key in keys] for row in told
    }
    assert any(player["in_final"] for player in published)
    assert any(None in player["results"] for player in published)
    count = len(published) + len(told)
    assert run_script(file) == (0, [f"{count} of {count} agree"], "")


@pytest.mark.nightly("story")
def test_one_figure_altered_is_found_out(tmp_path):
    publication = play_tournament(random.Random(4), "imposed")
    lines = rows(write_tournament_csv(publication))
    of_whole = next(line for line in lines if line["kind"] == "player" and not line["session"])
    in_session = next(line for line in lines if line["kind"] == "player" and line["session"])
    play = next(line for line in lines if line["kind"] == "play" and line["base_score"])
    final = next(line for line in lines if line["kind"] == "session" and line["stage"] == "final")
    altered = [(of_whole, "global", "1"), (in_session, "rank_line", "99"), (play, "base_score", "998")]
    for line, column, value in [*altered, (final, "coefficient", "3"), (lines[0], "carry_over", "51")]:
        before, line[column] = line[column], value
        file = tmp_path / "altered.csv"
        with file.open("w", encoding="utf-8", newline="") as out:
            writer = csv.DictWriter(out, list(lines[0]))
            writer.writeheader()
            writer.writerows(lines)
        line[column] = before
        code, said, error = run_script(file)
        assert (code, error) == (1, ""), column
        assert said[0].startswith(("'", '"', "session ")), column  # a name, in the quotes that suit it


@pytest.fixture
def published():
    """Return the published version of a plain tournament of two sessions."""
    tournament = make_tournament()
    director = make_director(tournament.club)
    published_sessions(tournament, by=director)
    return publishing.TOURNAMENTS.publish(tournament.pk, word=DirectorWord(director, timezone.now()))


@pytest.mark.nightly("story")
def test_equals_whom_lots_told_apart_stay_so(tmp_path):
    tournament = make_tournament()
    by = make_director(tournament.club)
    for _ in range(2):
        session = started_session(tournament, **SHAPE)
        for play in session.plays.select_related("etui"):
            enter(play, Fiche(Line(play.etui.taker), 60), by=by)
        publish(session, by=by)
    published = publishing.TOURNAMENTS.publish(tournament.pk, word=DirectorWord(by, timezone.now()))
    order = [player["player"] for player in reversed(published.data["players"])]
    TieDraw.objects.create(tournament=tournament, order=order, author=by, drawn_at=timezone.now())
    Tournament.objects.filter(pk=tournament.pk).update(ties=["draw"])
    drawn = publishing.TOURNAMENTS.publish(tournament.pk, word=DirectorWord(by, timezone.now()))
    shared, apart = ([player["rank"] for player in each.data["players"]] for each in (published, drawn))
    assert (set(shared), sorted(apart)) == ({1}, list(range(1, 21)))
    file = tmp_path / "tournament.csv"
    file.write_text(write_tournament_csv(drawn))
    totals = [(player["rank"], Fraction(player["total"])) for player in drawn.data["players"]]
    again = rows(ranked(file.read_text(), exact=True).split("\n\n")[0])
    assert [(int(row["rank"]), Fraction(row["total"])) for row in again] == totals
    assert run_script(file) == (0, ["60 of 60 agree"], "")


def test_file_is_offered_while_every_session_shows_its_ranking_and_its_etuis(published):
    reader = Client(headers={"Accept-Language": "en"})
    pages = [address(published), f"/api/v1/tournaments/{published.tournament_id}/publications/1/results.csv"]
    page = address(published, "tournament_version")
    session = published.tournament.sessions.earliest("pk")
    word = DirectorWord(make_director(published.tournament.club, "autre"), timezone.now(), "relu")
    shown = reader.get(page)
    assert pages[0] in shown.text
    assert [reader.get(where).status_code for where in pages] == [200, 200]
    for switch in ("ranking", "etuis"):
        switch_parts(session_id=session.pk, shows=Shows()._replace(**{switch: False}), word=word)
        assert [reader.get(where).status_code for where in pages] == [404, 404]
        again = reader.get(page, headers={"If-None-Match": shown["ETag"]})
        assert again.status_code == (200 if switch == "etuis" else 404)  # the file needs the ranking of each session
        assert pages[0] not in again.text
    switch_parts(session_id=session.pk, shows=Shows(), word=word)
    assert reader.get(pages[0]).status_code == 200
    SESSIONS.withdraw(session.pk, word=word)
    assert [reader.get(where).status_code for where in pages] == [404, 404]
    with suppress(ActionRefused):
        publishing.TOURNAMENTS.withdraw(published.tournament_id, word=word)
    assert [reader.get(where).status_code for where in pages] == [404, 404]


HEADER = "kind,version,rules,counting,best_of,least_sessions,carry_over,session,coefficient,stage,round,field,"
HEADER += "player,line,ranked,etui,N,E,S,W,taker,base_score\n"
GOOD = HEADER + (
    "file,1,individual,sum,,1,,,,,,,,,,,,,,,,\n"
    "session,,,,,,,1,3/2,,1,1,,,,,,,,,,\n"
    "session,,,,,,,2,1,final,2,2,,,,,,,,,,\n"
    "player,,,,,,,1,,,,,a,N,yes,,,,,,,\n"
    "play,,,,,,,1,,,,,,,,1,a,b,c,d,N,60\n"
)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("kind,version", "kind,colour,version", "line 1, colour: is no column of versions 1, 2 and 3 of the file."),
        ("sum,,1", "median,,1", "line 2, counting: 'median': write sum or mean."),
        ("sum,,1", "sum,0,1", "line 2, best_of: '0': write a whole number, 1 or more, or nothing."),
        ("sum,,1", "sum,,x", "line 2, least_sessions: 'x': write a whole number, 1 or more, or nothing."),
        (
            "sum,,1,",
            "sum,,1,101",
            "line 2, carry_over: '101': write a whole number, per cent from 0 to 100, or nothing.",
        ),
        ("3/2", "0", "line 3, coefficient: '0': write a number above 0, as 2 or 3/2."),
        ("final", "semi", "line 4, stage: 'semi': write qualifying or final, or nothing."),
        ("final,2,", "final,0,", "line 4, round: '0': write the place of the session, 1 or more."),
        ("final,2,2", "final,1,2", "line 4, round: sessions of round 1 have one coefficient and one stage."),
        ("final,2,2", "final,2,7", "line 4, field: '7' is no session of the file."),
        (",2,1,final", ",1,1,final", "line 4, session: the number is missing, or comes twice."),
        ("player,,,,,,,1", "player,,,,,,,3", "line 5, session: '3' is no session of the file."),
        ("play,,,,,,,1", "play,,,,,,,", "line 6, session: '' is no session of the file."),
        ("play,,", "deal,,", "line 6, kind: 'deal' is no kind of line; the kinds are: file, session, player, play."),
        (",N,60", ",Q,60", "line 6, taker: 'Q' is not a line; write N, E, S or W."),
    ],
)
def test_what_the_file_cannot_say_is_refused_with_its_line_and_column(old, new, problem):
    assert ranked(GOOD)
    text = GOOD.replace(old, new, 1)
    if new.startswith("kind,colour"):
        text = "\n".join(line.replace(",", ",,", 1) if at else line for at, line in enumerate(text.splitlines()))
    with pytest.raises(SheetError) as refused:
        ranked(text)
    assert problem in str(refused.value).splitlines()


def test_file_says_itself_how_its_sessions_count(tmp_path):
    file = tmp_path / "tournament.csv"
    file.write_text(GOOD)
    with pytest.raises(CommandError, match="says itself"):
        call_command("standings", str(file), mean=True)


def test_who_was_two_when_a_session_was_published_is_one_in_the_file(tmp_path):
    tournament = make_tournament()
    director = make_director(tournament.club)
    first, _ = published_sessions(tournament, by=director)
    (other,) = add_players(club=tournament.club, lines=[RosterLine("Nom001", "Zoe")])
    entrant = first.entrants.earliest("pk")
    kept = first.publications.get()
    data = kept.data
    for player in data["players"]:
        player["player"] = other.pk if player["player"] == entrant.player_id else player["player"]
    type(kept).objects.filter(pk=kept.pk).update(data=data)
    Player.objects.filter(pk=other.pk).update(merged_into=entrant.player_id)
    publication = publishing.TOURNAMENTS.publish(tournament.pk, word=DirectorWord(director, timezone.now()))
    file = tmp_path / "tournament.csv"
    file.write_text(write_tournament_csv(publication))
    assert run_script(file) == (0, ["60 of 60 agree"], "")
