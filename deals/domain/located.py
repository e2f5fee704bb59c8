"""JSON whose texts and objects know where they stand, so that an error in what they mean can name line and column.

Knows nothing of boards. The standard decoder tells positions for wrong syntax only; here its scanner in Python is given
functions of ours for texts and objects, as its own decoder gives them.
"""

import json
import re
from bisect import bisect_right
from json import decoder, scanner
from typing import Any

from deals.domain.reading import ExchangeError


class Located(str):
    """A text with the line and column, from 1, of its opening quotation mark."""

    line: int
    column: int


class LocatedDict(dict[str, Any]):
    """An object with the line and column, from 1, of its opening brace."""

    line: int
    column: int


def load_located(text: str) -> Any:
    """The value of a JSON text; wrong syntax, a field given twice and endless nesting are `ExchangeError`s."""
    text = text.removeprefix("\ufeff")
    try:
        return _Decoder().decode(text)
    except json.JSONDecodeError as error:
        raise ExchangeError("json", line=error.lineno, column=error.colno) from error
    except RecursionError as error:
        raise ExchangeError("json", line=1, column=1) from error
    except ExchangeError:
        raise
    except ValueError as error:  # a number of thousands of digits
        raise ExchangeError("json", line=1, column=1) from error


class _Decoder(json.JSONDecoder):
    def __init__(self) -> None:
        super().__init__()
        self.parse_string = self.text
        self.parse_object = self.object
        self.scan_once = scanner.py_make_scanner(self)  # type: ignore[attr-defined]

    def decode(self, s: str, *args: Any) -> Any:
        self.starts = [0, *(found.end() for found in re.finditer("\n", s))]
        return super().decode(s, *args)

    def place(self, at: int) -> tuple[int, int]:
        line = bisect_right(self.starts, at)
        return line, at - self.starts[line - 1] + 1

    def text(self, text: str, at: int, strict: bool) -> tuple[Located, int]:
        value, end = decoder.scanstring(text, at, strict)  # type: ignore[attr-defined]
        located = Located(value)
        located.line, located.column = self.place(at - 1)
        return located, end

    def object(self, start: tuple[str, int], strict: bool, scan_once: Any, *_: Any) -> tuple[LocatedDict, int]:
        """An object as the decoder reads it, but for a field that comes twice: the later would silently win."""
        pairs, end = decoder.JSONObject(start, strict, scan_once, None, list)  # type: ignore[attr-defined]
        located = LocatedDict(pairs)
        located.line, located.column = self.place(start[1] - 1)
        if len(located) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise ExchangeError("field_repeated", line=located.line, column=located.column, found=twice)
        return located, end
