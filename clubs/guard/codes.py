"""What is counted where people type a code from paper: a table's number, a personal code, the arbiter's code."""

from clubs.guard.addresses import Asked, counted_address
from clubs.guard.counting import DAY, Count
from clubs.guard.devices import read_device

MOST_OF_ADDRESS = 10  # wrong codes in ten seconds: a whole hall has one address
MOST_OF_DEVICE, MOST_OF_DEVICE_A_DAY = 5, 100
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
