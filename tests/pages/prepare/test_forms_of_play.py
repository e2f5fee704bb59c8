"""The page of a new tournament: five forms of play as cards, and everything rare folded."""

import re

import pytest
from django.urls import reverse

from scoring.formats import FORMATS
from tests.factories import make_club, make_director
from tests.pages.browsing import browser_of

pytestmark = pytest.mark.django_db
CARD = re.compile(r'<label class="choice">(<input type="radio" name="auction".*?)</label>', re.DOTALL)
LONGEST = 60  # letters of the line of a card


@pytest.mark.parametrize("language", ["fr", "en"])
def test_five_forms_of_play_are_cards_with_a_picture_and_the_others_are_folded(language):
    club = make_club()
    page = browser_of(make_director(club)).get(
        reverse("tournament_new", args=[club.slug]), headers={"accept-language": language}
    )
    main = page.content.decode().split("<main")[1]
    shown = re.sub(r"<details.*?</details>", "", main, flags=re.DOTALL)
    assert len(CARD.findall(shown)) == 5
    cards = CARD.findall(main)
    assert len(cards) == len(FORMATS)
    for card in cards:
        assert "<svg" in card
        line = re.search(r"<small>(.+?)</small>", card)[1]
        assert len(line) <= LONGEST
    folded = re.findall(r"<details.*?</details>", main, flags=re.DOTALL)
    assert [re.findall(r'name="(season|federation|auction)"', each)[0] for each in folded] == ["auction", "federation"]
    assert not re.search(r'name="(season|federation)"', shown)
