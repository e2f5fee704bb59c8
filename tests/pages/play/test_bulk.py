"""The grid for paper slips: each row is saved by itself, all that is typed stays, no stored result is overwritten."""

import pytest
from django.utils import timezone, translation
from django.utils.http import urlencode

from evenings.plays.entering import not_played
from evenings.plays.entries import entry_of
from evenings.plays.ruling import declare_playing
from pages.doors import session_url
from pages.play import bulk, bulk_fields
from pages.play.bulk import BESIDE, MOST_FIELDS
from pages.play.bulk_fields import FACTS, choices_of, names_of
from pages.play.summary import summarise_fiche
from scoring.ranking import Line
from tests import shared_evenings
from tests.factories import enter, make_director, make_helper, make_tournament, started_session
from tests.pages.browsing import browser_of, fields
from tests.pages.reading import read, words
from tournaments.models import ResultEntry
from tournaments.rules.entry import AllPassed, Bout, Facts, Fiche

pytestmark = pytest.mark.django_db
MINUS = "−"
FORM = "application/x-www-form-urlencoded"


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    return started_session().pk


@pytest.fixture
def director_user(session):
    return make_director(session.tournament.club)


director = shared_evenings.browser_of_director_user


@pytest.fixture
def plays(session):
    """Return the plays of position 1, by table."""
    return list(session.plays.filter(position=1).select_related("etui", "table").order_by("table__number"))


def address(session, query="?position=1"):
    return session_url("bulk", session) + query


def send(client, session, typed, query="?position=1"):
    return client.post(address(session, query), {f"{name}-{play.pk}": value for (name, play), value in typed.items()})


def stored(play):
    row = ResultEntry.objects.filter(play=play, current=True).first()
    return row and entry_of(row)


def test_position_has_a_row_for_each_table_with_its_taker(director, session, plays):
    rows = read(director.get(address(session))).rows
    assert rows[0] == ["Table", "Étui", "Taker", "Score", "Already entered"]
    taker = plays[0].seats[plays[0].etui.taker]
    assert rows[1] == ["1", "1", f"{plays[0].etui.taker} {taker.player.name}", "", ""]
    assert len(rows) == 6


def test_etui_is_laid_out_as_its_fiche(director, session):
    rows = read(director.get(address(session, "?etui=3"))).rows
    assert rows[0] == ["Position", "Table", "Taker", "+", MINUS, "Already entered"]
    assert [row[0] for row in rows[1:]] == ["1", "2", "3", "4", "5"]


def test_first_position_that_lacks_results_is_offered(director, session, director_user):
    for play in session.plays.filter(position=1).select_related("etui"):
        enter(play, by=director_user)
    assert "Fiches of position 2" in words(director.get(address(session, "")))


def test_one_table_of_a_position_is_shown_saved_and_not_left(director, session, plays):
    query, play = "?position=1&table=2", plays[1]
    page = director.get(address(session, query))
    assert ("Fiches of position 1, table 2" in words(page), len(read(page).rows)) == (True, 2)
    answer = send(director, session, {("score", play): "106"}, query)
    assert (answer.url, stored(play)) == (address(session, query), Fiche(play.etui.taker, 106))
    assert "Every result of this table is entered." in words(director.get(answer.url))


@pytest.mark.parametrize("query", ["?position=9", "?etui=99", "?position=x", "?position=1&table=9", "?table=x"])
def test_grid_of_what_is_not_there_is_not_found(director, session, query):
    assert director.get(address(session, query)).status_code == 404


def test_all_rows_are_saved_at_once(director, session, plays):
    typed = {
        ("score", plays[0]): "106",
        ("score", plays[1]): "-52",
        ("score", plays[2]): "+ 56",
        ("score", plays[3]): "−60",
    }
    page = send(director, session, typed)
    assert page.url == address(session)
    assert [stored(play).base_score for play in plays[:4]] == [106, -52, 56, -60]
    assert stored(plays[4]) is None
    assert "4 results are saved." in words(director.get(page.url))


@pytest.mark.parametrize(("plus", "minus", "score"), [("106", "", 106), ("", "52", -52), ("", "-52", -52)])
def test_columns_of_the_fiche_give_the_sign(director, session, plays, plus, minus, score):
    play = plays[0]
    send(director, session, {("plus", play): plus, ("minus", play): minus}, f"?etui={play.etui.number}")
    assert stored(play) == Fiche(play.etui.taker, score)


def test_bouts_and_points_are_facts(director, session, plays):
    typed = {("bouts", plays[0]): "21 p", ("points", plays[0]): "49", ("poignee_attack", plays[0]): "simple"}
    send(director, session, typed, "?position=1&by=facts")
    assert isinstance(stored(plays[0]), Facts)
    assert stored(plays[0]).result.half_points == 98
    assert [str(each) for each in stored(plays[0]).result.poignees_attack] == ["simple"]


@pytest.mark.parametrize(
    ("typed", "named"),
    [
        ("0", set()),
        ("21", {Bout.TRUMP_21}),
        ("p", {Bout.PETIT}),
        ("21pe", set(Bout)),
        ("3", set(Bout)),
        ("E, 21", {Bout.TRUMP_21, Bout.EXCUSE}),
        ("Petit + Excuse", {Bout.PETIT, Bout.EXCUSE}),
    ],
)
def test_bouts_are_typed_as_letters(director, session, plays, typed, named):
    row = {("bouts", plays[0]): typed, ("points", plays[0]): "49"}
    send(director, session, row, "?position=1&by=facts")
    assert (stored(plays[0]).attack_bouts, stored(plays[0]).result.bouts) == (named, len(named))


@pytest.mark.parametrize("typed", ["4", "PP", "12", "21 21", "x", "P?"])
def test_what_is_no_bout_is_refused_and_kept(director, session, plays, typed):
    page = send(director, session, {("bouts", plays[0]): typed, ("points", plays[0]): "49"}, "?position=1&by=facts")
    assert "Write the taker’s bouts as 21, P and E" in words(page)
    assert (fields(page)[f"bouts-{plays[0].pk}"], stored(plays[0])) == (typed, None)


def test_slip_that_only_counts_its_bouts_is_asked_which_ones_and_may_not_know(director, session, plays):
    typed = {("bouts", plays[0]): "2", ("points", plays[0]): "49"}
    page = send(director, session, typed, "?position=1&by=facts")
    assert "Which bouts? Type 21, P and E" in words(page)
    assert stored(plays[0]) is None
    sure = page.context["grid"].rows[0].summary.shown
    send(director, session, typed | {("sure", plays[0]): sure}, "?position=1&by=facts")
    assert (stored(plays[0]).attack_bouts, stored(plays[0]).result.bouts) == (None, 2)


def test_rows_that_cannot_be_say_why_and_keep_what_was_typed_as_others_are_saved(director, session, plays):
    typed = {("score", plays[0]): "106", ("score", plays[1]): "deux", ("score", plays[2]): "9999"}
    page = send(director, session, typed)
    assert (stored(plays[0]).base_score, stored(plays[1]), stored(plays[2])) == (106, None, None)
    text = words(page)
    for told in ("1 result is saved.", "2 rows are not saved", "“deux” is not a whole number", "2000"):
        assert told in text
    kept = fields(page)
    assert (kept[f"score-{plays[1].pk}"], kept[f"score-{plays[2].pk}"]) == ("deux", "9999")


def test_arithmetic_is_refused_row_by_row(director, session, plays):
    typed = {
        ("bouts", plays[0]): "21 p",
        ("points", plays[0]): "91",
        ("bouts", plays[1]): "PE",
        ("points", plays[1]): "50",
    }
    page = send(director, session, typed, "?position=1&by=facts")
    assert "the attack has at most" in words(page)
    assert (stored(plays[0]), stored(plays[1]).result.half_points) == (None, 100)


def test_figure_in_both_columns_is_refused(director, session, plays):
    play = plays[0]
    page = send(director, session, {("plus", play): "56", ("minus", play): "56"}, f"?etui={play.etui.number}")
    assert "not under both" in words(page)
    assert stored(play) is None


def test_unlikely_result_is_asked_about_once_and_for_that_figure_alone(director, session, plays):
    play = plays[0]
    asked = send(director, session, {("score", play): "318"})
    assert stored(play) is None
    assert "I am sure: +318" in words(asked)
    sure = asked.context["grid"].rows[0].summary.shown
    assert send(director, session, {("score", play): "321", ("sure", play): sure}).status_code == 200
    assert stored(play) is None
    send(director, session, {("score", play): "318", ("sure", play): sure})
    assert stored(play).base_score == 318


def test_what_is_stored_is_corrected_only_with_a_reason(director, director_user, session, plays):
    play = plays[0]
    enter(play, Fiche(play.etui.taker, 56), by=director_user)
    page = director.get(address(session))
    assert "+56" in words(page)
    typed = {("score", play): "-56", ("seen", play): fields(page)[f"seen-{play.pk}"]}
    refused = send(director, session, typed)
    assert "The reason is missing" in words(refused)
    assert fields(refused)[f"score-{play.pk}"] == "-56"
    send(director, session, typed | {("reason", play): "signe mal lu"})
    rows = list(ResultEntry.objects.filter(play=play).order_by("version"))
    assert [(row.fiche_score, row.reason, row.current) for row in rows] == [
        (56, "", False),
        (-56, "signe mal lu", True),
    ]


def test_row_that_somebody_else_entered_meanwhile_shows_both(director, director_user, session, plays):
    play = plays[0]
    enter(play, Fiche(play.etui.taker, 56), by=director_user)
    page = send(director, session, {("score", play): "62"})
    assert stored(play).base_score == 56
    assert "This play already has a result" in words(page)
    assert "+56" in words(page)
    kept = fields(page)
    assert (kept[f"score-{play.pk}"], kept[f"seen-{play.pk}"]) == ("62", "1")
    send(director, session, {("score", play): "62", ("seen", play): "1", ("reason", play): "fiche relue"})
    assert stored(play).base_score == 62


@pytest.mark.nightly("story")
def test_same_grid_sent_twice_is_kept_once(director, session, plays):
    for _ in range(2):
        send(director, session, {("score", plays[0]): "106"})
    assert ResultEntry.objects.count() == 1


@pytest.mark.nightly("story")
def test_free_auction_asks_for_the_taker_and_knows_four_passes(db):
    session = started_session(make_tournament(auction="free"))
    director = browser_of(make_director(session.tournament.club))
    plays = list(session.plays.filter(position=1))
    typed = {
        ("taker", plays[0]): "E",
        ("score", plays[0]): "56",
        ("taker", plays[1]): "passed",
        ("score", plays[2]): "56",
    }
    page = send(director, session, typed)
    assert (stored(plays[0]), stored(plays[1]), stored(plays[2])) == (Fiche("E", 56), AllPassed(), None)
    assert "This field is required." in words(page)


def test_helper_types_slips_and_sees_no_result_of_others(session, director_user, plays):
    helper = browser_of(make_helper(session.tournament.club))
    enter(plays[0], Fiche(plays[0].etui.taker, 58), by=director_user)
    send(helper, session, {("score", plays[1]): "62"})
    assert stored(plays[1]).base_score == 62
    text = words(helper.get(address(session)))
    assert ("+58" in text, "+62" in text) == (False, True)
    guessed = words(send(helper, session, {("score", plays[0]): "58"}))
    assert "This play already has a result" in guessed


def test_director_who_plays_does_not_see_what_is_still_to_play(director, director_user, session, plays):
    own = session.plays.filter(position=2).select_related("etui").first()
    play = session.plays.filter(position=1, etui=own.etui).get()
    enter(play, Fiche(own.etui.taker, 1234), by=make_director(session.tournament.club, "autre"))
    assert "1234" in words(director.get(address(session)))
    declare_playing(session_id=session.pk, entrant_id=own.north_id, by=director_user, now=timezone.now())
    text = words(director.get(address(session)))
    assert ("1234" in text, "entered, hidden from you" in text) == (False, True)


def test_expired_login_leads_back_to_the_very_grid(session, plays):
    page = send(browser_of(), session, {("score", plays[0]): "106"})
    assert page.url.endswith("?next=" + address(session).replace("?", "%3F").replace("=", "%3D"))


@pytest.mark.nightly("crawl")
def test_grid_costs_the_same_queries_however_large(django_assert_num_queries):
    tournament = make_tournament()
    director = make_director(tournament.club)
    client = browser_of(director)
    for tables, etuis in ((5, 1), (7, 4)):
        session = started_session(tournament, tables=tables, etuis_per_position=etuis)
        enter(session.plays.select_related("etui").first(), by=director)
        with django_assert_num_queries(10):
            client.get(address(session))


def test_row_marked_as_not_played_is_asked_about_before_it_is_replaced(director, director_user, session, plays):
    play = plays[1]
    not_played(play_id=play.pk, by=director_user, now=timezone.now())
    page = send(director, session, {("score", play): "60"})
    assert "This étui is marked as not played here" in words(page)
    assert (fields(page)[f"score-{play.pk}"], stored(play)) == ("60", None)
    sure = page.context["grid"].rows[1].summary.shown
    send(director, session, {("score", play): "60", ("sure", play): sure})
    assert stored(play) == Fiche(Line(play.etui.taker), 60)


@pytest.mark.nightly("story")
def test_grid_of_a_hundred_and_fifty_tables_is_read_to_its_end(director, director_user, session, plays):
    """Send as many fields as such a grid has: the last row is saved, and the check against forgery works."""
    last = plays[-1]
    typed = {f"{name}-{row}": "" for row in range(10_000_000, 10_000_600) for name in (*names_of(FACTS), *BESIDE)}
    assert len(typed) > 5000
    typed |= {f"taker-{last.pk}": last.etui.taker, f"bouts-{last.pk}": "21 E", f"points-{last.pk}": "49"}
    url = session_url("bulk", session) + "?position=1&by=facts"
    assert director.post(url, urlencode(typed), content_type=FORM).status_code == 302
    assert ResultEntry.objects.filter(play=last).count() == 1
    careful = browser_of(director_user, enforce_csrf_checks=True)
    assert careful.post(url, urlencode(typed), content_type=FORM).status_code == 403
    token = fields(careful.get(url))["csrfmiddlewaretoken"]
    assert careful.post(url, urlencode(typed | {"csrfmiddlewaretoken": token}), content_type=FORM).status_code == 302


def test_other_pages_read_no_more_fields_than_before(director, session):
    typed = urlencode({f"name-{number}": "" for number in range(1001)})
    assert director.post(session_url("publish", session), typed, content_type=FORM).status_code == 400


def test_grid_has_an_end_too(director, session):
    typed = urlencode({f"name-{number}": "" for number in range(MOST_FIELDS + 1)})
    assert director.post(session_url("bulk", session), typed, content_type=FORM).status_code == 400


MADE = {"74": "made by 12", "-74": "failed by 12", "30": "made by 0, petit au bout to the defence"}


@pytest.mark.nightly("story")
@pytest.mark.parametrize("typed", MADE)
def test_stored_fiche_says_by_how_much_the_contract_was_made_or_failed(director, session, plays, typed):
    assert send(director, session, {("score", plays[0]): typed}).status_code == 302
    figure = typed.replace("-", MINUS) if "-" in typed else f"+{typed}"
    assert read(director.get(address(session))).rows[1][-1].endswith(f"{figure} {MADE[typed]}")
    assert f"Fiche: {figure} {MADE[typed]}" in words(director.get(session_url("play", session, plays[0].pk)))


def test_fiche_that_is_asked_about_says_what_it_would_be_before_it_is_saved(director, session, plays):
    """Check +10, which no Garde can give: only its sign is read."""
    row = read(send(director, session, {("score", plays[0]): "10"})).rows[1]
    assert row[-1] == "made"


def test_made_or_failed_is_said_in_french(director_user, session, plays):
    director = browser_of(director_user)
    send(director, session, {("score", plays[0]): "-74"})
    text = words(director.get(address(session), headers={"accept-language": "fr"}))
    assert "chuté de 12" in text


@pytest.mark.nightly("story")
def test_free_auction_tells_no_contract_so_only_the_sign_is_read(db):
    free = started_session(make_tournament(auction="free", name="Libre"))
    director = browser_of(make_director(free.tournament.club))
    play = free.plays.filter(position=1).order_by("table__number").first()
    assert send(director, free, {("score", play): "-104", ("taker", play): "N"}).status_code == 302
    page = words(director.get(session_url("play", free, play.pk)))
    assert f"Fiche: {MINUS}104 failed" in page
    assert "failed by" not in page


def test_each_stored_result_is_summed_up_once(director, session, plays, director_user, monkeypatch):
    """Check that the grid makes each sentence once.

    A grid of 150 tables has 300 results, and four readings of each made the page slow.
    """
    for play in plays:
        enter(play, by=director_user)
    summed = []
    monkeypatch.setattr(bulk, "summarise_fiche", lambda *given: summed.append(given) or summarise_fiche(*given))
    director.get(address(session))
    assert len(summed) == len(plays)


def test_equal_options_are_drawn_once_for_all_rows(director, session, plays, monkeypatch):
    """Check that the options of a field, the greater part of a page of 300 rows, are made once for each value."""
    drawn = []
    monkeypatch.setattr(bulk_fields, "choices_of", lambda name: drawn.append(name) or choices_of(name))
    page = director.get(address(session, "?position=1&by=facts"))
    assert page.text.count("<select") == 4 * len(plays)
    assert sorted(drawn) == ["chelem", "petit_au_bout", "poignee_attack", "poignee_defence"]


def test_chosen_options_are_those_of_their_row(director, session, plays):
    """Rows with different choices do not share their options."""
    typed = {
        ("bouts", plays[0]): "x",
        ("chelem", plays[0]): "announced_made",
        ("bouts", plays[1]): "x",
        ("chelem", plays[1]): "none",
    }
    page = send(director, session, typed, "?position=1&by=facts")
    found = fields(page)
    assert [found[f"chelem-{play.pk}"] for play in plays[:2]] == ["announced_made", "none"]


@pytest.mark.parametrize(("name", "last"), [("taker", ("passed", "everyone passed")), ("partner", ("alone", "alone"))])
def test_seats_of_the_tables_are_offered_and_one_more_word(name, last):
    grid = bulk_fields.FieldsOfGrid([[name]], ("garde",), ("N", "E"))
    with translation.override("en"):
        assert [(value, str(text)) for value, text in grid.choices(name)] == [("N", "N"), ("E", "E"), last]
        options = grid.options(name, "E")
    assert options.startswith(
        '<option value=""></option><option value="N">N</option><option value="E" selected>E</option>'
    )
