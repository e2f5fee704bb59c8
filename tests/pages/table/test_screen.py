"""The table's screen over HTTP: a code without an account, which opens the evening of its own table only."""

import datetime as dt
import json
import uuid

import pytest
from django.db.models import F, Q
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evenings.plays.entering import annul_play
from evenings.standings import computing
from evenings.tables import commands
from evenings.tables.devices import revoke_token
from tests.evenings.tables.phones import Phone, command, tokens_of
from tests.factories import SEED, enter_all, garde, make_club, make_director, make_tournament, started_session
from tournaments.locks import step
from tournaments.models import LogEntry, ResultEntry, Session, TableToken, Tournament

ADDRESSES = ("table_screen", "table_state", "table_send", "arbiter")


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    session = started_session(cards=True, positions=3, etuis_per_position=2)
    tokens_of(session)
    return session.pk


@pytest.fixture
def tokens(session):
    return tokens_of(session)


@pytest.fixture
def phone(tokens):
    return Phone(tokens[1])


@pytest.fixture
def play(session):
    return session.plays.filter(table__number=1, position=1).select_related("etui").first()


def at(session, **changes):
    Session.objects.filter(pk=session.pk).update(**changes, revision=F("revision") + step())


def visit(name, token):
    client = Client(headers={"accept-language": "en"}, enforce_csrf_checks=True)
    if name == "table_send":
        body = {"device": "phone-one", "commands": [command("call")]}
        return client.post(reverse(name, args=[token]), body, content_type="application/json")
    return client.get(reverse(name, args=[token]))


def revoked(session, token):
    table = session.tables.get(number=1)
    revoke_token(table=table, by=make_director(session.tournament.club), now=timezone.now())
    return token


def expired(session, token):
    TableToken.objects.update(expires_at=timezone.now() - dt.timedelta(seconds=1))
    return token


def of_a_desk(session, token):
    at(session, devices=Session.Devices.DESK)
    return token


def of_a_session_in_preparation(session, token):
    at(session, status=Session.Status.DRAFT, started_at=None)
    return token


def guessed(session, token):
    return token[:-1] + ("A" if token[-1] != "A" else "B")


def of_a_table(session, token):
    return str(session.tables.get(number=1).pk)


def foreign(session, token):
    """Return a code that the site does not know, such as the key of a device."""
    return str(uuid.uuid4())


def with_a_null(session, token):
    return f"{token[:42]}\x00"


WRONG = [revoked, expired, of_a_desk, of_a_session_in_preparation, guessed, of_a_table, foreign, with_a_null]


@pytest.mark.parametrize("name", ADDRESSES)
@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.__name__)
def test_wrong_code_reaches_nothing(session, tokens, name, wrong):
    assert visit(name, tokens[1]).status_code == 200
    before = LogEntry.objects.count()
    response = visit(name, wrong(session, tokens[1]))
    assert response.status_code == 404
    assert LogEntry.objects.exclude(action__startswith="token").count() == before
    if name not in ("table_screen", "arbiter"):
        message = "This code does not open a table, or no longer does: scan the table card again."
        told = {"code": "token_unknown", "field": "", "message": message, "params": {}}
        assert response.json() == {"error": told}


@pytest.mark.parametrize("name", ADDRESSES)
def test_no_answer_is_kept_in_a_cache_or_sets_a_cookie(tokens, name):
    response = visit(name, tokens[1])
    assert "no-store" in response["Cache-Control"]
    # the wrong codes of a device are counted by its cookie
    of_a_form = {"csrftoken", "device"} if name == "arbiter" else {"csrftoken"}
    assert not response.cookies.keys() - of_a_form


def test_screen_is_the_same_for_every_table(tokens):
    assert len({visit("table_screen", token).content for token in tokens.values()}) == 1


def test_worker_reaches_the_screens_and_no_further(db):
    response = Client().get(reverse("table_worker"))
    assert (response.status_code, response["Content-Type"]) == (200, "text/javascript")
    assert reverse("table_worker").rpartition("/")[0] == "/t"


def test_entry_is_answered_with_its_number_and_the_state(phone, play):
    sent = command("enter", play=play, seat="N", entry=garde(play.etui.taker))
    answer = phone.post(sent).json()
    (receipt,) = answer["receipts"]
    assert answer["server"] == "topage"
    assert {name: receipt[name] for name in ("key", "status", "number", "code", "text", "questions")} == {
        "key": sent["key"], "status": "received", "number": play.entries.get().pk, "code": "", "text": "",
        "questions": [],
    }  # fmt: skip
    shown = next(shown for shown in answer["state"]["stops"][0]["plays"] if shown["id"] == play.pk)
    assert (shown["state"], shown["version"], shown["entry"]) == ("entered", 1, sent["entry"])
    assert shown["score"]["base_score"] == 66
    assert shown["score"]["lines"] == [
        {"text": "Garde made by 8 with 2 bouts: (25\u00a0+\u00a08)\u00a0×\u00a02", "value": 66}
    ]
    assert sorted(shown["score"]["marks"].values()) == [-66, -66, -66, 198]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "This étui is not played at this table, or no longer is: look at the plan, or call the arbiter."),
        ("fr", None),
    ],
)
def test_refusals_come_in_the_language_of_the_request(tokens, language, text):
    receipt = Phone(tokens[1], language=language).send("start", play=10**6)
    assert receipt["code"] == "play_unknown"
    assert text in (receipt["text"], None)


@pytest.mark.nightly("story")
def test_state_names_the_table_its_stops_and_where_each_goes_next(session, phone):
    phone.send("join", name="Tablette")
    at(session, position=1)
    state = phone.get().json()
    assert [(stop["position"], len(stop["plays"]), stop["closed"], stop["rest"]) for stop in state["stops"]] == [
        (1, 2, False, False),
        (2, 2, False, False),
        (3, 2, False, False),
    ]
    first = state["stops"][0]
    assert {line: who["name"] for line, who in first["seats"].items()} == {
        line: entrant.name for line, entrant in session.plays.first().seats.items()
    }
    assert state["device"] == {"writes": True, "others": 0, "known": True, "label": "Table 1 · Tablette 1"}
    second = session.plays.filter(position=2)
    expected = {
        entrant.name: play.table.number
        for play in second
        for entrant in play.seats.values()
        if entrant.name in {who["name"] for who in first["seats"].values()}
    }
    assert {going["name"]: going["table"] for going in state["next"]} == expected


def test_unchanged_state_is_not_sent_again(phone, play):
    stamp = phone.get().json()["stamp"]
    assert phone.get(seen=stamp).status_code == 204
    phone.send("start", play=play)
    assert phone.get(seen=stamp).status_code == 200


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("tables", [5, 9])
def test_state_takes_the_same_queries_whatever_the_field(db, tables, django_assert_num_queries):
    session = started_session(
        make_tournament(make_club("autre")), tables=tables, positions=3, etuis_per_position=tables // 4
    )
    enter_all(session, by=make_director(session.tournament.club))
    phone = Phone(tokens_of(session)[1])
    phone.send("join")
    with django_assert_num_queries(8) as asked:
        phone.get()
    assert all(query["sql"].startswith(("SELECT", "EXECUTE glance")) for query in asked)
    # This data is as large as the evening, and the screen shows nothing of it.
    assert not any('"tournaments_sessionstandings"."data"' in query["sql"] for query in asked)


def test_state_holds_no_card_and_no_other_tables_result(session, tokens, phone):
    """Give all other tables a score that appears nowhere else, and check that only the table's own result is there."""
    enter_all(session, by=make_director(session.tournament.club))
    facts = {"contract": "", "bouts": None, "half_points": None, "petit_au_bout": "", "chelem": ""}
    others = ResultEntry.objects.exclude(play__table__number=1)
    others.update(kind="fiche", fiche_score=1234, **facts)
    computing.refresh(session.pk, now=timezone.now())
    text = phone.get().content.decode()
    hands = [hand for etui in session.deal_set.etuis.all() for hand in etui.cards.split()]
    assert SEED.hex() not in text
    assert [hand for hand in hands if hand in text] == []
    assert not {"1234", "3702"} & set(text.replace('"', " ").replace(":", " ").replace(",", " ").split())
    assert '"base_score"' in text


@pytest.mark.nightly("story")
def test_results_leave_with_the_players_who_entered_them(session, phone, play):
    """Check that they are hidden, since the next players may still have to play these étuis."""
    at(session, position=1)
    for left in session.plays.filter(table__number=1, position=1).select_related("etui"):
        phone.send("enter", play=left, seat="N", entry=garde(left.etui.taker))
    assert [shown["entry"] is None for shown in phone.get().json()["stops"][0]["plays"]] == [False, False]
    at(session, position=2)
    gone = phone.get().json()["stops"][0]
    assert gone["closed"]
    assert [(shown["entry"], shown["score"], shown["after"]) for shown in gone["plays"]] == [(None, None, None)] * 2


def test_etui_still_owed_opens_nothing_of_those_who_sat_there_since(session, phone, play):
    at(session, position=2)
    for left in session.plays.filter(table__number=1, position=2).select_related("etui"):
        phone.send("enter", play=left, seat="N", entry=garde(left.etui.taker))
    assert phone.get().json()["here"] == 2
    at(session, position=3)
    state = phone.get().json()
    assert (state["here"], [stop["closed"] for stop in state["stops"]]) == (3, [False, True, False])
    assert [shown["entry"] for shown in state["stops"][1]["plays"]] == [None, None]


def test_ruling_on_a_position_to_come_moves_nobody_there(session, phone, play):
    phone.send("enter", play=play, seat="N", entry=garde(play.etui.taker))
    later = session.plays.filter(table__number=1, position=3).first()
    annul_play(play_id=later.pk, reason="altéré", by=make_director(session.tournament.club), now=timezone.now())
    state = phone.get().json()
    assert (state["here"], state["stops"][0]["plays"][0]["entry"] is None) == (1, False)


def after_entry(session, phone, play, **settings):
    """Return what the screen shows with a play once every other result of the position and the étui is computed too."""
    at(session, position=1, **settings)
    phone.send("enter", play=play, seat="", entry=garde(play.etui.taker, points=80))
    phone.send("check", play=play, version=1, seat=play.etui.taker, agrees=True)
    enter_all(
        session,
        by=make_director(session.tournament.club),
        plays=session.plays.exclude(pk=play.pk).filter(position=1) | session.plays.filter(etui=play.etui, position=2),
    )
    computing.refresh(session.pk, now=timezone.now())
    state = phone.get().json()
    return next(shown for shown in state["stops"][0]["plays"] if shown["id"] == play.pk)["after"]


@pytest.mark.nightly("story")
def test_nothing_is_shown_after_an_entry_by_default(session, phone, play):
    assert after_entry(session, phone, play) is None


def test_topage_so_far_names_nobody(session, phone, play):
    after = after_entry(session, phone, play, shows_after=Session.ShownAfter.TOPAGE)
    assert after["kind"] == "topage"
    assert [set(shown) for shown in after["plays"]] == [{"base_score", "taker", "notes", "mine"}] * 2
    assert [shown["base_score"] for shown in after["plays"] if shown["mine"]] == [128]
    assert sorted(shown["notes"][play.etui.taker] for shown in after["plays"]) == ["0.0", "100.0"]


@pytest.mark.nightly("story")
def test_entry_before_its_position_is_called_shows_nothing_of_the_others(session, phone, play):
    settings = {"shows_after": Session.ShownAfter.TOPAGE}
    later = session.plays.filter(table__number=1, position=2).select_related("etui").first()
    at(session, **settings)
    phone.send("enter", play=later, seat="", entry=garde(later.etui.taker))
    phone.send("check", play=later, version=1, seat=later.etui.taker, agrees=True)
    assert after_entry(session, phone, play, **settings) is not None
    shown = {shown["id"]: shown for shown in phone.get().json()["stops"][1]["plays"]}
    assert (shown[later.pk]["entry"] is None, shown[later.pk]["after"]) == (False, None)
    at(session, position=2)
    assert phone.get().json()["stops"][1]["plays"][0]["after"]["kind"] == "topage"


def test_running_ranking_is_hidden_in_the_last_positions(session, phone, play):
    after = after_entry(session, phone, play, shows_after=Session.ShownAfter.RANKING, hidden_positions=2)
    assert after["kind"] == "ranking"
    assert sorted(set(after["players"][0])) == ["name", "percent", "rank"]
    assert len(after["players"]) == 20
    for position in (0, 1):  # before a position is called, and in the first one of three
        at(session, hidden_positions=3, position=position)
        assert [shown["after"] for shown in phone.get().json()["stops"][0]["plays"]] == [None, None]


@pytest.mark.nightly("story")
def test_event_of_the_federation_shows_nothing_whatever_is_set(session, phone, play):
    Tournament.objects.update(federation=True)
    assert after_entry(session, phone, play, shows_after=Session.ShownAfter.RANKING, hidden_positions=0) is None


@pytest.mark.parametrize(
    "body",
    [
        "", "[]", "{}", '{"device": "phone-one"}', '{"device": "phone-one", "commands": []}',
        '{"device": 3, "commands": [{}]}', '{"device": "a\\u0000bcdefgh", "commands": [{}]}', "{", '{"a": NaN}',
        json.dumps({"device": "phone-one", "commands": [{}] * 51}),
        json.dumps({"device": "phone-one", "commands": [{}], "more": "x" * 300_000}),
    ],
    ids=lambda body: body[:40],
)  # fmt: skip
def test_body_of_another_shape_is_not_understood(phone, body):
    address = reverse("table_send", args=[phone.token])
    assert phone.client.post(address, body, content_type="application/json").status_code == 400


def test_only_json_is_read(phone):
    assert phone.client.post(reverse("table_send", args=[phone.token]), {"device": "phone-one"}).status_code == 415


def test_commands_are_answered_one_by_one_and_a_wrong_one_stops_nothing(phone, play):
    sent = [{"key": "?"}, command("enter", play=play, seat="N", entry=garde(play.etui.taker)), command("call")]
    receipts = phone.post(*sent).json()["receipts"]
    assert [(receipt["key"], receipt["status"]) for receipt in receipts] == [
        ("?", "refused"),
        (sent[1]["key"], "received"),
        (sent[2]["key"], "received"),
    ]


def test_command_on_which_the_site_fails_is_left_to_be_sent_again_and_holds_up_none(phone, play, monkeypatch):
    def fails(command):
        raise RuntimeError("a fault of ours")

    monkeypatch.setitem(commands.HANDLERS, "start", fails)
    sent = [command("start", play=play), command("enter", play=play, seat="N", entry=garde(play.etui.taker))]
    answer = phone.post(*sent).json()
    assert [receipt["key"] for receipt in answer["receipts"]] == [sent[1]["key"]]


def test_a_table_asks_so_often_and_no_more(phone, monkeypatch):
    monkeypatch.setattr("api.table.TableThrottle.rate", "2/min")
    assert [phone.get().status_code for _ in range(3)] == [200, 200, 429]
    assert Phone(phone.token[::-1]).get().status_code == 404


@pytest.mark.nightly("story")
def test_tournament_made_for_free_auction_says_so(db):
    session = started_session(make_tournament(make_club("autre"), auction="free"))
    assert Phone(tokens_of(session)[1]).get().json()["session"]["auction"] == "free"


@pytest.mark.nightly("story")
def test_where_those_of_the_position_before_have_gone_is_told_by_the_plan_as_it_is(session, phone, play):
    for left in session.plays.filter(table__number=1, position=1).select_related("etui"):
        phone.send("enter", play=left, seat="N", entry=garde(left.etui.taker))
    at(session, position=2)
    first = session.plays.filter(table__number=1, position=1)[0]
    state = phone.get().json()
    there = {line["name"]: line["table"] for line in state["left"]["next"]}
    assert state["left"]["position"] == 1
    assert there == {
        who.name: session.plays.filter(Q(north=who) | Q(east=who) | Q(south=who) | Q(west=who), position=2)[
            0
        ].table.number
        for who in first.seats.values()
    }
    gone = first.east
    gone.last_position = 1
    gone.save()
    at(session)
    assert gone.name not in [line["name"] for line in phone.get().json()["left"]["next"]]
