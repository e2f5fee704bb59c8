"""The way of a tournament into an archive, into another club, and into an archive again."""

import io
import json
import zipfile

import pytest
from jsonschema import Draft202012Validator

from archives.archive.contents import ARCHIVED
from clubs.models import Player, User
from deals.models import DealSet, Etui
from evenings.standings.computing import compute
from rankings.careers.keeping import refresh
from rankings.publication.report import read_report
from tests.archives.archive.far import counting_from_afar, find_far
from tests.archives.archive.packed import bring, export, read_texts
from tests.archives.archive.schema import SCHEMA
from tests.archives.archive.whole import WholeEvening
from tests.factories import make_club
from tournaments.models import Appearance, EtuiStandings, Publication, SessionStandings

pytestmark = pytest.mark.nightly("story")


class Way:
    """An evening, its archive, and the tournament of another club that came from it."""

    def __init__(self):
        with counting_from_afar():
            self.evening = WholeEvening()
            self.packed = export(self.evening.session.tournament)
        self.source = self.evening.session.tournament
        self.club = make_club("ailleurs", "Club d’ailleurs")
        self.tournament = bring(self.packed, self.club)
        self.session = self.tournament.sessions.get()


@pytest.fixture(scope="module")
def way(rows_of_the_file):
    return Way()


@pytest.mark.nightly("story")
def test_archive_of_the_imported_tournament_has_the_same_bytes(way):
    again = export(way.tournament)
    first, second = (read_texts(packed) for packed in (way.packed, again))
    assert {path for path in first if first[path] != second[path]} == set()
    assert way.packed == again == export(way.source)


def test_archive_keeps_the_schema(way):
    with zipfile.ZipFile(io.BytesIO(way.packed)) as packed:
        files = {path: json.loads(packed.read(path)) for path in packed.namelist()}
    checked = Draft202012Validator(json.loads(SCHEMA.read_text()))
    assert [error.message for error in checked.iter_errors(files)] == []
    assert not checked.is_valid({path: value for path, value in files.items() if path != "plays.json"})
    assert not checked.is_valid(files | {"tables.json": [{"row": 1, "token": "x"}]})


@pytest.mark.nightly("story")
def test_archive_and_what_came_from_it_name_no_row_of_the_source(way):
    for path, text in read_texts(way.packed).items():
        value = json.loads(text)
        if "/" not in path:  # frozen figures keep their numbers, and each version says which rows they are
            rows = [{name: each for name, each in row.items() if name not in ("numbers", "revision")} for row in value]
            assert (path, find_far(rows)) == (path, set())
    for each in ARCHIVED:
        where = {each.path: way.tournament.pk} if each.path else {"club": way.club}
        rows = each.rows._base_manager.filter(**where)
        for row in rows.values():
            row.pop("frozen", None)
            row.pop("revision", None)
            assert find_far([value for value in row.values() if isinstance(value, int | dict | list)]) == set()


def test_versions_keep_their_digests_and_name_the_same_people(way):
    there = list(way.evening.session.publications.order_by("version"))
    here = list(way.session.publications.order_by("version"))
    assert [each.digest for each in here] == [each.digest for each in there]
    assert len(here) > 5
    for one, other in zip(here, there, strict=True):
        assert one.frozen == other.data != one.data
        mine, theirs = read_report(one.data), read_report(other.data)
        assert [row.name for row in mine.players] == [row.name for row in theirs.players]
        assert [row.overall for row in mine.players] == [row.overall for row in theirs.players]
        ids = [row.player for row in mine.players]
        assert Player.objects.filter(pk__in=ids, club=way.club).count() == len(ids)


def test_standings_are_computed_anew_and_equal(way):
    there, here = compute(way.evening.session.pk), compute(way.session.pk)
    figures = [
        [(row["attack"], row["defence"], row["overall"], row["rank_alterne"]) for row in found.figures["players"]]
        for found in (there, here)
    ]
    assert figures[0] == figures[1]
    kept = SessionStandings.objects.get(pk=way.session.pk)
    assert (kept.data, kept.results_version) == (here.figures, way.session.results_version)
    assert EtuiStandings.objects.filter(standings=kept).count() == len(here.etuis)


def test_careers_are_made_from_the_imported_versions(way):
    assert refresh(way.session.pk)
    players = set(Appearance.objects.filter(session=way.session).values_list("player", flat=True))
    assert players
    assert players <= set(Player.objects.filter(club=way.club).values_list("pk", flat=True))


def test_no_card_is_in_the_archive_before_its_reveal(way):
    assert Etui.objects.filter(deal_set=way.evening.session.deal_set).exclude(cards="").exists()
    deal_set = DealSet.objects.get(pk=way.session.deal_set_id)
    assert (deal_set.seed, deal_set.commitment) == ("", way.evening.session.deal_set.commitment)
    assert not deal_set.etuis.exclude(cards="").exists()
    cards = way.evening.session.deal_set.etuis.values_list("cards", flat=True)
    texts = b"".join(read_texts(way.packed).values()).decode()
    assert way.evening.session.deal_set.seed not in texts
    assert not any(each in texts for each in cards)


@pytest.mark.nightly("story")
def test_director_who_asks_for_cards_gets_them_and_the_look_is_logged(way):
    before = way.evening.session.deal_set.looks.count()
    packed = export(way.source, cards_for=way.evening.director)
    texts = b"".join(read_texts(packed).values()).decode()
    assert way.evening.session.deal_set.seed in texts
    look = way.evening.session.deal_set.looks.first()
    assert way.evening.session.deal_set.looks.count() == before + 1
    assert (look.user, look.kind, look.document) == (way.evening.director, "exported", "archive")
    here = bring(packed, make_club("encore", "Encore")).sessions.get().deal_set
    assert (here.seed, here.seed_digest) == (look.deal_set.seed, look.deal_set.seed_digest) != ("", "")
    assert list(here.etuis.values_list("cards")) == list(look.deal_set.etuis.values_list("cards"))


def test_archive_is_recognised_when_it_comes_again(way):
    counts = [model.objects.count() for model in (Publication, Player, User)]
    assert bring(way.packed, way.club) == way.tournament
    assert [model.objects.count() for model in (Publication, Player, User)] == counts


def test_authors_become_closed_accounts_without_address_or_password(way):
    authors = {row.author for row in way.session.etui_rulings.select_related("author")}
    (author,) = authors
    assert author.shown_name == "Jean Petit"
    assert (author.is_active, author.email, author.has_usable_password()) == (False, "", False)
    assert author != way.evening.arbiter


def test_archive_has_no_device_link_or_account(way):
    texts = b"".join(read_texts(way.packed).values()).decode()
    secrets = [
        *way.evening.session.tables.values_list("tokens__token", "tokens__number", "devices__device", "devices__label"),
        *way.evening.session.entrants.values_list("links__token", "links__code"),
        *way.evening.session.entrants.values_list("links__token"),
    ]
    words = {str(word) for row in secrets for word in row if word}
    assert len(words) > 20
    assert {word for word in words if len(word) > 5 and word in texts} == set()
    assert "compte-arbitre" not in texts
