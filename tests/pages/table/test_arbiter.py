"""The arbiter on a table's device: what the desk's code opens, for how long, and what can be done there."""

import datetime as dt

import pytest
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evenings.plays.entering import enter_result
from evenings.plays.ruling import declare_playing
from evenings.tables import devices
from evenings.tables.devices import revoke_token
from pages.doors import session_url
from tests.evenings.tables.phones import tokens_of
from tests.factories import enter_all, garde, make_director, make_helper, started_session
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import ArbiterCode, LogEntry, Ruling, Session


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    session = started_session(cards=True, positions=3, etuis_per_position=2)
    tokens_of(session)
    return session.pk


@pytest.fixture
def tokens(session):
    return tokens_of(session)


@pytest.fixture
def phone():
    return Client(headers={"accept-language": "en"})


def plays_of(session, table, position=1):
    return list(session.plays.filter(table__number=table, position=position).select_related("etui", "table"))


def make(session, director, table=1):
    return devices.make_code(table=session.tables.get(number=table), by=director, now=timezone.now()).code


def come(phone, token, code):
    return phone.post(reverse("arbiter", args=[token]), {"code": code}, follow=True)


@pytest.fixture
def inside(session, director, tokens, phone):
    """Return a phone of table 1 on which the director rules."""
    come(phone, tokens[1], make(session, director))
    return phone


def rule(phone, token, play, name, **given):
    return phone.post(reverse("arbiter_rule", args=[token, play.pk, name]), given, follow=True)


def test_table_and_desk_call_the_arbiter_by_his_name(session, director, tokens, phone):
    director.first_name, director.last_name = "Zoé", "de La Tour"
    director.save()
    page = come(phone, tokens[1], make(session, director))
    assert "Ruling as Zoé de La Tour until" in words(page)
    assert "Zoé de La Tour can rule on this table’s device" in words(
        browser_of(director).get(session_url("tables", session))
    )


def test_desk_shows_the_code_to_who_asked_for_it_and_it_opens_the_tables_plays(session, director, tokens, phone):
    desk = browser_of(director)
    assert desk.post(session_url("arbiter_code", session, 1)).url == f"{session_url('tables', session)}#table-1"
    code = ArbiterCode.objects.get().code
    shown = f"{code[:4]}\N{NO-BREAK SPACE}{code[4:]}"
    assert shown in desk.get(session_url("tables", session)).content.decode()
    other = browser_of(make_director(session.tournament.club, "autre"))
    assert shown not in other.get(session_url("tables", session)).content.decode()
    page = come(phone, tokens[1], f" {code[:4]} {code[4:]} ")
    assert "Ruling as directrice until" in words(page)
    assert "no-store" in page["Cache-Control"]
    assert code not in desk.get(session_url("tables", session)).content.decode()
    assert list(session.log.order_by("id").values_list("action", flat=True))[-2:] == [
        "arbiter_code_made",
        "arbiter_came",
    ]
    assert set(session.log.filter(action__startswith="arbiter").values_list("author", flat=True)) == {director.pk}


def test_code_is_for_one_table_and_one_device(session, director, tokens, phone):
    code = make(session, director)
    assert "does not work here" in words(come(phone, tokens[2], code))
    come(phone, tokens[1], code)
    second = Client(headers={"accept-language": "en"})
    assert "does not work here" in words(come(second, tokens[1], code))
    assert "Code shown on the desk" in words(phone.get(reverse("arbiter", args=[tokens[2]])))
    play = plays_of(session, 2)[0]
    assert phone.get(reverse("arbiter_play", args=[tokens[1], play.pk])).status_code == 404
    assert rule(phone, tokens[1], play, "annul", reason="ailleurs").status_code == 404
    assert not Ruling.objects.exists()


def wrong_code(code):
    return f"{(int(code) + 1) % 10**8:08}"


def test_five_wrong_codes_of_a_device_keep_that_device_out_and_no_other(session, director, tokens, phone):
    """Check that a joker with the table's link uses up only the tries of their own device."""
    code, joker = make(session, director), Client(headers={"accept-language": "en"})
    for client in (phone, joker):
        client.get(reverse("arbiter", args=[tokens[1]]))
    for _time in range(4):
        assert "does not work here" in words(come(joker, tokens[1], wrong_code(code)))
    for typed in (wrong_code(code), code):
        assert "Five wrong codes were typed on this device" in words(come(joker, tokens[1], typed))
    assert "5 wrong codes were typed" in words(browser_of(director).get(session_url("tables", session)))
    assert "Ruling as" in words(come(phone, tokens[1], code))


def test_five_wrong_ones_are_of_one_code(session, director, tokens, phone):
    code = make(session, director)
    for _time in range(5):
        come(phone, tokens[1], wrong_code(code))
    assert "Ruling as" in words(come(phone, tokens[1], make(session, director)))


def test_devices_without_a_cookie_share_the_tries_of_their_address(session, director, tokens):
    code = make(session, director)
    for _time in range(5):
        Client().post(reverse("arbiter", args=[tokens[1]]), {"code": wrong_code(code)})
    Client().post(reverse("arbiter", args=[tokens[1]]), {"code": code})
    assert ArbiterCode.objects.get().came_at is None
    Client().post(reverse("arbiter", args=[tokens[1]]), {"code": code}, REMOTE_ADDR="192.0.2.7")
    assert ArbiterCode.objects.get().came_at is not None


@pytest.mark.nightly("story")
def test_fifty_wrong_codes_end_it_and_the_desk_gives_a_new_one(session, director, tokens, phone):
    code, desk = make(session, director), browser_of(director)
    for number in range(50):
        client = phone if number == 49 else Client(REMOTE_ADDR=f"192.0.2.{number}")
        page = come(client, tokens[1], wrong_code(code))
    assert "Fifty wrong codes were typed at this table: ask the desk for a new one" in words(page)
    assert "does not work here" in words(come(phone, tokens[1], code))
    assert session.log.filter(action="arbiter_code_spent").count() == 1
    assert "Fifty wrong codes were typed" in words(desk.get(session_url("tables", session)))
    desk.post(session_url("arbiter_code", session, 1))
    assert "Fifty wrong codes were typed" not in words(desk.get(session_url("tables", session)))
    assert "Ruling as" in words(come(phone, tokens[1], ArbiterCode.objects.get(ended_at=None).code))


def test_code_that_a_clock_set_back_puts_in_the_future_is_over_with_what_it_let_in(session, director, tokens, phone):
    def set_back():
        hour = dt.timedelta(hours=1)
        ArbiterCode.objects.update(made_at=F("made_at") + hour, expires_at=F("expires_at") + hour)

    code = make(session, director)
    set_back()
    assert "does not work here" in words(come(phone, tokens[1], code))
    come(phone, tokens[1], make(session, director))
    (play, *_others) = plays_of(session, 1)
    assert phone.get(reverse("arbiter_play", args=[tokens[1], play.pk])).status_code == 200
    set_back()
    assert phone.get(reverse("arbiter_play", args=[tokens[1], play.pk])).status_code == 302


def test_code_ends_after_ten_minutes_and_so_does_what_it_let_in(session, director, tokens, phone):
    code = make(session, director)
    ArbiterCode.objects.update(expires_at=timezone.now() - dt.timedelta(seconds=1))
    assert "does not work here" in words(come(phone, tokens[1], code))
    come(phone, tokens[1], make(session, director))
    play = plays_of(session, 1)[0]
    assert phone.get(reverse("arbiter_play", args=[tokens[1], play.pk])).status_code == 200
    ArbiterCode.objects.update(expires_at=timezone.now() - dt.timedelta(seconds=1))
    assert phone.get(reverse("arbiter_play", args=[tokens[1], play.pk])).url == reverse("arbiter", args=[tokens[1]])
    rule(phone, tokens[1], play, "annul", reason="trop tard")
    assert not Ruling.objects.exists()


def nothing(session, director):
    pass


def done(session, director):
    devices.leave_table(table=session.tables.get(number=1), now=timezone.now())


def another_code(session, director):
    make(session, director)


def no_director_any_more(session, director):
    director.memberships.all().delete()


def code_of_the_table_revoked(session, director):
    revoke_token(table=session.tables.get(number=1), by=director, now=timezone.now())


def desk_only(session, director):
    Session.objects.filter(pk=session.pk).update(devices=Session.Devices.DESK)


@pytest.mark.parametrize(
    "end", [nothing, done, another_code, no_director_any_more, code_of_the_table_revoked, desk_only]
)
def test_what_ends_it(session, director, tokens, inside, end):
    play = plays_of(session, 1)[0]
    end(session, director)
    rule(inside, tokens[1], play, "annul", reason="décidé à la table")
    assert Ruling.objects.exists() == (end is nothing)


def test_done_leads_back_to_the_tables_screen(session, tokens, inside):
    answer = inside.post(reverse("arbiter_done", args=[tokens[1]]))
    assert answer.url == reverse("table_screen", args=[tokens[1]])
    assert answer.cookies["arbiter"].value == ""
    assert "Code shown on the desk" in words(inside.get(reverse("arbiter", args=[tokens[1]])))
    assert session.log.filter(action="arbiter_left").count() == 1


def test_cookie_goes_to_that_tables_rulings_alone(session, director, tokens, phone):
    code = make(session, director)
    cookie = phone.post(reverse("arbiter", args=[tokens[1]]), {"code": code}).cookies["arbiter"]
    assert cookie["path"] == reverse("arbiter", args=[tokens[1]])
    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "Strict", 600)
    assert cookie.value not in str(ArbiterCode.objects.values().get())


@pytest.mark.nightly("story")
def test_rulings_are_the_directors(session, director, tokens, inside):
    first, second = plays_of(session, 1)
    enter_result(play_id=first.pk, entry=garde(first.etui.taker), by=director, now=timezone.now())
    make_helper(session.tournament.club)
    page = rule(inside, tokens[1], first, "confirm", seen_version=1)
    assert "The result is confirmed." in words(page)
    check = first.entries.get().checks.get()
    assert (check.author, check.agrees) == (director, True)
    assert "The play is annulled" in words(rule(inside, tokens[1], first, "annul", reason="bruit"))
    assert "The play counts again" in words(rule(inside, tokens[1], first, "restore", reason="erreur"))
    page = rule(inside, tokens[1], first, "withdraw", seen_version=1, reason="autre donne")
    assert "The result is withdrawn" in words(page)
    assert "no longer expected" in words(rule(inside, tokens[1], second, "aside", kind="not_played"))
    assert set(Ruling.objects.values_list("author", flat=True)) == {director.pk}
    assert "The reason is missing" in words(rule(inside, tokens[1], first, "withdraw", seen_version=1))
    assert rule(inside, tokens[1], first, "burn").status_code == 404


def test_result_is_entered_and_corrected_there(session, director, tokens, inside):
    play = plays_of(session, 1)[0]
    address = reverse("arbiter_play", args=[tokens[1], play.pk])
    typed = {"kind": "fiche", "taker": play.etui.taker, "figure": "66", "sign": "+"}
    first = inside.post(address, typed)
    assert first.status_code == 200
    shown = first.context["summary"].shown if first.context["summary"] else ""
    saved = inside.post(address, typed | {"shown": shown}, follow=True)
    assert "is saved" in words(saved)
    assert play.entries.get().author == director
    page = inside.get(f"{address}?correct")
    assert reverse("arbiter_preview", args=[tokens[1], play.pk]) in page.content.decode()
    assert inside.post(reverse("arbiter_preview", args=[tokens[1], play.pk]), typed).status_code == 200


@pytest.mark.nightly("story")
def test_nothing_of_another_table_nor_of_the_cards_shows(session, director, tokens, inside):
    enter_all(session, by=director)
    for play in session.plays.filter(table__number=1):
        page = inside.get(reverse("arbiter_play", args=[tokens[1], play.pk])).content.decode()
        etui = play.etui
        for other in session.plays.filter(etui=etui).exclude(table__number=1):
            assert session_url("play", session, other.pk) not in page
        assert session_url("session", session) not in page
        assert session_url("live_etui", session, etui.number) not in page
        assert "at the other tables" not in page
        assert not [hand for hand in etui.cards.split()[:4] if hand in page]
    start = inside.get(reverse("arbiter", args=[tokens[1]])).content.decode()
    assert session_url("session", session) not in start


def test_director_who_plays_sees_nothing_there_that_the_desk_hides(session, director, tokens, inside):
    play = plays_of(session, 1)[0]
    enter_result(
        play_id=play.pk, entry=garde(play.etui.taker), by=make_helper(session.tournament.club), now=timezone.now()
    )
    later = next(
        other for other in session.plays.filter(etui=play.etui).exclude(pk=play.pk) if not other.entries.exists()
    )
    declare_playing(session_id=session.pk, entrant_id=later.north_id, by=director, now=timezone.now())
    address = reverse("arbiter_play", args=[tokens[1], play.pk])
    page = words(inside.get(address))
    assert "hidden from you" in page
    assert "+66" not in page
    assert "Show everything" not in page
    assert rule(inside, tokens[1], play, "withdraw", seen_version=1, reason="x").status_code == 403
    assert "hidden: you have not played it yet" in words(inside.get(reverse("arbiter", args=[tokens[1]])))


@pytest.mark.parametrize("name", ["arbiter_play", "arbiter_preview", "arbiter_rule", "arbiter_done"])
def test_without_the_code_nothing_is_done_whoever_is_logged_in(session, director, tokens, name):
    play = plays_of(session, 1)[0]
    rest = {"arbiter_done": [], "arbiter_rule": [play.pk, "annul"]}.get(name, [play.pk])
    for client in (Client(), browser_of(director)):
        answer = client.post(reverse(name, args=[tokens[1], *rest]), {"reason": "x"})
        assert answer.status_code == 302
    assert not Ruling.objects.exists()


def test_forms_are_checked_for_forgery(session, director, tokens):
    strict = Client(enforce_csrf_checks=True)
    answer = strict.post(reverse("arbiter", args=[tokens[1]]), {"code": make(session, director)})
    assert answer.status_code == 403
    assert not LogEntry.objects.filter(action="arbiter_came").exists()
