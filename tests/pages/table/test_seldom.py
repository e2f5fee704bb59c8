"""The screen of a table in node, in what it seldom meets: tables that deal, teams, refusals and missing results."""

from tests.node.running import scripts  # noqa: F401  (a fixture)
from tests.pages.table.answers import check_screens, make_play, make_state, make_stop, play_story, points, press

FREE = {"auction": "free", "free_deals": True, "positions": 3}
FOLLOWS = {"writes": False, "others": 1, "known": False, "label": ""}

ENTRY = {"kind": "fiche", "taker": "N", "base_score": 62}
RULED = {"base_score": 62, "lines": [{"text": "Garde", "value": 62}], "marks": {"N": 186}}
DONE = {"state": "entered", "entry": ENTRY, "score": RULED, "version": 3, "seat": "E", "started": True}


def test_table_of_five_deals_and_reads_its_sheet_back(scripts, tmp_path):  # noqa: F811
    deals = [make_play(pk, deal=pk - 10, dealer="NESWF"[pk - 11], check="same") for pk in (11, 12)]
    done = {"kind": "fiche", "taker": "W", "base_score": -30, "partner": "N"}
    deals[1] |= {"state": "entered", "entry": done, "version": 9, "seat": "N", "started": True}
    state = make_state(make_stop(1, *deals, lines="NESWF"), session=FREE)
    steps = [
        *press("etui-11", "N", "garde", "E", "21+petit", "half", "half", "digit-4", "half"),
        *points("9"),
        *press("petit-none", "correct", "F", "garde", "alone", "21+petit", "digit-4", "digit-9", "next"),
        *press("poignee", "F", "simple", "next", "petit-attack", "save", "deal-11"),
    ]
    told = play_story(scripts, state, steps)
    check_screens("five", told, steps, tmp_path)


def test_deal_that_nobody_checks_leads_back_to_the_list(scripts, tmp_path):  # noqa: F811
    state = make_state(make_stop(1, make_play(14, deal=1, dealer="W")), session=FREE | {"positions": 1})
    steps = press("etui-14", "N", "garde", "none", "digit-9", "next", "petit-none", "save")
    told = play_story(scripts, state, steps)
    check_screens("unchecked", told, steps, tmp_path)


def test_sheet_has_a_column_for_whoever_came_or_left_and_a_dot_for_who_rests(scripts, tmp_path):  # noqa: F811
    there = dict(zip("NESWF", ("Zoé", "Yann", "Théo", "Willy", "Ursule"), strict=True))
    came = {line: {"name": name} for line, name in there.items()}
    entry = {"kind": "fiche", "taker": "E", "base_score": 136}
    done = {"state": "entered", "entry": entry, "version": 8, "seat": "S", "started": True}
    deals = [
        make_play(21, deal=1, dealer="N", resting="N", check="same", **done),
        make_play(22, deal=2, dealer="E", resting="W", check="same", seats=came),
    ]
    state = make_state(
        make_stop(2, *deals, lines="NESWF"),
        make_stop(3, lines="NESWF", unseated=True),
        session=FREE,
        here=2,
        position=2,
        next=[{"name": "Zoé", "line": "N", "table": 2}, {"name": "Yann", "line": "E", "table": "rest"}],
    )
    steps = press("etui-22", "not_played", "home-list", "sheet", "home-list", "sheet")
    steps += [("full", True), *press("agree-W"), ("full", False), *press("agree-E", "after")]
    told = play_story(scripts, state, steps, kept={"values": {}, "commands": {}})
    check_screens("sheet", told, steps, tmp_path)


def make_attack(team, defence, **more):
    members = [{"place": place, "name": f"{team} {place}"} for place in (1, 2)]
    return {"team": team, "defence": defence, "badge": 2, "members": members} | more


def test_teams_say_who_attacks_and_see_the_ranking_after_a_result(scripts, tmp_path):  # noqa: F811
    ranking = [("Lions", 1, "12.5 MP"), ("Tigres", None, None)]
    players = [{"rank": rank, "name": name, "percent": share} for name, rank, share in ranking]
    after = {"kind": "ranking", "players": players}
    attack = make_attack("Lions", "Tigres")
    state = make_state(
        make_stop(
            1,
            make_play(31, taker="S", leader="W", attack=attack, check="other", after=after),
            teams={"N": {"name": "Lions"}, "E": {"name": "Tigres"}},
        ),
        session={"contracts": ["garde", "garde_sans"], "shows": "ranking"},
        device=FOLLOWS,
        next=[
            {"name": "Lions", "line": "N", "table": 3, "tables": [3, 4]},
            {"name": "Tigres", "line": "E", "table": "rest"},
        ],
    )
    steps = [
        *press("follow", "take_over", "menu", "seat-E", "back", "etui-31", "attacker-1", "garde_sans", "21"),
        *press("digit-9", "next", "petit-none", "save", "home-list", "card-♠R", "home"),
        *press("etui-31", "correct", "attacker-2", "save"),
    ]
    told = play_story(scripts, state, steps)
    check_screens("teams", told, steps, tmp_path)


def test_correction_of_the_attacker_asks_again_about_what_is_unlikely(scripts, tmp_path):  # noqa: F811
    entry = {"kind": "facts", "taker": "S", "attacker": 1, "contract": "garde", "bouts": 1, "attack_bouts": ["21"]}
    entry |= {"half_points": 120, "petit_au_bout": "none", "chelem": "none"}
    entry |= {"poignees_attack": ["triple"], "poignees_defence": []}
    play = make_play(31, taker="S", attack=make_attack("Lions", "Tigres"), **DONE | {"entry": entry, "score": None})
    state = make_state(make_stop(1, play, teams={"N": {"name": "Lions"}, "E": {"name": "Tigres"}}))
    steps = press("etui-31", "correct", "attacker-2", "save", "yes", "save", "skip")
    told = play_story(scripts, state, steps)
    check_screens("attacker", told, steps, tmp_path)


def test_line_up_names_the_attacker_and_the_seats_and_notes_are_shown(scripts, tmp_path):  # noqa: F811
    seats = {"N": "Théo", "E": "Tom", "W": "Tim"}
    named = make_attack("Lions", "Tigres", badge=1, coloured=False, seats=seats)
    plays = [
        {"base_score": 62, "taker": "S", "notes": {"S": "61.5"}, "mine": True},
        {"base_score": -62, "taker": "E", "notes": None, "mine": False},
        {"base_score": 0, "taker": "E", "notes": {"E": "-3.5 marks"}, "mine": False},
    ]
    going = [{"name": "Lions", "line": "S", "table": 1, "part": True}, {"name": "Tigres", "line": "N", "table": 4}]
    state = make_state(
        make_stop(
            2,
            make_play(41, taker="S", attack=named, check="same", after={"kind": "topage", "plays": plays}),
            teams={"N": {"name": "Tigres"}, "S": {"name": "Lions"}},
            attacking="S",
        ),
        session={"shows": "topage"},
        here=2,
        position=2,
        left={"position": 1, "next": going},
        device=FOLLOWS | {"others": 0},
    )
    steps = press("write", "menu", "seat-S", "back", "etui-41", "none", "digit-6", "next", "petit-none", "save")
    steps += press("disagree", "correct", "back", "back", "agree", "skip")
    told = play_story(scripts, state, steps)
    check_screens("line_up", told, steps, tmp_path)


def test_refusals_questions_and_conflicts_are_told_until_somebody_answers(scripts, tmp_path):  # noqa: F811
    state = make_state(
        make_stop(
            1,
            make_play(53, taker="S", leader="E"),
            make_play(54, taker="N", record={"holds": "whole", "mine": False, "base_score": 50}, **DONE),
        )
    )
    question = {"status": "question", "text": "Is it so?", "questions": [{"code": "odd", "text": "91 points?"}]}
    conflict = {"kind": "correct", "status": "conflict", "text": "Somebody else has corrected it."}
    steps = [
        ("answer", {"kind": "enter"} | question, {"kind": "enter", "status": "refused", "text": "Too late."}, conflict),
        *press("menu", "asks", "back", "etui-53", "none", "digit-9", "next", "petit-none", "save"),
        ("choose", "sure-"),
        ("choose", "retype-"),
        *press("21", "next", "petit-none", "save", "etui-54", "correct", "petit", "digit-9", "next", "petit-attack"),
        *press("save", "etui-54", "home"),
        ("choose", "dismiss-"),
    ]
    told = play_story(scripts, state, steps)
    check_screens("refusals", told, steps, tmp_path)


def test_missing_results_of_earlier_positions_are_told_until_the_evening_ends(scripts, tmp_path):  # noqa: F811
    state = make_state(
        make_stop(
            1,
            make_play(51, taker="N", state="later"),
            make_play(52, taker="E", withdrawn=True, started=True, state="started"),
        ),
        make_stop(
            2,
            make_play(55, taker="N", arbiter="corrected", **DONE | {"final": True}),
            make_play(56, taker="N", **DONE | {"state": "disputed"}),
            make_play(57, taker="W", state="adjusted"),
            make_play(58, taker="W", state="annulled"),
        ),
        make_stop(3, make_play(59, taker="W"), closed=True),
        position=2,
        here=2,
    )
    steps = [
        *press("etui-55", "home", "etui-56", "home", "owed-52", "none", "home"),
        ("site", {"position": 3}),
        ("play", 56, {"state": "later"}),
        ("pass", 10000),
        ("site", {"last_call": True, "clock": {"ends_at": "2026-11-26T20:00:25Z", "left": None}}),
        ("pass", 10000),
        *press("etui-56", "no", "before", "etui-51", "yes", "home", "after", "etui-59", "home"),
        ("session", {"closed": True}),
        ("pass", 10000),
        *press("etui-56", "menu"),
    ]
    told = play_story(scripts, state, steps)
    check_screens("missing", told, steps, tmp_path)


def test_unlikely_result_is_asked_about_and_an_impossible_one_is_not_saved(scripts, tmp_path):  # noqa: F811
    state = make_state(make_stop(1, make_play(61, taker="N")))
    steps = [
        *press("etui-61", "21+petit+excuse", "digit-8", "digit-9", "next", "poignee", "N", "triple", "next"),
        *press("petit-none", "no", "next", "yes", "correct", "none", "back", "back"),
        *press("correct", "21+petit+excuse", "next", "next", "yes"),
    ]
    told = play_story(scripts, state, steps)
    check_screens("unlikely", told, steps, tmp_path)
