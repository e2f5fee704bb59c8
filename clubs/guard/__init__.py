"""The limits to guessing passwords and codes: how often somebody may try. Only wrong answers count.

`addresses` finds the address of a request, `counting` counts, `devices` recognises a device, `codes` and `log_in` say
what is counted. Links of 128 bits are not counted, because nobody can guess one.
"""

from clubs.guard.addresses import client_address, counted_address
from clubs.guard.counting import Count, answer_too_often, find_full, has_tries, note_failed, note_tries
from clubs.guard.devices import know_account, know_code, know_device, read_device

__all__ = [
    "Count",
    "answer_too_often",
    "client_address",
    "counted_address",
    "find_full",
    "has_tries",
    "know_account",
    "know_code",
    "know_device",
    "note_failed",
    "note_tries",
    "read_device",
]
