"""The page of a change: what is lost does not stand in the colour of what went well."""

from types import SimpleNamespace

import pytest
from django.template.loader import render_to_string


@pytest.mark.usefixtures("english")
def test_plays_that_a_change_leaves_out_stand_in_a_warning():
    left_out = SimpleNamespace(etui=1, position=2, table=3, names=["Anne"], counted=True)
    way = SimpleNamespace(unplayed=[left_out])
    page = " ".join(render_to_string("changes/_way.html", {"way": way}).split())
    assert "its result no longer counts" in page
    assert ("notice-warning" in page, "notice-info" in page) == (True, False)
