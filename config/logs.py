"""Keeps what opens a door out of the logs: the code on a table's card stands in the address of its screen."""

import logging
import re

CODE = re.compile(r"(/t/)[A-Za-z0-9_-]{20,}")


def hide_codes(text: str) -> str:
    """The text with the code of every table's address left out."""
    return CODE.sub(r"\1…", text)


class HideCodes(logging.Formatter):
    """A formatter whose lines, tracebacks included, hold no code."""

    def format(self, record: logging.LogRecord) -> str:
        return hide_codes(super().format(record))
