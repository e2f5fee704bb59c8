"""The services of a simultaneous: its setup, hours and clubs, rulings for all, players who looked at cards."""

import datetime as dt
from uuid import uuid4

import pytest
from django.utils import timezone
from django.utils.translation import override

from clubs.accounts.players import tie
from clubs.log import say_entry
from clubs.models import ClubLogEntry
from deals.copies import may_read_cards
from deals.models import DealSet
from deals.sets import create_deal_set, record_look
from evenings.plans.starting import start_session
from evenings.plays.ruling import declare_playing
from evenings.sessions.setup import use_deal_set
from rankings.simultaneous import membership
from rankings.simultaneous.hours import FieldHours, change_hours, find_lookers
from rankings.simultaneous.membership import (
    MOST_OPEN_INVITATIONS,
    agree_to_simultaneous,
    invite_club,
    join_by_link,
    leave_simultaneous,
    take_out_of_simultaneous,
)
from rankings.simultaneous.setup import (
    RulingGiven,
    SimultaneousGiven,
    change_simultaneous,
    close_simultaneous,
    create_simultaneous,
    find_sets_to_play,
    list_rulings,
    put_simultaneous_away,
    renew_link_of_simultaneous,
    rule_for_all,
)
from rankings.simultaneous.writing import SimultaneousRefused
from tests.factories import draft_session, make_club, make_director, make_tournament
from tournaments.models import FieldRuling, SealedEtuis, Session, Simultaneous, SimultaneousClub

pytestmark = pytest.mark.django_db
HOUR = dt.timedelta(hours=1)


@pytest.fixture
def now():
    return timezone.now()


@pytest.fixture
def by(organiser):
    return make_director(organiser, "presidente")


@pytest.fixture
def lyon():
    return make_club("lyon", "Club de Lyon")


@pytest.fixture
def theirs(lyon):
    return make_director(lyon, "lyonnaise")


def hours(now, opens=-1, closes=4, public=5):
    return FieldHours(now + opens * HOUR, now + closes * HOUR, now + public * HOUR)


@pytest.fixture
def made(organiser, by, now):
    given = SimultaneousGiven("Simultané d’hiver")
    return create_simultaneous(club=organiser, given=given, hours=hours(now), etuis=5, by=by, now=now)


def refused(work, **given):
    with pytest.raises(SimultaneousRefused) as refusal:
        work(**given)
    return refusal.value.code, refusal.value.field


def log_of(club):
    with override("en"):
        return [say_entry(entry) for entry in ClubLogEntry.objects.filter(club=club).order_by("pk")]


def join(made, club, director, now):
    return join_by_link(club=club, token=made.token, by=director, now=now)


def test_etuis_are_sealed_and_held_until_the_public_hour(made, organiser, now):
    master = made.deal_set
    master.refresh_from_db()
    assert (made.slug, master.etuis.count(), made.revision) == ("simultane-dhiver", 5, 0)
    assert master.sealed_at is not None
    assert master.held_until == made.public_at
    assert log_of(organiser)[-1] == "created the simultaneous “Simultané d’hiver”"


@pytest.mark.parametrize(
    ("times", "refusal"),
    [
        ((2, 2, 5), ("simultaneous_closes_first", "closes_at")),
        ((1, 4, 3), ("simultaneous_public_first", "public_at")),
        ((-3, -1, 5), ("simultaneous_hour_past", "closes_at")),
    ],
)
def test_hours_are_in_order_and_not_over(organiser, by, now, made, times, refusal):
    given = {"club": organiser, "given": SimultaneousGiven("Autre"), "etuis": 5, "by": by, "now": now}
    assert refused(create_simultaneous, hours=hours(now, *times), **given) == refusal
    changed = {"simultaneous_id": made.pk, "hours": hours(now, *times), "by": by, "now": now}
    assert refused(change_hours, **changed) == refusal
    assert Simultaneous.objects.count() == 1


def test_unused_set_of_the_club_can_be_played(organiser, by, now):
    common = {"count": 5, "now": now, "by": by}
    mine = create_deal_set(club=organiser, name="Mine", **common)
    used = create_deal_set(club=organiser, name="Used", **common)
    use_deal_set(session_id=draft_session(make_tournament(organiser)).pk, deal_set=used)
    awaited = create_deal_set(club=organiser, name="Awaited", value_name="Loto", **common)
    other = create_deal_set(club=make_club("autre"), name="Other", **common)
    assert list(find_sets_to_play(organiser)) == [mine]
    given = {"club": organiser, "given": SimultaneousGiven("Coupe"), "hours": hours(now), "by": by, "now": now}
    for wrong in (used, awaited, other):
        assert refused(create_simultaneous, etuis=wrong, **given) == ("simultaneous_set_unknown", "deal_set")
    assert create_simultaneous(etuis=mine, **given).deal_set == mine
    assert refused(create_simultaneous, etuis=mine, **given) == ("simultaneous_set_unknown", "deal_set")


def test_club_that_agrees_gets_a_copy_without_cards_and_seed(made, by, lyon, theirs, organiser, now):
    row = invite_club(simultaneous_id=made.pk, slug="lyon", by=by, now=now)
    assert row.deal_set is None
    assert refused(invite_club, simultaneous_id=made.pk, slug="lyon", by=by, now=now)[0] == "simultaneous_club_already"
    for _again in range(2):
        row = agree_to_simultaneous(club=lyon, row_id=row.pk, by=theirs, now=now)
    copy = row.deal_set
    assert (copy.club, copy.seed, copy.commitment) == (lyon, "", made.deal_set.commitment)
    assert set(copy.etuis.values_list("cards", flat=True)) == {""}
    assert DealSet.objects.filter(master=made.deal_set).count() == 1
    assert log_of(lyon) == [
        "Fédération invites the club to the simultaneous “Simultané d’hiver”",
        "agreed to play the simultaneous “Simultané d’hiver”",
    ]
    assert log_of(organiser)[1:] == [
        "invited Club de Lyon to the simultaneous “Simultané d’hiver”",
        "Club de Lyon plays the simultaneous “Simultané d’hiver”",
    ]
    made.refresh_from_db()
    assert made.revision == 1


def test_other_club_cannot_answer_for_it(made, by, lyon, now):
    row = invite_club(simultaneous_id=made.pk, slug="lyon", by=by, now=now)
    other = make_club("autre")
    asked = {"club": other, "row_id": row.pk, "by": make_director(other, "autre"), "now": now}
    assert refused(agree_to_simultaneous, **asked)[0] == "simultaneous_club_gone"
    assert refused(leave_simultaneous, reason="non", **asked)[0] == "simultaneous_club_gone"


def test_club_that_said_no_is_not_asked_again_but_can_use_the_link(made, by, lyon, theirs, now):
    row = invite_club(simultaneous_id=made.pk, slug="lyon", by=by, now=now)
    leave_simultaneous(club=lyon, row_id=row.pk, reason="", by=theirs, now=now)
    assert log_of(lyon)[-1] == "does not play the simultaneous “Simultané d’hiver”"
    assert refused(invite_club, simultaneous_id=made.pk, slug="lyon", by=by, now=now)[0] == "simultaneous_declined"
    assert join(made, lyon, theirs, now).agreed_at == now


def test_organiser_plays_too_with_a_copy_of_its_own(made, by, organiser, now):
    row = invite_club(simultaneous_id=made.pk, slug="federation", by=by, now=now)
    assert row.agreed_at == now
    assert row.deal_set.master == made.deal_set
    assert log_of(organiser)[-1] == "agreed to play the simultaneous “Simultané d’hiver”"


def test_link_brings_a_club_once_and_a_new_link_ends_the_old_one(made, by, lyon, theirs, now):
    assert join(made, lyon, theirs, now).pk == join(made, lyon, theirs, now).pk
    old = made.token
    renew_link_of_simultaneous(simultaneous_id=made.pk, by=by, now=now)
    other = {"club": make_club("autre"), "by": theirs, "now": now}
    for token in (old, "", "x" * 43):
        assert refused(join_by_link, token=token, **other)[0] == "simultaneous_link_unknown"


def test_club_that_leaves_gives_its_copy_up_and_gets_the_same_one_back(made, lyon, theirs, now):
    row = join(made, lyon, theirs, now)
    leave = {"club": lyon, "row_id": row.pk, "by": theirs, "now": now}
    assert refused(leave_simultaneous, reason=" ", **leave) == ("simultaneous_reason_missing", "reason")
    leave_simultaneous(reason="trop peu de joueurs", **leave)
    row.deal_set.refresh_from_db()
    assert row.deal_set.given_up_at is not None
    assert log_of(lyon)[-1] == "left the simultaneous “Simultané d’hiver”: trop peu de joueurs"
    back = join(made, lyon, theirs, now)
    assert (back.deal_set, back.deal_set.sessions.count()) == (row.deal_set, 0)
    back.deal_set.refresh_from_db()
    assert back.deal_set.given_up_at is None


def test_club_that_comes_back_keeps_the_session_that_it_has_played(made, by, lyon, theirs, now):
    row = join(made, lyon, theirs, now)
    session = draft_session(make_tournament(lyon))
    use_deal_set(session_id=session.pk, deal_set=row.deal_set)
    start_session(session_id=session.pk, by=theirs, now=now)
    take = {"simultaneous_id": made.pk, "row_id": row.pk, "by": by, "now": now}
    take_out_of_simultaneous(reason="erreur", **take)
    row.deal_set.refresh_from_db()
    assert row.deal_set.given_up_at is None
    assert join(made, lyon, theirs, now).session == session


def test_nobody_joins_a_closed_simultaneous_or_one_whose_étuis_are_public(made, by, lyon, theirs, now):
    for _again in range(2):
        close_simultaneous(simultaneous_id=made.pk, by=by, now=now)
    given = {"club": lyon, "token": made.token, "by": theirs}
    assert refused(join_by_link, now=now, **given)[0] == "simultaneous_is_closed"
    close_simultaneous(simultaneous_id=made.pk, reopen=True, by=by, now=now)
    assert refused(join_by_link, now=now + 5 * HOUR, **given)[0] == "simultaneous_is_public"
    moved = {"simultaneous_id": made.pk, "hours": hours(now, 6, 7, 8), "by": by, "now": now + 5 * HOUR}
    assert refused(change_hours, **moved)[0] == "simultaneous_is_public"
    assert sum("closed the simultaneous" in line for line in log_of(made.club)) == 1


def test_moved_hours_reach_every_copy_and_session(made, by, lyon, theirs, now):
    row = join(made, lyon, theirs, now)
    session = draft_session(make_tournament(lyon))
    use_deal_set(session_id=session.pk, deal_set=row.deal_set)
    later = hours(now, 1, 6, 30)
    change_hours(simultaneous_id=made.pk, hours=later, by=by, now=now)
    row.deal_set.refresh_from_db()
    assert Session.objects.get(pk=session.pk).held_until == row.deal_set.held_until == later.public_at
    assert (may_read_cards(row.deal_set, now), may_read_cards(row.deal_set, now + 2 * HOUR)) == (False, True)
    assert "the hours of the simultaneous" in log_of(lyon)[-1]
    assert "Looks and prints" not in log_of(lyon)[-1]


def test_logs_say_that_hours_moved_after_cards_were_printed(made, by, lyon, theirs, now):
    row = join(made, lyon, theirs, now)
    record_look(deal_set=row.deal_set, user=theirs, first=1, last=5, now=now, kind="printed")
    change_hours(simultaneous_id=made.pk, hours=hours(now, 1, 6, 30), by=by, now=now)
    for club in (lyon, made.club):
        assert log_of(club)[-1].endswith("Looks and prints before: 1")


def test_same_values_again_are_not_logged(made, by, now):
    before = log_of(made.club)
    change_hours(simultaneous_id=made.pk, hours=FieldHours.of(made), by=by, now=now)
    change_simultaneous(simultaneous_id=made.pk, given=SimultaneousGiven(made.title), by=by, now=now)
    put_simultaneous_away(simultaneous_id=made.pk, back=True, by=by, now=now)
    assert log_of(made.club) == before


def test_organiser_rules_for_all_clubs_with_a_reason(made, by, lyon, theirs, now):
    join(made, lyon, theirs, now)
    rule = {"simultaneous_id": made.pk, "by": by, "now": now}

    def ruling(kind, **told):
        return RulingGiven(**{"etui": 3, "kind": kind, "reason": "carte en double"} | told)

    assert refused(rule_for_all, given=ruling("lifted"), **rule) == ("simultaneous_not_ruled", "etui")
    assert refused(rule_for_all, given=ruling("annulled", etui=6), **rule) == ("simultaneous_etui_unknown", "etui")
    assert refused(rule_for_all, given=ruling("annulled", reason=" "), **rule)[1] == "reason"
    assert refused(rule_for_all, given=ruling("split", from_position=1), **rule)[1] == "from_position"
    for _again in range(2):
        rule_for_all(given=ruling("annulled"), **rule)
    assert FieldRuling.objects.count() == 1
    rule_for_all(given=ruling("split", from_position=3), **rule)
    (newest,) = list_rulings(made)
    assert newest.split.from_position == 3
    rule_for_all(given=ruling("lifted"), **rule)
    assert list_rulings(made) == []
    told = list(ClubLogEntry.objects.filter(club=lyon).order_by("pk").values_list("action", flat=True))[1:]
    assert told == [f"simultaneous_told_{kind}" for kind in ("annulled", "split", "lifted")]
    assert all("étui 3" in line and "carte en double" in line for line in log_of(lyon)[1:])


def test_director_and_simultaneous_invite_only_so_many_clubs_a_day(made, by, organiser, lyon, now, monkeypatch):
    monkeypatch.setattr(membership, "MOST_INVITED_A_DAY", 2)
    invite_club(simultaneous_id=made.pk, slug=organiser.slug, by=by, now=now)  # the own club does not count
    for slug in ("brest", "caen"):
        invite_club(simultaneous_id=made.pk, slug=make_club(slug).slug, by=by, now=now)
    asked = {"slug": lyon.slug, "now": now}
    assert refused(invite_club, simultaneous_id=made.pk, by=by, **asked) == ("simultaneous_invited_often", "slug")
    colleague = make_director(organiser, "vice")
    assert refused(invite_club, simultaneous_id=made.pk, by=colleague, **asked)[0] == "simultaneous_invited_often"
    given = SimultaneousGiven("Simultané de printemps")
    second = create_simultaneous(club=organiser, given=given, hours=hours(now), etuis=5, by=by, now=now)
    assert refused(invite_club, simultaneous_id=second.pk, by=by, **asked)[0] == "simultaneous_invited_often"
    assert invite_club(simultaneous_id=second.pk, by=colleague, **asked).club == lyon
    SimultaneousClub.objects.update(invited_at=now - dt.timedelta(days=1, seconds=1))
    assert invite_club(simultaneous_id=made.pk, by=by, **asked).club == lyon


def test_club_with_unanswered_invitations_gets_no_more(organiser, by, lyon, theirs, now):
    several = [
        create_simultaneous(
            club=organiser, given=SimultaneousGiven(f"Simultané {number}"), hours=hours(now), etuis=5, by=by, now=now
        )
        for number in range(MOST_OPEN_INVITATIONS + 1)
    ]
    rows = [invite_club(simultaneous_id=each.pk, slug=lyon.slug, by=by, now=now) for each in several[:-1]]
    last = {"simultaneous_id": several[-1].pk, "slug": lyon.slug, "by": by, "now": now}
    assert refused(invite_club, **last) == ("simultaneous_invited_unanswered", "slug")
    agree_to_simultaneous(club=lyon, row_id=rows[0].pk, by=theirs, now=now)
    assert invite_club(**last).club == lyon


def start_with_player(made, lyon, theirs, now):
    """Return the started session of a club."""
    row = join(made, lyon, theirs, now)
    session = draft_session(make_tournament(lyon))
    use_deal_set(session_id=session.pk, deal_set=row.deal_set)
    return start_session(session_id=session.pk, by=theirs, now=now)


@pytest.mark.parametrize("own", [True, False], ids=["own copy", "master"])
def test_player_whose_account_looked_at_cards_is_found(made, by, lyon, theirs, now, own):
    session = start_with_player(made, lyon, theirs, now)
    player = session.entrants.first().player
    tie(player, theirs, by=theirs, now=now)
    assert find_lookers(made) == set()
    seen = session.deal_set if own else made.deal_set
    record_look(deal_set=seen, user=theirs, first=1, last=4, now=now)
    assert find_lookers(made) == {session.entrants.first().pk}
    Session.objects.filter(pk=session.pk).update(closed_at=now - HOUR)
    assert find_lookers(made) == set()


def test_director_who_said_that_they_play_is_found(made, lyon, theirs, now):
    session = start_with_player(made, lyon, theirs, now)
    entrant = session.entrants.first()
    record_look(deal_set=session.deal_set, user=theirs, first=1, last=4, now=now, kind="printed")
    assert find_lookers(made) == set()
    declare_playing(session_id=session.pk, entrant_id=entrant.pk, by=theirs, now=now)
    assert find_lookers(made) == {entrant.pk}


def test_hours_of_a_simultaneous_of_another_site_are_changed_there_alone(made, by, now):
    SealedEtuis.objects.create(simultaneous=made, key=uuid4(), secret="", content=b"sealed", made_at=now)
    given = {"simultaneous_id": made.pk, "hours": hours(now, 1, 6, 30), "by": by, "now": now}
    assert refused(change_hours, **given)[0] == "simultaneous_elsewhere"
