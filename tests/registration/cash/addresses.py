"""The pages of the cash box for `tests.test_access`: page → method, role, and the session."""

from tournaments.permissions import Can

PAGES_OF_CASH = {
    "cash": ("GET", Can.ENTER, "running"),
    "cash_take": ("POST", Can.ENTER, "running"),
    "cash_give_back": ("POST", Can.DIRECT, "running"),
    "cash_fees": ("GET", Can.DIRECT, "running"),
    "cash_prizes": ("GET", Can.DIRECT, "published"),
    "cash_hand": ("POST", Can.DIRECT, "published"),
    "cash_sheet": ("GET", Can.DIRECT, "running"),
    "cash_file": ("GET", Can.DIRECT, "running"),
}
