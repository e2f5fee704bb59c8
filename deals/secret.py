"""The texts that the database holds encrypted: the seeds of sets, and the cards of étuis.

The setting CARD_KEYS has the keys (Fernet), which are not in the database. The first key encrypts; each of them can
decrypt. Without keys, the texts are stored unencrypted, and anybody who steals a copy of the database knows the cards.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.lookups import Exact, IsNull

MARK = "fernet:"  # The beginning of an encrypted text. No seed and no text of a deal begins with it.


class UnreadableCards(Exception):
    """The error for a stored text that is encrypted with a key that the site does not have."""

    def __init__(self) -> None:
        super().__init__(
            "The cards of this site are encrypted by a key that CARD_KEYS does not name. Give this key again, behind"
            f" the newer ones; `{settings.COMMAND} rekey` then makes it unnecessary."
        )


@lru_cache(maxsize=4)
def make_cipher(keys: tuple[str, ...]) -> MultiFernet:
    return MultiFernet([Fernet(key) for key in keys])


def encrypt(text: str) -> str:
    """Return the text in the form in which the database stores it.

    "" stays "", so that a query can ask whether there is a text.
    """
    keys = tuple(settings.CARD_KEYS)
    return f"{MARK}{make_cipher(keys).encrypt(text.encode()).decode()}" if text and keys else text


def decrypt(stored: str) -> str:
    """Return the plain text of a stored text. Raise UnreadableCards if its key is missing."""
    if not stored.startswith(MARK):
        return stored
    keys = tuple(settings.CARD_KEYS)
    try:
        return make_cipher(keys).decrypt(stored.removeprefix(MARK)).decode() if keys else refuse()
    except InvalidToken:
        return refuse()


def refuse() -> str:
    raise UnreadableCards


def is_under_first_key(stored: str, keys: Sequence[str]) -> bool:
    """Return whether a stored text has the right form: encrypted with the first key, or plain without keys."""
    if not stored or not keys:
        return not stored.startswith(MARK)
    try:
        Fernet(keys[0]).decrypt(stored.removeprefix(MARK))
    except InvalidToken:
        return False
    return stored.startswith(MARK)


class SecretTextField(models.TextField):  # type: ignore[type-arg]
    """A column with encrypted texts. Queries can only ask whether a text is "".

    Other comparisons are impossible, because the same text is stored in another form each time.
    """

    def from_db_value(self, stored: str | None, *_: Any) -> str | None:
        return None if stored is None else decrypt(stored)

    def get_db_prep_save(self, value: Any, connection: BaseDatabaseWrapper) -> Any:
        prepared = super().get_db_prep_save(value, connection)
        return encrypt(prepared) if isinstance(prepared, str) else prepared

    def get_lookup(self, lookup_name: str) -> Any:
        return {"exact": IsEmpty, "isnull": IsNull}.get(lookup_name)


class IsEmpty(Exact):
    """The only comparison that an encrypted column allows: with ""."""

    def get_prep_lookup(self) -> Any:
        if self.rhs != "":
            raise ValueError("an encrypted column can only be compared with an empty text")
        return self.rhs
