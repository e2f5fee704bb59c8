"""The locks on the rows of series. Everything about a series is written under the lock of its row."""

from tournaments.locks import lock_apart
from tournaments.models import Series


def lock_series(series_id: int) -> Series:
    """Lock and return the series."""
    (series,) = lock_apart(Series, [series_id])
    return series


def lock_free_series(series_id: int) -> Series | None:
    """Lock and return the series, or return None at once if another transaction has locked it."""
    return next(iter(lock_apart(Series, [series_id], free=True)), None)
