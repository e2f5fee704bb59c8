"""The checks of single settings from the environment. Each raises `ValidationError` with what to write instead."""

import re

from environs import ValidationError


def check_backup_key(key: str) -> None:
    """Raise `ValidationError` unless the text is empty, or a public key of age."""
    if key and not re.fullmatch("age1[02-9ac-hj-np-z]{58}", key):
        raise ValidationError("It is no public key, age1 and 58 letters. The command `backup_key` makes a pair.")


def check_card_keys(keys: list[str]) -> None:
    """Raise `ValidationError` unless each key is a Fernet key: 32 bytes in the letters of base64."""
    if any(not re.fullmatch(r"[\w-]{43}=", key, re.ASCII) for key in keys):
        raise ValidationError("A key is 43 letters and a =. The command `rekey --new` prints a new one.")


def check_metrics_token(token: str) -> None:
    """Raise `ValidationError` if the token is short enough to be guessed."""
    if token and len(token) < 16:
        raise ValidationError("Give at least 16 random characters.")


def check_departures(minutes: list[int]) -> None:
    """Raise `ValidationError` unless each number is a minute of an hour, in rising order."""
    if minutes != sorted(set(minutes)) or not all(0 <= minute < 60 for minute in minutes):
        raise ValidationError("Give minutes of an hour, 0 to 59, in rising order: 0,30.")
