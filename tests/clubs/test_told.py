"""The number of new players that a page tells is the number that is written, whoever changes the list meanwhile."""

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clubs.answers import RowQuestion, take_settled
from clubs.matching import NEW, read_list
from clubs.models import Player
from clubs.players import ListChanged, add_players, known_of, take_counted
from clubs.roster import RosterLine
from tests.factories import make_club

pytestmark = pytest.mark.django_db
PEOPLE = [RosterLine(last, first, licence) for last, first, licence in (
    ("Blanc", "Zoé", ""), ("Blanc", "Zoé", "0012"), ("Noir", "Al", "12"), ("Gris", "Ida", ""), ("Brun", "Léo", "77"),
)]  # fmt: skip
LINES = st.lists(st.sampled_from(PEOPLE), max_size=4, unique=True)


@pytest.mark.nightly("statistics")
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(before=LINES, pasted=LINES, meanwhile=LINES)
def test_number_told_is_the_number_written_or_nothing_is(before, pasted, meanwhile):
    with transaction.atomic():
        club = make_club()
        take_counted(club=club, taken=[])
        add_each(club, before)
        text = "\n".join(["Nom;Prénom;Licence", *(f"{p.last_name};{p.first_name};{p.licence}" for p in pasted)])
        rows = read_list(text, known_of(club)) if pasted else []
        questions = [RowQuestion(row, (row.likely or NEW) if not row.settled else "") for row in rows]
        told = sum(question.is_new for question in questions)
        add_each(club, meanwhile)
        count = Player.objects.filter(club=club).count()
        try:
            take_counted(club=club, taken=take_settled(questions), told=told)
        except ListChanged:
            told = 0
        assert Player.objects.filter(club=club).count() == count + told
        transaction.set_rollback(True)


def add_each(club, lines):
    for line in lines:
        add_players(club=club, lines=[line])
