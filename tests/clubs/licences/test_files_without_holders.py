"""The federation's list in every file that a page offers: no file of an address names a holder."""

import pytest
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone

from clubs.house import change_settings
from clubs.licences import read_licences, store_list
from jobs.tasks import make_file_of_club
from outgoing.sheets.wanted import make_wanted_file
from pages.desk import tonight
from pages.desk.papers.documents import DOCUMENTS, FEUILLES
from pages.doors import session_url
from tests.clubs.licences.test_handed_out import LIST, names_holder, unpack
from tests.deals.exports.test_pdf import flat
from tests.evenings.teams.matches.evening import make_matches, prepare_match
from tests.factories import make_director
from tests.pages.browsing import browser_of
from tests.test_access import PAGES, visit, world  # noqa: F401
from tournaments.models import ClubFile, WantedFile
from wording.table import write_cells

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("crawl")]
ENDS = ("_file", "_pdf", "_csv", "_archive", "_tonight", "homologation")
FILES = [name for name, (_method, _need, _where) in PAGES.items() if name.endswith(ENDS)]


def read_file(answer):
    """Return the bytes of a file. A PDF has its words in them."""
    assert answer.status_code == 200
    data = answer.getvalue()
    return flat(data).encode() if data.startswith(b"%PDF") else data


def keep_list(club, director):
    """Give the club a list of the federation whose holder is no player."""
    store_list(club=club, file=read_licences(write_cells(LIST)), name="liste.csv", by=director, now=timezone.now())


def ask_for_prints(world, desk):  # noqa: F811
    for document in (*DOCUMENTS, *FEUILLES):
        yield desk.get(session_url("prints_pdf", world["published"]), {"document": document.code})


def ask_for_tonight(world, desk):  # noqa: F811
    """Yield each paper of the one document: the joined pages hide their words from the reader of PDFs."""
    papers, join = [], tonight.join_documents
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tonight, "join_documents", lambda documents: papers.extend(documents) or join(documents))
        page = desk.post(session_url("prints_tonight", world["running"]))["Location"]
        make_file_of_club(ClubFile.objects.latest("pk").pk)
    whole = desk.get(f"{page}content/")
    assert (whole.status_code, whole["Content-Type"]) == (200, "application/pdf")
    yield from map(HttpResponse, papers)


def ask_for_published(world, desk):  # noqa: F811
    for kind in ("csv", "xlsx", "json"):
        desk.post(session_url("ask_published_file", world["published"], 1), {"table": "plays", "kind": kind})
        row = WantedFile.objects.latest("pk")
        make_wanted_file(row.pk, now=timezone.now())
        yield desk.get(reverse("wanted_file_content", args=[row.token]))


def ask_for_cash(world, desk):  # noqa: F811
    director = world["club"].memberships.filter(role="director").first().user
    change_settings(world["club"], {"keeps_cash": True}, now=timezone.now(), by=director)
    for kind in ("csv", "xlsx", "pdf"):
        yield desk.get(session_url("cash_file", world["running"]), {"kind": kind})


def ask_for_matches(world, desk):  # noqa: F811
    """Ask for the files of a tournament of matches, whose club has the same list."""
    tournament = make_matches()
    director = make_director(tournament.club, "capitaine")
    keep_list(tournament.club, director)
    prepare_match(tournament, [1, 2])
    other = browser_of(director)
    assert names_holder(other.get(reverse("find_people", args=[tournament.club.slug]), {"q": "titul"}).content)
    for kind in ("csv", "xlsx", "json"):
        where = reverse("matches_file", args=[tournament.club.slug, tournament.slug])
        yield other.get(where, {"kind": kind})


# A plain visit of these leads to another page: a file is chosen first, a job makes it, or the club has none.
CHOSEN = {
    "ask_published_file": ask_for_published,
    "cash_file": ask_for_cash,
    "matches_file": ask_for_matches,
    "prints_pdf": ask_for_prints,
    "prints_tonight": ask_for_tonight,
}


def test_no_address_of_a_file_names_a_holder(world):  # noqa: F811
    club, client = world["club"], world["clients"]["director"]
    keep_list(club, club.memberships.filter(role="director", user__username="director").get().user)
    assert names_holder(client.get(reverse("find_people", args=[club.slug]), {"q": "titul"}).content)
    answers = {name: visit(world, name, "director") for name in FILES}
    read = {name: [read_file(answer)] for name, answer in answers.items() if answer.status_code == 200}
    assert answers.keys() - read.keys() == CHOSEN.keys()
    read |= {name: [read_file(answer) for answer in ask(world, client)] for name, ask in CHOSEN.items()}
    assert [name for name, files in read.items() if not all(files)] == []
    player = world["running"].entrants.first().player.last_name  # of both sessions: their papers can be read
    assert all(player in unpack(b" ".join(read[name])) for name in ("prints_pdf", "prints_tonight"))
    assert [name for name, files in read.items() if any(map(names_holder, files))] == []
