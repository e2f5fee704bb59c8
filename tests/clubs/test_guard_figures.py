"""The chances of guessing, computed from the code: they are the figures of SECURITY.md."""

import re
from pathlib import Path

import pytest
from django.conf import settings

from clubs.guard import counting, log_in
from clubs.guard.counting import DAY, WINDOW
from evenings.tables.devices import DIGITS
from registration.people.registration import PASSWORD_SIGNS
from tournaments.codes import SIGNS, UNMISTAKABLE
from tournaments.models.hall import MOST_WRONG

TOLD = (Path(__file__).parents[2] / "SECURITY.md").read_text()
ADDRESSES, HOURS, A_SECOND = 10_000, 4, 1_000
OPEN_CODES, ARBITERS, REGISTERS_FOR = 6_000, 750, 28  # open codes at once, arbiter's codes an evening, days


def spaced(number):
    return f"{number:,}".replace(",", " ")


def row_of(start):
    """Return the cells of the row that begins with `start`."""
    (line,) = re.findall(rf"^\| {re.escape(start)}.*$", TOLD, re.MULTILINE)
    return [cell.strip() for cell in line.strip("|").split("|")]


def percent(chance):
    return f"{100 * chance:.3g} %"


def chance_of_codes(guesses):
    return guesses * OPEN_CODES / len(UNMISTAKABLE) ** SIGNS


def test_chance_of_numbers_and_personal_codes():
    guesses = counting.MOST_CODES_OF_ADDRESS * HOURS * 3600 // WINDOW * ADDRESSES
    chance = chance_of_codes(guesses)
    assert row_of("a table's number")[1:] == [
        f"{SIGNS} of {len(UNMISTAKABLE)}",
        f"{counting.MOST_CODES_OF_ADDRESS} an address in ten seconds: {spaced(guesses)}",
        f"{spaced(OPEN_CODES)} (100 halls)",
        percent(chance),
    ]
    assert chance < 0.001
    assert percent(chance_of_codes(A_SECOND * HOURS * 3600)) in TOLD


def test_chance_of_the_arbiters_code():
    chance = MOST_WRONG * ARBITERS / 10**DIGITS
    assert row_of("the arbiter's code")[1:] == [
        f"{DIGITS} of 10", f"{MOST_WRONG} a code", f"{ARBITERS} an evening", percent(chance),
    ]  # fmt: skip
    assert chance < 0.001


def test_chance_of_a_registrations_password():
    chance = counting.MOST_PASSWORDS_OF_SESSION_A_DAY * REGISTERS_FOR / len(UNMISTAKABLE) ** PASSWORD_SIGNS
    assert row_of("a registration's password")[1:] == [
        f"{PASSWORD_SIGNS} of {len(UNMISTAKABLE)}",
        f"{counting.MOST_PASSWORDS_OF_SESSION_A_DAY} a session and day, for {REGISTERS_FOR} days",
        "1",
        percent(chance),
    ]
    assert chance < 0.001


@pytest.mark.parametrize(
    ("who", "window", "day"),
    [
        ("an address, whatever", log_in.MOST_LOG_INS_OF_ADDRESS, log_in.MOST_LOG_INS_OF_ADDRESS * DAY // WINDOW),
        ("an address, at one", log_in.MOST_LOG_INS_OF_ACCOUNT_THERE, log_in.MOST_LOG_INS_OF_ACCOUNT_THERE_A_DAY),
        ("all devices that", None, log_in.MOST_LOG_INS_OF_ACCOUNT_A_DAY),
        ("a device on which", log_in.MOST_LOG_INS_OF_DEVICE, log_in.MOST_LOG_INS_OF_DEVICE_A_DAY),
    ],
)
def test_tries_a_day_at_chosen_passwords(who, window, day):
    assert row_of(who)[1:] == ["–" if window is None else str(window), spaced(day)]


def test_codes_of_the_second_step():
    most, minutes, _whose = settings.ACCOUNT_RATE_LIMITS["login_failed"].split("/")
    assert (most, minutes) == ("5", "5m")
    assert "5 in five minutes for an account" in re.sub(r"\s+", " ", TOLD)
