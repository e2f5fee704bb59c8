"""The limits to guessing passwords and codes: how often somebody may try. Only wrong answers count.

`devices` finds the address of a request and recognises its device, `counting` counts wrong codes, `log_in` counts wrong
passwords. Links of 128 bits are not counted, because nobody can guess one.
"""

from clubs.guard.counting import Count, answer_too_often, find_full, has_tries, note_failed, note_tries
from clubs.guard.devices import client_address, counted_address, know_account, know_code, know_device, read_device
