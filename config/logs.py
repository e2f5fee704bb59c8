"""The formatter that keeps secret codes in addresses out of the logs.

The address of a table's screen contains the code of the table. Personal links, calendar links, invitations and links
for a new password contain secrets too.
"""

import logging
import re

DOORS = "[tpr]|calendar/mine|invitation|player|player/confirm|password/choose|password/link|feuilles/end"
CODE = re.compile(rf"(/(?:{DOORS})/)[A-Za-z0-9_-]{{20,}}")


def hide_codes(text: str) -> str:
    """Return the text without the codes in addresses."""
    return CODE.sub(r"\1…", text)


class HideCodes(logging.Formatter):
    """A formatter that removes codes from its lines, also in tracebacks."""

    def format(self, record: logging.LogRecord) -> str:
        return hide_codes(super().format(record))
