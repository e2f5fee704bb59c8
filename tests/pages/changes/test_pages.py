"""The pages on which a director changes a running session: consequences first, nothing typed is lost, with undo."""

import pytest
from django.utils import timezone

from clubs.players import add_players
from clubs.roster import RosterLine
from deals.sets import copy_deal_set
from evenings.changes import carry_out
from evenings.changes.outcomes import outcomes
from evenings.changes.ways import ChangeOutcome
from pages.doors import session_url
from tests.factories import enter, enter_all, make_club, make_director, started_session
from tests.pages.browsing import browser_of, fields
from tests.pages.reading import read, words
from tournaments.errors import Conflict
from tournaments.rules.operations import Resize

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    return started_session(tables=7, positions=4, etuis_per_position=1).pk


@pytest.fixture
def user(session):
    return make_director(session.tournament.club)


@pytest.fixture
def director(session, user):
    enter_all(session, by=user, plays=session.plays.filter(position=1).select_related("etui"))
    return browser_of(user)


def address(session, kind, query=""):
    return f"{session_url('change', session, kind)}{query}"


def ask(director, session, kind, query="", **given):
    return director.post(address(session, kind, query), given)


def choose(director, session, kind, shown, query="", choice=0, **given):
    """Carry out the change that was shown, as the page's own form sends it."""
    asked = {name: value for name, value in fields(shown).items() if name in ("shown", "seen")}
    return director.post(address(session, kind, query), asked | given | {"choice": choice})


def entrant(session, line, number):
    return session.entrants.get(line=line, number=number)


@pytest.mark.nightly("story")
def test_page_offers_each_change_and_tells_that_none_was_made(director, session):
    page = read(director.get(session_url("changes", session)))
    kinds = ["arrive", "leave", "return", "substitute", "swap", "wrong_etuis", "resize"]
    offered = [link for link in page.links if "/changes/" in link and link != session_url("changes", session)]
    assert offered == [address(session, kind) for kind in kinds]
    assert page.refused == []
    assert {director.get(address(session, kind)).status_code for kind in kinds} == {200}
    assert director.get(address(session, "dance")).status_code == 404


@pytest.mark.nightly("story")
def test_late_arrival_by_name_is_shown_then_carried_out(director, session):
    asked = {"text": "TARDIF Paul\nRETARD Anne", "after": "1"}
    shown = ask(director, session, "arrive", **asked)
    page = words(shown)
    assert "Paul TARDIF and Anne RETARD play from position 2 on." in page
    assert "All others keep their seats." in page
    assert session.entrants.count() == 28
    assert not session.tournament.club.players.filter(last_name="TARDIF").exists()
    assert fields(shown)["text"] == asked["text"]
    assert choose(director, session, "arrive", shown, **asked).url == session_url("changes", session)
    assert sorted(session.entrants.filter(first_position=2).values_list("player__last_name", flat=True)) == [
        "RETARD",
        "TARDIF",
    ]
    assert "Paul TARDIF and Anne RETARD play from position 2 on." in words(
        director.get(session_url("changes", session))
    )


@pytest.mark.nightly("story")
def test_name_that_somebody_adds_meanwhile_is_looked_at_again_before_it_arrives(director, session):
    club, asked = session.tournament.club, {"text": "TARDIF Paul\nRETARD Anne", "after": "1"}
    shown = ask(director, session, "arrive", **asked)
    add_players(club=club, lines=[RosterLine("TARDIF", "Paul")])
    before = club.players.count()
    again = choose(director, session, "arrive", shown, **asked)
    assert "Your request, or the list of players, has changed: now look at the consequences." in words(again)
    assert (club.players.count(), session.entrants.count()) == (before, 28)


@pytest.mark.nightly("story")
def test_newcomers_way_names_table_and_étuis_of_each_position(director, session):
    shown = ask(director, session, "arrive", text="TARDIF Paul", after="1")
    choice = next(row for row in read(shown).rows if "Paul TARDIF" in row[0])
    choose(director, session, "arrive", shown, text="TARDIF Paul", after="1")
    late = session.entrants.get(player__last_name="TARDIF")
    plays = [play for play in session.plays.select_related("table", "etui") if late.pk in seated(play)]
    assert [play.position for play in plays] == [2, 3, 4]
    assert choice[1:] == ["not there", f"table {plays[0].table.number}, étui {plays[0].etui.number}"]


def seated(play):
    return {entrant.pk for entrant in play.seats.values()}


@pytest.mark.nightly("story")
def test_leaver_is_named_and_who_rests_for_it_too(director, session):
    gone = entrant(session, "E", 4)
    asked = {"entrants": [gone.pk], "after": "1", "unplayed": "on"}
    shown = ask(director, session, "leave", **asked)
    assert "Zoé Nom014 leaves after position 1." in words(shown)
    choose(director, session, "leave", shown, **asked)
    gone.refresh_from_db()
    assert gone.last_position == 1
    assert not session.plays.filter(east=gone, position__gt=1).exists()


@pytest.mark.nightly("story")
def test_substitute_takes_the_seat_with_percentages_of_his_own_or_for_the_line(director, session):
    for line, own in (("W", "yes"), ("S", "no")):
        replaced = entrant(session, line, 2)
        asked = {"entrant": replaced.pk, "text": f"SUPPLÉANT {line}", "position": "2", "own": own}
        shown = ask(director, session, "substitute", **asked)
        assert "Nobody changes seat in the positions to come." in words(shown)
        choose(director, session, "substitute", shown, **asked)
    assert session.entrants.get(stand_in__last_name="SUPPLÉANT").line == "S"
    assert session.entrants.get(player__last_name="SUPPLÉANT").first_position == 2


def test_substitute_must_be_one(director, session):
    free = director.get(address(session, "substitute"))
    assert free.status_code == 200
    for text in ("", "UN Paul\nDEUX Anne"):
        asked = {"entrant": entrant(session, "N", 1).pk, "text": text, "position": "2", "own": "yes"}
        assert "Choose one substitute: from the list or by name." in words(
            ask(director, session, "substitute", **asked)
        )


@pytest.mark.nightly("story")
def test_swapped_seats_go_with_their_results(director, session):
    play = session.plays.filter(position=1).first()
    asked = {"position": "1", "one": play.east_id, "other": play.west_id}
    shown = ask(director, session, "swap", **asked)
    assert "had exchanged seats in position 1." in words(shown)
    choose(director, session, "swap", shown, **asked)
    changed = session.plays.get(pk=play.pk)
    assert (changed.east_id, changed.west_id) == (play.west_id, play.east_id)


@pytest.mark.nightly("story")
def test_other_étuis_are_asked_for_table_by_table_and_exchanged(director, session):
    one, other = session.plays.filter(position=1).select_related("etui")[:2]
    query = "?position=1&table=1"
    page = director.get(address(session, "wrong_etuis", query))
    name = f"etui_{one.etui.number}"
    assert fields(page)[name] == str(one.etui.number)
    # the page never assumes that both were wrong, since that would drop more plays
    assert "exchange" not in fields(page)
    asked = {name: other.etui.number, "exchange": "on"}
    shown = ask(director, session, "wrong_etuis", query, **asked)
    assert f"Position 1, table 1: étui {other.etui.number} was played instead of {one.etui.number}." in words(shown)
    assert f"Position 1, table 2: étui {one.etui.number} was played instead of {other.etui.number}." in words(shown)
    choose(director, session, "wrong_etuis", shown, query, **asked)
    assert session.plays.get(pk=one.pk).etui_id == other.etui_id


@pytest.mark.nightly("story")
def test_evening_is_cut_short_and_that_is_undone(director, session):
    shown = ask(director, session, "resize", positions="3")
    assert "Position 4 · is no longer played" in words(shown)
    choose(director, session, "resize", shown, positions="3")
    page = director.get(session_url("changes", session))
    assert "The evening has 3 positions." in words(page)
    seen = {"seen": session.plans.get(undone_at=None, operation__kind="resize").number}
    assert director.post(session_url("change_undo", session), seen).url == session_url("changes", session)
    session.refresh_from_db()
    assert session.positions == 4
    assert "Undone by directrice" in words(director.get(session_url("changes", session)))


@pytest.mark.nightly("story")
def test_change_that_results_depend_on_says_so_and_has_no_undo(director, user, session):
    shown = ask(director, session, "arrive", text="TARDIF Paul", after="1")
    choose(director, session, "arrive", shown, text="TARDIF Paul", after="1")
    version = session.plans.latest("number")
    enter(session.plays.select_related("etui").filter(pk__in=map(int, version.after), position=2)[0], by=user)
    page = words(director.get(session_url("changes", session)))
    assert "It can no longer be undone" in page
    answer = director.post(session_url("change_undo", session), {"seen": version.number}, follow=True)
    assert "Results depend on this change: it can no longer be undone." in words(answer)


@pytest.mark.nightly("story")
def test_what_is_asked_anew_is_shown_anew_before_it_is_carried_out(director, session):
    shown = ask(director, session, "resize", positions="3")
    again = choose(director, session, "resize", shown, positions="2")
    assert "Your request, or the list of players, has changed: now look at the consequences." in words(again)
    assert session.plans.filter(operation__kind="resize").count() == 0
    choose(director, session, "resize", again, positions="2")
    session.refresh_from_db()
    assert session.positions == 2


@pytest.mark.nightly("story")
def test_plan_changed_meanwhile_is_told_with_the_form_kept(director, user, session):
    asked = {"text": "TARDIF Paul", "after": "1"}
    shown = ask(director, session, "arrive", **asked)
    seen = carry_out.number_of_plan(session)
    given = {"operation": Resize(3), "choice": 0, "seen": seen, "by": user, "now": timezone.now()}
    carry_out.change_session(session_id=session.pk, **given)
    again = choose(director, session, "arrive", shown, **asked)
    assert "Something has changed in the meantime" in words(again)
    assert fields(again)["text"] == "TARDIF Paul"
    assert choose(director, session, "arrive", again, **asked).status_code == 302
    assert session.entrants.filter(player__last_name="TARDIF").exists()


@pytest.mark.parametrize(
    ("kind", "given", "told"),
    [
        ("arrive", {"text": "Zoé Nom001", "after": "1"}, "Zoé Nom001 already plays in this session"),
        ("arrive", {"text": "12345", "after": "1"}, "12345"),
        ("arrive", {"text": "", "after": "1"}, "Nobody is chosen: choose at least one player."),
        ("leave", {"after": "1"}, "Nobody is chosen: choose at least one player."),
        ("resize", {"positions": "0"}, "At least 1: correct it."),
    ],
)
def test_what_is_refused_stays_in_the_form_with_the_reason(director, session, kind, given, told):
    page = ask(director, session, kind, **given)
    assert told in words(page)
    assert {name: fields(page).get(name) for name in given} == given


def test_position_begun_while_the_ways_were_sought_is_a_conflict(director, user, session, monkeypatch):
    def slowly(*given: object) -> list[ChangeOutcome]:
        found = outcomes(*given)
        enter(session.plays.filter(position=2).select_related("etui")[0], by=user)
        return found

    monkeypatch.setattr(carry_out, "outcomes", slowly)
    given = {"choice": 0, "seen": carry_out.number_of_plan(session), "by": user, "now": timezone.now()}
    with pytest.raises(Conflict, match="plan_out_of_date"):
        carry_out.change_session(session_id=session.pk, operation=Resize(3), **given)


def test_last_position_begun_leaves_nobody_to_come_or_go(director, user, session):
    enter(session.plays.filter(position=4).select_related("etui")[0], by=user)
    for kind in ("arrive", "leave"):
        assert "there is nothing left to plan again" in words(director.get(address(session, kind)))


# Étuis that are missing


@pytest.fixture
def complete():
    """Return a session in which everybody has met every étui of the set."""
    return started_session(tables=5, positions=5, etuis_per_position=1, cards=True)


@pytest.mark.nightly("story")
def test_more_positions_add_the_etuis_that_they_lack(complete):
    user = make_director(complete.tournament.club)
    director, before = browser_of(user), list(complete.deal_set.etuis.values_list("number", "cards"))
    asked = {"positions": "6"}
    shown = ask(director, complete, "resize", **asked)
    assert "Add 1 étui to the set" in words(shown)
    assert "Apply" not in words(shown)
    again = ask(director, complete, "resize", **asked, etuis="6")
    assert "Étui 6 is added to the set" in words(again)
    assert fields(again)["positions"] == "6"
    ask(director, complete, "resize", **asked, etuis="6")  # a reload adds no étui
    etuis = list(complete.deal_set.etuis.values_list("number", "cards"))
    assert (etuis[:5], len(etuis)) == (before, 6)
    assert choose(director, complete, "resize", again, **asked).url == session_url("changes", complete)
    assert complete.plays.filter(position=6, etui__number=6).count() == 5
    assert "1 étui added to the set: number 6" in words(director.get(session_url("log", complete)))
    assert etuis[5][1].split()[0] not in words(again)


def test_etuis_that_cannot_be_added_say_why(complete):
    user = make_director(complete.tournament.club)
    director, other = browser_of(user), make_club("autre")
    copy_deal_set(deal_set=complete.deal_set, club=other, by=user, now=timezone.now())
    text = words(ask(director, complete, "resize", positions="6", etuis="6"))
    assert "The set has a copy, and copies keep the same étuis" in text
    assert complete.deal_set.etuis.count() == 5
