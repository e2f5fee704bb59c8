"""The counters of the doors where people type a code.

The codes are a table's number, a personal code, the arbiter's code, and the password of a club's registration.
"""

from clubs.guard.addresses import Asked, counted_address
from clubs.guard.counting import DAY, Count
from clubs.guard.devices import read_device

MOST_OF_ADDRESS = 10  # wrong codes in ten seconds: a whole hall has one address
MOST_OF_DEVICE, MOST_OF_DEVICE_A_DAY = 5, 100
MOST_AT_REGISTRATION, MOST_OF_SESSION_A_DAY = 5, 240  # wrong passwords of one registration, of an address and in all
MOST_FOR_ARBITER = 5  # wrong ones of a device, for one code of the arbiter


def counts_of_codes(request: Asked) -> list[Count]:
    """Return the counters of wrong codes: those of the device where it has opened a code before, else that of its
    address. Both kinds of code share them."""
    device = read_device(request)
    if device.came_known and device.has_opened_code:
        whose = f"device {device.number}"
        return [Count("code", whose, MOST_OF_DEVICE), Count("code", whose, MOST_OF_DEVICE_A_DAY, DAY)]
    return [Count("code", f"address {counted_address(request)}", MOST_OF_ADDRESS)]


def counts_of_arbiter(request: Asked, code: int) -> list[Count]:
    """Return the counter of wrong tries at one code of the arbiter, by the device; by its address, where it is new."""
    device = read_device(request)
    whose = f"device {device.number}" if device.came_known else f"address {counted_address(request)}"
    return [Count("arbiter", f"{code} {whose}", MOST_FOR_ARBITER, DAY)]


def counts_of_registration(request: Asked, session: int) -> list[Count]:
    """Return the counters of wrong passwords at a registration: by the device that has typed a code before, else by its
    address, and of the session."""
    device = read_device(request)
    known = device.came_known and device.has_opened_code
    whose = f"device {device.number}" if known else f"address {counted_address(request)}"
    return [Count("registration", f"{session} {whose}", MOST_AT_REGISTRATION), count_of_session(session)]


def count_of_session(session: int) -> Count:
    """Return the counter of a day's wrong passwords: when it is full, a director's word is asked for in their place."""
    return Count("registration", f"session {session}", MOST_OF_SESSION_A_DAY, DAY)
