"""The decisions of a director about the events of a series: which ones count, and how much."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import transaction

from clubs.log import log_club_action
from clubs.models import User
from rankings.series.choosing import LIST, SESSION, ChosenEvent, choose_events
from rankings.series.setup import check_lists_of, touch_series
from rankings.series.writing import SeriesRefused, lock_series
from tournaments.models import Series, SeriesEvent, Session
from tournaments.rules.series import read_settings

MOST_COEFFICIENT = Decimal(100)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventDecision:
    """A decision of a director: whether an event counts, and with which coefficient and stage."""

    counts: bool
    coefficient: Decimal = Decimal(1)
    stage: str = ""


@transaction.atomic
def decide_events(*, series_id: int, decisions: Mapping[str, EventDecision], by: User, now: dt.datetime) -> int:
    """Store decisions about events, by the keys of the events. Return the number of events that changed.

    A decision to count an event, or not to, is stored only if the rule of the series says otherwise.
    """
    series = lock_series(series_id)
    there = {event.key: event for event in choose_events(series)}
    if decisions.keys() - there.keys():
        raise SeriesRefused("series_event_unknown")
    changed = [key for key, told in decisions.items() if decide_event(series, there[key], told)]
    check_lists_of(series, read_settings(series.rules))
    if changed:
        log_club_action(
            series.club, "series_events_decided", now=now, by=by, series=series.title, count=str(len(changed))
        )
        touch_series(series)
    return len(changed)


def decide_event(series: Series, event: ChosenEvent, told: EventDecision) -> bool:
    """Store a decision about one event. Return whether it changes anything."""
    if not 0 < told.coefficient <= MOST_COEFFICIENT or told.stage not in Session.Stage:
        raise SeriesRefused("series_coefficient_wrong", event.key)
    if (event.counts, event.coefficient, event.stage) == (told.counts, told.coefficient, told.stage):
        return False
    if told.counts and not event.fits:
        if event.in_marks:
            raise SeriesRefused("series_marks_beside_percent", event.key, title=event.title)
        raise SeriesRefused("series_percent_beside_marks", event.key, title=event.title)
    which: dict[str, Any] = {"pk": event.pk} if event.kind == LIST else {f"{event.kind}_id": event.pk}
    row = SeriesEvent.objects.filter(series=series, **which).first() or SeriesEvent(series=series, **which)
    if told.counts != event.counts:
        row.included = told.counts
    row.coefficient, row.stage = told.coefficient, told.stage
    if event.kind != LIST and row.included is not None and follows_rule(series, event, told.counts):
        row.included = None
    row.save()
    return True


def follows_rule(series: Series, event: ChosenEvent, counts: bool) -> bool:
    """Return whether the event would count (`counts`), or would not, by the rule and the days of the series alone."""
    settings = read_settings(series.rules)
    wanted = "sessions" if event.kind == SESSION else "tournaments"
    between = series.starts_on <= event.day <= series.ends_on
    by_rule = between and settings.chooses == wanted and settings.format in ("", event.format) and event.fits
    return by_rule == counts
