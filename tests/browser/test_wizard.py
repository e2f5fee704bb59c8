"""The evening's preparation in a browser: what answers while it is typed, a file, a name dragged to another seat."""

from tests.browser.test_evening import follow, log_in
from tests.factories import DATE, make_director, make_tournament
from tournaments.services.setup import create_session
from tournaments.views.access import session_url


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
    laptop.wait_for_selector("#join-preview .state-wait:has-text('30')")
    follow(laptop, "#join button")
    first = session.entrants.get(line="N", number=1)
    with laptop.expect_navigation():
        laptop.drag_and_drop(f"[data-player='{first.player_id}']", "td[data-line=S][data-number='3']")
    assert session.entrants.get(player=first.player_id).line == "S"

    laptop.goto(session_url("plan_choose", session))
    follow(laptop, "button[value=choose] >> nth=1")
    assert "8 tables" in laptop.inner_text(".is-chosen")
    assert session.plans.get().code == "filler"
