"""The device of a table, in node: what it keeps and sends without network or room, and after a restored backup."""

import copy
import datetime as dt

from tests.node.running import scripts  # noqa: F401  (a fixture)
from tests.pages.table.answers import NOW, check_screens, make_play, make_state, make_stop, play_story, points, press

NOON = int(dt.datetime.fromisoformat(NOW).timestamp() * 1000)
HOUR = 3600_000
ENTRY = {"kind": "fiche", "taker": "N", "base_score": 62}
FICHE = {"entry": ENTRY, "seat": "N", "sure": []}

VOICES = [
    {"line": "N", "name": "Zoé", "agrees": None, "own": False},
    {"line": "E", "name": "Yann", "agrees": True, "own": True},
    {"line": "W", "name": "Willy", "agrees": False, "own": True},
    {"line": "S", "name": "Xavière", "agrees": False, "own": False},
]
REQUEST = {"id": 5, "etui": 91, "position": 1, "name": "Ursule", "text": "It was made.", "voices": VOICES}


def make_kept(*commands, **values):
    """Return what a device keeps: these commands by their keys, and values."""
    return {"values": {"device": "d", **values}, "commands": {each["key"]: each for each in commands}}


def make_command(sign, kind, play, receipt=None, **more):
    """Return a kept command of the table's code. Its key is made of the sign."""
    key = f"{sign * 8}-0000-4000-8000-000000000000"
    about = {"play": play, "position": 1, "etui": play % 10} if play else {}
    told = {"key": key, "kind": kind, "at": NOW, "token": "code", "order": NOON + ord(sign), "home": "/s/1/#1"}
    received = {"status": "received", "number": 1, "version": 7, "at": NOW, "stored": True, "code": "", "text": ""}
    given = {"receipt": received | {"questions": [], "key": key} | receipt} if receipt is not None else {}
    return told | about | given | more


def test_results_that_a_restored_site_has_lost_are_sent_again(scripts):  # noqa: F811
    """Check that a device sends again what the site lost, and nothing else. It does so for an earlier code too."""
    done = {"entry": ENTRY, "state": "entered", "version": 7, "seat": "N", "started": True}
    state = make_state(
        make_stop(
            1,
            make_play(61, taker="N"),
            make_play(62, taker="N", keys=["b" * 8, "9" * 8], check="same", **done),
            make_play(63, taker="N"),
            make_play(64, taker="N", keys=["8" * 8], check="same", **done | {"version": 8}),
            make_play(65, taker="N"),
        )
    )
    before = copy.deepcopy(state) | {"call": {"coming": False}, "called": "7" * 8, "stamp": "old"}
    refused = {"status": "refused", "stored": False, "number": None, "version": None}
    kept = make_kept(
        make_command("a", "enter", 61, {}, **FICHE),
        make_command("b", "enter", 62, {}, **FICHE),
        make_command("c", "start", 63, {"stored": False, "at": "2026-11-26T19:00:00Z"}),
        make_command("d", "start", 62, {"stored": False}),
        make_command("e", "enter", 65, {}, **FICHE, times=5),
        make_command("f", "not_played", 65, refused | {"code": "session_closed"}),
        make_command("1", "check", 62, {}, agrees=True, seat="E", after="b" * 8 + "-0000-4000-8000-000000000000"),
        make_command("2", "check", 64, {}, agrees=True, seat="E", version=7),
        make_command("3", "check", 62, refused | {"code": "nothing_to_check"}, agrees=True, seat="S", version=7),
        make_command("4", "not_played", 61, token="earlier"),
        make_command("5", "not_played", 62, token="earlier", home="/s/2/#1"),
        make_command("6", "enter", 61, {}, **FICHE, order=NOON - 73 * HOUR, token="other"),
        make_command("7", "call", None, {"stored": False}),
        make_command("0", "record", 61, refused | {"code": "odd"}),
        **{
            "code:state": before,
            "code:heard": NOON - HOUR,
            "old:heard": NOON - 37 * HOUR,
            "old:state": {},
            "new:heard": NOON - 35 * HOUR,
            "new:state": {},
        },
    )
    steps = [("answer", {"kind": "call", "status": "refused", "code": "key_used"}), ("away",), ("pass", 4000)]
    told = play_story(scripts, state, steps, kept=kept, first=[500, "{}"])
    assert [(each["key"][0], each["kind"], each.get("again", False), each["at"][11:16]) for each in told["sent"]] == [
        ("4", "not_played", False, "20:00"),
        ("1", "check", True, "20:00"),
        ("3", "check", True, "20:00"),
        ("7", "call", True, "20:00"),
        ("a", "enter", True, "20:00"),
        ("c", "start", True, "19:00"),
        ("f", "not_played", False, "20:00"),
    ]
    values = sorted(told["kept"]["values"])
    assert values == ["code:heard", "code:state", "device", "lease", "new:heard", "new:state"]
    commands = {each["key"][0]: each for each in told["kept"]["commands"].values()}
    assert sorted(commands) == sorted("abcdef1234570")
    assert commands["7"]["receipt"]["status"] == "received"
    assert [sign for sign, each in commands.items() if "receipt" not in each] == ["5"]
    assert {sign: each["times"] for sign, each in commands.items() if "times" in each} == {
        **dict.fromkeys("e7", 5),
        **dict.fromkeys("13ac", 1),
    }


def test_screen_says_why_the_site_is_not_reached_and_keeps_what_is_typed(scripts, tmp_path):  # noqa: F811
    state = make_state(make_stop(1, *(make_play(pk, taker="N", check="same") for pk in (71, 72))), stamp="s1")
    steps = [
        ("away", 500, "{}"),
        ("pass", 4000),
        ("away", 404, '{"error": {"code": "token_unknown"}}'),
        ("pass", 4000),
        ("offline", True),
        ("pass", 4000),
        ("offline", False),
        ("away",),
        ("fire", "online"),
        ("fire", "offline"),
        *press("etui-71", "none"),
        *points("60"),
        *press("petit-none"),
        ("full", True),
        *press("save"),
        ("full", False),
        ("offline", True),
        *press("save", "agree", "home", "etui-71"),
        ("answer", {"kind": "enter", "status": "refused", "text": "No."}),
        ("offline", False),
        ("pass", 4000),
        ("away", 404, '{"error": {"code": "token_expired"}}'),
        ("hide", True),
        ("pass", 30000),
        ("hide", False),
    ]
    kept = {"commands": {}}
    told = play_story(scripts, state, steps, kept=kept, first=[200, "<html>"])
    check_screens("away", told, steps, tmp_path)
    address = f"/t/code/state/?device={told['kept']['values']['device']}"
    first, known, nameless = ([address + seen, "en"] for seen in ("", "&seen=s1", "&seen="))
    assert told["asked"] == [*[first] * 5, known, nameless]
    assert told["kept"]["values"]["code:state"]["stops"][0]["seats"] == {line: {"name": ""} for line in "NESW"}


def test_correction_follows_its_entry_and_waits_for_a_tab_that_sends(scripts):  # noqa: F811
    state = make_state(make_stop(1, *(make_play(pk, taker="N") for pk in (71, 72))))
    typed = press("none", "digit-9", "next", "petit-none", "save")
    corrected = press("correct", "none", "digit-8", "next", "petit-none", "save")
    lease = {"holder": "other", "until": NOON + 3000}
    steps = [
        *press("menu", "asks", "back"),
        ("offline", True),
        *[*press("etui-71"), *typed, *press("etui-71"), *corrected],
        *[*press("etui-72"), *typed, *press("etui-72"), *corrected],
        ("offline", False),
        ("answer", {"kind": "enter"}, {"kind": "enter", "status": "refused", "text": "No.", "version": None}),
        ("pass", 1900),
        ("pass", 4000),
    ]
    kept = make_kept(lease=lease)
    told = play_story(scripts, state, steps, kept=kept)
    fields = [
        (each["kind"], each["play"], each.get("seen_version"), each.get("entry", {}).get("half_points"))
        for each in told["sent"]
    ]
    assert fields[:4] == [
        ("start", 71, None, None),
        ("enter", 71, None, 18),
        ("start", 72, None, None),
        ("enter", 72, None, 18),
    ]
    assert fields[4:] == [("correct", 71, 2, 16), ("enter", 72, None, 16)]
    assert [len([line for line in screen if line.startswith("sent:")]) for screen in told["told"][-2:]] == [0, 6]


def test_check_of_an_entry_refused_long_ago_no_longer_waits_on_the_screen(scripts):  # noqa: F811
    entered = "a" * 8 + "-0000-4000-8000-000000000000"
    refused = {"status": "refused", "stored": False, "number": None, "version": None, "dismissed": True}
    kept = make_kept(
        make_command("a", "enter", 61, refused, **FICHE),
        make_command("b", "check", 61, agrees=True, seat="E", after=entered),
    )
    state = make_state(make_stop(1, make_play(61, taker="N")))
    told = play_story(scripts, state, [], kept=kept)
    assert told["sent"] == []
    assert [line for line in told["told"][-1] if "received" in line or "kept" in line] == ["Everything is received"]


def test_refusals_about_plays_that_the_site_no_longer_has_are_shown_whole(scripts, tmp_path):  # noqa: F811
    state = make_state(make_stop(1), make_stop(2, make_play(71, taker="N")), here=2, position=2)
    refused = {"status": "refused", "stored": False, "number": None, "version": None, "text": "There is no such étui."}
    kept = make_kept(
        make_command("a", "enter", 99, refused, **FICHE),
        make_command("b", "check", 98, refused, agrees=True, seat="E", entry=ENTRY),
        make_command("c", "start", 97, refused),
        make_command("d", "not_played", 96, refused | {"dismissed": True}),
    )
    steps = [("session", {"closed": True}), ("pass", 10000), ("choose", "dismiss-")]
    told = play_story(scripts, state, steps, kept=kept)
    check_screens("gone", told, steps, tmp_path)


def test_points_are_typed_on_the_keyboard_and_not_drawn_under_a_finger(scripts, tmp_path):  # noqa: F811
    state = make_state(make_stop(1, make_play(81, taker="N")))
    steps = [
        *press("etui-81", "none"),
        *[("send", key) for key in ("7", "Backspace", "Enter", "6", "x")],
        ("fire", "pointerdown"),
        ("send", "1"),
        ("fire", "pointerup"),
        ("send", "Backspace"),
        ("keyed", "Enter", {"ctrlKey": True}),
        ("focus", "digit-8"),
        ("send", "Enter"),
        ("focus", "heading"),
        ("send", "Enter"),
    ]
    told = play_story(scripts, state, steps)
    check_screens("typed", told, steps, tmp_path)


def test_lead_is_sent_when_it_can_no_longer_be_undone_or_the_page_is_hidden(scripts, tmp_path):  # noqa: F811
    done = {"entry": ENTRY, "state": "entered", "version": 7, "seat": "N", "started": True}
    state = make_state(make_stop(1, *(make_play(pk, taker="N", **done) for pk in (81, 82))))
    steps = [
        *press("etui-81", "record"),
        ("focus", "card-♠R"),
        *[("send", key) for key in ("ArrowUp", "ArrowLeft", "ArrowDown", "ArrowRight", "ArrowRight", "x", "ArrowDown")],
        *press("card-♥R", "noted", "card-♥D"),
        ("hide", True),
        ("hide", False),
        *press("etui-82", "record", "card-♦R"),
        ("pass", 15000),
        ("both", "home", "etui-82"),
        *press("record", "never", "menu", "leave"),
    ]
    told = play_story(scripts, state, steps, kept=make_kept())
    check_screens("lead", told, steps, tmp_path)


def test_request_is_answered_by_whoever_holds_the_device(scripts, tmp_path):  # noqa: F811
    state = make_state(make_stop(1, make_play(91, taker="N")), requests=[REQUEST])
    steps = press("agrees-5-N", "denies-5-N", "denies-5-S")
    told = play_story(scripts, state, [*steps, ("offline", True), *press("agrees-5-S")])
    check_screens("request", told, [*steps, ("offline", True), *press("agrees-5-S")], tmp_path)


def test_other_side_enters_the_result_too_where_it_checks_blind(scripts, tmp_path):  # noqa: F811
    passed = {"entry": {"kind": "passed"}, "state": "confirmed", "version": 1, "seat": "N", "started": True}
    state = make_state(
        make_stop(1, make_play(91, **passed), make_play(92, check="blind"), make_play(93, leader="W")),
        make_stop(2, rest=True),
        session={"auction": "free", "shows": "topage"},
    )
    steps = press("etui-91", "home", "etui-92", "passed", "save", "blind", "W", "prise", "none", "digit-8", "next")
    steps += press("petit-defence", "save", "home", "etui-93", "back", "after")
    told = play_story(scripts, state, steps)
    check_screens("blind", told, steps, tmp_path)


def test_published_results_are_shown_once_by_themselves(scripts, tmp_path):  # noqa: F811
    state = make_state(make_stop(1, make_play(91, taker="N")))
    ranked = [("N", "Zoé", 3, "54.25", "/f/1/"), ("E", "Yann", None, None, None)]
    players = [dict(zip(("line", "name", "rank", "percent", "address"), each, strict=True)) for each in ranked]
    steps = [
        *press("etui-91"),
        ("site", {"results": {"status": "provisional", "players": players, "address": "/r/"}}),
        ("session", {"closed": True, "published": True}),
        ("pass", 10000),
        *press("to-list", "menu", "language"),
        ("site", {"results": {"status": "official", "players": [], "address": "/r/"}}),
        ("pass", 10000),
        *press("home"),
    ]
    told = play_story(scripts, state, steps)
    check_screens("published", told, steps, tmp_path)
    assert told["title"] == "Vos résultats, officiels · Table 1"
