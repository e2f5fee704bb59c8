"""The pages of the handbook: contents, neighbours, old anchors, and exercises answered by a query alone."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from handbook.words import list_keys, list_slugs
from tests.pages.reading import words

pytestmark = pytest.mark.django_db
EXPLAINED = ("marks", "counting", "bonuses")
OLD_ANCHORS = ("cards", "contracts", "score", "tables", "evening", "topage", "rankings", "calculator")


@pytest.fixture
def reader():
    return Client(headers={"accept-language": "en"})


def ask(key, **query):
    return Client(headers={"accept-language": "en"}).get(reverse("exercise", args=[key]), query)


def test_contents_lead_to_each_page_and_keep_the_old_anchors(reader):
    html = reader.get(reverse("rules")).content.decode()
    assert [slug for slug in list_slugs() if f'href="{reverse("rules_page", args=[slug])}"' not in html] == []
    assert [anchor for anchor in OLD_ANCHORS if len(re.findall(rf'id="{anchor}"', html)) != 1] == []


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("slug", list_slugs())
def test_page_is_read_without_a_query_and_leads_on(slug, language, django_assert_num_queries):
    with django_assert_num_queries(0):
        answer = Client(headers={"accept-language": language}).get(reverse("rules_page", args=[slug]))
    html, slugs = answer.content.decode(), list_slugs()
    assert (answer.status_code, answer["Content-Language"]) == (200, language)
    place = slugs.index(slug)
    for other, rel in ((place - 1, "prev"), (place + 1, "next")):
        there = 0 <= other < len(slugs)
        assert (f'rel="{rel}"' in html) is there
        assert not there or f'href="{reverse("rules_page", args=[slugs[other]])}"' in html
    ids = re.findall(r'\bid="([^"]+)"', html)
    assert sorted(set(ids)) == sorted(ids)


@pytest.mark.parametrize("path", ["/rules/nothing/", "/rules/exercises/nothing/", "/rules/..%2Fsecret/"])
def test_page_that_is_not_there_is_not_found(reader, path):
    assert reader.get(path).status_code == 404


def test_calculator_keeps_its_address(reader):
    assert reader.get("/rules/score/", {"points": "x"}).status_code == 200


def test_calculator_leads_to_the_pages_that_explain_it(reader):
    html = reader.get(reverse("rules")).content.decode().partition('id="calculator"')[2]
    assert [slug for slug in EXPLAINED if f'href="{reverse("rules_page", args=[slug])}"' not in html] == []


def test_replay_is_a_list_of_tricks_that_links_can_name(reader):
    answer = reader.get(reverse("rules_page", args=["petit"]))
    html, text = answer.content.decode(), words(answer)
    assert re.findall(r'id="(petit-hunted-trick-\d+)"', html) == ["petit-hunted-trick-14", "petit-hunted-trick-15"]
    assert 'href="#petit-hunted-trick-15"' in html
    assert re.findall(r'data-legal="6">([^<]+)<', html) == ["12 6"]
    assert "South cannot beat the 17, and saves the Petit with the 14." in text
    assert html.count("js/replay.js") == 1
    assert "js/replay.js" not in reader.get(reverse("rules_page", args=["play"])).content.decode()


def test_exercise_and_single_trick_do_not_tell_what_was_legal(reader):
    for page in (reverse("exercise", args=["legal-overtrump"]), reverse("rules_page", args=["play"])):
        html = reader.get(page).content.decode()
        assert 'class="round"' in html
        assert "data-legal" not in html
    asked = reader.get(reverse("exercise", args=["winner-trumped"])).content.decode()
    assert "wins the trick" not in asked


def test_list_has_each_exercise(reader):
    html = reader.get(reverse("exercises")).content.decode()
    assert [key for key in list_keys("exercises") if reverse("exercise", args=[key]) not in html] == []


def test_right_answer_is_praised_and_a_wrong_one_explained():
    assert "Right." in words(ask("score-garde-sans", answer="76"))
    page = words(ask("score-garde-sans", answer="116"))
    assert "Not quite. The right answer: 76" in page
    assert "Petit au bout to the defence" in page
    assert 'value="116"' in ask("score-garde-sans", answer="116").content.decode()


@pytest.mark.parametrize(
    ("key", "answer", "said"),
    [
        ("bid-after-garde", "prise", "South must bid more than Garde, or pass. (FFT 2012)"),
        ("winner-trumped", "S", "The highest trump wins the trick: 4."),
        ("poignee-of-eleven", "triple", "The poignées take 10, 13, 15."),
        ("count-five-pairs", "3", "10 cards make 5 points, two by two."),
    ],
)
def test_answer_that_the_rules_give_is_explained(key, answer, said):
    assert said in words(ask(key, answer=answer))


def test_answer_leaves_nothing_behind_and_can_be_asked_for_again(django_assert_num_queries):
    with django_assert_num_queries(0):
        answer = ask("petit-sec", answer="played")
    assert answer.cookies == {}
    again = Client(headers={"accept-language": "en", "if-none-match": answer["ETag"]})
    url = reverse("exercise", args=["petit-sec"])
    assert again.get(url, {"answer": "played"}).status_code == 304
    assert again.get(url, {"answer": "void"}).status_code == 200


def test_cards_are_answered_by_their_names():
    page = words(
        Client(headers={"accept-language": "en"}).get(
            reverse("exercise", args=["legal-overtrump"]) + "?answer=18&answer=*"
        )
    )
    assert "Right." in page
    page = words(ask("legal-overtrump", answer="13"))
    assert "the hand has a trump higher than every trump of the trick" in page
    assert "“♠3” is not one of the cards of this exercise" in words(ask("legal-overtrump", answer="♠3"))


@pytest.mark.parametrize("answer", ["", "nothing", "<script>", "♠R" * 500, "\x00"])
def test_any_answer_gets_a_page_that_says_what_is_wrong(answer):
    for key in list_keys("exercises"):
        page = ask(key, answer=answer)
        assert page.status_code == 200
        assert "<script>♠" not in page.content.decode()
        assert "notice-warning" in page.content.decode()
