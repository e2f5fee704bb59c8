"""The entrants of a session as standings read them: who is a substitute, and whose lots count."""

import pytest
from django.utils import timezone

from evenings.standings.field import (
    Field,
    FieldMember,
    find_substitutes,
    find_unranked_of,
    make_field,
    read_field,
    read_fields,
    read_session_draw,
)
from scoring.notes import NoteSum, Tally
from scoring.plays import EAST_WEST, Line
from scoring.ties import TieBreak, UnrankedReason
from tests.factories import make_director, started_session
from tournaments.models import TieDraw

EAST = Line.E


def member(pk, *stays):
    return FieldMember(pk, EAST, True, 100 + pk, stays)


def test_who_moves_to_a_seat_that_somebody_left_is_no_substitute():
    left = member(1, (1, 1, 2))
    moved = member(2, (2, 1, 2), (1, 3, None))
    came = member(3, (1, 3, None))
    assert find_substitutes([left, moved]) == set()
    assert find_substitutes([left, moved, came]) == {3}


@pytest.mark.parametrize(("last", "first", "is_one"), [(2, 3, True), (2, 2, True), (3, 2, False), (None, 2, False)])
def test_substitute_begins_when_the_other_has_left(last, first, is_one):
    """Check also the other order of the rows: whoever came first is no substitute."""
    came = member(2, (1, first, None))
    assert find_substitutes([member(1, (1, 1, last)), came]) == ({2} if is_one else set())
    assert find_substitutes([came, member(3, (1, 1, last))]) == set()
    assert find_substitutes([member(1, (1, 1, last))._replace(line=Line.N), came]) == set()


def test_who_was_there_for_one_position_is_no_substitute_of_himself():
    assert find_substitutes([member(1, (1, 2, 2))]) == set()


def row(pk, line="E", team=None, earlier=()):
    """Return a row of `member_rows`: an entrant with starting number 4 from position 2 to 6."""
    return (7, pk, line, pk != 3, 100 + pk, team, 4, 2, 6, earlier, 50, False, '["attack", "draw"]')


def test_field_is_made_of_rows_with_the_rules_of_the_tournament():
    ties = (TieBreak.ATTACK, TieBreak.DRAW)
    alone = FieldMember(1, EAST, True, 101, ((4, 2, 6),))
    assert make_field([row(1)]) == Field([alone], 50, False, ties)
    assert make_field([row(1), row(3, "", 12, [[5, 1, 1]]), row(4, "E", 2)]) == Field(
        [
            alone,
            FieldMember(3, "", False, -12, ((5, 1, 1), (4, 2, 6))),
            FieldMember(4, EAST_WEST, True, -2, ((4, 2, 6),)),
        ],
        50,
        False,
        ties,
    )


def test_field_without_entrants_has_no_rules_against_anybody():
    assert make_field([]) == Field([], 0, True, ())


def test_who_has_no_rank_is_told_why():
    left, came, filler, short = (member(pk, (pk, 1, None)) for pk in (1, 2, 3, 4))
    left, came = left._replace(stays=[(1, 1, 2)]), came._replace(stays=[(1, 3, None)])
    field = Field([left, came, filler._replace(ranked=False), short], 50, False, ())
    deals = {1: 10, 2: 10, 3: 10, 4: 4, 5: 5}
    tallies = {pk: Tally(attack=NoteSum(count)) for pk, count in deals.items()}
    both = {3: UnrankedReason.FILLER, 4: UnrankedReason.SHARE}
    assert field.find_unranked(tallies) == {2: UnrankedReason.SUBSTITUTE} | both
    assert field._replace(substitutes_ranked=True).find_unranked(tallies) == both
    assert find_unranked_of([Field([], 0, True, ()), field], tallies) == field.find_unranked(tallies)


@pytest.mark.django_db
def test_fields_of_several_sessions_are_read_together():
    session = started_session(tables=1, positions=1)
    found = read_fields([session.pk, 0])
    assert found == {session.pk: read_field(session.pk)}
    entrants = session.entrants.order_by("number", "pk").values_list("pk", "player_id")
    assert [(each.pk, each.competitor) for each in found[session.pk].members] == list(entrants)


@pytest.mark.django_db
def test_lots_of_the_newest_draw_count_for_those_who_are_in_the_session():
    session = started_session()
    first, second, third = session.entrants.order_by("pk")[:3]
    told = {"author": make_director(session.tournament.club), "drawn_at": timezone.now(), "session": session}
    for order in ([third.player_id], [second.player_id, 0, first.player_id]):
        TieDraw.objects.create(tournament=session.tournament, order=order, **told)
    members = read_field(session.pk).members
    assert read_session_draw(session.pk, members) == [second.pk, first.pk]
