"""The header that tells browsers which of their features no page uses: it is on every answer, refusals too."""

import pytest
from django.test import Client

from config.middleware import UNUSED


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/privacy/", "/nowhere/", "/robots.txt", "/static/js/copy.js", "/login/"])
def test_no_page_may_use_the_camera_or_ask_where_somebody_is(path):
    told = Client().get(path)["Permissions-Policy"].split(", ")
    assert told == [f"{feature}=()" for feature in UNUSED]
    assert {"camera", "geolocation", "microphone", "payment", "usb"} < set(UNUSED)
