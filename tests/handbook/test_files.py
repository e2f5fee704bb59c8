"""The files of the handbook: both languages have the same pages, headings and blocks, and no link is dead."""

from itertools import pairwise
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation

from clubs.names import words_of
from deals.domain.cards import HAND, Seat
from handbook.answers import find_trick_winner, follow_trick, judge_answer, list_options
from handbook.deals import LANGUAGES, ShownDeal
from handbook.exercises import Kind
from handbook.pages import Page
from handbook.words import (
    FOLDER,
    list_chapters,
    list_exercises,
    list_figures,
    list_keys,
    list_slugs,
    make_table,
    open_deal,
    open_exercise,
    open_page,
)
from referee.cards import find_legal, has_card, mask_of

TAKEN = {"score", "exercises", "booklet"}  # addresses below /rules/ that are no pages of the handbook
CUSTOM = {"en": "> **Custom.**", "fr": "> **Usage.**"}
SHOWS_DEAL = {"deal", "trick", "replay"}
GLOSSARY = "glossary"  # each language has its own alphabet


@pytest.fixture(params=[(language, slug) for slug in list_slugs() for language in LANGUAGES], ids="-".join)
def place(request):
    return request.param


def anchors(page: Page) -> list[tuple[int, str]]:
    return [(heading.level, heading.anchor) for heading in page.headings]


def test_each_language_has_the_pages_of_the_contents_and_no_other():
    for language in LANGUAGES:
        assert {path.stem for path in (FOLDER / language).glob("*")} == set(list_slugs())
        assert all(chapter.title for chapter in list_chapters(language))
    assert len(set(list_slugs())) == len(list_slugs())
    assert TAKEN & set(list_slugs()) == set()


def test_figures_of_the_rules_are_those_of_the_game():
    figures = list_figures()
    told = {"deck": "78", "points": "91", "trumps": "21", "base": "25", "petit": "10", "hand.4": "18", "chien.4": "6"}
    told |= {
        "shown.4.simple": "10",
        "target.0": "56",
        "target.3": "36",
        "coefficient.garde": "2",
        "poignee.double": "30",
    }
    assert {name: figures[name] for name in told} == told
    worths = {name: figures[f"worth.{name}"] for name in ("bout", "roi", "dame", "cavalier", "valet", "plain")}
    assert worths == {"bout": "4½", "roi": "4½", "dame": "3½", "cavalier": "2½", "valet": "1½", "plain": "½"}
    assert [figures["share.attack"], figures["share.defence"]] == ["¼", "¾"]


@pytest.mark.parametrize("slug", list_slugs())
def test_both_languages_have_the_same_headings_and_blocks_in_order(slug):
    english, french = (open_page(language, slug) for language in ("en", "fr"))
    in_order = sorted if slug == GLOSSARY else list
    assert in_order(anchors(english)) == in_order(anchors(french))
    assert english.blocks == french.blocks
    assert len(english.links) == len(french.links)
    assert english.sources == () or ("custom" in english.sources) == ("custom" in french.sources)


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_of_the_glossary_stand_in_the_order_of_the_alphabet(language):
    words = [words_of(heading.text) for heading in open_page(language, GLOSSARY).headings]
    assert len(words) > 40
    assert words == sorted(words)


def test_no_link_of_a_page_is_dead(place):
    language, slug = place
    dead = []
    for target in open_page(language, slug).links:
        page, mark, anchor = target.partition("#")
        if target == "#calculator" or target.startswith("https://"):
            continue
        if (page and page not in list_slugs()) or (
            mark and anchor not in {each.anchor for each in open_page(language, page or slug).headings}
        ):
            dead.append(target)
    assert dead == []


def test_blocks_name_what_is_there(place):
    language, slug = place
    for block in open_page(language, slug).blocks:
        with translation.override(language):
            if block.kind == "figure":
                assert make_table(block.key).rows
            elif block.kind == "exercise":
                assert open_exercise(block.key).page == slug
            elif block.kind in SHOWS_DEAL:
                deal = open_deal(block.key)
                assert not block.number or deal.find_trick(block.number)


def test_anchors_of_a_page_are_there_once(place):
    found = [heading.anchor for heading in open_page(*place).headings]
    assert len(set(found)) == len(found)


def test_descriptions_fit_a_search_engine(place):
    page = open_page(*place)
    assert 60 <= len(page.description) <= 160
    assert page.title


def test_what_no_regulation_has_is_marked_as_custom(place):
    language, slug = place
    text = (FOLDER / language / f"{slug}.md").read_text(encoding="utf-8")
    assert (CUSTOM[language] in text) == ("custom" in open_page(language, slug).sources)


@pytest.mark.parametrize("slug", list_slugs())
def test_french_has_the_spaces_that_french_has(slug):
    text = (FOLDER / "fr" / f"{slug}.md").read_text(encoding="utf-8")
    wrong = [
        text[place - 15 : place + 2]
        for place, sign in enumerate(text)
        if sign in ":;?!»" and place and text[place - 1] == " "
    ]
    assert wrong == []
    assert "'" not in text


def test_each_deal_and_exercise_is_shown_on_a_page():
    blocks = {block for slug in list_slugs() for block in open_page("en", slug).blocks}
    shown = {block.key for block in blocks if block.kind == "exercise"}
    drawn = {block.key for block in blocks if block.kind in SHOWS_DEAL}
    asked = {exercise.deal for exercise in list_exercises()}
    assert shown == set(list_keys("exercises"))
    assert (drawn | asked) - {""} == set(list_keys("deals"))


def list_illegal(deal: ShownDeal) -> list[tuple[int, Seat, int]]:
    """Return the cards of the tricks that are not legal: trick, seat and card.

    Only seats whose hand is shown are checked. The taker is not checked if the hand is shown as it was before the
    chien: nobody sees the écart.
    """
    hands = {seat: mask_of(hand) for seat, hand in deal.hands.items() if not (seat == deal.taker and deal.chien)}
    wrong = []
    for trick in deal.tricks:
        for place, (seat, card) in enumerate(trick.plays):
            if seat not in hands:
                continue
            table = follow_trick(trick.plays[:place])
            if not has_card(find_legal(hands[seat], table.led, table.beating), card):
                wrong.append((trick.number, seat, card))
            hands[seat] &= ~mask_of([card])
    return wrong


@pytest.mark.parametrize("key", list_keys("deals"))
def test_each_card_of_a_deal_is_legal(key):
    assert open_deal(key).titles.keys() == set(LANGUAGES)
    assert list_illegal(open_deal(key)) == []


@pytest.mark.parametrize("key", list_keys("deals"))
def test_hands_of_a_deal_are_as_large_as_they_are_at_that_trick(key):
    """Check that an end position has as many cards as tricks are left: its first trick has the number that fits."""
    deal = open_deal(key)
    first = deal.tricks[0].number if deal.tricks else 1
    sizes = {seat: len(hand) for seat, hand in deal.hands.items()}
    assert sizes == dict.fromkeys(sizes, HAND[deal.players] + 1 - first)


@pytest.mark.parametrize("key", list_keys("deals"))
def test_winner_of_a_trick_leads_the_next_one(key):
    deal = open_deal(key)
    for trick, after in pairwise(deal.tricks):
        assert (after.number, after.plays[0][0]) == (trick.number + 1, find_trick_winner(trick, deal.players))


def test_each_exercise_has_an_answer_that_is_right():
    """Check that the right answer, as the page names it, is judged right."""
    for exercise in list_exercises():
        deal = open_deal(exercise.deal) if exercise.deal else None
        options = list_options(exercise, deal)
        right = judge_answer(exercise, deal, [options[0] if options else "0"]).right
        if exercise.kind == Kind.DISCARD:
            assert exercise.seat in open_deal(exercise.deal).hands
        else:
            assert judge_answer(exercise, deal, list(right)).is_right, exercise.key


def test_image_of_the_site_has_the_handbook():
    lines = Path(settings.BASE_DIR / ".dockerignore").read_text().splitlines()
    assert not [line for line in lines if line.strip("/").startswith("handbook")]
