"""The whole season of the demonstration: players' pages, head to head and calendars have something to show."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from jobs import demo
from rankings.careers import keeping
from tournaments.models import Appearance, Publication, Session

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("process")]
FRENCH = {"accept-language": "fr"}


def test_season_gives_curves_pairs_and_months_to_show():
    now = timezone.now()
    publication = demo.play_evening(now=now, before=demo.EVENINGS)
    sessions = list(Session.objects.filter(publications__isnull=False).distinct().order_by("number"))
    assert [session.number for session in sessions] == list(range(1, 14))
    for session in sessions:
        keeping.refresh(session.pk)
    played = Appearance.objects.values_list("player", "session")
    evenings = {player: {session for one, session in played if one == player} for player, _session in played}
    assert len(evenings) == 36
    assert sum(len(each) >= 10 for each in evenings.values()) >= 12
    assert len({frozenset(session.entrants.values_list("player", flat=True)) for session in sessions}) == 13
    first, second = sorted(evenings, key=lambda player: -len(evenings[player]))[:2]
    reader = Client(headers=FRENCH)
    career = reader.get(reverse("player", args=[first]))
    assert "<svg" in career.text
    together = reader.get(reverse("head_to_head", args=[first, second]))
    assert (career.status_code, together.status_code) == (200, 200)
    assert re.search(r"\d séances", together.text)
    month = reader.get(reverse("calendar"), {"month": f"{sessions[0].date:%Y-%m}"})
    assert "Duplicate du vendredi" in month.text
    figures = Publication.objects.get(pk=publication.pk).data["players"]
    assert len(figures) == 28
