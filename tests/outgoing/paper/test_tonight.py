"""All papers of an evening in one PDF: their order, what a box leaves out, what has changed, and who gets cards."""

import re
from pathlib import Path

import pytest
import typst
from django.db.models import Max
from django.test import Client
from django.utils import timezone

from clubs.models import User
from deals.exports.pdf import FONTS, Sheets, count_pages, join_documents
from deals.models import DealLook
from evenings.plays.ruling import declare_playing
from jobs.tasks import make_file_of_club
from outgoing.paper.pdf import digest_pieces, find_pieces, keep_changed
from pages.desk import tonight
from pages.desk.papers.documents import REPORT, list_documents, list_tonight
from pages.desk.tonight import ETUI_PAPERS, list_etui_documents
from pages.doors import session_url
from scoring.formats import FORMATS, INDIVIDUAL, find_format
from tests.factories import make_director, started_session
from tests.free_evenings import lay_out_tables
from tests.pages.reading import words
from tournaments.models import ClubFile, Session, Tournament

A3, A4 = b"841.8898 1190.5511", b"595.2756 841.8898"


def read_sizes(document):
    return re.findall(rb"/MediaBox\[0 0 ([0-9. ]+)\]", document)


def test_joined_pages_keep_their_order_their_sizes_and_their_text():
    large, small = (
        typst.compile(b'#set page(paper: "%s")\n%s' % (paper, text), font_paths=FONTS)
        for paper, text in ((b"a3", b"Affiche\n#pagebreak()\nDessous"), (b"a4", b"Cartes"))
    )
    joined = join_documents([large, small])
    assert (count_pages(large), count_pages(small), count_pages(joined)) == (2, 1, 3)
    assert read_sizes(joined) == [A3, A3, A4]


@pytest.mark.parametrize("form", FORMATS.values(), ids=list(FORMATS))
def test_papers_of_tonight_are_those_that_are_used_before_the_end(form):
    papers = list_tonight(form)
    rest = [each for each in list_documents(form, published=True) if each not in papers]
    assert {"guides", "cards"} & {each.code for each in papers}
    assert {each.code for each in rest} <= {REPORT.code, "feuilles", "member_feuilles", "line_up_sheets"}


CARDS = {"cards": [{"name": "Anne", "table": 1}, {"name": "Bruno", "table": 2}], "heading": {"name": "20 novembre"}}
POSTER = {"pages": [1, 2], "heading": {"name": "20 novembre"}}
OTHERS = {"cards": [CARDS["cards"][0], {"name": "Bruno", "table": 3}, {"name": "Chloé", "table": 2}]}


@pytest.mark.parametrize(
    ("before", "after", "kept"),
    [
        (CARDS, {}, None),
        (CARDS, {"words": {"tables": {"9": "Table 9"}}}, None),  # another table comes, which is on none of the cards
        (CARDS, {"cards": CARDS["cards"][:1]}, None),
        (CARDS, OTHERS, OTHERS["cards"][1:]),
        (CARDS, {"heading": {"name": "21 novembre"}}, CARDS["cards"]),
        (POSTER, {}, None),
        (POSTER, {"pages": [1, 3]}, "whole"),
    ],
)
def test_piece_has_changed_if_anything_that_is_printed_on_it_has(before, after, kept):
    before, after = (Sheets(Path("x.typ"), data, Path()) for data in (before, before | after))
    found = keep_changed(after, digest_pieces(before))
    expected = after if kept == "whole" else kept and after._replace(data=after.data | {"cards": kept})
    assert found == expected


def make_desk(session, name="directeur"):
    desk = Client(headers={"accept-language": "en"})
    desk.force_login(make_director(session.tournament.club, name))
    return desk


def ask_for_papers(desk, session, **chosen):
    """Ask for the papers, do the job, and return the address of the file's page."""
    where = desk.post(session_url("prints_tonight", session), chosen)["Location"]
    make_file_of_club(ClubFile.objects.latest("pk").pk)
    return where


@pytest.mark.django_db
@pytest.mark.nightly("print")
@pytest.mark.parametrize("make", [started_session, lambda: lay_out_tables([4, 3, 5], games=3, deals=4, seated=2)])
def test_one_press_gives_every_paper_in_the_order_of_use(make):
    session = make()
    desk = make_desk(session)
    codes = [each.code for each in list_tonight(find_format(session.tournament.format))]
    page = desk.get(session_url("prints", session)).content.decode()
    assert [code for code in re.findall(r'name="paper"\s+value="(\w+)"', page) if code not in ETUI_PAPERS] == codes
    papers = [desk.get(session_url("prints_pdf", session), {"document": code}).content for code in codes]
    whole = desk.get(ask_for_papers(desk, session) + "content/")
    assert (whole.status_code, whole["Content-Type"]) == (200, "application/pdf")
    assert count_pages(whole.content) == sum(map(count_pages, papers))
    assert read_sizes(whole.content) == [size for paper in papers for size in read_sizes(paper)]
    some = desk.get(ask_for_papers(desk, session, paper=codes[2:0:-1]) + "content/").content
    assert read_sizes(some) == [size for paper in papers[1:3] for size in read_sizes(paper)]


@pytest.fixture
def sheets_of(monkeypatch):
    """Return a function that asks for papers, and returns those that are printed: the pieces by layout."""
    printed = []
    monkeypatch.setattr(Sheets, "typeset", lambda sheets: printed.append(sheets) or b"%PDF")
    monkeypatch.setattr(tonight, "join_documents", lambda documents: b"".join(documents))

    def ask(desk, session, **chosen):
        printed.clear()
        where = ask_for_papers(desk, session, **chosen)
        return where, {each.layout.stem: each.data.get(find_pieces(each)) for each in printed}

    return ask


@pytest.mark.django_db
@pytest.mark.nightly("story")
def test_change_prints_only_the_pieces_that_differ_from_the_last_print(sheets_of):
    session = started_session()
    desk, other = make_desk(session), make_desk(session, "autre")
    assert "Only what has changed" not in words(desk.get(session_url("prints", session)))
    everything = sheets_of(desk, session)[1]
    assert len(everything["guides"]) == session.entrants.count()
    assert "Only what has changed since" in words(other.get(session_url("prints", session)))

    where, unchanged = sheets_of(desk, session, only="changed")
    assert (unchanged, ClubFile.objects.latest("pk").content) == ({}, None)
    assert "Nothing has changed since the last print" in words(desk.get(where))

    one = session.entrants.select_related("player").get(line="E", number=1)
    met = [card for card in everything["guides"] if one.name in str(card)]
    one.player.last_name = "Nouvelle"
    one.player.save()
    changed = sheets_of(other, session, only="changed")[1]
    assert len(changed["guides"]) == len(met) < len(everything["guides"])
    assert all("Nouvelle" in str(card) for card in changed["guides"])
    assert "players" in changed  # a list is one piece
    assert not {"poster", "fiches"} & changed.keys()  # a poster has numbers alone
    assert sheets_of(desk, session, only="changed")[1] == {}


@pytest.mark.parametrize("count", [0, 1, 3])
def test_page_is_given_the_hour_of_the_newest_print(rf, monkeypatch, count):
    prints = [ClubFile(made_at=timezone.now()) for _ in range(count)]
    made = {"find_prints": prints, "find_touched": [], "find_hall_link": ""}
    for name, value in made.items():
        monkeypatch.setattr(tonight, name, lambda *_, value=value: value)
    monkeypatch.setattr(tonight, "render", lambda _request, _template, context: context)
    session, request = Session(tournament=Tournament(format=INDIVIDUAL.name)), rf.get("/")
    session.published, request.user = None, User()
    shown = tonight.prints.__wrapped__(request, session)
    assert shown["printed_at"] == (prints[-1].made_at if prints else None)


@pytest.mark.django_db
def test_papers_with_cards_are_for_directors_who_do_not_play():
    session = started_session(cards=True)
    by, now = make_director(session.tournament.club), timezone.now()
    assert [each.code for each in list_etui_documents(session, by, now)] == ETUI_PAPERS
    entrant = session.entrants.get(line="E", number=1)
    declare_playing(session_id=session.pk, by=by, entrant_id=entrant.pk, now=now)
    assert [each.code for each in list_etui_documents(session, by, now)] == ["etui_labels", "fiches"]


@pytest.mark.django_db
@pytest.mark.nightly("print")
def test_papers_of_etuis_follow_the_others_and_the_look_at_cards_is_logged():
    session = started_session(cards=True)
    desk = make_desk(session)
    made = desk.get(ask_for_papers(desk, session, paper=["etui_labels", "building", "fiches", "diagrams", "guides"]))
    assert "The file is ready." in words(made)
    assert set(ClubFile.objects.get().outcome["printed"]) == {"guides", *ETUI_PAPERS}
    looks = DealLook.objects.values_list("kind", "document", "first_etui", "last_etui")
    last = session.plays.aggregate(last=Max("etui__number"))["last"]
    assert sorted(looks) == [("printed", "building", 1, last), ("printed", "diagrams", 1, last)]


@pytest.mark.django_db
def test_director_who_plays_gets_no_cards_whatever_is_asked(sheets_of):
    session = started_session(cards=True)
    desk = make_desk(session)
    by, entrant = (
        session.tournament.club.memberships.get(role="director").user,
        session.entrants.get(line="E", number=1),
    )
    declare_playing(session_id=session.pk, by=by, entrant_id=entrant.pk, now=timezone.now())
    printed = sheets_of(desk, session, paper=["building", "diagrams", "etui_labels"])[1]
    assert list(printed) == ["labels"]
    sheets_of(make_desk(session, "autre"), session, paper=["building"])
    assert sheets_of(desk, session, only="changed")[1] == {}
    assert set(DealLook.objects.values_list("user__username", flat=True)) == {"autre"}


@pytest.mark.django_db
@pytest.mark.parametrize(("papers", "status"), [(["building"], 302), (["etui_labels"], 200)])
def test_papers_made_before_their_director_declared_to_play_keep_their_cards(sheets_of, papers, status):
    session = started_session(cards=True)
    desk = make_desk(session)
    by = session.tournament.club.memberships.get(role="director").user
    where = sheets_of(desk, session, paper=papers)[0]
    assert desk.get(where + "content/").status_code == 200
    entrant = session.entrants.get(line="E", number=1)
    declare_playing(session_id=session.pk, by=by, entrant_id=entrant.pk, now=timezone.now())
    answer = desk.get(where + "content/")
    assert (answer.status_code, b"%PDF" in answer.content) == (status, status == 200)
    assert ("These papers show cards" in words(desk.get(where))) == (status == 302)
