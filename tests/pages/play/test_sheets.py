"""The sheets of games at the desk: typed for each table, with a sum of zero, and who still plays."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import enter, make_helper, make_user
from tests.free_evenings import lay_out_tables, plays_at
from tournaments.models import ResultEntry, Ruling
from tournaments.rules.entry import Fiche

pytestmark = pytest.mark.django_db


@pytest.fixture
def session():
    return lay_out_tables([4, 3, 5], games=2, deals=3)


@pytest.fixture
def client(session):
    client = Client(headers={"accept-language": "en"})
    client.force_login(make_helper(session.tournament.club))
    return client


def address(session, game=None):
    place = (session.tournament.club.slug, session.tournament.slug, session.number)
    return reverse("sheets", args=place) + (f"?game={game}" if game else "")


def typed(session, table, game=1, **marks):
    """Return the posted fields of a table's row. The first deal of the game gets the sheet."""
    play = session.plays.filter(table__number=table, position=game).earliest("etui__number")
    return {f"{seat}-{play.pk}": mark for seat, mark in marks.items()}


def sheets(session):
    rows = ResultEntry.objects.filter(play__session=session, kind="sheet", current=True)
    return {(row.play.position, row.play.table.number): row.marks for row in rows.select_related("play__table")}


def test_sheets_of_three_four_and_five_are_saved_at_once(session, client):
    posted = (
        typed(session, 1, N="120", E="-40", S="−40", W="–40")
        | typed(session, 2, N="+10", E="-20", S="10")
        | typed(session, 3, N="0", E="0", S="0", W="50", F="-50")
    )
    assert client.post(address(session, 1), posted).status_code == 302
    assert sheets(session) == {
        (1, 1): "N120 E-40 S-40 W-40",
        (1, 2): "N10 E-20 S10",
        (1, 3): "N0 E0 S0 W50 F-50",
    }
    assert Ruling.objects.filter(kind="on_sheet").count() == 6
    page = client.get(address(session)).content.decode()
    assert "Sheets of game 2" in page  # the first game that still waits for results
    assert len(re.findall(r"sheet\s*</a>", page)) == 3


def test_wrong_sheet_is_kept_and_the_others_are_saved(session, client):
    posted = typed(session, 1, N="122", E="-40", S="-40", W="-40") | typed(session, 2, N="10", E="-20", S="10")
    answer = client.post(address(session, 1), posted)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "The marks of a sheet sum to 0, and here they sum to 2" in page
    assert 'value="122"' in page
    assert sheets(session) == {(1, 2): "N10 E-20 S10"}


def test_marks_are_read_as_people_write_them(session, client):
    posted = typed(session, 2, N="1 044", E="−522", S="– 522")
    sure = {f"sure-{name.partition('-')[2]}": " ".join(posted.values()) for name in posted}
    client.post(address(session, 1), posted | sure)
    assert sheets(session) == {(1, 2): "N1044 E-522 S-522"}
    page = client.post(address(session, 1), typed(session, 2, N="10,5", E="-20", S="10")).content.decode()
    assert "“10,5” is not a whole number of marks" in page


@pytest.mark.parametrize("wrong", [{"E": ""}, {"E": "x"}, {"E": "99999"}, {"E": "1.5"}])
def test_sheet_that_is_incomplete_or_no_number_is_refused(session, client, wrong):
    answer = client.post(address(session, 1), typed(session, 2, **{"N": "10", "E": "-20", "S": "10"} | wrong))
    assert answer.status_code == 200
    assert "is-wrong" in answer.content.decode()
    assert sheets(session) == {}


@pytest.mark.nightly("story")
@pytest.mark.parametrize(("table", "marks"), [(1, "121 -41 -40 -40"), (2, "11 -21 10")])
def test_sheet_whose_marks_cannot_be_is_asked_about_until_somebody_is_sure(session, client, table, marks):
    posted = typed(session, table, **dict(zip("NESW", marks.split(), strict=False)))
    page = client.post(address(session, 1), posted).content.decode()
    assert "Here they do not: is a figure wrong?" in page
    assert sheets(session) == {}
    (sure,) = re.findall(r'name="(sure-\d+)" value="([^"]*)"', page)
    again = dict([sure])
    other = posted | dict.fromkeys(list(posted)[:1], "12") | dict.fromkeys(list(posted)[1:2], "-52")
    assert client.post(address(session, 1), other | again).status_code == 200  # sure of other figures
    assert client.post(address(session, 1), posted | again).status_code == 302
    assert len(sheets(session)) == 1


def test_sheet_has_the_deals_that_the_table_has_not_entered(session, client):
    by = make_user("saisie", session.tournament.club, "helper")
    first, second, _third = session.plays.filter(table__number=1, position=1).order_by("etui__number")
    enter(first, Fiche("N", 50), by=by)
    posted = {f"{seat}-{second.pk}": mark for seat, mark in {"N": "30", "E": "-10", "S": "-10", "W": "-10"}.items()}
    assert client.post(address(session, 1), posted).status_code == 302
    assert ResultEntry.objects.get(play=second, current=True).marks == "N30 E-10 S-10 W-10"
    assert "1 deal of 3 is entered by itself." in client.get(address(session, 1)).content.decode()


def test_stored_sheet_is_corrected_with_a_reason(session, client):
    client.post(address(session, 1), typed(session, 2, N="10", E="-20", S="10"))
    pk = session.plays.filter(table__number=2, position=1).earliest("etui__number").pk
    again = typed(session, 2, N="20", E="-40", S="20")
    assert client.post(address(session, 1), again).status_code == 200  # nobody has said that it replaces the sheet
    assert sheets(session) == {(1, 2): "N10 E-20 S10"}
    assert client.post(address(session, 1), again | {f"seen-{pk}": "1", f"reason-{pk}": "misread"}).status_code == 302
    assert sheets(session) == {(1, 2): "N20 E-40 S20"}


def test_page_takes_few_queries(session, client, django_assert_max_num_queries):
    client.get(address(session))
    with django_assert_max_num_queries(16):
        client.get(address(session))


def test_fiches_and_sheets_lead_to_one_another(session, client):
    place = (session.tournament.club.slug, session.tournament.slug, session.number)
    answer = client.get(reverse("bulk", args=place) + "?position=2")
    assert (answer.status_code, answer["Location"]) == (302, address(session, 2))


def test_strangers_see_no_sheets(session):
    assert Client().get(address(session)).status_code == 302
    other = Client()
    other.force_login(make_user("ailleurs"))
    assert other.get(address(session)).status_code == 403


def test_game_with_two_parts_has_a_sheet_for_each(session, client):
    """Let the player of West leave table 1 before the second deal: the other deals have three players."""
    first, second, third = plays_at(session)
    session.plays.filter(pk__in=[second.pk, third.pk]).update(west=None)
    page = client.get(address(session, 1))
    rows = page.context["grid"].rows
    assert [(row.table, row.part, len(row.seated)) for row in rows] == [
        (1, (1, 1), 4),
        (1, (2, 3), 3),
        (2, None, 3),
        (3, None, 5),
    ]
    assert "Table 1, deals 2 to 3" in re.sub(r"\s+", " ", page.content.decode())
    sent = typed(session, 1, N="30", E="-10", S="-10", W="-10")
    sent |= {f"{seat}-{second.pk}": mark for seat, mark in {"N": "-40", "E": "20", "S": "20"}.items()}
    assert client.post(address(session, 1), sent).status_code == 302
    rows = ResultEntry.objects.filter(kind="sheet", current=True).order_by("play")
    assert [(row.play_id, row.marks) for row in rows] == [
        (first.pk, "N30 E-10 S-10 W-10"),
        (second.pk, "N-40 E20 S20"),
    ]
    assert client.get(address(session, 1)).context["grid"].missing == 2
