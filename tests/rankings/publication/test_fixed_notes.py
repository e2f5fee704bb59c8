"""The arbiter's decisions about a play in a publication: as final figures, and marked wherever a note is shown."""

from fractions import Fraction

import pytest
from django.test import Client
from django.utils import timezone

from deals.exports.documents import SetHeading
from deals.exports.pdf import hand_records
from evenings.plays.adjusting import adjust_play
from evenings.standings import computing
from pages.doors import session_url
from rankings.publication import etuis
from rankings.publication.publishing import SESSIONS, Terms
from rankings.publication.report import read_report
from tests.factories import enter_all, make_director, make_tournament, started_session
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.reports.codec import encode
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db


def published(session, director):
    now = timezone.now()
    SESSIONS.publish(session.pk, DirectorWord(director, now), Terms(allow_missing=True))
    return session.publications.latest("version")


def decide(play, by, **told):
    return adjust_play(play_id=play.pk, reason="Étui mal refait", by=by, now=timezone.now(), **told)


@pytest.fixture
def evening(db):
    """Return an evening in which the arbiter has decided three plays of étui 1, one of them without a result."""
    session = started_session()
    director = make_director(session.tournament.club)
    plays = list(session.plays.filter(etui__number=1).select_related("etui").order_by("position"))
    enter_all(session, by=director, plays=session.plays.exclude(pk=plays[0].pk).select_related("etui"))
    taker = plays[0].etui.taker
    one, two, three = (line for line in "NESW" if line != taker)
    decide(plays[0], director, notes=dict.fromkeys("NESW", "better 60"))
    decide(plays[1], director, notes={taker: "175/3", one: "40", two: "better 1"}, compared=False)
    decide(plays[2], director, score=200)
    return session, director, plays, (taker, one, two, three)


def own_mean(report, player, line):
    """Return the mean of the player's defence notes that nobody has fixed, from the report's own lines."""
    notes = [row.note for row in report.feuille(player) if row.play.taker != line and not row.fixed]
    return sum(notes) / len(notes)


@pytest.mark.nightly("story")
def test_notes_are_published_as_they_come_out(evening):
    session, director, plays, (taker, one, two, three) = evening
    report = read_report(published(session, director).data)
    told = {play.id: play for play in report.topage(report.etui(1))}
    first, out, assigned = (told[play.pk] for play in plays[:3])
    assert (first.state, first.base_score, first.fixed) == (
        "adjusted",
        None,
        dict.fromkeys("NESW", "better 60"),
    )
    for line, entrant in first.seats.items():
        own = 0 if line == taker else own_mean(report, entrant, line)
        assert first.notes[line] == max(60, own)
    assert out.notes == {
        taker: Fraction(175, 3), one: 40, two: own_mean(report, out.seats[two], two), three: None,
    }  # fmt: skip
    assert (out.compared, assigned.state, assigned.base_score, assigned.facts) == (
        False,
        "adjusted",
        200,
        None,
    )
    assert "own" not in repr(encode(report.data))


@pytest.mark.nightly("story")
def test_percentages_follow_from_the_notes_of_the_feuilles(evening):
    session, director, _plays, _lines = evening
    report = read_report(published(session, director).data)
    for player in report.players:
        rows = [row for row in report.feuille(player.id) if row.note is not None]
        for part, figure in ((True, "attack"), (False, "defence")):
            notes = [row.note for row in rows if (row.play.taker == player.line) == part]
            assert getattr(player, figure) == (sum(notes) / len(notes) if notes else None)
        assert player.deals == len(rows)


@pytest.mark.nightly("story")
def test_pages_mark_what_is_fixed_in_both_languages(evening):
    session, director, plays, (taker, *_rest) = evening
    published(session, director)
    etui_page, feuille = (
        session_url("published_etui", session, 1, 1),
        session_url("feuille", session, 1, getattr(plays[0], COLUMNS[taker])),
    )
    shown = words(Client().get(etui_page))
    for sentence in (
        "§ fixée par l’arbitre",
        "58,3",
        "décidé par l’arbitre",
        "comparé à aucune autre table",
        SIGN_MEANS,
    ):
        assert sentence in shown
    assert SIGN_MEANS in words(Client().get(feuille))
    assert "fixed by the arbiter: 58.3" in words(Client().get(etui_page, headers={"accept-language": "en"}))
    assert "§" in words(browser_of(director).get(session_url("live_etui", session, 1)))
    assert SIGN_MEANS not in words(Client().get(session_url("published_etui", session, 1, 2)))


SIGN_MEANS = "§ L’arbitre a fixé cette note"
COLUMNS = {"N": "north_id", "E": "east_id", "S": "south_id", "W": "west_id"}


def test_hand_records_have_one_note_a_seat_where_the_arbiter_has_fixed_some(evening):
    session, director, *_rest = evening
    report = read_report(published(session, director).data)
    first, second = (etui for etui in etuis.records(report) if etui.number in (1, 2))
    assert {len(play.notes) for play in first.plays} == {4}
    assert {len(play.notes) for play in second.plays} == {2}
    heading = SetHeading("étuis", players=4)
    assert hand_records(heading, [first, second], language="fr").typeset().startswith(b"%PDF")


@pytest.mark.nightly("story")
def test_programs_are_told_what_is_fixed(evening):
    session, director, plays, (taker, *_rest) = evening
    published(session, director)
    answer = Client().get(f"/api/v1/sessions/{session.pk}/publications/latest/").json()
    (etui,) = [etui for etui in answer["etuis"] if etui["number"] == 1]
    told = {play["id"]: play for play in etui["plays"]}
    assert told[plays[0].pk]["fixed"] == dict.fromkeys("NESW", "better 60")
    assert (told[plays[1].pk]["compared"], told[plays[3].pk]["compared"], told[plays[3].pk]["fixed"]) == (
        False,
        True,
        {},
    )
    entrant = getattr(plays[0], COLUMNS[taker])
    lines = Client().get(f"/api/v1/sessions/{session.pk}/entrants/{entrant}/").json()["plays"]
    assert [line["fixed"] for line in lines if line["etui"] == 1] == [True]


@pytest.mark.nightly("story")
def test_free_auction_compares_a_note_of_no_part_with_all_of_a_players_own(db):
    session = started_session(make_tournament(auction="free"))
    director = make_director(session.tournament.club)
    play, *others = session.plays.select_related("etui")
    enter_all(session, by=director, plays=others)
    decide(play, director, notes=dict.fromkeys("NESW", "better 0"))
    report = read_report(published(session, director).data)
    for line in "NESW":
        rows = report.feuille(getattr(play, COLUMNS[line]))
        own = [row.note for row in rows if not row.fixed]
        (fixed,) = [row.note for row in rows if row.fixed]
        assert fixed == sum(own) / len(own)
    assert computing.compute(session.pk).data["counts"]["missing"] == 0
