"""The standings of teams: an event equals an independent computation, and stored figures equal those from nothing."""

from fractions import Fraction

import pytest
from django.utils import timezone

from evenings.plays.adjusting import adjust_play
from evenings.plays.entering import annul_play
from evenings.plays.ruling import split_etui
from evenings.sessions.lots import draw_lots
from evenings.standings.preview import preview_ruling
from evenings.standings.together import rank_together
from rankings.events import counting as events
from rankings.events.counting import draw_tournament_lots
from scoring.ties import TieBreak
from tests.evenings.standings.keeping import assert_kept_from_nothing
from tests.evenings.teams.evening import triplettes_session
from tests.evenings.teams.independent_triplettes import find_alternate_ranks, find_percentages, find_ranks
from tests.evenings.teams.playing import play_all, play_event, refresh
from tests.factories import enter, garde, make_director
from tournaments.models import EtuiRuling, SectionGroup, Tournament, TournamentStandings

pytestmark = pytest.mark.django_db


def list_plays(session, annulled=()):
    """Return the plays of the session as the independent computation takes them, read from the rows of results."""
    numbers = dict(session.entrants.values_list("pk", "team__number"))
    plays = []
    for play in session.plays.select_related("etui").prefetch_related("entries"):
        seats = {"N": play.north_id, "E": play.east_id, "S": play.south_id, "W": play.west_id}
        attacking = numbers[seats.pop(play.taker)]
        (defending,) = {numbers[pk] for pk in seats.values()}
        entry = next((entry for entry in play.entries.all() if entry.current), None)
        score = None if entry is None or play.etui.number in annulled else base_of(entry)
        plays.append((play.etui.number, attacking, defending, score))
    return plays


def base_of(entry):
    """Return the base score of an entry of `tests.factories.plausible`, by the rule for a Garde."""
    if entry.kind == "fiche":
        return entry.fiche_score
    points, target = Fraction(entry.half_points, 2), (56, 51, 41, 36)[entry.bouts]
    sign = 1 if points >= target else -1
    return sign * (25 + abs(points - target)) * 2


def read_kept(session):
    """Return {team: (attack, defence, global, général, alterné)} from the stored standings."""
    numbers = dict(session.entrants.values_list("pk", "team__number"))
    return {
        numbers[row["id"]]: (
            *(row[part] and Fraction(row[part]) for part in ("attack", "defence", "overall")),
            row["rank_general"],
            row["rank_alterne"],
        )
        for row in session.standings.data["players"]
    }


@pytest.mark.nightly("statistics")
def test_event_of_three_sessions_equals_an_independent_computation():
    tournament, sessions, _by = play_event()
    annulled, penalties = ((), (2,), ()), ({5: "3/2"}, {}, {5: "-1/4"})
    totals = {}
    for session, none, given in zip(sessions, annulled, penalties, strict=True):
        found = find_percentages(list_plays(session, none), given)
        overall = {team: figures[2] for team, figures in found.items()}
        ranks, alternate = find_ranks(overall), dict.fromkeys(overall)
        if session == sessions[1]:
            lines = {team: "NS" if team <= 4 else "EW" for team in overall}
            alternate = find_alternate_ranks(overall, lines)
        expected = {team: (*found[team], ranks[team], alternate[team]) for team in found}
        assert read_kept(session) == expected
        assert_kept_from_nothing(session)
        for team, percentage in overall.items():
            totals[team] = totals.get(team, 0) + percentage
    events.refresh(tournament.pk, now=timezone.now())
    rows = TournamentStandings.objects.get(pk=tournament.pk).data["players"]
    assert {row["team"]: (Fraction(row["total"]), row["rank"]) for row in rows} == {
        team: (total, find_ranks(totals)[team]) for team, total in totals.items()
    }
    third = next(row for row in rows if row["team"] == 3)
    assert [member["place"] for member in third["members"]] == [1, 2, 2, 3]


def test_team_has_one_note_for_an_etui_on_either_side():
    session = play_all(triplettes_session(teams=4), by=make_director(Tournament.objects.get().club))
    rows = session.standings.data["players"]
    plays = session.plays.count()
    assert sum(row["attacks"] for row in rows) == sum(row["defences"] for row in rows) == plays
    for row in rows:
        assert Fraction(row["overall"]) == (Fraction(row["attack"]) + Fraction(row["defence"])) / 2


def test_attackers_notes_on_an_etui_average_50():
    session = play_all(triplettes_session(teams=6), by=make_director(Tournament.objects.get().club))
    for etui in session.standings.etuis.all():
        notes = [Fraction(play["notes"][play["taker"]]) for play in etui.plays.values()]
        assert sum(notes) / len(notes) == 50


@pytest.mark.nightly("story")
def test_refresh_after_every_kind_of_change_equals_the_full_computation():
    session = triplettes_session(teams=6)
    by, now = make_director(session.tournament.club), timezone.now()
    session = play_all(session, by=by, missing=2)
    plays = list(session.plays.select_related("etui"))
    said = {"reason": "carte vue", "by": by, "now": now}
    enter(plays[-1], by=by)
    assert_kept_from_nothing(refresh(session))
    annul_play(play_id=plays[0].pk, **said)
    assert_kept_from_nothing(refresh(session))
    defender = next(line for line in "NESW" if line != plays[1].etui.taker)
    adjust_play(play_id=plays[1].pk, score=-60, notes={defender: "better 60"}, **said)
    session = refresh(session)
    assert_kept_from_nothing(session)
    told = session.standings.etuis.get(etui=plays[1].etui_id).plays[str(plays[1].pk)]
    assert {line: told["notes"][line] for line in "NESW" if line != plays[1].etui.taker} == dict.fromkeys(
        (line for line in "NESW" if line != plays[1].etui.taker), "better 60"
    )
    split_etui(session_id=session.pk, etui=plays[2].etui.number, from_position=1, before=[plays[2].pk], **said)
    assert_kept_from_nothing(refresh(session))


@pytest.mark.nightly("story")
def test_lots_and_previews_know_teams():
    session = triplettes_session(teams=4)
    by, now = make_director(session.tournament.club), timezone.now()
    Tournament.objects.update(ties=[TieBreak.DRAW])
    for play in session.plays.select_related("etui"):
        enter(play, garde(play.taker), by=by)
    session = refresh(session)
    assert {row["rank_general"] for row in session.standings.data["players"]} == {1}
    draw = draw_lots(session_id=session.pk, by=by, now=now)
    assert sorted(draw.order) == [-4, -3, -2, -1]
    session = refresh(session)
    ranks = {figures[3]: -number for number, figures in read_kept(session).items()}
    assert [ranks[rank] for rank in (1, 2, 3, 4)] == draw.order
    play = session.plays.first()
    shown = preview_ruling(session.pk, lambda: adjust_play(play_id=play.pk, score=400, reason="chelem", by=by, now=now))
    assert "Les Bouts" in {shift.entrant.name for shift in (*shown.moving, *shown.staying)}


def test_sections_of_teams_are_compared_and_ranked_together():
    tournament, sessions, _by = play_event(teams=8)
    group = SectionGroup.objects.create(tournament=tournament, one_topage=False)
    for session, name in zip(sessions[:2], "AB", strict=True):
        session.group, session.section = group, name
        session.save(update_fields=["group", "section"])
    rows = rank_together(sessions[0])
    assert len(rows) == 16
    assert {row["line"] for row in rows} == {"", "NS", "EW"}
    assert {row["rank_alterne"] for row in rows if not row["line"]} == {None}


@pytest.mark.nightly("story")
def test_equal_teams_of_a_tournament_are_separated_by_lots():
    tournament, sessions, by = play_event()
    Tournament.objects.update(ties=[TieBreak.DRAW])
    for session in sessions:
        session.penalties.all().delete()
        EtuiRuling.objects.all().delete()
        for play in session.plays.all():
            adjust_play(play_id=play.pk, notes=dict.fromkeys("NESW", "50"), reason="nul", by=by, now=timezone.now())
        refresh(session)
    draw = draw_tournament_lots(tournament_id=tournament.pk, by=by, now=timezone.now())
    assert sorted(draw.order) == list(range(-8, 0))
