"""The change of the keys that encrypt seeds and cards: each stored text is encrypted again with the first key."""

from collections.abc import Iterator
from typing import NamedTuple

from django.conf import settings
from django.db import models
from django.db.models.functions import Cast

from deals.models import DealSet, Etui
from deals.secret import UnreadableCards, decrypt, is_under_first_key

COLUMNS: tuple[tuple[type[models.Model], str], ...] = ((DealSet, "seed"), (Etui, "cards"))
AT_ONCE = 500  # the number of rows that are read at once


class RekeyedRows(NamedTuple):
    """The number of rows that were read so far, and the number of those that were written again."""

    read: int
    written: int


class StoredTexts(NamedTuple):
    """The numbers of stored seeds and cards: all of them, those that `rekey` would write, and those without a key."""

    stored: int
    to_rekey: int
    unreadable: int


def count_stored_texts() -> StoredTexts:
    """Read every stored seed and all cards, and count which of them the keys of the site can decrypt."""
    stored = to_rekey = unreadable = 0
    for model, column in COLUMNS:
        rows = model._base_manager.exclude(**{column: ""}).annotate(stored=Cast(column, models.TextField()))
        for text in rows.values_list("stored", flat=True).iterator(AT_ONCE):
            stored += 1
            if not is_under_first_key(text, settings.CARD_KEYS):
                try:
                    decrypt(text)
                    to_rekey += 1
                except UnreadableCards:
                    unreadable += 1
    return StoredTexts(stored, to_rekey, unreadable)


def read_newest_cards() -> None:
    """Read the newest seed and the newest cards, as a test. Raise UnreadableCards if their key is missing."""
    for model, column in COLUMNS:
        model._base_manager.exclude(**{column: ""}).order_by("-pk").values_list(column, flat=True).first()


def rekey(*, plain: bool = False) -> Iterator[RekeyedRows]:
    """Write every seed and all cards again, encrypted with the first key, or with `plain` unencrypted.

    Yield the numbers of rows after each part. A row that somebody else writes at the same moment is skipped, because it
    is already written with the first key. Rows that are already right are not written, so a second call does no harm.
    Raise UnreadableCards if a key is missing.
    """
    keys = [] if plain else list(settings.CARD_KEYS)
    read = written = 0
    for model, column in COLUMNS:
        rows = model._base_manager.exclude(**{column: ""}).annotate(stored=Cast(column, models.TextField()))
        last = 0
        while batch := list(rows.filter(pk__gt=last).order_by("pk").values_list("pk", column, "stored")[:AT_ONCE]):
            for pk, text, stored in batch:
                if not is_under_first_key(stored, keys):
                    new = models.Value(text, models.TextField()) if plain else text
                    written += rows.filter(pk=pk, stored=stored).update(**{column: new})
            read += len(batch)
            last = batch[-1][0]
            yield RekeyedRows(read, written)
