"""A hall behind one network address, simulated on the real counters with a clock that the test moves.

300 people log in within 3 minutes. One in ten makes a mistake first, and a joker gives a wrong answer every 10 s. No
right answer waits more than 10 s.
"""

import heapq
import random
from itertools import count
from typing import NamedTuple

import pytest
from django.test import RequestFactory

from clubs.guard import devices as device_cookies
from clubs.guard import find_full, know_account, know_code, note_tries
from clubs.guard.counting import counts_of_codes
from clubs.guard.log_in import counts_of_log_in
from clubs.models import User

pytestmark = pytest.mark.nightly("story")

HALL = "198.51.100.7"
PEOPLE, SECONDS, SLIP, JOKER_EVERY = 300, 180, 0.1, 10


class Try(NamedTuple):
    """An answer that somebody types. `since` is the moment at which they first typed it."""

    at: float
    order: int
    who: int  # -1 for the joker
    is_right: bool
    since: float


def play_hall(clock, counts_of, chance, *, joker_every=JOKER_EVERY):
    """Return how long each right answer waited. Whoever is refused returns when told to, and types the same again."""
    start, order, waits = clock.now, count(), []
    tries = []

    def add(at, who, is_right, since=None):
        heapq.heappush(tries, Try(at, next(order), who, is_right, at if since is None else since))

    for who in range(PEOPLE):
        add(chance.uniform(0, SECONDS), who, chance.random() >= SLIP)
    moment = chance.uniform(0, joker_every)
    while moment < SECONDS:
        add(moment, -1, False)
        moment += joker_every
    while tries:
        one = heapq.heappop(tries)
        clock.now = start + one.at
        counts = counts_of(one.who)
        full = find_full(counts)
        if full is not None and one.who >= 0:
            add(one.at + full.seconds_left(), one.who, one.is_right, one.since)
        elif full is None and one.is_right:
            waits.append(one.at - one.since)
        elif full is None:
            note_tries(counts)
            if one.who >= 0:
                add(one.at + chance.uniform(2, 20), one.who, True)
    clock.now = start + 86_400
    return waits


def request_of(device=None):
    request = RequestFactory().get("/", REMOTE_ADDR=HALL)
    if device is not None:
        request.COOKIES["device"] = device
    return request


@pytest.fixture
def accounts(db):
    User.objects.bulk_create(User(username=f"user{number}") for number in range(PEOPLE))


def codes(_who):
    return counts_of_codes(request_of())


def log_ins(who):
    """Return the counters of a log-in. The joker tries the name of the first person."""
    return counts_of_log_in(request_of(), {"username": f"user{max(who, 0)}"})


@pytest.mark.parametrize("door", [codes, log_ins])
@pytest.mark.parametrize("seed", range(4))
def test_no_right_answer_of_a_hall_waits_over_ten_seconds(accounts, clock, door, seed):
    waits = play_hall(clock, door, random.Random(seed))
    assert len(waits) == PEOPLE
    assert max(waits) <= 10


def test_of_codes_nobody_waits_at_all(clock):
    assert [max(play_hall(clock, codes, random.Random(seed))) for seed in range(4)] == [0] * 4


def known_for_code():
    request = request_of()
    know_code(request)
    return device_cookies.read_device(request).to_cookie()


def known_for(user):
    request = request_of()
    know_account(request, user)
    return device_cookies.read_device(request).to_cookie()


def test_script_of_twenty_a_second_never_holds_up_a_device_that_is_known(accounts, clock):
    user = User.objects.get(username="user7")
    device, other = known_for(user), known_for_code()
    for moment in range(20 * 60):
        clock.now += 0.05
        for counts in (
            counts_of_codes(request_of()),
            counts_of_log_in(request_of(), {"username": f"user{moment % 9}"}),
        ):
            if find_full(counts) is None:
                note_tries(counts)
        if not moment % 40:
            assert find_full(counts_of_codes(request_of(other))) is None
            assert find_full(counts_of_log_in(request_of(device), {"username": "user7"})) is None
