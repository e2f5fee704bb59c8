"""The counters of wrong codes, for the pages where people type a code.

The codes are a table's number, a personal code, the arbiter's code, and the password of a club's registration.
"""

from clubs.guard.addresses import Asked, counted_address
from clubs.guard.counting import DAY, Count
from clubs.guard.devices import read_device

# Wrong codes in ten seconds. An address has more than a device, since a whole hall shares one.
MOST_CODES_OF_ADDRESS, MOST_CODES_OF_DEVICE, MOST_CODES_OF_DEVICE_A_DAY = 10, 5, 100
# Wrong passwords at a registration: of a device or address in ten seconds, and of everybody in a day.
MOST_PASSWORDS_AT_REGISTRATION, MOST_PASSWORDS_OF_SESSION_A_DAY = 5, 240
MOST_CODES_FOR_ARBITER = 5  # wrong tries of a device, for one code of the arbiter


def counts_of_codes(request: Asked) -> list[Count]:
    """Return the counters of wrong codes: by device if it has used a code before, else by address.

    Tables' numbers and personal codes share these counters.
    """
    device = read_device(request)
    if device.came_known and device.has_opened_code:
        whose = f"device {device.number}"
        return [Count("code", whose, MOST_CODES_OF_DEVICE), Count("code", whose, MOST_CODES_OF_DEVICE_A_DAY, DAY)]
    return [Count("code", f"address {counted_address(request)}", MOST_CODES_OF_ADDRESS)]


def counts_of_arbiter(request: Asked, code: int) -> list[Count]:
    """Return the counter of wrong tries at one code of the arbiter: by device, or by address if the device is new."""
    device = read_device(request)
    whose = f"device {device.number}" if device.came_known else f"address {counted_address(request)}"
    return [Count("arbiter", f"{code} {whose}", MOST_CODES_FOR_ARBITER, DAY)]


def counts_of_registration(request: Asked, session: int) -> list[Count]:
    """Return the counters of wrong passwords at a registration: one of the device or address, and one of the session.

    The device counts if it has typed a right code before, else the address.
    """
    device = read_device(request)
    known = device.came_known and device.has_opened_code
    whose = f"device {device.number}" if known else f"address {counted_address(request)}"
    return [Count("registration", f"{session} {whose}", MOST_PASSWORDS_AT_REGISTRATION), count_of_session(session)]


def count_of_session(session: int) -> Count:
    """Return the counter of a day's wrong passwords of a session.

    When it is full, a director must admit people instead.
    """
    return Count("registration", f"session {session}", MOST_PASSWORDS_OF_SESSION_A_DAY, DAY)
