"""The comparison of two players whose sections play the same étuis.

The figures are random, and the test adds them up from the plain rows.
"""

import random
from fractions import Fraction

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from rankings.careers.duels import renew_duels
from rankings.careers.head_to_head import HeadToHead
from rankings.careers.subjects import look_at, subject_of
from tests.examples import draw_seeds
from tests.rankings.careers.world import played, players_of
from tournaments.models import Appearance, Session

pytestmark = pytest.mark.django_db
DEN = 12
Play = tuple[int, str, int, Fraction]


def add_section(session: Session, number: int) -> Session:
    same = {"tournament": session.tournament, "date": session.date, "deal_set_id": session.deal_set_id}
    return Session.objects.create(
        number=number, status=Session.Status.RUNNING, started_at=session.started_at, section="ABC"[number - 1], **same
    )


def draw_plays(chance: random.Random, etuis: list[int]) -> list[Play]:
    return [
        (etui, chance.choice("NS"), chance.choice((1, 1, 2)), Fraction(chance.randint(0, 100 * DEN), DEN))
        for etui in etuis
    ]


def add_row(sample: Appearance, session: Session, player: int, field: int, plays: list[Play]) -> None:
    kept = [[etui, line, part, int(note * DEN)] for etui, line, part, note in plays]
    values = {each.attname: getattr(sample, each.attname) for each in sample._meta.concrete_fields}
    own = {"id": None, "session_id": session.pk, "player": player, "field": field, "plays": kept}
    Appearance.objects.create(**values | own | {"figures": {"den": DEN, "best": [], "m": []}})


def differences(mine: dict[int, list[Play]], theirs: dict[int, list[Play]]) -> list[Fraction]:
    """Return the differences on the étuis that both players have.

    The part of an étui played after it was altered is compared within one section only.
    """
    return [
        note - other_note
        for section, plays in mine.items()
        for etui, line, part, note in plays
        for other_section, others in theirs.items()
        for other_etui, other_line, other_part, other_note in others
        if (etui, line, part) == (other_etui, other_line, other_part) and (part == 1 or section == other_section)
    ]


@pytest.mark.parametrize("seed", draw_seeds(30, fewest=6))
def test_all_sections_of_both_players_count(seed):
    chance = random.Random(seed)
    session = played()
    sample = Appearance.objects.filter(session=session).first()
    Appearance.objects.all().delete()
    sections = [session, add_section(session, 2), add_section(session, 3)]
    one, other = players_of(session)[:2]
    rows: dict[int, dict[int, list[Play]]] = {}
    for player in (one, other):
        there = chance.sample(sections, chance.randint(1, 3))
        etuis = chance.sample(range(1, 31), 30)
        rows[player.pk] = {}
        for place, section in enumerate(there):
            plays = draw_plays(chance, etuis[place * 10 : place * 10 + 10])
            rows[player.pk][section.pk] = plays
            add_row(sample, section, player.pk, session.pk, plays)
    subjects = subject_of(one), subject_of(other)
    held = HeadToHead(*subjects, look_at(*subjects))
    found = differences(rows[one.pk], rows[other.pk])
    signs = [(each > 0) - (each < 0) for each in found]
    assert held.etuis == (signs.count(1), signs.count(0), signs.count(-1))
    assert held.difference.mean == (sum(found, Fraction()) / len(found) if found else None)
    renew_duels({one.pk, other.pk}, {sample.season})
    with CaptureQueriesContext(connection) as asked:
        stored = HeadToHead(*subjects, look_at(*subjects))
    assert (stored.etuis, stored.difference, stored.sessions) == (held.etuis, held.difference, held.sessions)
    assert not [query for query in asked if '"plays"' in query["sql"]]  # the stored sums were current
    shared = rows[one.pk].keys() & rows[other.pk].keys()
    listed = {(mine.row.session_id, theirs.row.session_id) for mine, theirs, _first in held.meetings}
    apart = {(mine, theirs) for mine in rows[one.pk].keys() - shared for theirs in rows[other.pk].keys() - shared}
    assert listed == {(section, section) for section in shared} | apart
