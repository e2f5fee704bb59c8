"""All papers of an evening in one PDF: their order, their pages in their own sizes, and what a box leaves out."""

import re

import pytest
import typst
from django.test import Client

from deals.exports.pdf import FONTS, count_pages, join_documents
from pages.desk.papers.documents import REPORT, list_documents, list_tonight
from pages.doors import session_url
from scoring.formats import FORMATS, find_format
from tests.factories import make_director, started_session
from tests.free_evenings import lay_out_tables

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
    tonight = list_tonight(form)
    rest = [each for each in list_documents(form, published=True) if each not in tonight]
    assert {"guides", "cards"} & {each.code for each in tonight}
    assert {each.code for each in rest} <= {REPORT.code, "feuilles", "member_feuilles", "line_up_sheets"}


@pytest.mark.django_db
@pytest.mark.nightly("print")
@pytest.mark.parametrize("make", [started_session, lambda: lay_out_tables([4, 3, 5], games=3, deals=4, seated=2)])
def test_one_press_gives_every_paper_in_the_order_of_use(make):
    session = make()
    desk = Client(headers={"accept-language": "en"})
    desk.force_login(make_director(session.tournament.club))
    codes = [each.code for each in list_tonight(find_format(session.tournament.format))]
    page = desk.get(session_url("prints", session)).content.decode()
    assert re.findall(r'name="paper"\s+value="(\w+)"', page) == codes
    papers = [desk.get(session_url("prints_pdf", session), {"document": code}).content for code in codes]
    whole = desk.get(session_url("prints_tonight", session))
    assert (whole.status_code, whole["Content-Type"]) == (200, "application/pdf")
    assert count_pages(whole.content) == sum(map(count_pages, papers))
    assert read_sizes(whole.content) == [size for paper in papers for size in read_sizes(paper)]
    some = desk.get(session_url("prints_tonight", session), {"paper": codes[2:0:-1]}).content
    assert read_sizes(some) == [size for paper in papers[1:3] for size in read_sizes(paper)]
