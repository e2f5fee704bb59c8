"""The pages of a director's deal sets: who may enter, what each step does and refuses, and imports."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format

from clubs.models import Membership
from deals.domain.deal import dumps
from deals.domain.dealing import deal_etui
from deals.exports import documents as sheet_words
from deals.models import SEAT_CHOICES, DealSet
from deals.sets import create_deal_set, create_set_dealt_at_table, reveal_deal_set, seal_deal_set
from evenings.plans.starting import start_session
from evenings.sessions.setup import use_deal_set
from tests import shared_evenings
from tests.factories import (
    SEED,
    draft_session,
    enter_all,
    make_club,
    make_director,
    make_helper,
    make_tournament,
    make_user,
    publish,
    published_session,
)
from tests.pages.reading import read, words
from tournaments.words.messages import label

pytestmark = pytest.mark.django_db

DEALS = [dumps(deal_etui(SEED, number).deal) for number in range(1, 9)]


@pytest.fixture
def club():
    return make_club()


director = shared_evenings.director_of_club


@pytest.fixture
def deal_set(club):
    return create_deal_set(club=club, name="Été", count=8, now=timezone.now(), by=None, seed=SEED)


@pytest.fixture
def page(client, director):
    """Return the director's browser, in English."""
    client.force_login(director)
    client.cookies["django_language"] = "en"
    return client


def url(name, deal_set, *rest):
    return reverse(name, args=(deal_set.club.slug, deal_set.pk, *rest))


def club_url(name, club):
    return reverse(name, args=(club.slug,))


GET, POST = "get", "post"
DOORS = [
    (GET, "deal_sets", None), (GET, "deal_set_new", None), (POST, "deal_set_new", None),
    (GET, "deal_set_import", None), (POST, "deal_set_import", None),
    (GET, "deal_set", ()), (POST, "deal_set_seal", ()), (POST, "deal_set_draw", ()), (POST, "deal_set_reveal", ()),
    (POST, "deal_set_copy", ()), (POST, "deal_set_give_up", ()), (POST, "deal_set_played", ()),
    (POST, "deal_set_use", ()),
    (GET, "deal_set_cards", ()),
    (POST, "deal_set_cards", ()), (GET, "deal_set_statistics", ()), (POST, "deal_set_statistics", ()),
    (GET, "deal_set_bots", ()), (POST, "deal_set_bots", ()),
    (GET, "deal_set_type", (1,)), (POST, "deal_set_type", (1,)), (GET, "deal_set_print", ()),
    (POST, "deal_set_pdf", ()), (POST, "deal_set_export", ("txt",)), (POST, "deal_set_export", ("json",)),
    (POST, "deal_set_export", ("csv",)),
]  # fmt: skip
ASKED = {"from": "1", "document": "diagrams", "first": 1, "last": 8, "language": "fr", "seed": "yes"}
CARDS_OF_ETUI_1 = re.compile(re.escape(DEALS[0].split()[1]) + "|" + SEED.hex() + "|%PDF")


@pytest.mark.parametrize(("method", "name", "rest"), DOORS, ids=str)
def test_every_door_is_the_directors_of_the_club_alone_and_leaks_nothing(deal_set, method, name, rest):
    address = club_url(name, deal_set.club) if rest is None else url(name, deal_set, *rest)
    helper, stranger = make_helper(deal_set.club), make_user("passant")
    foreign = make_director(make_club("autre"), "ailleurs")
    for user, status in ((None, 302), (stranger, 403), (helper, 403), (foreign, 403)):
        browser = Client()
        if user:
            browser.force_login(user)
        answer = getattr(browser, method)(address, ASKED)
        assert answer.status_code == status
        assert not CARDS_OF_ETUI_1.search(answer.content.decode("latin-1"))
        if status == 302:
            assert answer.url.startswith(reverse("login"))
    assert (deal_set.looks.count(), DealSet.objects.count()) == (0, 1)


def test_set_is_found_under_its_own_club_alone(page, deal_set, director):
    other = make_club("autre")
    Membership.objects.create(user=director, club=other, role=Membership.Role.DIRECTOR)
    assert page.get(reverse("deal_set", args=(other.slug, deal_set.pk))).status_code == 404


def test_actions_are_not_done_by_a_link(page, deal_set):
    """Check that an address which acts only leads back to the set when it is opened, for example by a reload."""
    before = DealSet.objects.values().get(pk=deal_set.pk)
    for name in ("seal", "draw", "reveal", "copy", "give_up", "use", "pdf"):
        assert page.get(url(f"deal_set_{name}", deal_set)).url == url("deal_set", deal_set)
    assert page.get(url("deal_set_export", deal_set, "txt")).url == url("deal_set", deal_set)
    assert DealSet.objects.values().get() == before
    assert not deal_set.looks.exists()


def test_empty_list_leads_to_the_first_set(page, club):
    answer = page.get(club_url("deal_sets", club))
    assert "No étui yet" in words(answer)
    assert club_url("deal_set_new", club) in read(answer).links


def test_list_tells_of_each_set(page, club, deal_set):
    use_deal_set(session_id=draft_session(make_tournament(club)).pk, deal_set=deal_set)
    create_set_dealt_at_table(club=club, name="Tables", count=1, now=timezone.now(), by=None)
    text = words(page.get(club_url("deal_sets", club)))
    assert "Été 8 étuis, dealt from an imported secret draw Duplicate d’été, session 1 not sealed" in text
    assert "Tables 1 étui, dealt at the tables, without a secret draw No session plays it yet. not sealed" in text


def test_sets_of_ten_years_are_listed_in_pages_at_the_cost_of_one(page, club, django_assert_num_queries):
    address = club_url("deal_sets", club)
    create_set_dealt_at_table(club=club, name="Premier", count=1, now=timezone.now(), by=None)
    page.get(address)
    with CaptureQueriesContext(connection) as asked:
        assert "Page 1" not in words(page.get(address))
    for number in range(45):
        create_set_dealt_at_table(club=club, name=f"Soirée {number}", count=1, now=timezone.now(), by=None)
    with django_assert_num_queries(len(asked)):
        shown = words(page.get(address))
    assert ("Page 1 of 3" in shown, "Premier" in shown) == (True, False)
    assert "Premier" in words(page.get(address, {"page": 3}))


NEW = {"name": "Neuf", "count": 12, "players": 4, "how": "generated", "profile": "garde-1", "value_name": ""}


@pytest.mark.parametrize(
    ("change", "made"),
    [
        ({}, (4, "garde-1", "", "generated")),
        ({"profile": ""}, (4, "", "", "generated")),
        ({"profile": "garde-1-south"}, (4, "garde-1-south", "", "generated")),
        ({"players": 3}, (3, "", "", "generated")),
        ({"players": 5}, (5, "", "", "generated")),
        ({"value_name": "Loto"}, (4, "garde-1", "Loto", "awaited")),
        ({"how": "table", "value_name": "Loto"}, (4, "", "", "none")),
    ],
    ids=str,
)
def test_new_set_is_made_as_it_is_asked_for(page, club, change, made):
    answer = page.post(club_url("deal_set_new", club), NEW | change)
    deal_set = DealSet.objects.get()
    assert answer.url == url("deal_set", deal_set)
    assert (deal_set.name, deal_set.etuis.count()) == ("Neuf", 12)
    assert (deal_set.players, deal_set.profile, deal_set.value_name, deal_set.etuis.first().origin) == made


@pytest.mark.parametrize("change", [{"name": ""}, {"count": 0}, {"count": 1000}, {"players": 6}, {"profile": "x"}])
def test_new_set_that_cannot_be_is_refused_and_what_was_typed_is_kept(page, club, change):
    answer = page.post(club_url("deal_set_new", club), NEW | {"value_name": "Loto du 21"} | change)
    assert answer.status_code == 200
    assert 'value="Loto du 21"' in answer.content.decode()
    assert DealSet.objects.count() == 0


def test_import_in_each_format_gives_the_set_that_was_exported(page, club, deal_set):
    for fmt in ("txt", "csv", "json"):
        text = page.post(url("deal_set_export", deal_set, fmt)).content.decode()
        page.post(club_url("deal_set_import", club), {"name": f"de {fmt}", "text": text})
        copy = DealSet.objects.get(name=f"de {fmt}")
        columns = ("number", "taker", "dealer", "cards")
        assert list(copy.etuis.values_list(*columns)) == list(deal_set.etuis.values_list(*columns))
        assert (copy.seed, {etui.origin for etui in copy.etuis.all()}) == ("", {"imported"})


@pytest.mark.parametrize("players", [3, 5])
def test_import_gives_back_sets_for_three_and_five(page, club, players):
    first = create_deal_set(club=club, name="x", count=6, now=timezone.now(), by=None, players=players)
    for fmt in ("txt", "csv", "json"):
        text = page.post(url("deal_set_export", first, fmt)).content.decode()
        page.post(club_url("deal_set_import", club), {"name": fmt, "text": text})
        copy = DealSet.objects.get(name=fmt)
        columns = ("number", "taker", "dealer", "cards")
        assert list(copy.etuis.values_list(*columns)) == list(first.etuis.values_list(*columns))


def test_import_of_a_file_takes_the_name_in_it_and_tells_of_its_seed(page, club, deal_set):
    text = page.post(url("deal_set_export", deal_set, "json"), {"seed": "yes"}).content
    answer = page.post(
        club_url("deal_set_import", club), {"name": "", "file": SimpleUploadedFile("x.json", text)}, follow=True
    )
    copy = DealSet.objects.latest("pk")
    assert (copy.name, copy.seed, copy.commitment) == ("Été", deal_set.seed, deal_set.commitment)
    assert "The set keeps the secret draw of the file" in words(answer)
    assert "dealt from an imported secret draw" in words(answer)
    assert "directrice brought the secret draw étuis 1–8" in words(answer)


def test_import_whose_cards_are_not_its_seeds_is_refused_and_kept_in_the_form(page, club, deal_set):
    text = page.post(url("deal_set_export", deal_set, "json"), {"seed": "yes"}).content.decode()
    one, two = deal_set.etuis.values_list("cards", flat=True)[:2]
    answer = page.post(club_url("deal_set_import", club), {"name": "", "text": text.replace(one, two)})
    assert "The cards of étui 1 are not those that the secret draw in the file deals." in words(answer)
    assert two in answer.content.decode()
    assert DealSet.objects.count() == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Paste the étuis here, or choose a file."),
        (
            f"1 {DEALS[0]}\n2 {DEALS[1]}\n2 -",
            "Line 3, column 1: étui “2” is there twice, first here: Line 2, column 1.",
        ),
        (DEALS[0].join(["1 ", "\n"]).replace("T8732", "T873"), "Line 1, column 3, North: 17 cards instead of 18."),
        ("1 -\n2 T8732.R8.9.T96", "Line 2, column 3: a deal has 3, 4 or 5 hands, then the chien, not 1."),
        ("number,N,E\n1,a,b", "Line 1, column 1: the column “S” is missing."),
        ('{"boards": [{"number": 1},\n {"numbr": 2}]}', "In boards[1]: “numbr” is not a field."),
        ("1000 -", "Étuis are numbered from 1 to 999, not 1000"),
    ],
    ids=str,
)
def test_import_says_place_and_cause_and_keeps_what_was_typed(page, club, text, said):
    answer = page.post(club_url("deal_set_import", club), {"name": "x", "text": text})
    assert answer.status_code == 200
    assert said in words(answer)
    assert answer.context["form"]["text"].value() == text
    assert "no-store" in answer["Cache-Control"]
    assert DealSet.objects.count() == 0


def test_import_of_a_wrong_file_shows_its_text_to_be_mended(page, club):
    file = SimpleUploadedFile("x.txt", b"\xef\xbb\xbf1 -\nfoo -\n")
    answer = page.post(club_url("deal_set_import", club), {"name": "x", "file": file})
    assert answer.context["form"]["text"].value() == "1 -\nfoo -\n"
    assert "Line 2, column 1" in words(answer)


def test_import_of_bytes_that_are_no_text_is_refused(page, club):
    file = SimpleUploadedFile("x.txt", b"\xff\xfe1")
    answer = page.post(club_url("deal_set_import", club), {"name": "x", "file": file})
    assert "The file is not text in UTF-8" in words(answer)


def test_set_page_shows_the_pattern_and_no_card(page, deal_set):
    answer = page.get(url("deal_set", deal_set))
    assert read(answer).rows == [
        ["1 taker W dealer N", "2 taker S dealer W", "3 taker E dealer S", "4 taker N dealer E"],
        ["5 taker S dealer N", "6 taker E dealer W", "7 taker N dealer S", "8 taker W dealer E"],
    ]
    assert not CARDS_OF_ETUI_1.search(answer.content.decode())
    assert read(answer).refused == []


@pytest.mark.nightly("crawl")
def test_set_page_asks_a_fixed_number_of_queries(page, club, django_assert_max_num_queries):
    large = create_deal_set(club=club, name="x", count=400, now=timezone.now(), by=None)
    page.get(url("deal_set", large))
    with django_assert_max_num_queries(16):
        page.get(url("deal_set", large))


def test_sealing_publishes_the_commitment_with_its_moment(page, deal_set):
    assert deal_set.commitment not in words(page.get(url("deal_set", deal_set)))
    answer = page.post(url("deal_set_seal", deal_set), follow=True)
    assert deal_set.commitment in words(answer)
    deal_set.refresh_from_db()
    assert deal_set.sealed_at is not None


def test_public_value_is_entered_once_after_sealing(page, club):
    deal_set = create_deal_set(club=club, name="x", count=4, now=timezone.now(), by=None, value_name="Loto")
    early = page.post(url("deal_set_draw", deal_set), {"value": "7 12"}, follow=True)
    assert "The set is not sealed yet" in words(early)
    page.post(url("deal_set_seal", deal_set))
    page.post(url("deal_set_draw", deal_set), {"value": "7 12"})
    again = page.post(url("deal_set_draw", deal_set), {"value": "8"}, follow=True)
    assert "The public value has already been entered (7 12)" in words(again)
    assert {etui.origin for etui in deal_set.etuis.all()} == {"generated"}


@pytest.mark.nightly("story")
def test_seed_is_revealed_only_after_the_sessions_that_are_named(page, club, director, deal_set):
    session = draft_session(make_tournament(club))
    use_deal_set(session_id=session.pk, deal_set=deal_set)
    start_session(session_id=session.pk, now=timezone.now())
    answer = page.post(url("deal_set_reveal", deal_set), follow=True)
    assert "1 session with these deals has still to be played" in words(answer)
    assert "Still to play: Duplicate d’été, session 1" in words(answer)
    assert url("deal_set_reveal", deal_set) not in answer.content.decode()
    enter_all(session, by=director)
    publish(session, by=director)
    assert url("deal_set_reveal", deal_set) in page.get(url("deal_set", deal_set)).content.decode()
    page.post(url("deal_set_reveal", deal_set))
    deal_set.refresh_from_db()
    assert deal_set.revealed_at is not None


def test_revealed_set_is_never_played_again(page, club, deal_set):
    seal_deal_set(deal_set=deal_set, now=timezone.now())
    reveal_deal_set(deal_set=deal_set, now=timezone.now())
    session = draft_session(make_tournament(club))
    assert url("deal_set_use", deal_set) not in page.get(url("deal_set", deal_set)).content.decode()
    answer = page.post(url("deal_set_use", deal_set), {"session": session.pk, "first_etui": 1}, follow=True)
    assert "The secret draw of this set is revealed" in words(answer)
    session.refresh_from_db()
    assert session.deal_set != deal_set


def test_copy_goes_to_another_club_of_the_same_director_only_once(page, director, deal_set):
    mine, foreign = make_club("second", "Second club"), make_club("autre")
    Membership.objects.create(user=director, club=mine, role=Membership.Role.DIRECTOR)
    Membership.objects.create(user=director, club=foreign, role=Membership.Role.HELPER)
    for slug, copies in ((foreign.slug, 0), (mine.slug, 1), (mine.slug, 1)):
        page.post(url("deal_set_copy", deal_set), {"club": slug})
        assert DealSet.objects.exclude(pk=deal_set.pk).count() == copies
    assert DealSet.objects.get(club=mine).commitment == deal_set.commitment


def test_set_is_split_over_sessions_by_their_first_etui(page, club, deal_set):
    session = draft_session(make_tournament(club))
    page.post(url("deal_set_use", deal_set), {"session": session.pk, "first_etui": 3})
    session.refresh_from_db()
    assert (session.deal_set, session.first_etui) == (deal_set, 3)
    answer = page.post(url("deal_set_use", deal_set), {"session": session.pk, "first_etui": 9}, follow=True)
    assert "The set has no étui 9" in words(answer)


def test_session_of_another_club_cannot_take_the_set(page, deal_set):
    session = draft_session(make_tournament(make_club("autre")))
    before = session.deal_set
    page.post(url("deal_set_use", deal_set), {"session": session.pk, "first_etui": 1})
    session.refresh_from_db()
    assert session.deal_set == before


def test_sealed_set_says_so_on_its_list(page, club, deal_set):
    seal_deal_set(deal_set=deal_set, now=timezone.now())
    text = words(page.get(club_url("deal_sets", club)))
    assert (text.count("sealed"), text.count("not sealed")) == (2, 0)


def test_revealing_asks_once_behind_a_fold(page, club, director):
    session = published_session(make_tournament(club), by=director, cards=True)
    text = page.get(url("deal_set", session.deal_set)).content.decode()
    fold = re.search(r"<details class=\"folded\">\s*<summary>Reveal the secret draw….*?</details>", text, re.S)
    assert url("deal_set_reveal", session.deal_set) in fold[0]
    assert "This cannot be undone" in fold[0]


def test_set_for_five_is_declared_played_on_its_page(page, club):
    deal_set = create_deal_set(club=club, name="à cinq", count=5, now=timezone.now(), by=None, players=5)
    assert url("deal_set_played", deal_set) not in page.get(url("deal_set", deal_set)).content.decode()
    seal_deal_set(deal_set=deal_set, now=timezone.now())
    text = words(page.get(url("deal_set", deal_set)))
    assert "No session of this site plays this set." in text
    for day in ("", "2999-01-01", "x"):
        answer = page.post(url("deal_set_played", deal_set), {"played_on": day}, follow=True)
        assert "Choose a day between the sealing of the set and today." in words(answer)
    today = timezone.localdate()
    answer = words(page.post(url("deal_set_played", deal_set), {"played_on": today.isoformat()}, follow=True))
    assert f"declared played ({date_format(today, 'j F Y')})" in answer
    assert "Reveal the secret draw for good" in answer
    page.post(url("deal_set_reveal", deal_set))
    deal_set.refresh_from_db()
    assert deal_set.revealed_at is not None


def test_fifth_seat_has_one_name_on_paper_and_screen():
    for language in ("fr", "en"):
        with translation.override(language):
            assert (
                sheet_words.list_place_words()["F"]["name"] == str(label("hand", "F")) == str(dict(SEAT_CHOICES)["F"])
            )
