"""The preparation of an evening in a browser: answers while typing, a file, a name dragged to another seat."""

import pytest

from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.sessions.setup import create_session
from pages.doors import session_url
from tests.browser.test_evening import follow, log_in
from tests.factories import DATE, make_director, make_tournament
from tests.pages.wizard import evening

pytestmark = pytest.mark.nightly("browser")


def test_preparation_answers_while_it_is_typed_and_names_are_dragged(laptop, live_server):
    tournament = make_tournament()
    make_director(tournament.club)
    session = create_session(tournament=tournament, date=DATE)
    log_in(laptop, "directrice")

    laptop.goto(session_url("session_edit", session))
    assert "23:30" in laptop.inner_text("#hours")
    laptop.fill("[name=positions]", "4")
    laptop.wait_for_selector("#hours:has-text('22:54')")

    laptop.goto(session_url("entrants", session))
    laptop.click("#join summary")
    csv = "Prénom;Nom\n" + "\n".join(f"Zoé;J{number:02}" for number in range(30))
    laptop.set_input_files("[name=file]", {"name": "a.csv", "mimeType": "text/csv", "buffer": csv.encode()})
    laptop.wait_for_selector("#list-numbers .state-wait:has-text('30')")
    follow(laptop, "button[form=join]")
    first = session.entrants.get(line="N", number=1)
    with laptop.expect_navigation():
        laptop.drag_and_drop(f"[data-player='{first.player_id}']", "td[data-line=S][data-number='3']")
    assert session.entrants.get(player=first.player_id).line == "S"

    laptop.goto(session_url("plan_choose", session))
    follow(laptop, "button[value=choose] >> nth=1")
    assert "8 tables" in laptop.inner_text(".is-chosen")
    assert session.plans.get().code == "filler"


def test_long_search_turns_into_the_ways_to_play_by_itself(laptop, live_server):
    tournament = make_tournament()
    make_director(tournament.club)
    session = evening(tournament, 22, positions=7)
    log_in(laptop, "directrice")
    answer = laptop.goto(session_url("plan_choose", session))
    assert answer is not None
    assert "ways-progress" in answer.text()
    laptop.evaluate("window.stayed = true")
    laptop.wait_for_selector("button[value=choose]")
    assert laptop.evaluate("window.stayed")
    assert laptop.locator("#ways progress").count() == 0
    follow(laptop, "button[value=choose] >> nth=0")
    assert session.plans.count() == 1


def test_names_are_ticked_by_the_keyboard_through_a_search_and_the_list_is_one_stop(laptop, live_server):
    tournament = make_tournament()
    make_director(tournament.club)
    session = create_session(tournament=tournament, date=DATE)
    names = [RosterLine(f"Nom{number:03}", "Zoé") for number in range(176)]
    add_players(
        club=tournament.club, lines=[*names, *(RosterLine(name, "Éva") for name in ("Élie", "Dué", "Dupré", "Le Du"))]
    )
    log_in(laptop, "directrice")
    laptop.goto(session_url("entrants", session))
    laptop.focus("[data-filter]")
    for typed in ("dupre", "nom17", "du"):  # Enter takes the marked name, which is the first of several that begin so
        laptop.keyboard.type(typed)
        laptop.keyboard.press("Enter")
        assert laptop.input_value("[data-filter]") == ""
    ticked = laptop.locator("#pick .check:has(input:checked)")
    assert sorted(ticked.all_inner_texts()) == ["Dupré Éva", "Dué Éva", "Nom170 Zoé"]
    assert "Dué Éva" in laptop.inner_text(".pick-told")
    laptop.wait_for_selector("#list-numbers:has-text('3')")
    laptop.keyboard.type("personne")
    laptop.keyboard.press("Enter")
    assert ticked.count() == 3
    laptop.fill("[data-filter]", "nom1")
    laptop.keyboard.press("ArrowDown")
    laptop.keyboard.press("ArrowDown")
    laptop.keyboard.press("Space")
    assert ticked.count() == 4
    laptop.keyboard.press("Tab")
    assert laptop.evaluate("!document.activeElement.closest('#pick')")
    laptop.keyboard.press("Shift+Tab")
    laptop.keyboard.press("Shift+Tab")
    assert laptop.evaluate("document.activeElement.matches('[data-filter]')")
    laptop.wait_for_selector("#list-button:has-text('4')")
    follow(laptop, "button[form=join]")
    assert session.entrants.count() == 4


def test_list_comes_back_at_its_first_doubt_and_the_next_page_begins_on_top(phone, live_server):
    tournament = make_tournament()
    make_director(tournament.club)
    session = create_session(tournament=tournament, date=DATE)
    listed = [("Dupont", "Marie"), ("Martin", "Jean"), ("André", "Éric"), *((f"Nom{n:02}", "Zoé") for n in range(30))]
    add_players(club=tournament.club, lines=[RosterLine(*names) for names in listed])
    log_in(phone, "directrice")
    phone.goto(session_url("entrants", session))
    sure = "\n".join(f"Zoé Nom{n:02}" for n in range(30))
    phone.fill("[name=text]", f"{sure}\nEric Andre\n---\nMarie Dupond\nJean Martn\nMarie DUPOND")
    phone.wait_for_selector("[data-questions]")
    follow(phone, "button[form=join]")
    phone.wait_for_function("document.activeElement.closest('.is-open')")
    top = phone.evaluate("document.activeElement.getBoundingClientRect().top")
    assert 0 < top < phone.viewport_size["height"]
    for _doubt in range(phone.locator(".is-open").count()):
        phone.keyboard.press("Enter")  # takes the nearest player, and moves to the next doubt
    assert phone.evaluate("document.activeElement.matches('[data-after]')")
    phone.wait_for_selector("[name=shown]", state="attached")  # the numbers follow the last answer
    assert phone.evaluate("document.activeElement.matches('[data-after]')")
    with phone.expect_navigation():
        phone.keyboard.press("Enter")
    assert phone.evaluate("scrollY") == 0
    seated = set(session.entrants.values_list("player__last_name", flat=True))
    assert seated == {names[0] for names in listed}
    assert tournament.club.players.count() == len(listed)
