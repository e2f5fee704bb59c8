"""The guard of passwords and codes: how often somebody may try one. Wrong answers are counted, right ones are not.

`addresses` says where a request comes from, `counting` counts, `devices` knows a device again, `codes` and `log_in` say
what is counted at which door. Links of 128 bits count nothing: nobody guesses one.
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
