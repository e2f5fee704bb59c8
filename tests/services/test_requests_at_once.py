"""Two connections at once, on PostgreSQL: two players ask about one play, two directors decide, two print."""

import pytest
from django.utils import timezone

from clubs.models import User
from evenings.requests.deciding import correct_as_requested, refuse_request
from evenings.requests.links import ensure_links
from tests.evenings.requests.world import Four, only
from tests.factories import garde, make_director, published_session, started_session
from tests.services.test_standings_jobs import in_threads
from tournaments.errors import ActionRefused
from tournaments.models import CorrectionRequest, PersonalLink

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("race")]


@pytest.fixture
def four():
    session = published_session()
    play = session.plays.filter(entries__kind="facts").select_related("etui", "table").order_by("pk").first()
    return Four(session, play)


def outcome(act):
    def run():
        try:
            return act() and "done"
        except ActionRefused as refusal:
            return refusal.code

    return run


def test_of_two_who_ask_at_once_the_second_finds_the_first(four):
    answers = in_threads([outcome(lambda link=link: four.ask(link=link)) for link in (four.asker, four.others[0])])
    assert sorted(answers) == ["done", "request_there"]
    assert CorrectionRequest.objects.count() == 1


def test_of_two_directors_at_once_one_decides(four):
    four.ask()
    by, other = User.objects.get(), make_director(four.session.tournament.club, "autre")
    told = {"session_id": four.session.pk, "request_id": only().pk, "now": timezone.now()}
    entry = garde(four.play.etui.taker, points=61)
    answers = in_threads(
        [
            outcome(lambda: refuse_request(reason="non", by=other, **told)),
            outcome(lambda: correct_as_requested(entry=entry, seen_version=1, reason="oui", by=by, **told)),
        ]
    )
    assert sorted(answers) == ["done", "request_decided"]
    assert only().accepted == (four.play.entries.count() == 2)


def test_two_who_print_at_once_print_the_same_links(db):
    session = started_session()
    printed = in_threads([lambda: ensure_links(session, now=timezone.now())] * 2)
    assert [{pk: link.token for pk, link in links.items()} for links in printed] == [
        dict(PersonalLink.objects.values_list("entrant", "token"))
    ] * 2
