"""The federation's list in every file that a page offers: no file of an address names a holder."""

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.licences.storing import read_licences, store_list
from tests.clubs.licences.test_handed_out import LIST, names_holder
from tests.deals.exports.test_pdf import flat
from tests.test_access import PAGES, visit, world  # noqa: F401
from wording.table import write_cells

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("crawl")]
ENDS = ("_file", "_pdf", "_csv", "_archive", "_tonight", "homologation")
FILES = [name for name, (_method, _need, _where) in PAGES.items() if name.endswith(ENDS)]

# These lead to another page: no file is asked for, no cash box is kept, no match is played, no print is chosen. A job
# makes tonight's papers.
ELSEWHERE = {"ask_published_file", "cash_file", "matches_file", "prints_pdf", "prints_tonight"}


def read_file(answer):
    data = answer.getvalue()
    return flat(data).encode() if data.startswith(b"%PDF") else data


def test_no_address_of_a_file_names_a_holder(world):  # noqa: F811
    club, client = world["club"], world["clients"]["director"]
    director = club.memberships.filter(role="director", user__username="director").get().user
    list_file = read_licences(write_cells(LIST))
    store_list(club=club, file=list_file, name="liste.csv", by=director, now=timezone.now())
    assert names_holder(client.get(reverse("find_people", args=[club.slug]), {"q": "titul"}).content)
    answers = {name: visit(world, name, "director") for name in FILES}
    read = {name: read_file(answer) for name, answer in answers.items() if answer.status_code == 200}
    assert answers.keys() - read.keys() == ELSEWHERE
    assert [name for name, data in read.items() if names_holder(data)] == []
