"""The settings of a session, in one table. Forms, serializers, constraints and docs/api.md are made from it.

The columns of `tournaments.models.Session` have the types, the choices and the names for people. The columns of a
club's usual evening (`clubs.models.ClubSettings`) are the settings marked `usual`.
"""

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

# The years that an evening may have. Every calendar and time zone knows them, and they stop most typing errors.
YEARS = range(2000, 2100)
Mark = Literal["under_way", "in_calendars", "is_public", "usual", "is_weight"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A setting of a session.

    - `means`: its meaning in English, for the schema of the API and for docs/api.md.
    - `default`: its value in a new session. It is None if the person who creates the session has to give a value.
    - `least` and `most`: the smallest and the largest value allowed, None without a limit.
    - `under_way`: whether it may change while the session is played. A change applies to later entries and positions.
    - `in_calendars`: whether calendars show it. Then a change makes them fetch the evening again.
    - `is_public`: whether everybody may read it before the session begins.
    - `usual`: whether a new session takes it from the club's usual evening, which has the same default.
    - `is_weight`: whether it says how much the session counts in its tournament. All its sections have the same value.
    """

    means: str
    default: Any = None
    least: Any = None
    most: Any = None
    under_way: bool = False
    in_calendars: bool = False
    is_public: bool = False
    usual: bool = False
    is_weight: bool = False


SETTINGS: dict[str, Setting] = {
    "date": Setting(
        means="the day on which it is played",
        least=dt.date(YEARS[0], 1, 1),
        most=dt.date(YEARS[-1], 12, 31),
        in_calendars=True,
        is_public=True,
    ),
    "starts_at": Setting(
        means="the start time, in the club’s time zone",
        default=dt.time(20, 30),
        in_calendars=True,
        usual=True,
    ),
    "positions": Setting(
        means="how many times players sit down at a table, including the first",
        default=5,
        least=1,
        most=60,
        in_calendars=True,
        usual=True,
    ),
    "etuis_per_position": Setting(
        means="the number of étuis that a table plays in a position",
        default=4,
        least=1,
        most=12,
        in_calendars=True,
        usual=True,
    ),
    "minutes_per_etui": Setting(
        means="minutes for each étui: the clock and the end follow from it",
        default=9,
        least=1,
        most=60,
        under_way=True,
        in_calendars=True,
        usual=True,
    ),
    "barometer": Setting(means="whether all tables play the same étuis in each position", default=False),
    "devices": Setting(means="who enters the results: a device at each table, or the desk only", default="tables"),
    "check_by": Setting(means="how the other side checks an entry", default="same", under_way=True),
    "shows_after": Setting(
        means="what a table sees after its entry; in an official FFT event only `nothing`",
        default="nothing",
        under_way=True,
    ),
    "hidden_positions": Setting(
        means="the number of last positions in which tables do not see the ranking so far",
        default=1,
        least=0,
        most=60,
        under_way=True,
    ),
    "whole_records": Setting(
        means="whether tables may record every card of a deal; the opening lead they always may",
        default=False,
        under_way=True,
    ),
    "coefficient": Setting(
        means="the number that multiplies its percentages in the ranking of the tournament",
        default=1,
        least=Decimal("0.01"),
        most=100,
        under_way=True,
        is_weight=True,
    ),
    "stage": Setting(
        means="players in a final are ranked before all others; empty: all sessions count the same",
        default="",
        under_way=True,
        is_weight=True,
    ),
}


# What only a session of donnes libres has. The tables deal there, so there are no étuis to plan.
FREE_DEALS_SETTINGS: dict[str, Setting] = {
    "seating": Setting(
        means="how games are seated: all beforehand (`fixed`), or one after the other by `ranking`, `strict` or `draw`",
        default="ranking",
    ),
    "odd_tables": Setting(
        means="the tables if players cannot be divided by four: `threes`, `five`, `mort`, or `fives` wherever possible",
        default="threes",
    ),
    "fits_deals": Setting(
        means="whether a table plays as many deals as fit, up to 12, and not a fixed number", default=False
    ),
    "three_weight": Setting(
        means="the number that multiplies marks at a table of three",
        default=1,
        least=Decimal("0.01"),
        most=Decimal("9.99"),
    ),
    "five_weight": Setting(
        means="the number that multiplies marks at a table of five",
        default=1,
        least=Decimal("0.01"),
        most=Decimal("9.99"),
    ),
}


def settings_with(mark: Mark) -> tuple[str, ...]:
    """Return the names of the settings that have this mark (`under_way`, `usual` …), in the order of the table."""
    return tuple(name for name, setting in SETTINGS.items() if getattr(setting, mark))
