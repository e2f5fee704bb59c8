"""The search engines list no table of a room, neither one at which somebody plays nor a replay."""

import pytest
from django.test import Client
from django.urls import reverse

pytestmark = pytest.mark.django_db


def test_search_engines_fetch_no_table_and_list_no_page_of_a_room(world):
    told = Client().get(reverse("robots")).content.decode()
    assert "Disallow: /rooms/*/play/" in told
    assert "Disallow: /rooms/*/etuis/" in told
    for address in (reverse("room_etui", args=[world.closed.pk, 1]), reverse("room", args=[world.closed.pk])):
        assert Client().get(address)["X-Robots-Tag"] == "noindex"


def test_best_of_a_month_of_day_rooms_needs_ten_days(world):
    assert "10" in Client().get(reverse("rooms_best"), {"kind": "day"}).content.decode()
