"""The federation's list in what the site hands out: no export, archive, table or answer to a program names a holder."""

import io
import zipfile

import pytest
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from archives.privacy.export import write_export
from archives.privacy.whom import whom_of_account, whom_of_player
from clubs.accounts.players import tie
from clubs.licences import read_licences, store_list
from clubs.models import ClubLogEntry
from pages.doors import session_url
from tests.api.test_roles import DOORS
from tests.archives.archive.packed import export
from tests.factories import make_tournament, make_user, published_session
from tests.pages.browsing import browser_of
from wording.table import write_cells

pytestmark = pytest.mark.django_db
HOLDER, LICENCE = "Titulaire-Inconnu", "0987654"
LIST = [["Licence", "Nom", "Prénom"], [LICENCE, HOLDER, "Zoé"]]


@pytest.fixture
def session(director, club):
    store_list(club=club, file=read_licences(write_cells(LIST)), name="liste.csv", by=director, now=timezone.now())
    return published_session(make_tournament(club), by=director, cards=True)


def unpack(data):
    """Return everything readable in a file: of a ZIP, such as an XLSX, all its parts."""
    if not data.startswith(b"PK\x03\x04"):
        return data.decode(errors="replace")
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        return "\n".join(unpack(packed.read(name)) for name in packed.namelist())


def names_holder(data):
    text = unpack(data).lower()
    return any(said.lower() in text for said in (HOLDER, "Titulaire", LICENCE))


@pytest.mark.nightly("story")
def test_no_file_of_the_site_names_a_holder(session, director):
    club, player = session.tournament.club, session.entrants.first().player
    account = make_user("zoe")
    tie(player, account, by=director, now=timezone.now())
    files = {"archive": export(session.tournament)}
    for name, whom in (("player", whom_of_player(player)), ("account", whom_of_account(director))):
        with write_export(whom, told="", now=timezone.now()) as file:
            files[name] = file.read()
    browser = browser_of(director)
    for kind in ("csv", "xlsx"):
        files[f"members.{kind}"] = browser.get(reverse("members_file", args=[club.slug]), {"kind": kind}).content
        files[f"standings.{kind}"] = browser.get(session_url("standings_file", session), {"kind": kind}).content
        files[f"rulings.{kind}"] = browser.get(session_url("rulings_file", session), {"kind": kind}).content
        files[f"published.{kind}"] = browser.get(session_url("published_file", session, 1), {"kind": kind}).content
        files[f"homologation.{kind}"] = browser.post(session_url("homologation", session), {"kind": kind}).content
    assert all(files.values())
    assert [name for name, data in files.items() if names_holder(data)] == []
    assert names_holder(browser.get(reverse("find_people", args=[club.slug]), {"q": "titul"}).content)
    assert not any(names_holder(str(entry.params).encode()) for entry in ClubLogEntry.objects.all())


@pytest.mark.nightly("story")
def test_no_answer_to_a_program_names_a_holder(session, director):
    """Ask every address that reads, as a director, for the club and for its published session."""
    program, entrant = APIClient(), session.entrants.first()
    program.force_authenticate(director)
    places = {"slug": session.tournament.club.slug, "tournament": session.tournament_id, "player": entrant.player_id}
    places |= {"session": session.pk, "published": session.pk, "entrant": entrant.pk, "published_entrant": entrant.pk}
    said = []
    for method, path, _need in DOORS:
        if method == "GET" and set(fields_of(path)) <= set(places):
            answer = program.get(f"/api/v1/{path.format(**places)}")
            said.append((path, answer.status_code, names_holder(answer.content)))
    assert len(said) > 10
    assert [each for each in said if each[2]] == []


def fields_of(path):
    return [part.split("}")[0] for part in path.split("{")[1:]]
