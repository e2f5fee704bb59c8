"""Every page of team matches for every role: the tests of triplettes, asked about matches."""

import pytest

from tests.evenings.teams import test_access_of_teams as teams

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("crawl")]


@pytest.fixture(scope="module")
def world(rows_of_the_file):
    return teams.make_team_world("team_match", (1, 2, 3, 4, 5), positions=4)


crawl = teams.crawl
test_no_page_of_matches_opens_to_who_may_not = teams.test_no_page_of_teams_opens_to_who_may_not
test_page_of_matches_opens_to_who_may_or_is_not_there = teams.test_page_of_teams_opens_to_who_may_or_is_not_there
test_no_result_of_matches_is_shown_to_readers = teams.test_no_result_and_no_hidden_name_is_shown_to_readers
test_director_of_matches_reads_names_and_results = teams.test_director_reads_names_and_results


def test_no_page_of_matches_names_a_badge_or_a_percentage(crawl):
    """Read every page of the three sessions as their director: no colour of triplettes, no per cent."""
    words = ("pourcentage", "alterné", " bleu", "percentage", "blue badge")
    found = {
        (name, word)
        for name, answer in crawl["director"].items()
        for word in words
        if "text/html" in answer.get("Content-Type", "") and word in answer.content.decode()
    }
    assert found == set()
