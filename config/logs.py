"""Keeps what opens a door out of the logs: a table's code stands in the address of its screen; a personal link, that
of a calendar, an invitation and a link for a new password are one."""

import logging
import re

DOORS = "[tpr]|calendar/mine|invitation|player|player/confirm|password/choose|password/link|feuilles/end"
CODE = re.compile(rf"(/(?:{DOORS})/)[A-Za-z0-9_-]{{20,}}")


def hide_codes(text: str) -> str:
    """The text with the codes in addresses left out."""
    return CODE.sub(r"\1…", text)


class HideCodes(logging.Formatter):
    """A formatter whose lines, tracebacks included, hold no code."""

    def format(self, record: logging.LogRecord) -> str:
        return hide_codes(super().format(record))
