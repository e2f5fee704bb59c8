"""The pages of a player's own link: closed before the publication, then with this player's lines alone."""

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from clubs.guard.counting import MOST_CODES_OF_ADDRESS
from evenings.plays.free import find_own_seats
from evenings.requests.asking import MOST
from evenings.requests.links import renew_link, revoke_link
from pages.doors import session_url
from pages.personal.pages import WRITES_A_MINUTE
from tests import shared_evenings
from tests.evenings.requests.world import WRONG, Four, end_window, only, send, visit
from tests.factories import enter_all, make_director, publish, published_session, started_session
from tests.pages.browsing import browser_of
from tests.pages.reading import read, words
from tournaments.models import CorrectionRequest, Publication, Session


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    return published_session(cards=True)


session = shared_evenings.evening_read_with_nothing_cached


@pytest.fixture
def four(session):
    return Four(session)


POSTS = (("personal_play", {"what": "score"}), ("personal_answer", {"agrees": "yes"}), ("personal_withdraw", {}))


@pytest.mark.nightly("story")
def test_before_the_publication_it_says_when_it_opens_and_where_one_sits(db):
    session = started_session(cards=True)
    director = make_director(session.tournament.club)
    enter_all(session, by=director)
    four = Four(session)
    pages = [visit(four.asker), visit(four.asker, "personal_play", four.play.pk)]
    pages += [send(four.asker, name, four.play.pk, **typed) for name, typed in POSTS]
    assert {page.status_code for page in pages} == {200}
    assert len({words(page) for page in pages}) == 1
    assert "Your results appear here once the ranking is published" in words(pages[0])
    assert [said for said in ("étui", "Étui", "%") if said in words(pages[0])] == []
    seats = [f"Position {each.position} Table {each.table}" for each in find_own_seats(four.asker.entrant, session)]
    assert (len(seats), [said for said in seats if said not in words(pages[0])]) == (5, [])
    assert CorrectionRequest.objects.count() == 0
    publish(session, by=director)
    assert "Position 1, table 1" in words(visit(four.asker))


def test_his_own_lines_are_there_as_they_are_published(session, four):
    page = words(visit(four.asker))
    report = session.publications.get().data
    mine = [
        etui["number"]
        for etui in report["etuis"]
        for play in etui["plays"]
        if four.asker.entrant_id in play["seats"].values()
    ]
    assert [f"Étui {number}" in page for number in mine] == [True] * 5
    etui_pages = [session_url("published_etui", session, 1, number) + f"?of={four.asker.entrant_id}" for number in mine]
    assert [link for link in read(visit(four.asker)).links if "?of=" in link] == etui_pages
    assert page.count("Report an error") == 5
    assert four.asker.entrant.name in page


def test_nobody_keeps_finds_or_is_told_of_the_page(four):
    for page in (
        visit(four.asker),
        visit(four.asker, "personal_play", four.play.pk),
        browser_of().get(reverse("personal_code")),
    ):
        assert (page["Cache-Control"], page["Referrer-Policy"], page["X-Robots-Tag"]) == (
            "no-store", "no-referrer", "noindex",
        )  # fmt: skip
        assert read(page).refused == []
        assert page.cookies == {}


def test_a_phrase_is_enough(four):
    answer = send(four.asker, "personal_play", four.play.pk, what="taker")
    assert answer.url == reverse("personal", args=[four.asker.token])
    assert (only().text, only().entrant, only().play) == ("The taker is wrong", four.asker.entrant, four.play)
    page = words(visit(four.asker))
    assert "Your requests" in page
    assert "the director has not decided yet" in page


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({}, "Say what is wrong"),
        ({"what": "other"}, "Say what is wrong"),
        ({"what": "dance"}, "no longer, in the list"),
        ({"what": "score", "text": "x" * 401}, "No more than 400 characters"),
        ({"text": "é" * 1_000_000}, "No more than 400 characters"),
        ({"text": "un\u202edeux"}, "contains an invisible character"),
    ],
)
def test_what_cannot_be_taken_is_said_and_what_was_written_stays(four, typed, said):
    page = send(four.asker, "personal_play", four.play.pk, **typed)
    assert (page.status_code, CorrectionRequest.objects.count()) == (200, 0)
    assert said in words(page)
    assert typed.get("text", "")[:400] in page.content.decode()
    assert len(page.content) < 30_000


def test_a_text_that_no_site_reads_is_refused_kindly(four):
    page = send(four.asker, "personal_play", four.play.pk, text="é" * 3_000_000)
    assert (page.status_code, "use fewer words" in words(page)) == (413, True)


@pytest.mark.parametrize("page", ["play", "shown", "data", "calendar", "line_up"])
def test_a_form_that_no_site_reads_is_refused_kindly_as_browsers_send_it(four, page):
    """Check it on each page: such a form is refused again whenever somebody looks at it."""
    more = [four.play.pk] if page == "play" else []
    address = reverse(f"personal_{page}", args=[four.asker.token, *more])
    answer = browser_of().post(address, "text=" + "x" * 3_000_000, content_type="application/x-www-form-urlencoded")
    assert (answer.status_code, "use fewer words" in words(answer)) == (413, True)


def test_another_players_line_does_not_exist_for_him(session, four):
    other = next(
        play for play in session.plays.all() if four.asker.entrant_id not in {each.pk for each in play.seats.values()}
    )
    assert visit(four.asker, "personal_play", other.pk).status_code == 404
    assert send(four.asker, "personal_play", other.pk, what="score").status_code == 404
    assert visit(four.asker, "personal_play", 10**17).status_code == 404
    assert CorrectionRequest.objects.count() == 0


@pytest.mark.nightly("story")
def test_the_three_others_see_it_and_agree_or_not(four):
    request = four.ask()
    page = words(visit(four.others[0]))
    assert "Your answer is needed" in page
    assert WRONG in page
    for link, word in zip(four.others, ("yes", "no", "yes"), strict=True):
        assert send(link, "personal_answer", request.pk, agrees=word).status_code == 302
    assert [word.agrees for word in request.answers.all()] == [True, False, True]
    mine = words(visit(four.asker))
    assert (mine.count("agrees"), mine.count("does not agree")) == (2, 1)
    send(four.others[1], "personal_answer", request.pk, agrees="yes")
    assert "You agree" in words(visit(four.others[1]))


def test_nobody_else_has_a_word(four):
    request = four.ask()
    assert WRONG not in words(visit(four.stranger))
    for link in (four.stranger, four.asker):
        page = send(link, "personal_answer", request.pk, agrees="yes")
        assert (page.status_code, "Only the players who played this étui there" in words(page)) == (409, True)
    assert send(four.others[0], "personal_withdraw", request.pk).status_code == 409
    assert send(four.asker, "personal_withdraw", 10**17).status_code == 409
    assert send(four.others[0], "personal_answer", request.pk, agrees="dance").status_code == 404
    assert (request.answers.count(), only().withdrawn_at) == (0, None)


def test_the_second_who_asks_finds_the_first_ones_words_and_loses_nothing_of_his_own(four):
    four.ask()
    assert WRONG in words(visit(four.others[0], "personal_play", four.play.pk))
    page = send(four.others[0], "personal_play", four.play.pk, what="other", text="C’était +46")
    assert page.status_code == 409
    assert "has already asked about this étui" in words(page)
    assert WRONG in words(page)
    assert "C’était +46" in words(page)
    assert CorrectionRequest.objects.count() == 1


def test_he_takes_it_back_and_may_ask_anew(four):
    request = four.ask()
    for _time in range(2):
        assert send(four.asker, "personal_withdraw", request.pk).status_code == 302
    assert "You withdrew it" in words(visit(four.asker))
    assert WRONG not in words(visit(four.others[0]))
    page = send(four.others[0], "personal_answer", request.pk, agrees="yes")
    assert (page.status_code, "or withdrawn" in words(page)) == (409, True)
    assert send(four.asker, "personal_play", four.play.pk, what="bouts").status_code == 302
    assert CorrectionRequest.objects.filter(withdrawn_at=None).get().text == "The bouts are wrong"


def test_once_the_ranking_is_official_nothing_more_is_asked(session, four):
    end_window(session)
    page = words(visit(four.asker))
    assert "The time for corrections is over" in page
    assert "Report an error" not in page
    sent = send(four.asker, "personal_play", four.play.pk, what="score")
    assert (sent.status_code, "The time for corrections is over" in words(sent)) == (409, True)
    assert CorrectionRequest.objects.count() == 0


def test_official_by_word_closes_it_before_the_time(session, four):
    Publication.objects.filter(session=session).update(status="official")
    assert "The time for corrections is over" in words(visit(four.asker))


@pytest.mark.parametrize("what", ["withdrawn", "hidden"])
def test_nothing_shows_of_a_ranking_taken_back_nor_of_feuilles_switched_off(session, four, what):
    if what == "withdrawn":
        session.publications.update(status="withdrawn", reason="Étui 4 refait")
    else:
        Session.objects.filter(pk=session.pk).update(shows_feuilles=False)
    page = words(visit(four.asker))
    said = {"withdrawn": "Reason: Étui 4 refait.", "hidden": "The feuilles de route are not shown"}[what]
    assert said in page
    assert "Position 1" not in page
    send(four.asker, "personal_play", four.play.pk, what="score")
    assert CorrectionRequest.objects.count() == 0


def test_a_ranking_that_is_not_shown_gives_no_rank(session, four):
    Session.objects.filter(pk=session.pk).update(shows_ranking=False)
    page = words(visit(four.asker))
    assert ("Rank" in page, "Étui 1" in page) == (False, True)


def test_a_link_taken_back_says_what_to_do_and_opens_nothing(session, four, director):
    told = {"session_id": session.pk, "entrant_id": four.asker.entrant_id, "by": director, "now": timezone.now()}
    revoke_link(**told)
    for page in (visit(four.asker), send(four.asker, "personal_play", four.play.pk, what="score")):
        assert (page.status_code, "Ask the director for a new card" in words(page)) == (410, True)
    new = renew_link(**told)
    assert visit(new).status_code == 200
    assert visit(four.asker).status_code == 410


@pytest.mark.parametrize("token", ["x", "A" * 22, "A" * 43, "%00", "é"])
def test_what_is_no_link_opens_nothing(four, token):
    page = browser_of().get(f"/p/{token}/")
    assert (page.status_code, "This link does not work" in words(page)) == (404, True)


@pytest.fixture
def tonight(session):
    """Move the evening to today, since codes may be typed until thirty days after it."""
    Session.objects.filter(pk=session.pk).update(date=timezone.localdate())


def test_code_is_typed_where_no_camera_reads_it(four, tonight):
    client = browser_of(enforce_csrf_checks=True)
    code = four.asker.code
    answer = client.post(reverse("personal_code"), {"code": f"{code[:4].lower()} {code[4:8]} {code[8:]}"})
    assert answer.url == reverse("personal", args=[four.asker.token])
    wrong = client.post(reverse("personal_code"), {"code": "O0 O0"})
    assert (wrong.status_code, "A code has twelve letters" in words(wrong), "O0 O0" in wrong.content.decode()) == (
        404, True, True,
    )  # fmt: skip


def test_code_is_typed_no_more_when_the_evening_is_long_past_and_the_link_opens_on(four, session):
    Session.objects.filter(pk=session.pk).update(date=timezone.localdate() - dt.timedelta(days=31))
    page = browser_of().post(reverse("personal_code"), {"code": four.asker.code})
    assert (page.status_code, "until thirty days after the evening" in words(page)) == (404, True)
    assert visit(four.asker).status_code == 200


def test_who_guesses_codes_is_slowed_and_who_has_a_link_is_not(four, tonight):
    client = browser_of()
    statuses = [
        client.post(reverse("personal_code"), {"code": "AAAA AAAA AAAA"}).status_code
        for _ in range(MOST_CODES_OF_ADDRESS + 1)
    ]
    assert statuses == [404] * MOST_CODES_OF_ADDRESS + [429]
    assert client.post(reverse("personal_code"), {"code": four.asker.code}).status_code == 429
    assert visit(four.asker, client=client).status_code == 200


@pytest.mark.nightly("story")
def test_who_sends_without_end_is_slowed_by_his_link_wherever_from(four):
    request = four.ask()
    link = four.others[0]
    for number in range(WRITES_A_MINUTE):
        page = send(link, "personal_answer", request.pk, agrees=("yes", "no")[number % 2])
        assert page.status_code == 302
    client = browser_of(REMOTE_ADDR="192.0.2.77")
    assert send(link, "personal_answer", request.pk, client=client, agrees="yes").status_code == 429
    assert send(four.others[1], "personal_answer", request.pk, agrees="yes").status_code == 302


@pytest.mark.nightly("story")
def test_nobody_asks_without_end(four):
    for _time in range(MOST):
        four.ask()
        CorrectionRequest.objects.update(withdrawn_at=timezone.now())
    page = send(four.asker, "personal_play", four.play.pk, what="score")
    assert (page.status_code, f"already asked for {MOST}" in words(page)) == (409, True)


@pytest.mark.nightly("story")
@pytest.mark.parametrize("asked", [0, 5])
def test_page_costs_the_same_few_questions_whatever_is_asked(session, four, asked):
    mine = [
        play
        for play in session.plays.select_related("etui", "table")
        if four.asker.entrant_id in {each.pk for each in play.seats.values()}
    ]
    for play in mine[:asked]:
        Four(session, play).ask(link=four.asker)
    visit(four.asker)
    with CaptureQueriesContext(connection) as queries:
        assert visit(four.asker).status_code == 200
    assert len(queries) == (6 if asked else 4)  # link, session, publication, requests with players and answers
