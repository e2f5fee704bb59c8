"""The page of a tournament's settings."""

import pytest
from django.urls import reverse
from django.utils import timezone, translation

from evenings.sessions.ranking_rules import change_rules
from pages.parts.form_parts import TOURNAMENT_SETTINGS
from tests import shared_evenings
from tests.factories import draft_session, make_director
from tests.pages.browsing import fields
from tests.pages.reading import read, words
from tournaments.models import Tournament
from tournaments.words.log_sentences import say_log

pytestmark = pytest.mark.django_db


director = shared_evenings.browser_of_tournament_director


SEVERAL = "tournament_rules_several"


def address(tournament, name="tournament_rules"):
    return reverse(name, args=[tournament.club.slug, tournament.slug])


def test_settings_begin_with_what_is_usual_and_are_kept(tournament, director):
    ranked, ties = address(tournament, "tournament_rules_ranked"), address(tournament, "tournament_rules_ties")
    assert {address(tournament), ranked, ties} <= set(read(director.get(address(tournament, "tournament"))).links)
    given = fields(director.get(ranked))
    assert (given["least_share"], given["window_hours"], "tie_1" in given) == ("50", "48", False)
    assert "substitutes_ranked" in given
    del given["substitutes_ranked"]
    assert director.post(ranked, given | {"least_share": "40", "window_hours": "0"}).url == ranked
    assert director.post(ties, fields(director.get(ties)) | {"tie_1": "defence", "tie_3": "draw"}).url == ties
    kept = Tournament.objects.get(pk=tournament.pk)
    assert (kept.least_share, kept.substitutes_ranked, kept.window_hours) == (40, False, 0)
    assert kept.ties == ["defence", "draw"]
    again = fields(director.get(ties))
    assert (again["tie_1"], again["tie_2"], again["tie_3"]) == ("defence", "draw", "")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"least_share": "101"}, "No more than 100"),
        ({"least_share": ""}, "This field is required"),
        ({"window_hours": "99999999"}, "No more than 720"),
        ({"tie_1": "tops", "tie_2": "tops"}, "chosen twice"),
        ({"tie_1": "height"}, "not, or no longer, in the list"),
    ],
)
def test_what_cannot_be_is_refused_and_kept_in_the_form(tournament, director, wrong, said):
    names = (name for name, section in TOURNAMENT_SETTINGS.items() if wrong.keys() <= set(section.fields))
    url = address(tournament, next(names))
    page = director.post(url, fields(director.get(url)) | wrong)
    assert page.status_code == 200
    assert said in words(page)
    name, value = next(iter(wrong.items()))
    assert page.context["form"][name].value() == value
    assert Tournament.objects.get(pk=tournament.pk).ties == []


def test_how_sessions_become_one_ranking_is_set(tournament, director):
    given = fields(director.get(address(tournament, SEVERAL)))
    assert (given["counting"], given["best_of"], given["least_sessions"], given["carry_over"]) == ("sum", "", "1", "")
    changed = given | {"counting": "mean", "best_of": "3", "least_sessions": "2", "carry_over": "50"}
    assert director.post(address(tournament, SEVERAL), changed).status_code == 302
    kept = Tournament.objects.get(pk=tournament.pk)
    assert (kept.counting, kept.best_of, kept.least_sessions, kept.carry_over) == ("mean", 3, 2, 50)
    assert kept.revision == tournament.revision + 1


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"best_of": "0"}, "At least 1"),
        ({"least_sessions": ""}, "This field is required"),
        ({"carry_over": "101"}, "No more than 100"),
        ({"counting": "product"}, "not, or no longer, in the list"),
    ],
)
def test_a_ranking_that_cannot_be_is_refused(tournament, director, wrong, said):
    page = director.post(address(tournament, SEVERAL), fields(director.get(address(tournament, SEVERAL))) | wrong)
    assert page.status_code == 200
    assert said in words(page)
    assert Tournament.objects.get(pk=tournament.pk).revision == tournament.revision


def test_what_is_set_is_told_in_the_log_of_each_session(tournament):
    director = make_director(tournament.club, "arbitre")
    session = draft_session(tournament)
    change_rules(tournament_id=tournament.pk, by=director, now=timezone.now(), counting="mean", best_of=3, carry_over=0)
    change_rules(tournament_id=tournament.pk, by=director, now=timezone.now(), best_of=None)
    with translation.override("en"):
        said = [say_log(line) for line in session.log.filter(action="rules_changed").order_by("id")]
    assert [text.split(": ")[1] for text in said] == [
        "several sessions, from “the sum of the percentages” to “the mean of the percentages”",
        "number of best sessions that count, from “nothing” to “3”",
        "carried into the final, in per cent, from “nothing” to “0”",
        "number of best sessions that count, from “3” to “nothing”",
    ]
