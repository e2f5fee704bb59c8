"""The doctor's examination of the keys that encrypt the cards of coming evenings (the subject `cards`)."""

from collections.abc import Iterator

from django.conf import settings
from django.db import DatabaseError, InterfaceError

from deals.rekeying import StoredTexts, count_stored_texts
from operations.doctor.database import brief_connection
from operations.doctor.findings import SiteFinding, tell_error, tell_good, tell_warning

REKEY = f"Run `{settings.COMMAND} rekey`."


def examine_cards() -> Iterator[SiteFinding]:
    """Yield the faults of CARD_KEYS, and of the seeds and cards that are encrypted with other keys."""
    keys: list[str] = settings.CARD_KEYS
    if settings.SERVER and not keys:
        why = "Whoever gets a copy of the database reads the cards of coming evenings."
        remedy = f"Set CARD_KEYS to what `{settings.COMMAND} rekey --new` prints, then run `{settings.COMMAND} rekey`."
        yield tell_warning("CARD_KEYS is not set: seeds and cards are stored unencrypted.", why, remedy)
    try:
        with brief_connection() as database:
            database.ensure_connection()  # this connection gives up after a few seconds without an answer
        yield from examine_texts(count_stored_texts(), keys)
    except ValueError:
        why = "No card can be encrypted or read."
        yield tell_error(
            "A key of CARD_KEYS is malformed.", why, "Give it as `rekey --new` printed it: 43 letters, a =."
        )
    except (DatabaseError, InterfaceError):
        why = "Nobody knows whether all cards can be read."
        yield tell_error("The database does not tell them.", why, "See the finding about the database.")


def examine_texts(texts: StoredTexts, keys: list[str]) -> Iterator[SiteFinding]:
    if texts.unreadable:
        what = f"{texts.unreadable} of {texts.stored} seeds and deals are under a key that CARD_KEYS does not name."
        why = "Their evenings cannot be played or shown, and no backup can be made."
        yield tell_error(what, why, f"Add the missing key behind the others. {REKEY}")
    if texts.to_rekey:
        what = f"{texts.to_rekey} of {texts.stored} seeds and deals are not encrypted by the first key."
        yield tell_warning(what, "Whoever has a copy of the database and an older key reads them.", REKEY)
    if not texts.unreadable and not texts.to_rekey:
        how = "encrypted by the first key" if keys else "stored as they are"
        yield tell_good(f"{texts.stored} seeds and deals are {how}.")
