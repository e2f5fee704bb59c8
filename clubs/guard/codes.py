"""The counters of wrong codes, for the pages on which people type a code, and of wrong tokens of programs.

The codes are the number of a table, a personal code, the arbiter's code, and the password of a club's registration.
"""

from clubs.guard.addresses import Asked, counted_address
from clubs.guard.counting import DAY, Count
from clubs.guard.devices import read_device

# The most wrong codes in ten seconds. The limit for an address is higher than for a device, because a whole hall shares
# an address.
MOST_CODES_OF_ADDRESS, MOST_CODES_OF_DEVICE, MOST_CODES_OF_DEVICE_A_DAY = 10, 5, 100
# The most wrong passwords at a registration: from a device or address in ten seconds, and from everybody in a day.
MOST_PASSWORDS_AT_REGISTRATION, MOST_PASSWORDS_OF_SESSION_A_DAY = 5, 240
MOST_WRONG_TOKENS = 10  # the most wrong tokens of programs from an address in ten seconds
MOST_CODES_FOR_ARBITER = 5  # the most wrong tries from a device for one code of the arbiter


def counts_of_codes(request: Asked) -> list[Count]:
    """Return the counters of wrong codes, for the numbers of tables and for personal codes together.

    They belong to the device if it has used a right code before, otherwise to the address.
    """
    device = read_device(request)
    if device.came_known and device.has_opened_code:
        whose = f"device {device.number}"
        return [Count("code", whose, MOST_CODES_OF_DEVICE), Count("code", whose, MOST_CODES_OF_DEVICE_A_DAY, DAY)]
    return [Count("code", f"address {counted_address(request)}", MOST_CODES_OF_ADDRESS)]


def counts_of_arbiter(request: Asked, code: int) -> list[Count]:
    """Return the counter of wrong tries for one code of the arbiter.

    It belongs to the device or, if the device is new, to the address.
    """
    device = read_device(request)
    whose = f"device {device.number}" if device.came_known else f"address {counted_address(request)}"
    return [Count("arbiter", f"{code} {whose}", MOST_CODES_FOR_ARBITER, DAY)]


def counts_of_registration(request: Asked, session: int) -> list[Count]:
    """Return the counters of wrong passwords at a registration: one for the sender, one for the session.

    The sender is the device if it has used a right code before, otherwise the address.
    """
    device = read_device(request)
    known = device.came_known and device.has_opened_code
    whose = f"device {device.number}" if known else f"address {counted_address(request)}"
    return [Count("registration", f"{session} {whose}", MOST_PASSWORDS_AT_REGISTRATION), count_of_session(session)]


def count_of_session(session: int) -> Count:
    """Return the counter of wrong passwords that were typed at the session's registration in one day.

    When it is full, a director has to admit people.
    """
    return Count("registration", f"session {session}", MOST_PASSWORDS_OF_SESSION_A_DAY, DAY)


def count_of_tokens(request: Asked) -> Count:
    """Return the counter of wrong tokens from this address.

    When it is full, wrong tokens get another answer. Right ones still work: no broken program shuts others out.
    """
    return Count("token", f"address {counted_address(request)}", MOST_WRONG_TOKENS)
