"""The sentences of a session's log: one for each action that a service writes, with only the params it has."""

import ast

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from clubs.log import SENTENCES as CLUB_LOG
from pages.doors import session_url
from scoring.ranking import Line
from tests.evenings.tables.phones import Device, tokens_of
from tests.factories import garde, make_director, started_session
from tests.law.breaches import OURS
from tests.law.packages import MODULES, within
from tests.pages.reading import read
from tournaments.log import log_action
from tournaments.models import LogEntry
from tournaments.rules.entry import Fiche
from tournaments.words.log_sentences import LOG, say_log

SITE = [path for name, path in MODULES.items() if within(name, OURS)]
WRITERS = {"log", "tell", "log_play", "log_device", "log_call"}


def actions():
    """Yield the actions in the code: the second argument of each call that writes a line, or both parts of a choice."""
    for path in SITE:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and WRITERS & {getattr(node.func, "id", ""), getattr(node.func, "attr", "")}:
                written = node.args[1] if len(node.args) > 1 else None
                if not isinstance(written, ast.Constant | ast.IfExp):
                    continue
                for part in (written,) if isinstance(written, ast.Constant) else (written.body, written.orelse):
                    if isinstance(part, ast.Constant):
                        yield part.value


@pytest.mark.nightly("story")
def test_every_action_has_a_sentence():
    assert set(actions()) - set(LOG.texts) <= set(CLUB_LOG)


PLAY = {"etui": 12, "table": 3, "position": 2}
PENALTY = {"name": "Élise Aubert", "points": "1.5"}
# An example of each action, with its params as the service writes them. A new action needs its own example.
EXAMPLES = {
    "etuis_added": {"count": 4, "first": 29, "last": 32},
    "public_etuis": {"name": "Cercle", "number": 1, "reason": "démonstration"},
    "edited": {"setting": "positions", "before": "5", "after": "7"},
    "rules_changed": {"setting": "ties", "before": "", "after": "attack,draw"},
    "put_together": {"section": "A", "others": "2, 3"},
    "ranked_together": {"section": "B", "others": "1"},
    "parted": {"section": "A"},
    "started": {},
    "start_taken_back": {},
    "published": {"version": 2, "missing": 1},
    "session_closed": {},
    "team_made": {"team": 7},
    "teams_made": {"count": 8},
    "team_renamed": {"team": 7},
    "team_captain": {"team": 7, "name": "Élise Aubert"},
    "team_renumbered": {"team": 7, "before": 3},
    "team_dissolved": {"team": 7},
    "team_left": {"team": 7},
    "team_back": {"team": 7},
    "line_up_handed_in": {"team": 7, "position": 0, "reason": ""},
    "line_up_chosen": {"team": 7, "position": 0, "reason": ""},
    "quarter_chosen": {"team": 7, "quarter": 2},
    "quarter_changed": {"team": 7, "quarter": 2, "reason": "Zoé est malade"},
    "quarter_without_line_up": {"team": 7, "quarter": 2},
    "league_decided": {"winner": 7, "loser": 2, "reason": "tirage au sort"},
    "match_decided": {"winner": 7, "loser": 2, "reason": "tirage au sort"},
    "line_up_changed": {"team": 7, "position": 3, "reason": "Zoé est malade"},
    "member_added": {"team": 7, "name": "Élise Aubert"},
    "member_removed": {"team": 7, "name": "Élise Aubert"},
    "member_replaced": {"team": 7, "name": "Élise Aubert", "other": "Zoé Martin"},
    "member_back": {"team": 7, "name": "Élise Aubert", "other": "Zoé Martin"},
    "session_reopened": {"reason": "étui oublié"},
    "published_anew": {"version": 3, "missing": 0, "reason": "étui 14 relu"},
    "tournament_published": {"version": 1},
    "tournament_official": {"version": 2},
    "tournament_withdrawn": {"version": 3, "reason": "séance 2 relue"},
    "tournament_reopened": {"version": 3, "reason": "séance 2 relue"},
    "tournament_lots_drawn": {"names": "Élise Aubert, Zoé Martin"},
    "tournament_lots_taken_back": {"reason": "erreur"},
    "homologation_taken": {"version": 2},
    "ranking_official": {"version": 2},
    "ranking_withdrawn": {"version": 3, "reason": "mauvaise soirée"},
    "ranking_reopened": {"version": 3, "reason": "étui 14 relu"},
    "part_shown": {"part": "cards"},
    "part_hidden": {"part": "feuilles"},
    "draw": {"seed": 1408, "count": 30},
    "draw_by_running": {"seed": 1408, "count": 2},
    "draw_by_strength": {"seed": 1408, "count": 1},
    "registration_set": {},
    "registered": {"name": "Élise Aubert"},
    "registration_withdrawn": {"name": "Élise Aubert"},
    "registration_declined": {"name": "Élise Aubert"},
    "registration_moved_up": {"name": "Élise Aubert"},
    "registration_named": {"name": "Élise Aubert"},
    "registration_agreed": {"name": "Élise Aubert"},
    "registration_back": {"name": "Élise Aubert"},
    "registration_captain": {"name": "Élise Aubert"},
    "cut_made": {"places": 244, "count": 246},
    "cut_filled": {"count": 2},
    "cut_undone": {},
    "cut_shown": {},
    "mail_cancelled": {"count": 12},
    "mail_moved": {"count": 12},
    "mail_free": {"count": 12},
    "mail_news": {"count": 12},
    "mail_reminder": {"count": 12},
    "teams_seated_from_list": {"count": 8},
    "seated_from_list": {"count": 27},
    "token_revoked": {"table": 3},
    "token_renewed": {"table": 3},
    "device_writes": {"table": 3},
    "device_follows": {"table": 3},
    "device_left": {"table": 3},
    "opened_by_number": {"table": 3, "address": "192.168.1.20"},
    "arbiter_code_made": {"table": 3},
    "arbiter_code_spent": {"table": 3},
    "arbiter_came": {"table": 3},
    "arbiter_left": {"table": 3},
    "arbiter_called": {"table": 3},
    "arbiter_called_about": {"table": 3, "about": "cards", "key": "0c2f"},
    "arbiter_not_needed": {"table": 3},
    "call_answered": {"table": 3},
    "link_revoked": {"name": "Élise Aubert"},
    "link_renewed": {"name": "Élise Aubert"},
    "entered": PLAY | {"version": 1},
    "corrected": PLAY | {"version": 2},
    "contested": PLAY | {"version": 2},
    "recorded": PLAY | {"version": 1},
    "recorded_anew": PLAY | {"version": 2},
    "record_contested": PLAY | {"version": 2},
    "record_withdrawn": PLAY | {"version": 2},
    "withdrawn": PLAY | {"version": 1},
    "director_confirmed": PLAY | {"version": 2},
    "confirmed": PLAY,
    "disputed": PLAY,
    "request_made": PLAY | {"name": "Élise Aubert"},
    "request_withdrawn": PLAY | {"name": "Élise Aubert"},
    "request_agreed": PLAY | {"name": "Élise Aubert"},
    "request_denied": PLAY | {"name": "Élise Aubert"},
    "request_accepted": PLAY | {"name": "Élise Aubert"},
    "request_refused": PLAY | {"name": "Élise Aubert"},
    "annulled": PLAY,
    "play_adjusted": PLAY,
    "restored": PLAY,
    "redirected": PLAY,
    "counts_no_longer": PLAY,
    "attacker_out": PLAY,
    "not_played": PLAY,
    "later": PLAY,
    "etui_annulled": {"etui": 12, "position": None},
    "etui_split": {"etui": 12, "position": 3},
    "etui_split_within": {"etui": 12, "position": 3, "tables": "2, 5", "n": 2},
    "etui_restored": {"etui": 12, "position": None},
    "penalty": PENALTY | {"position": None},
    "penalty_mp": PENALTY | {"position": None},
    "penalty_position_mp": PENALTY | {"position": 2},
    "penalty_taken_back_mp": PENALTY | {"position": None},
    "bonus_mp": PENALTY | {"position": None},
    "bonus_position_mp": PENALTY | {"position": 2},
    "bonus_taken_back_mp": PENALTY | {"position": None},
    **dict.fromkeys(("penalty_marks", "penalty_taken_back_marks"), PENALTY | {"position": None}),
    **dict.fromkeys(("bonus_marks", "bonus_taken_back_marks"), PENALTY | {"position": None}),
    **dict.fromkeys(("penalty_position_marks", "bonus_position_marks"), PENALTY | {"position": 2}),
    "penalty_position": PENALTY | {"position": 2},
    "penalty_taken_back": PENALTY | {"position": None},
    "bonus": PENALTY | {"position": None},
    "bonus_position": PENALTY | {"position": 2},
    "bonus_taken_back": PENALTY | {"position": None},
    "warning": PENALTY | {"position": None, "points": "0"},
    "warning_position": PENALTY | {"position": 2, "points": "0"},
    "warning_taken_back": PENALTY | {"position": None, "points": "0"},
    "lots_drawn": {"names": "Élise Aubert, Zoé Martin"},
    "lots_taken_back": {"reason": "erreur"},
    "director_plays": {"name": "Élise Aubert"},
    "session_put_away": {},
    "session_listed_again": {},
    "tournament_put_away": {},
    "tournament_listed_again": {},
    "hiding_lifted": {"name": "Élise Aubert"},
    "position_called": {"position": 2, "clock": "None"},
    "call_taken_back": {"position": 2},
    "clock_moved": {"minutes": "+2"},
    "clock_stopped": {},
    "hall_link_renewed": {},
    "clock_resumed": {},
    "last_call": {"position": 2},
    "last_call_table": {"position": 2, "table": 3},
    "last_call_taken_back": {"position": 2},
    "last_call_table_taken_back": {"position": 2, "table": 3},
    "plan_choice": {},
    "plan_game": {},
    "plan_left": {},
    "plan_came": {},
    "plan_replaced": {},
    "people_undone": {},
    "game_closed": {"position": 2},
    "game_reopened": {"position": 2},
    "game_undone": {"position": 2},
    "badge_drawn_blue": {},
    "badge_drawn_white": {},
    "badge_drawn_red": {},
    "teams_drawn": {"count": 8, "seed": 123456},
    "plan_arrive": {},
    "plan_leave": {},
    "plan_return": {},
    "plan_substitute": {},
    "plan_swap": {},
    "plan_wrong_etuis": {},
    "plan_resize": {},
    "undo_arrive": {},
    "undo_leave": {},
    "undo_return": {},
    "undo_substitute": {},
    "undo_swap": {},
    "undo_wrong_etuis": {},
    "undo_resize": {},
}


def test_every_sentence_has_an_example():
    assert set(EXAMPLES) == set(LOG.texts)


@pytest.mark.nightly("story")
@pytest.mark.parametrize("language", ["fr", "en"])
def test_log_page_tells_every_action_there_is(db, monkeypatch, language):
    monkeypatch.setattr("pages.desk.log.A_PAGE", len(EXAMPLES))
    session = started_session()
    client = Client(headers={"accept-language": language})
    client.force_login(make_director(session.tournament.club))
    session.log.all().delete()
    for action, params in EXAMPLES.items():
        log_action(session, action, now=timezone.now(), **params)
    page = client.get(session_url("log", session))
    assert page.status_code == 200
    with override(language):
        told = [say_log(entry) for entry in session.log.order_by("-id")]
    assert [row[1] for row in read(page).rows[1:]] == [" ".join(text.split()) for text in told]
    assert {action for action, _ in page.context["actions"]} == set(EXAMPLES)
    assert not [text for text in told if "%" in text or "…" in text]


@pytest.mark.parametrize(("language", "points"), [("fr", "1,5"), ("en", "1.5")])
def test_log_tells_decimals_in_the_readers_language(language, points):
    with override(language):
        assert points in say_log(LogEntry(action="penalty", params=PENALTY))


@pytest.mark.nightly("story")
def test_log_of_a_table_reads_well(db):
    session = started_session()
    tokens_of(session)
    device = Device(session.tables.get(number=1))
    play = device.table.plays.select_related("etui").first()
    device.send("join")
    device.send("enter", play=play, seat="N", entry=garde(play.etui.taker))
    device.send("correct", play=play, seat="N", entry=garde(play.etui.taker, points=50), seen_version=1)
    device.send("check", play=play, version=2, seat="E", agrees=False)
    device.send("call")
    device.send("uncall")
    device.send("leave")
    with override("en"):
        said = [say_log(entry) for entry in LogEntry.objects.filter(session=session).order_by("id")]
    about = f"Table 1, position 1, étui {play.etui.number}"
    assert [sentence for sentence in said if sentence.startswith("Table 1")] == [
        "Table 1: this device enters results",
        f"{about}: result entered",
        f"{about}: result corrected (version 2)",
        f"{about}: result disputed",
        "Table 1 calls the arbiter",
        "Table 1 no longer needs the arbiter",
        "Table 1: this device has left",
    ]


def test_log_never_holds_a_figure(db):
    """Check it, since a director who plays reads the log too."""
    session = started_session()
    tokens_of(session)
    device = Device(session.tables.get(number=1))
    play = device.table.plays.select_related("etui").first()
    device.send("enter", play=play, seat="N", entry=Fiche(Line(play.etui.taker), 106))
    device.send("correct", play=play, seat="N", entry=Fiche(Line(play.etui.taker), 108), seen_version=1)
    told = {entry.action: entry.params for entry in LogEntry.objects.filter(session=session)}
    about = {"etui": play.etui.number, "table": 1, "position": 1}
    assert told["entered"] == about | {"version": 1}
    assert told["corrected"] == about | {"version": 2}


def test_unknown_action_is_an_error(db):
    session = started_session()
    entry = LogEntry(session=session, action="dance", author=make_director(session.tournament.club))
    with pytest.raises(KeyError):
        say_log(entry)


@pytest.mark.parametrize(
    ("setting", "before", "after", "told"),
    [
        ("positions", "5", "7", "positions, de « 5 » à « 7 »"),
        ("minutes_per_etui", "9", "8", "minutes par étui, de « 9 » à « 8 »"),
        ("check_by", "same", "blind", "de « sur le même appareil, qu’on se passe » à « saisie à l’aveugle »"),
        ("barometer", "False", "True", "de « non » à « oui »"),
        ("starts_at", "20:30:00", "20:15:00", "de « 20:30 » à « 20:15 »"),
        ("date", "2026-11-20", "2026-12-01", "de « 20 novembre 2026 » à « 1er décembre 2026 »"),
    ],
)
def test_changed_setting_says_from_what_to_what(setting, before, after, told):
    entry = LogEntry(action="edited", params={"setting": setting, "before": before, "after": after})
    with override("fr"):
        assert told.replace("« ", "«\xa0").replace(" »", "\xa0»") in say_log(entry)
