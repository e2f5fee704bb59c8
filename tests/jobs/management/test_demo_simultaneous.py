"""The simultaneous of the demonstration: a ranking over four clubs to look at, always the same one."""

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import Club
from jobs import demo
from jobs.management.commands.demo import tell_field
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import Session

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("process")]


def test_demonstration_has_a_ranking_over_four_clubs():
    now = timezone.now()
    demo.play_evening(now=now)
    demo.begin_evening(now=now)
    made = demo.hold_simultaneous(now=now)
    assert demo.hold_simultaneous(now=now) == made
    address = reverse("field", args=[made.club.slug, made.slug])
    assert f"http://here{address}" in tell_field("http://here", made)
    assert tell_field("http://here", None) == ""
    page = browser_of().get(address, {"by": "general"})
    text = words(page)
    assert "80 players" in text
    for club in Club.objects.all():
        assert club.name in text
    figures = [row["overall"] for row in made.publications.get().data["players"]]
    assert len(set(figures)) > 60
    etui = browser_of().get(reverse("field_etui", args=[made.club.slug, made.slug, 1]))
    assert "Played 20 times" in words(etui)
    assert "card-face" in etui.content.decode()
    sessions = Session.objects.filter(simultaneous_club__simultaneous=made)
    assert [session.held_until for session in sessions] == [None] * 4
