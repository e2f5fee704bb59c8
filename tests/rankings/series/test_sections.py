"""The sections of one evening in a series: one event if they have one ranking, else an event each."""

from fractions import Fraction as F

import pytest
from django.utils import timezone

from rankings.series.choosing import choose_events
from rankings.series.computing import figure_series, find_stale_series, refresh_series
from rankings.series.publishing import SERIES_OF_CLUBS, find_held_versions
from rankings.series.report import read_series
from rankings.series.setup import EventDecision, decide_events
from tests.rankings.series import season
from tests.rankings.series.seasons import FIRST, hold, make_series, publish_rows, thursdays
from tests.rankings.series.test_counting import totals
from tournaments.models import SectionGroup, SeriesEvent, Session
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db

club = season.club
director = season.director
people = season.people


@pytest.fixture
def sections(club, people):
    """Return two sections of one evening, with one ranking: Cyr 58, Ada 57, Dan 56, Bob 43."""
    ada, bob, cyr, dan = people
    evenings = thursdays(club)
    group = SectionGroup.objects.create(tournament=evenings)
    first = hold(evenings, FIRST, {ada: 57, bob: 43})
    second = hold(evenings, FIRST, {cyr: 58, dan: 56})
    for letter, section in zip("AB", (first, second), strict=True):
        Session.objects.filter(pk=section.pk).update(group=group, section=letter)
        section.refresh_from_db()
    rank_together(second, first, second)
    return first, second


def rank_together(newest, *sections):
    """Write the common ranking of the sections into the newest version of one of them."""
    rows = [
        row | {"session": each.number, "section": each.section}
        for each in sections
        for row in each.publications.order_by("-version").first().data["players"]
    ]
    rows.sort(key=lambda row: -F(row["overall"]))
    told = [row | {"rank_general": rank, "rank_alterne": rank} for rank, row in enumerate(rows, start=1)]
    version = newest.publications.order_by("-version").first()
    version.data = version.data | {"together": told}
    version.save()


def series_of(club, director, **rules):
    return make_series(club, director, **({"brings": "places"} | rules))


def counted(series):
    return [event for event in choose_events(series) if event.counts]


def test_sections_with_one_ranking_are_one_event_with_its_ranks(club, director, sections):
    series = series_of(club, director)
    (event,) = counted(series)
    assert (event.title, event.counted_sessions) == ("Jeudis", [each.pk for each in sections])
    # four players: 4, 3, 2, 1, and not twice 2 and 1
    assert totals(series) == [("Cyr", 4, 1), ("Ada", 3, 2), ("Dan", 2, 3), ("Bob", 1, 4)]
    (shown,) = read_series(figure_series(series, choose_events(series))).steps
    assert (shown.title, shown.address) == ("Jeudis", (club.slug, "jeudis", sections[0].number))


def test_sections_without_one_ranking_are_an_event_each(club, director, sections):
    SectionGroup.objects.update(one_ranking=False)
    series = series_of(club, director)
    assert [event.title for event in counted(series)] == ["Jeudis A", "Jeudis B"]
    assert totals(series) == [("Ada", 2, 1), ("Cyr", 2, 1), ("Bob", 1, 3), ("Dan", 1, 3)]


def test_percentages_are_the_same_either_way(club, director, sections):
    series = series_of(club, director, brings="percent")
    together = totals(series)
    SectionGroup.objects.update(one_ranking=False)
    assert totals(series) == together == [("Cyr", 58, 1), ("Ada", 57, 2), ("Dan", 56, 3), ("Bob", 43, 4)]


def test_section_that_is_not_seen_brings_nothing_and_the_ranks_close_up(club, director, sections):
    first, second = sections
    series = series_of(club, director)
    rank_together(first, *sections)  # readers see the hidden section's players there
    refresh_series(series.pk, now=timezone.now())
    Session.objects.filter(pk=second.pk).update(shows_ranking=False)
    assert find_stale_series() == [series.pk]
    assert totals(series) == [("Ada", 2, 1), ("Bob", 1, 2)]
    Session.objects.filter(pk=second.pk).update(shows_ranking=True)
    publish_rows(second, {}, status="withdrawn", reason="erreur")
    assert totals(series) == [("Ada", 2, 1), ("Bob", 1, 2)]


def test_newest_figures_count_although_another_section_became_official_later(club, director, people, sections):
    first, second = sections
    ada, bob, *_others = people
    publish_rows(first, {ada: 59, bob: 41})
    rank_together(first, first, second)
    publish_rows(second, {people[2]: 58, people[3]: 56}, status="official")  # its common ranking is the old one
    rank_together(second, second)
    series = series_of(club, director)
    assert [row[0] for row in totals(series)] == ["Ada", "Cyr", "Dan", "Bob"]


def test_sections_put_together_after_publication_share_the_places(club, director, sections):
    version = sections[1].publications.get()
    del version.data["together"]
    version.save()
    # two winners share 4 and 3, two seconds 2 and 1
    series = series_of(club, director)
    assert totals(series) == [("Ada", F(7, 2), 1), ("Cyr", F(7, 2), 1), ("Bob", F(3, 2), 3), ("Dan", F(3, 2), 3)]


def test_decision_about_one_section_holds_for_the_evening(club, director, sections):
    series = series_of(club, director)
    first, second = sections
    SeriesEvent.objects.create(series=series, session=second, included=None, coefficient=2)
    assert totals(series)[0] == ("Cyr", 8, 1)
    left_out = {f"s{first.pk}": EventDecision(counts=False)}
    decide_events(series_id=series.pk, decisions=left_out, by=director, now=timezone.now())
    assert totals(series) == []


def test_final_ranking_is_held_back_if_one_section_is_hidden(club, director, sections):
    series = series_of(club, director)
    version = SERIES_OF_CLUBS.publish(series.pk, DirectorWord(director, timezone.now()))
    assert version.data["events"][0]["sections"] == [each.pk for each in sections]
    assert find_held_versions([version]) == set()
    Session.objects.filter(pk=sections[1].pk).update(shows_ranking=False)
    assert find_held_versions([version]) == {version.pk}
