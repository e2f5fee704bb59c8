"""The files of the site, read again by its own readers of lists: nobody is lost, and no cell is read as another one."""

import datetime as dt
from fractions import Fraction

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone, translation

from clubs.licences import read_licences
from clubs.matching import OUT, read_list
from clubs.models import Player
from clubs.players import known_of
from clubs.roster import Doubt, RosterLine
from outgoing.sheets.director_tables import make_homologation, make_members, make_registrations
from outgoing.sheets.files import CSV, KINDS, XLSX, write_file
from outgoing.sheets.ranking_tables import RANKING, make_ranking_table, make_session_table
from pages.uploads import read_names
from rankings.columns import RankingShape
from rankings.publication.report import read_for_directors
from rankings.ranking import RankedRow, Ranking
from rankings.series.lists import POINTS, RANK, split_list
from scoring.formats import Unit
from tests.factories import draft_session, make_tournament, published_session
from tournaments.models import Applicant
from tournaments.rules.series import SeriesSettings

FILES = pytest.mark.parametrize("kind", [CSV, XLSX])
LANGUAGES = pytest.mark.parametrize("language", ["fr", "en"])
MEMBERS = [
    RosterLine("Dupont", "Marie", "0012345", "senior", "TC Lyon", "2", "ladies"),
    RosterLine("de La Tour", "Jean-Marc", "12-AB/7", "youth", "", "promotion"),
    RosterLine("Brun", "Al"),
]


def write(table, kind):
    """Return the text that the form of a list shows for this table, chosen as a file."""
    file = write_file([table], kind, "liste")
    return read_names(SimpleUploadedFile(file.name, file.content, KINDS[kind]))[0]


@FILES
@LANGUAGES
def test_list_of_the_players_is_read_back(kind, language):
    with translation.override(language):
        fields = [
            {name: getattr(line, name) for name in RosterLine.__dataclass_fields__} | {"country": "Belgique"}
            for line in MEMBERS
        ]
        text = write(make_members([Player(licence_until=dt.date(2027, 8, 31), **each) for each in fields]), kind)
    assert {row.line for row in read_list(text, [])} == set(MEMBERS)
    read = read_licences(text)
    assert (read.wrong[0].number, read.unclear) == (2, [])  # Al Brun has no licence
    until = dt.date(2027, 8, 31)
    names = ("licence", "last_name", "first_name", "series", "until", "category", "club_name")
    assert {tuple(getattr(each, name) for name in names) for each in read.lines} == {
        ("0012345", "Dupont", "Marie", "2", until, "senior", "TC Lyon"),
        ("12-AB/7", "de La Tour", "Jean-Marc", "promotion", until, "youth", ""),
    }


@FILES
@LANGUAGES
@pytest.mark.django_db
def test_registrations_are_read_back_and_who_withdrew_is_asked_about(kind, language):
    session = draft_session(make_tournament())
    now = timezone.now()
    for number, (last, more) in enumerate((("Un", {}), ("Deux", {"declined": True}), ("Trois", {}))):
        gone = {"withdrawn_at": now} if number else {}
        Applicant.objects.create(
            session=session, last_name=last, first_name="Zoé", licence=f"001{number}", contact="Paul Martin",
            key=last, token=last,
            registered_at=now, accepted_at=now, **gone, **more,
        )  # fmt: skip
    with translation.override(language):
        rows = read_list(write(make_registrations(session), kind), [])
    assert {(row.line.last_name, row.line.licence, row.doubt, row.likely) for row in rows} == {
        ("Un", "0010", None, ""),
        ("Deux", "0011", Doubt.GONE, OUT),
        ("Trois", "0012", Doubt.GONE, OUT),
    }


@FILES
@LANGUAGES
def test_ranking_of_a_championship_is_read_back_as_typed_results(kind, language):
    found = [
        ("Zoé Brun", 1, Fraction(12_505, 10)),
        ("Léo de La Tour", 2, Fraction(25, 2)),
        ("Al Noir", 3, Fraction(-52)),
    ]
    players = [
        RankedRow(
            player=rank, rank=rank, before=None, total=total, played=1, in_final=False, new=False, results=(None,),
            name=name, named=True,
        )
        for name, rank, total in found
    ]  # fmt: skip
    shape = RankingShape(unit=Unit.PER_CENT, over_steps=True, events=True, points=True)
    ranking = Ranking(shape=shape, rules=SeriesSettings(), rows=players)
    with translation.override(language):
        text = write(make_ranking_table(ranking, "Été"), kind)
    for figures, place in ((POINTS, 2), (RANK, 1)):
        split = split_list(text, figures, signed=True)
        assert list(split.figures.values()) == [each[place] for each in found]
    assert [f"{row.line.first_name} {row.line.last_name}" for row in read_list(text, [])] == [each[0] for each in found]


@pytest.mark.nightly("story")
@FILES
@LANGUAGES
@pytest.mark.django_db
def test_ranking_and_homologation_of_a_session_are_read_back(kind, language):
    session = published_session()
    publication = session.publications.get()
    report = read_for_directors(publication.data)
    with translation.override(language):
        ranking, sheet = (
            write(make_session_table(RANKING, report), kind),
            write(make_homologation(session, publication), kind),
        )
    shown = report.ranking.order("alterne")
    for text in (ranking, sheet):
        rows = read_list(text, known_of(session.tournament.club))
        assert sorted(row.suggested for row in rows) == sorted(player.player for player in shown)
        ranks = split_list(text, RANK).figures
        assert sorted(ranks.values()) == sorted(player.rank_alterne for player in shown)
    ranks = split_list(ranking, RANK)
    assert list(ranks.figures.values()) == [player.rank_alterne for player in shown]
