"""The row with what a session brings to ratings and leaderboards: its players' sums and its compared plays."""

import pytest
from django.utils import timezone

from evenings.sessions.put_away import put_session_away
from rankings.careers.keeping import refresh
from rankings.careers.rated import make_rated, read_plays
from rankings.careers.rows import find_ranks, make_rows
from rankings.publication.publishing import SESSIONS, switch_parts
from tests.factories import enter_all, make_tournament, publish, published_session, started_session
from tournaments.models import Appearance, GameKind, RatedSession
from tournaments.published import Shows
from tournaments.reports.session import ReportedMember, decode_report
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db


@pytest.fixture
def session():
    session = published_session(etuis_per_position=4)
    refresh(session.pk)
    return session


@pytest.fixture
def report(session):
    return decode_report(session.publications.get().data)


@pytest.fixture
def word(director):
    return DirectorWord(director, timezone.now(), "une erreur")


def rated(session):
    return RatedSession.objects.get(pk=session.pk)


def change_first_play(report, **values):
    """Return the report with other values for the first play of the first étui."""
    first, *others = report.etuis
    play, *more = first.plays
    return report.change(etuis=[first.change(plays=[play.change(**values), *more]), *others])


def test_plays_have_the_takers_note_and_the_four_players(session, report):
    row = rated(session)
    people = {player.id: player.player for player in report.players}
    wanted = []
    for etui in report.etuis:
        for play in etui.plays:
            taker = people[play.seats[play.taker]]
            others = sorted(people[each] for line, each in play.seats.items() if line != play.taker)
            wanted.append((etui.number, 1, play.notes[play.taker], taker, *others))
    assert (row.kind, row.date, row.field) == (GameKind.IMPOSED, session.date, session.pk)
    assert [(etui, part, note / row.den, *four) for etui, part, note, *four in row.plays] == [
        (etui, part, float(note), *four) for etui, part, note, *four in wanted
    ]


def test_sums_are_those_of_the_appearances(session):
    rows = {row.player: row for row in Appearance.objects.filter(session=session)}
    for player, deals, tops, den, *sides in rated(session).players:
        figures = rows[player].figures
        assert deals == rows[player].deals
        assert tops == sum(count for _compared, note, count in figures["n"] if note == 100 * figures["den"])
        assert (den, sides) == (figures["den"], [*figures["a"][:2], *figures["d"][:2], 0, 0])
    assert sum(tops for _player, _deals, tops, *_more in rated(session).players) > 0


@pytest.mark.nightly("story")
def test_free_auction_has_four_notes_and_four_players(session):
    by = session.tournament.club.memberships.get().user
    other = started_session(make_tournament(session.tournament.club, auction="free", name="Libre"))
    enter_all(other, by=by)
    publish(other, by=by)
    refresh(other.pk)
    row, report = rated(other), decode_report(other.publications.get().data)
    assert row.kind == GameKind.FREE
    play = report.etuis[0].plays[0]
    people = {player.id: player.player for player in report.players}
    etui, part, *told = row.plays[0]
    assert (etui, part) == (report.etuis[0].number, 1)
    assert [note / row.den for note in told[:4]] == [float(play.notes[line]) for line in "ENSW"]
    assert told[4:] == [people[play.seats[line]] for line in "ENSW"]


@pytest.mark.parametrize(
    "values",
    [
        {"fixed": {"N": "60"}},  # the arbiter fixed a note
        {"compared": False},  # its score does not count in the topage of the others
        {"base_score": None, "notes": None},  # annulled, or not played
        {"notes": {}},
    ],
)
def test_play_without_a_compared_note_brings_nothing(report, values):
    whole = read_plays(report, GameKind.IMPOSED)
    assert len(read_plays(change_first_play(report, **values), GameKind.IMPOSED)) == len(whole) - 1


def test_stand_in_counts_for_the_deals_that_he_played(report):
    first, *others = report.players
    stand_in = first.change(stand_ins=[ReportedMember(player=4711, first=2)])
    changed = report.change(players=[stand_in, *others])
    players = [four for _etui, _part, _notes, four in read_plays(changed, GameKind.IMPOSED)]
    assert sum(first.player in four for four in players) == sum(
        play.position < 2 and first.id in play.seats.values() for etui in report.etuis for play in etui.plays
    )
    assert sum(4711 in four for four in players) > 0
    row = make_rated(changed, make_rows(changed, find_ranks(changed, alone=True), in_detail=True), in_detail=True)
    assert 4711 in {player for player, *_more in row.players}


@pytest.mark.nightly("story")
def test_session_that_shows_neither_etuis_nor_feuilles_brings_deals_alone(session, word):
    switch_parts(session_id=session.pk, shows=Shows(etuis=False, feuilles=False), word=word)
    refresh(session.pk)
    row = rated(session)
    assert (row.plays, row.den) == ([], 1)
    assert all(deals and not any(more[1:]) for _player, deals, _tops, *more in row.players)


@pytest.mark.parametrize("step", ["hidden", "taken back", "put away"])
def test_session_that_readers_do_not_see_brings_nothing(session, word, step):
    if step == "hidden":
        switch_parts(session_id=session.pk, shows=Shows(ranking=False), word=word)
    elif step == "taken back":
        SESSIONS.withdraw(session.pk, word=word)
    else:
        put_session_away(session_id=session.pk, by=word.by, now=word.now)
    refresh(session.pk)
    assert not RatedSession.objects.exists()
