"""The names in a publication: it stores figures only, and each version shows the names of the day it is read."""

import json
import re
from types import SimpleNamespace

import pytest
from django.db.models import ProtectedError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Club, User
from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.changes.carry_out import change_session, number_of_plan, undo_change
from evenings.plays.entering import correct_result
from pages.doors import session_url
from rankings.publication import report
from rankings.publication.report import read_report
from tests.deals.exports.test_pdf import flat
from tests.factories import enter_all, make_director, make_tournament, publish, published_session, started_session
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.rules.entry import Fiche
from tournaments.rules.operations import Arrive, Substitute
from tournaments.versions import digest_figures

pytestmark = pytest.mark.django_db


@pytest.fixture
def session():
    """Return a session that is published twice, so that it has an old version."""
    session = published_session(cards=True)
    play = session.plays.select_related("etui").first()
    said = {"reason": "relu", "seen_version": 1, "by": director_of(session), "now": timezone.now()}
    correct_result(play_id=play.pk, entry=Fiche(play.etui.taker, -300), **said)
    publish(session, by=director_of(session))
    return session


def director_of(session):
    return session.tournament.club.memberships.get(role="director").user


def save_in_administration(thing, **changed):
    """Save a changed player or club on the pages of the site's administrator."""
    User.objects.filter(username="admin").exists() or User.objects.create_superuser("admin")
    page = browser_of(User.objects.get(username="admin"))
    kind = thing._meta.model_name
    typed = {
        "player": lambda: {"club": thing.club_id, "last_name": thing.last_name, "first_name": "", "licence": ""},
        "club": lambda: {
            "name": thing.name,
            "slug": thing.slug,
            **{f"memberships-{what}_FORMS": 0 for what in ("TOTAL", "INITIAL", "MIN_NUM", "MAX_NUM")},
        },
    }[kind]()
    answer = page.post(reverse(f"admin:clubs_{kind}_change", args=[thing.pk]), typed | changed)
    assert answer.status_code == 302, answer.content.decode()


def rename(player, name):
    save_in_administration(player, last_name=name)


def readers(session, entrant):
    """Return what each reader of a report gets who may read it, by the name of the reader."""
    stranger, director = Client(headers={"accept-language": "en"}), browser_of(director_of(session))
    etui = session.plays.filter(north=entrant).values_list("etui__number", flat=True)[0]
    api = f"/api/v1/sessions/{session.pk}/"
    addresses = {
        "ranking": session_url("ranking", session),
        "live ranking": session_url("standings", session),
        "live feuille": session_url("live_feuille", session, entrant.pk),
        "live étui": session_url("live_etui", session, etui),
        "API latest": f"{api}publications/latest/",
        "API feuille": f"{api}entrants/{entrant.pk}/",
        "API live feuille": f"{api}entrants/{entrant.pk}/?live=true",
        "API standings": f"{api}standings/",
    }
    for version in (1, 2):
        addresses |= {
            f"ranking {version}": session_url("ranking_version", session, version),
            f"feuille {version}": session_url("feuille", session, version, entrant.pk),
            f"étui {version}": session_url("published_etui", session, version, etui),
            f"file {version}": session_url("results_csv", session, version),
            f"API {version}": f"{api}publications/{version}/",
        }
    private = re.compile("live|standings")
    said = {
        reader: (director if private.search(reader) else stranger).get(url).content.decode()
        for reader, url in addresses.items()
    }
    said = {
        reader: json.dumps(json.loads(text), ensure_ascii=False) if text[0] in "{[" else text
        for reader, text in said.items()
    }
    asked = {"document": "records", "first": etui, "last": etui, "language": "fr", "session": session.pk}
    answer = director.post(reverse("deal_set_pdf", args=["club", session.deal_set_id]), asked)
    return said | {"hand records": flat(answer.content)}


@pytest.mark.nightly("race")
def test_renamed_player_has_his_name_at_once_in_every_reader_of_every_version(session):
    entrant = session.entrants.get(line="N", number=1)
    before = readers(session, entrant)
    assert [reader for reader, text in before.items() if entrant.player.name not in text] == []
    rename(entrant.player, "Désormais")
    after = readers(session, entrant)
    assert [reader for reader, text in after.items() if "Désormais" not in text or entrant.player.name in text] == []


@pytest.mark.nightly("race")
def test_renamed_club_is_so_at_once_in_every_version(session):
    save_in_administration(session.tournament.club, name="Club du Chien")
    pages = [
        words(Client().get(session_url("ranking", session))),
        words(Client().get(session_url("ranking_version", session, 1))),
        Client().get(f"/api/v1/sessions/{session.pk}/publications/1/").json()["club"],
    ]
    assert ["Club du Chien" in page for page in pages] == [True] * 3
    assert "Club des Étuis" not in " ".join(pages)


def test_publication_holds_no_name(session):
    data = json.dumps(session.publications.get(version=1).data, ensure_ascii=False)
    names = [player.last_name for player in session.tournament.club.players.all()]
    names += [session.tournament.name, session.tournament.club.name]
    assert [name for name in names if name in data] == []


@pytest.mark.nightly("story")
def test_name_alone_makes_no_new_version(session):
    last = session.publications.get(version=2)
    rename(session.entrants.first().player, "Désormais")
    assert publish(session, by=director_of(session)) == last
    last.refresh_from_db()
    assert last.digest == digest_figures(last.data)


@pytest.mark.parametrize("what", ["player", "club"])
def test_each_write_that_changes_a_name_raises_the_version_of_the_names(session, what):
    """Check the site's administration. A list that is pasted, or sent by the API, finds players and renames nobody."""
    club = session.tournament.club
    before = club.names_version
    add_players(club=club, lines=[RosterLine("NOM001", "zoé", "9911"), RosterLine("Nouvelle", "")])
    club.refresh_from_db()
    assert (club.names_version, club.players.get(licence="9911").name) == (before, "Zoé Nom001")
    save_in_administration({"player": club.players.first(), "club": club}[what])
    club.refresh_from_db()
    assert club.names_version == before + 1


def test_player_who_changes_his_club_changes_the_names_of_both(session):
    other = make_tournament(Club.objects.create(name="Autre", slug="autre")).club
    save_in_administration(
        add_players(club=other, lines=[RosterLine("Voyageur", "")])[0], club=session.tournament.club.pk
    )
    assert [club.names_version for club in Club.objects.order_by("pk")] == [1, 1]


@pytest.mark.nightly("story")
def test_reader_who_has_the_page_is_sent_it_again_once_a_name_has_changed(session):
    for url in (session_url("ranking_version", session, 1), f"/api/v1/sessions/{session.pk}/publications/1/"):
        had = Client().get(url)["ETag"]
        assert Client().get(url, headers={"if-none-match": had}).status_code == 304
        rename(session.entrants.first().player, f"Désormais {url[-3:]}")
        assert Client().get(url, headers={"if-none-match": had}).status_code == 200


@pytest.mark.nightly("story")
def test_whoever_is_published_stays_on_the_list_though_he_has_left_the_plan():
    session = started_session(tables=5, positions=3)
    director = make_director(session.tournament.club)
    enter_all(session, by=director, plays=session.plays.filter(position=1).select_related("etui"))
    (player,) = add_players(club=session.tournament.club, lines=[RosterLine("Tardif", "")])
    given = {"session_id": session.pk, "by": director, "now": timezone.now()}
    version = change_session(operation=Arrive((player.pk,), after=1), choice=0, seen=number_of_plan(session), **given)
    publish(session, by=director, allow_missing=True)
    undo_change(seen=version.number, **given)
    assert not session.entrants.filter(player=player).exists()
    with pytest.raises(ProtectedError):
        player.delete()
    assert "Tardif" in words(Client().get(session_url("ranking", session)))


@pytest.mark.nightly("story")
def test_stand_in_is_kept_with_the_positions_in_which_he_sat_there():
    session = started_session(tables=5, positions=3)
    director = make_director(session.tournament.club)
    enter_all(session, by=director, plays=session.plays.filter(position=1).select_related("etui"))
    (stand_in,) = add_players(club=session.tournament.club, lines=[RosterLine("Doublure", "")])
    replaced = session.entrants.get(line="N", number=1)
    seen = {"seen": number_of_plan(session), "choice": 0, "by": director, "now": timezone.now()}
    change_session(session_id=session.pk, operation=Substitute(replaced.pk, stand_in.pk, position=2, own=False), **seen)
    publication = publish(session, by=director, allow_missing=True)
    (told,) = [player for player in publication.data["players"] if player["id"] == replaced.pk]
    assert (told["player"], told["stand_ins"]) == (
        replaced.player_id,
        [{"player": stand_in.pk, "from": 2, "to": None}],
    )
    rename(stand_in, "Remplaçante")
    assert read_report(publication.data).player(replaced.pk).name == "Zoé Nom001 / Remplaçante"
    with pytest.raises(ProtectedError):
        stand_in.delete()


def test_names_of_teams_are_those_of_readers_or_of_directors(monkeypatch):
    found = SimpleNamespace(people=(), players=(), together=(), teams=())
    made = {
        "decode_report": lambda _data: found,
        "name_teams_where": lambda _numbers, *, in_public, **_where: "public" if in_public else "full",
        "PlayedEvening": lambda _data, _names, teams: teams,
    }
    for name, value in made.items():
        monkeypatch.setattr(report, name, value)
    assert (report.read_report({}), report.read_for_directors({})) == ("public", "full")
