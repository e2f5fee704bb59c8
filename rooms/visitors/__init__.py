"""The visitors of rooms: accounts, and guests with a name of their own and a cookie.

`finding` reads a request, `guests` writes the rows. `names` checks names, says how others see them, and has the
offensive ones.
"""

from rooms.visitors.finding import (
    ACCOUNT_COOKIE,
    COOKIE_LIFE,
    VISITOR_COOKIE,
    find_device_guest,
    find_visitor,
    meet_what_device_met,
    sign_visitor,
)
from rooms.visitors.guests import (
    check_guest_first,
    copy_met_etuis,
    draw_guest_token,
    ensure_visitor,
    forget_guest_now,
    has_player,
    keep_guest,
    make_guest,
    mark_program,
    note_visit,
    part_from_guest,
    rename_visitor,
    set_visitor_country,
)
from rooms.visitors.names import ShownName, VisitorRefused, clean_guest_name, show_visitor_names
