"""Three hundred random evenings of every format: whatever the site proposes, it does not refuse later."""

import pytest

from tests.random_evenings import play_random_evening
from tests.short_searches import SHORT, search_with

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("statistics")]


@pytest.mark.parametrize("seed", range(300))
def test_random_evening_never_proposes_what_it_refuses(seed):
    with search_with(SHORT):
        play_random_evening(seed)
