"""The sections of one field: their standings equal those of one session with all their plays, whatever came first."""

import random
from fractions import Fraction

import pytest
from django.utils import timezone
from django.utils.translation import override

from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.plans.starting import start_session
from evenings.plays.desk_state import desk_plays, hidden_etuis
from evenings.plays.entering import annul_play, restore_play, withdraw_result
from evenings.plays.ruling import annul_etui, declare_playing, lift_hiding, restore_etui, split_etui
from evenings.sessions.lots import draw_lots, equals_of
from evenings.sessions.ranking_rules import change_rules
from evenings.sessions.sections import Together, part_sections, put_together
from evenings.sessions.setup import create_session, seats_in_order, set_entrants, use_deal_set
from evenings.standings import computing
from evenings.standings.together import rank_together
from pages.doors import session_url
from rankings.events import counting as events
from rankings.publication.report import read_report
from rankings.publication.standings_file import names_of, results_csv
from scoring.files.standings_file import read_standings_file
from scoring.ranking import FREE_AUCTION, INDIVIDUAL, Line, ScoringPlay, standings
from tests.evenings.standings.keeping import assert_kept_from_nothing, kept
from tests.factories import draft_session, enter, enter_all, make_director, make_tournament, publish, started_session
from tests.pages.browsing import browser_of
from tests.pages.reading import read, words
from tests.worlds import kept_world
from tournaments.errors import ActionRefused
from tournaments.models import SectionGroup, Session, SessionStandings, TournamentStandings
from tournaments.rules.entry import AllPassed, Fiche
from tournaments.words.log_sentences import say_log

pytestmark = pytest.mark.django_db
ONE_FIELD = Together()
SHAPE = {"tables": 5, "positions": 5, "etuis_per_position": 1}
RULES = {"imposed": INDIVIDUAL, "free": FREE_AUCTION}


def beside(session: Session, name: str = "Beside", first_etui: int = 1) -> Session:
    """Create another session, with as many other players, on the same étuis."""
    now = timezone.now()
    tournament = session.tournament
    other = create_session(tournament=tournament, date=session.date, positions=5, etuis_per_position=1)
    lines = [RosterLine(f"{name}{number:02}", "") for number in range(session.entrants.count())]
    players = [player.pk for player in add_players(club=tournament.club, lines=lines)]
    set_entrants(session_id=other.pk, seats=seats_in_order(players))
    use_deal_set(session_id=other.pk, deal_set=session.deal_set, first_etui=first_etui)
    return start_session(session_id=other.pk, now=now) if first_etui == 1 else other


@kept_world
def sections(auction: str = "imposed") -> tuple[Session, Session]:
    first = started_session(make_tournament(auction=auction), **SHAPE)
    return first, beside(Session.objects.select_related("tournament__club", "deal_set").get(pk=first.pk))


def together(*sessions: Session, by, how: Together = ONE_FIELD) -> SectionGroup:
    numbers = [session.number for session in sessions]
    pk = sessions[0].tournament_id
    return put_together(tournament_id=pk, numbers=numbers, how=how, by=by, now=timezone.now())


def refresh(*sessions: Session) -> None:
    for session in sessions:
        computing.refresh(session.pk, now=timezone.now())
        assert_kept_from_nothing(session)


def players_of(*sessions: Session) -> dict[int, dict]:
    return {
        player["id"]: player
        for session in sessions
        for player in SessionStandings.objects.get(pk=session.pk).data["players"]
    }


def as_one(*sessions: Session):
    """Return the standings of all plays as one session, ranked by scoring alone."""
    plays, lines = [], {}
    for session in sessions:
        data = computing.compute(session.pk).data["plays"]
        for play in session.plays.all():
            told = data[str(play.pk)]
            part = 1 if told["part"] == 1 else (session.pk, 2)
            taker = Line(told["taker"]) if told["taker"] else None
            seats = play.north_id, play.east_id, play.south_id, play.west_id
            lines |= dict(zip(seats, Line, strict=True))
            plays.append(ScoringPlay((play.etui_id, part), tuple(seats), taker, told["base_score"]))
    rules = RULES[sessions[0].tournament.auction]
    return {player.player: player for player in standings(plays, rules, lines=lines).players}


def assert_one_field(*sessions: Session) -> None:
    found, whole = players_of(*sessions), as_one(*sessions)
    for pk, player in found.items():
        for part in ("attack", "defence", "overall"):
            exact = None if player[part] is None else Fraction(player[part])
            assert exact == getattr(whole[pk], part)


def some_entry(chance: random.Random, play, auction: str):
    if auction == "free" and chance.random() < 0.2:
        return AllPassed()
    taker = Line(play.etui.taker) if auction == "imposed" else chance.choice(list(Line))
    return Fiche(taker, chance.choice([-92, -60, 50, 66, 66, 92]))


@pytest.mark.parametrize("how", [ONE_FIELD, Together(one_topage=False)])
def test_sections_put_together_weigh_what_the_first_does_and_are_one_round(how):
    both = sections()
    director = make_director(both[0].tournament.club)
    Session.objects.filter(pk=both[0].pk).update(coefficient="1.5", stage="final")
    for session in both:
        enter_all(session, by=director)
        computing.refresh(session.pk, now=timezone.now())
    tournament = both[0].tournament

    def rounds():
        events.refresh(tournament.pk, now=timezone.now())
        return [
            (each["coefficient"], each["stage"], len(each["sessions"]))
            for each in tournament_data(tournament)["rounds"]
        ]

    assert rounds() == [("3/2", "final", 1), ("1", "", 1)]
    group = together(*both, by=director, how=how)
    assert rounds() == [("3/2", "final", 2)]
    with override("en"):
        said = [say_log(line) for line in both[1].log.filter(action="edited").order_by("id")]
    assert said == [
        "Changed in the session: coefficient, from “1.00” to “1.50”",
        "Changed in the session: stage, from “all count the same” to “final”",
    ]
    assert not both[0].log.filter(action="edited").exists()
    part_sections(tournament_id=tournament.pk, group_id=group.pk, by=director, now=timezone.now())
    assert rounds() == [("3/2", "final", 1), ("3/2", "final", 1)]


def tournament_data(tournament):
    return TournamentStandings.objects.get(pk=tournament.pk).data


@pytest.mark.nightly("story")
@pytest.mark.parametrize("auction", ["imposed", "free"])
@pytest.mark.parametrize("seed", range(3))
def test_merged_sections_equal_one_session_of_the_same_plays(seed, auction):
    chance = random.Random(seed)
    both = sections(auction)
    director = make_director(both[0].tournament.club)
    plays = [play for session in both for play in session.plays.select_related("etui")]
    chance.shuffle(plays)
    group_at = chance.randrange(len(plays))
    for count, play in enumerate(plays):
        if count == group_at:
            together(*both, by=director)
        if chance.random() < 0.9:
            enter(play, some_entry(chance, play, auction), by=director)
        if chance.random() < 0.1:
            refresh(*both)
    now = timezone.now()
    annul_play(play_id=plays[0].pk, reason="étui faux", by=director, now=now)
    split_etui(session_id=both[1].pk, etui=2, from_position=3, before=[], reason="étui altéré", by=director, now=now)
    refresh(*both)
    assert_one_field(*both)


@pytest.fixture
def both():
    return sections()


@pytest.fixture
def director(both):
    return make_director(both[0].tournament.club)


def enter_every(sessions, by) -> None:
    chance = random.Random(7)
    for session in sessions:
        for play in session.plays.select_related("etui"):
            enter(play, some_entry(chance, play, "imposed"), by=by)


@pytest.mark.nightly("story")
def test_apart_again_each_section_is_what_it_was(both, director):
    enter_every(both, director)
    refresh(*both)
    before = [kept(session)[1:] for session in both]
    group = together(*both, by=director)
    refresh(*both)
    assert [kept(session)[1:] for session in both] != before
    part_sections(tournament_id=both[0].tournament_id, group_id=group.pk, by=director, now=timezone.now())
    refresh(*both)
    assert [kept(session)[1:] for session in both] == before
    assert list(both[1].log.order_by("id").values_list("action", flat=True))[-2:] == ["put_together", "parted"]


@pytest.mark.nightly("process")
def test_a_ruling_in_one_section_moves_the_other_and_its_reversal_restores_both(both, director):
    enter_every(both, director)
    together(*both, by=director)
    refresh(*both)
    before, now = players_of(*both), timezone.now()
    play = both[0].plays.first()
    annul_play(play_id=play.pk, reason="étui faux", by=director, now=now)
    refresh(*both)
    assert_one_field(*both)
    moved = [player for player in players_of(both[1]).values() if player != before[player["id"]]]
    assert moved
    restore_play(play_id=play.pk, reason="vérifié", by=director, now=now)
    annul_etui(session_id=both[0].pk, etui=1, reason="étui faux", by=director, now=now)
    refresh(*both)
    assert_one_field(*both)
    restore_etui(session_id=both[0].pk, etui=1, reason="vérifié", by=director, now=now)
    refresh(*both)
    assert players_of(*both) == before


@pytest.mark.nightly("story")
def test_etui_counts_as_compared_where_a_play_of_the_section_is_compared(both, director):
    together(*both, by=director)

    def count_compared():
        refresh(*both)
        return [SessionStandings.objects.get(pk=session.pk).data["topped"] for session in both]

    play = both[0].plays.select_related("etui").first()
    enter(play, by=director)
    assert count_compared() == [0, 0]
    enter_every(both[1:], director)
    assert count_compared() == [1, 5]
    withdraw_result(play_id=play.pk, seen_version=1, reason="mauvaise ligne", by=director, now=timezone.now())
    assert count_compared() == [0, 5]


@pytest.mark.nightly("story")
def test_sections_that_are_only_ranked_together_keep_their_own_notes(both, director):
    enter_every(both, director)
    refresh(*both)
    before = players_of(*both)
    versions = [Session.objects.get(pk=session.pk).results_version for session in both]
    together(*both, by=director, how=Together(one_topage=False))
    assert [Session.objects.get(pk=session.pk).results_version for session in both] == versions
    refresh(*both)
    assert players_of(*both) == before


def refused(both, director, *numbers) -> ActionRefused:
    with pytest.raises(ActionRefused) as error:
        put_together(
            tournament_id=both[0].tournament_id,
            numbers=numbers or [session.number for session in both],
            how=Together(),
            by=director,
            now=timezone.now(),
        )
    return error.value


def test_sections_play_the_same_etuis_and_the_refusal_says_which_differ(both, director):
    third = beside(Session.objects.select_related("tournament__club", "deal_set").get(pk=both[0].pk), "Third", 3)
    error = refused(both, director, both[0].number, third.number)
    assert (error.code, error.params["etuis"]) == ("sections_other_etuis", "1, 3")
    other_set = started_session(both[0].tournament, **SHAPE)
    assert refused(both, director, both[0].number, other_set.number).code == "sections_other_set"
    bare = draft_session(both[0].tournament)
    Session.objects.filter(pk=bare.pk).update(deal_set=None)
    assert refused(both, director, both[0].number, bare.number).code == "sections_without_set"
    assert not SectionGroup.objects.exists()


def test_sections_are_two_at_least_known_and_not_sections_already(both, director):
    assert refused(both, director, 1).code == "sections_two"
    assert refused(both, director, 1, 77).code == "sections_unknown"
    together(*both, by=director)
    assert refused(both, director).code == "section_already"


def test_nobody_plays_in_two_sections(both, director):
    entrant = both[1].entrants.first()
    entrant.player = both[0].entrants.first().player
    entrant.save()
    error = refused(both, director)
    assert (error.code, error.params["name"]) == ("sections_player_twice", entrant.player.name)


def test_results_of_one_section_raise_the_versions_of_all(both, director):
    together(*both, by=director)
    before = [Session.objects.get(pk=session.pk).results_version for session in both]
    enter(both[0].plays.select_related("etui").first(), by=director)
    after = [Session.objects.get(pk=session.pk).results_version for session in both]
    assert [late - early for late, early in zip(after, before, strict=True)] == [1, 1]
    assert all(session.changed_etuis.exists() for session in both)


@pytest.mark.nightly("story")
def test_one_ranking_of_all_sections_is_that_of_one_session(both, director):
    enter_every(both, director)
    together(*both, by=director)
    refresh(*both)
    told = {player["id"]: player for player in rank_together(Session.objects.get(pk=both[0].pk))}
    whole = as_one(*both)
    assert told.keys() == whole.keys()
    for pk, player in told.items():
        ranks = [getattr(whole[pk], rank) for rank in ("rank_general", "rank_line", "rank_alterne")]
        assert [player[rank] for rank in ("rank_general", "rank_line", "rank_alterne")] == ranks
    assert {player["section"] for player in told.values()} == {"A", "B"}
    other = rank_together(Session.objects.get(pk=both[1].pk))
    assert other == list(told.values())


@pytest.mark.nightly("story")
def test_the_ranking_of_all_sections_is_shown_live_and_published(both, director):
    enter_every(both, director)
    together(*both, by=director)
    refresh(*both)
    live = browser_of(director).get(session_url("standings", both[0]), {"by": "sections"})
    assert len(read(live).rows) == 1 + 40
    publish(both[0], by=director)
    page = browser_of().get(session_url("ranking", both[0]), {"by": "sections"})
    assert read(page).rows == read(live).rows
    assert "All sections" in words(page)
    names = {entrant.player.name for entrant in both[1].entrants.select_related("player")}
    assert all(name in words(page) for name in names)


@pytest.mark.nightly("story")
def test_a_section_is_published_while_another_plays_only_if_the_director_says_so(both, director):
    enter_every(both[:1], director)
    together(*both, by=director)
    refresh(*both)
    with pytest.raises(ActionRefused) as refused:
        publish(both[0], by=director)
    assert (refused.value.code, refused.value.params["number"]) == ("sections_still_play", both[1].number)
    assert "although session 2 still plays" in words(browser_of(director).get(session_url("publish", both[0])))
    assert publish(both[0], by=director, allow_missing=True).version == 1


@pytest.mark.nightly("story")
def test_a_section_is_published_right_after_the_last_result_of_the_other(both, director):
    """Check it while no job has computed the other section since its last result."""
    together(*both, by=director)
    refresh(*both)
    enter_every(both, director)
    assert "still plays" not in words(browser_of(director).get(session_url("publish", both[0])))
    assert publish(both[0], by=director).version == 1


@pytest.mark.nightly("crawl")
def test_what_is_hidden_from_a_director_who_plays_is_hidden_in_the_other_section_too(both, director):
    enter_every(both[1:], director)
    together(*both, by=director)
    refresh(*both)
    seat = both[0].entrants.first()
    declare_playing(session_id=both[0].pk, entrant_id=seat.pk, by=director, now=timezone.now())
    other = Session.objects.get(pk=both[1].pk)
    assert hidden_etuis(other, director) == hidden_etuis(Session.objects.get(pk=both[0].pk), director) != frozenset()
    browser = browser_of(director)
    hidden = browser.get(session_url("standings", both[1]))
    assert "You have not played all your étuis yet" in words(hidden)
    assert session_url("playing", both[0]) in hidden.content.decode()
    closed = [each for each in desk_plays(other, flags=True, user=director) if each.closed]
    assert {each.play.etui_id for each in closed} == hidden_etuis(other, director)
    assert all(each.closed for each in desk_plays(other, flags=True, user=director, people=False))
    lift_hiding(session_id=both[0].pk, by=director, now=timezone.now())
    assert hidden_etuis(other, director) == frozenset()


@pytest.mark.nightly("story")
def test_the_file_of_a_section_gives_its_published_ranking(both, director):
    enter_every(both, director)
    together(*both, by=director)
    change_rules(tournament_id=both[0].tournament_id, by=director, now=timezone.now(), ties=["attack", "tops", "draw"])
    refresh(*both)
    if equals_of({each["id"]: each["rank_general"] for each in players_of(both[0]).values()}):
        draw_lots(session_id=both[0].pk, by=director, now=timezone.now())
    report = read_report(publish(both[0], by=director).data)
    computed = read_standings_file(results_csv(report)).rank().players
    names = names_of(report)
    figures = {names[each.id]: (each.overall, each.rank_general, each.rank_alterne) for each in report.players}
    assert {each.player: (each.overall, each.rank_general, each.rank_alterne) for each in computed} == figures


@pytest.mark.nightly("story")
def test_a_section_keeps_no_figure_of_the_other_ones_plays(both, director):
    enter_every(both, director)
    together(*both, by=director)
    refresh(*both)
    for session in both:
        own = {str(pk) for pk in session.plays.values_list("pk", flat=True)}
        rows = SessionStandings.objects.get(pk=session.pk).etuis.all()
        assert {play for row in rows for play in row.plays} == own
        seated = {str(pk) for pk in session.entrants.values_list("pk", flat=True)}
        assert {entrant for row in rows for entrant in row.sums["tallies"]} == seated
