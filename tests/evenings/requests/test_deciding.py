"""The services by which players ask for corrections and directors decide: once, under the play's lock, logged."""

import datetime as dt

import pytest
from django.db import IntegrityError
from django.utils import timezone

from clubs.models import User
from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.plays.entering import correct_result
from evenings.plays.ruling import declare_playing
from evenings.requests import deciding
from evenings.requests.asking import MOST_LETTERS, answer_at_table, window_of, withdraw_request
from evenings.requests.deciding import accept_request, correct_as_requested, refuse_request
from evenings.requests.links import revoke_link
from evenings.requests.reading import SILENCE, requests_at, requests_for, requests_of
from tests import shared_evenings
from tests.evenings.requests.world import WRONG, Four, end_window, only
from tests.factories import garde, make_director, published_session
from tournaments.errors import ActionRefused, Conflict
from tournaments.models import CorrectionRequest, Publication, Session, Table

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    return published_session()


session = shared_evenings.evening_read_again


@pytest.fixture
def four(session):
    return Four(session)


@pytest.fixture
def decide(session, director):
    """Return a function that calls a service for the only request."""

    def carry_out(service, **given):
        told = {"session_id": session.pk, "request_id": only().pk, "by": director, "now": timezone.now()}
        return service(**told | given)

    return carry_out


def lines(session):
    return list(session.log.filter(action__startswith="request_").order_by("id").values_list("action", flat=True))


def test_asked_twice_is_asked_once(session, four):
    assert four.ask() == four.ask("something else")
    assert only().text == WRONG
    assert lines(session) == ["request_made"]
    assert "46" not in str(session.log.get(action="request_made").params)


def test_who_asked_and_no_longer_sits_there_is_read_with_all_others(session, four, django_assert_num_queries):
    four.ask()
    (late,) = add_players(club=session.tournament.club, lines=[RosterLine("Tard", "Léo")])
    session.plays.filter(pk=four.play.pk).update(north=session.entrants.create(player=late, line="N", number=99))
    with django_assert_num_queries(4):  # requests, answers, players at the plays, players who moved
        (read,) = requests_of(session, now=timezone.now())
        assert read.request.entrant.name == four.asker.entrant.name
    assert (read.line, [voice.line for voice in read.voices]) == ("", ["N", "E", "S", "W"])


def test_one_is_open_per_play_whoever_asks(four):
    four.ask()
    with pytest.raises(Conflict, match="has already asked about this étui"):
        four.ask(link=four.others[0])
    with pytest.raises(IntegrityError):
        CorrectionRequest.objects.create(
            play=four.play, entrant=four.others[0].entrant, text="x", asked_at=timezone.now()
        )


@pytest.mark.parametrize("text", ["", "  \n ", "x" * (MOST_LETTERS + 1)])
def test_a_text_that_says_nothing_or_too_much_is_refused(four, text):
    with pytest.raises(ActionRefused):
        four.ask(text)


def test_in_the_name_of_somebody_else_nothing_is_asked(four):
    with pytest.raises(ActionRefused, match="the players who played this étui"):
        four.ask(link=four.stranger)


def test_by_a_link_taken_back_nothing_is_asked(session, four, director):
    revoke_link(session_id=session.pk, entrant_id=four.asker.entrant_id, by=director, now=timezone.now())
    with pytest.raises(ActionRefused, match="withdrawn"):
        four.ask()


def test_window_is_the_provisional_time_of_the_newest_publication(session):
    ends = session.publications.get().official_from
    window = window_of(session)
    assert window.closes_at == ends
    assert (window.is_open(ends - dt.timedelta(seconds=1)), window.is_open(ends)) == (True, False)
    Publication.objects.update(status="official")
    assert window_of(session).is_open(timezone.now()) is False


@pytest.mark.parametrize("why", ["over", "withdrawn", "hidden", "never"])
def test_outside_the_window_nothing_is_asked(session, four, why):
    if why == "over":
        end_window(session)
    elif why == "withdrawn":
        session.publications.update(status="withdrawn", reason="x")
    elif why == "hidden":
        Session.objects.filter(pk=session.pk).update(shows_feuilles=False)
    else:
        session.publications.all().delete()
    with pytest.raises(ActionRefused):
        four.ask()


def test_the_others_still_answer_what_was_asked_in_time(session, four):
    request = four.ask()
    end_window(session)
    assert four.agree(request, link=four.others[0]).agrees is True


def test_last_word_counts_and_the_same_word_is_said_once(session, four):
    request = four.ask()
    for agrees in (True, True, False):
        four.agree(request, link=four.others[0], agrees=agrees)
    (asked,) = requests_of(session, now=timezone.now())
    assert [voice.agrees for voice in asked.voices] == [False, None, None]
    assert lines(session) == ["request_made", "request_agreed", "request_denied"]


def test_silence_of_a_day_is_told_of_those_who_are_silent(session, four):
    request = four.ask(now=timezone.now() - SILENCE + dt.timedelta(minutes=5))
    four.agree(request, link=four.others[1])
    (before,) = requests_of(session, now=timezone.now())
    (after,) = requests_of(session, now=timezone.now() + dt.timedelta(minutes=6))
    assert ([voice.silent for voice in before.voices], before.is_silent) == ([False] * 3, False)
    assert ([voice.silent for voice in after.voices], after.is_silent) == ([True, False, True], True)


@pytest.mark.nightly("story")
def test_word_at_the_table_is_by_seat_and_leaves_what_came_by_a_link(four):
    request = four.ask()
    seats = {entrant.pk: line for line, entrant in four.play.seats.items()}
    told = {
        "request_id": request.pk,
        "table_id": four.play.table_id,
        "device": "Table 1 · iPhone",
        "now": timezone.now(),
    }
    first, second = four.others[:2]
    four.agree(request, link=first, agrees=False)
    assert answer_at_table(seat=seats[first.entrant_id], agrees=True, **told).agrees is False
    said = answer_at_table(seat=seats[second.entrant_id], agrees=True, **told)
    assert (said.agrees, said.device) == (True, "Table 1 · iPhone")
    assert four.agree(request, link=second, agrees=False).agrees is False
    with pytest.raises(ActionRefused):
        answer_at_table(seat=seats[four.asker.entrant_id], agrees=True, **told)
    with pytest.raises(ActionRefused, match="no such request"):
        answer_at_table(seat="N", agrees=True, **told | {"table_id": told["table_id"] + 1})


@pytest.mark.nightly("story")
def test_corrected_as_asked_is_granted_with_the_version_that_came_of_it(session, four, decide):
    four.ask()
    seen = four.play.entries.get(current=True).version
    row = decide(correct_as_requested, entry=garde(four.play.etui.taker, points=61), seen_version=seen, reason="asked")
    request = only()
    assert (request.accepted, request.entry, request.decided_by) == (True, row, row.author)
    assert (row.version, row.reason) == (seen + 1, "asked")
    assert lines(session) == ["request_made", "request_accepted"]


def test_neither_is_done_where_the_result_was_corrected_meanwhile(four, director, decide):
    four.ask()
    seen = four.play.entries.get(current=True).version
    given = {"play_id": four.play.pk, "reason": "x", "by": director, "now": timezone.now()}
    correct_result(entry=garde(four.play.etui.taker, points=70), seen_version=seen, **given)
    with pytest.raises(Conflict, match="corrected in the meantime"):
        decide(correct_as_requested, entry=garde(four.play.etui.taker, points=61), seen_version=seen, reason="x")
    assert only().decided_at is None


def test_refused_with_a_reason_which_the_player_reads(session, four, decide):
    four.ask()
    with pytest.raises(ActionRefused, match="reason is missing"):
        decide(refuse_request, reason=" ")
    decide(refuse_request, reason="La fiche dit +56.")
    (asked,) = requests_for(four.asker.entrant, now=timezone.now())
    assert (asked.state, asked.request.answer) == ("refused", "La fiche dit +56.")
    assert lines(session)[-1] == "request_refused"


@pytest.mark.nightly("story")
def test_two_directors_decide_once(session, four, decide):
    four.ask()
    other = make_director(session.tournament.club, "autre")
    decide(refuse_request, reason="non")
    decide(refuse_request, reason="non plus", by=other)
    assert (only().answer, lines(session).count("request_refused")) == ("non", 1)
    with pytest.raises(Conflict, match="decided this in the meantime"):
        decide(accept_request, by=other)
    assert only().accepted is False


def test_other_decision_is_refused_and_the_same_one_is_accepted_again(monkeypatch):
    refused = CorrectionRequest(decided_at=timezone.now(), accepted=False)
    monkeypatch.setattr(deciding, "lock_request", lambda _request, _session: refused)
    told = {"by": User(), "now": timezone.now()}
    assert deciding.decide(1, 1, accepted=False, **told) is refused
    with pytest.raises(Conflict, match="decided this in the meantime"):
        deciding.decide(1, 1, accepted=True, **told)


def test_what_is_decided_is_neither_answered_nor_taken_back(four, decide):
    request = four.ask()
    decide(accept_request, answer="Étui 1 annulé")
    with pytest.raises(ActionRefused, match="decided or withdrawn"):
        four.agree(request, link=four.others[0])
    with pytest.raises(ActionRefused, match="decided or withdrawn"):
        withdraw_request(link=four.asker, request_id=request.pk, now=timezone.now())


def test_what_was_taken_back_is_not_decided(four, decide):
    request = four.ask()
    withdraw_request(link=four.asker, request_id=request.pk, now=timezone.now())
    with pytest.raises(ActionRefused, match="withdrawn"):
        decide(accept_request)


def test_of_another_session_or_with_a_version_that_is_not_nothing_is_decided(four, decide):
    four.ask()
    with pytest.raises(ActionRefused, match="no such request"):
        decide(accept_request, session_id=0)
    with pytest.raises(ActionRefused, match="no version 9"):
        decide(accept_request, version=9)
    assert only().decided_at is None


def test_director_who_has_the_etui_before_him_does_not_decide(session, four, director, decide):
    four.ask()
    still = session.plays.filter(etui=four.play.etui).exclude(pk=four.play.pk).first()
    still.entries.all().update(current=False)
    declare_playing(session_id=session.pk, entrant_id=still.north_id, by=director, now=timezone.now())
    with pytest.raises(ActionRefused, match="another director decide"):
        decide(accept_request)


def test_a_tables_own_requests_alone_are_told_there(session, four):
    four.ask()
    other = Table.objects.filter(session=session).exclude(pk=four.play.table_id).first()
    found = [len(requests_at(table, now=timezone.now())) for table in (four.play.table, other)]
    assert found == [1, 0]
