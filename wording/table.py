"""The reading of a table from a text: its encoding, its delimiter, its quotes. `write_cells` writes a table for it.

A list may also be no table. Then each line is one cell, with nothing split and no quote taken away.

A CSV file does not say what a cell is, so the program that opens it guesses. "=1+1" becomes a formula, "1/2" a date,
and "00123" loses its zeros. An apostrophe before the text prevents this. Spreadsheet programs use the same sign to mark
a text.
"""

import csv
import io
import re
from collections.abc import Callable, Sequence

FORMULA_SIGNS = tuple("=+-@＝＋－＠")
APOSTROPHE = "'"
MOST_DIGITS = 15  # spreadsheet programs change all later digits of a number to 0
CONTROL = dict.fromkeys([*range(32), *range(127, 160), 0x2028, 0x2029, 0xFEFF], " ")
MONTHS = (
    *("janv", "jan", "fevr", "févr", "fev", "fév", "mars", "mar", "avr", "apr", "mai", "may", "juin", "jun"),
    *("juil", "jul", "aout", "août", "aug", "sept", "sep", "oct", "nov", "dec", "déc"),
)
ENDS = "ruary|embre|ember|obre|uary|vier|rier|ober|ier|let|ust|ch|il|ot|e|y"
# A text of digits with the signs and words of numbers and dates, as in "1/2", "12 mars", "1e5", "3,5 €". The longest
# words come first, and a word that was read is not read again in another way. Otherwise "nove" could be "nov" and "e",
# and each "nove" of a text would double the time.
VALUE = re.compile(rf"(?=.*\d)(?>[\d\s.,:;/’°%€$£()+\-]|[ap]m|er?|(?:{'|'.join(MONTHS)})(?:{ENDS})?)++", re.IGNORECASE)
PLAIN = re.compile(rf"0|[1-9]\d{{0,{MOST_DIGITS - 1}}}")


def flatten_text(text: str) -> str:
    """Return the text on one line, without characters that cannot be seen."""
    return " ".join(text.translate(CONTROL).split())


def write_inert(text: str) -> str:
    """Return the text as a cell of a CSV file: on one line, with an apostrophe before it if necessary.

    A plain whole number needs no apostrophe, because it looks the same as a text and as a number.
    """
    flat = flatten_text(text)
    return f"{APOSTROPHE}{flat}" if is_misread(flat) else flat


def is_misread(text: str) -> bool:
    """Return whether a spreadsheet program could read this text as a formula, a date or another number."""
    if text.startswith(FORMULA_SIGNS):
        return True
    return PLAIN.fullmatch(text) is None and VALUE.fullmatch(text) is not None


def read_inert(cell: str) -> str:
    """Return the text of a cell that `write_inert` wrote."""
    return cell[1:] if cell.startswith(APOSTROPHE) and is_misread(cell[1:]) else cell


DELIMITERS = ";\t,|"
# The first line with which Excel names the delimiter.
NAMED = re.compile(r'\ufeff?"?sep=([^\w"\s]|\t)"? *(?:\r\n|\r|\n)', re.IGNORECASE)
TOP = 20  # the rows of a list among which its heading is

Rows = list[list[str]]
CountColumns = Callable[[Sequence[str]], int]  # how many columns a row names; 0 if it is no heading


def decode_text(data: bytes) -> str:
    """Return the text of a file: UTF-8, UTF-16 or Windows-1252. Raise ValueError if it is no text."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16")
    if b"\0" in data:
        return decode_unmarked(data)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def decode_unmarked(data: bytes) -> str:
    """Return the text of UTF-16 without its mark: most letters have a zero before or behind them, and none at both."""
    for code, zeros, letters in (("utf-16-le", data[1::2], data[::2]), ("utf-16-be", data[::2], data[1::2])):
        if (
            2 * zeros.count(0) > len(zeros)
            and not letters.count(0)
            and "".join((text := data.decode(code)).split()).isprintable()
        ):
            return text
    raise ValueError("no text")


def find_delimiter(heading: str) -> str:
    """Return the most frequent of `;`, tab and `,` in a table's first line, or "" if the line has none of them."""
    commonest = max(DELIMITERS[:3], key=heading.count)
    return commonest if commonest in heading else ""


def split_rows(text: str, count_columns: CountColumns) -> Rows:
    """Return the cells of a text, row by row. A text without a heading of several columns has one cell in each row.

    Rows are counted as in a spreadsheet: line ends inside quotes end no row. A first line `sep=;` is an empty row. Most
    rows from the heading on must have several cells.
    """
    named = NAMED.match(text)
    body = text[named.end() :] if named else text
    top = "\n".join(body.splitlines()[: 2 * TOP])
    columns = {sign: count_most(top, sign, count_columns) for sign in (named[1] if named else "") + DELIMITERS}
    delimiter = max(columns, key=lambda sign: columns[sign])
    rows = read_csv(body, delimiter) if columns[delimiter] else []
    filled = [row for row in rows[find_heading(rows, count_columns) or 0 :] if any(row)]
    if not filled or 2 * sum(len(row) > 1 for row in filled) <= len(filled):
        rows = [[line] for line in body.splitlines()]
    return [[], *rows] if named else rows


def find_heading(rows: Rows, count_columns: CountColumns) -> int | None:
    """Return the place of the row, among the first, that names most columns, None if no row is a heading."""
    counts = list(map(count_columns, rows[:TOP]))
    return counts.index(max(counts)) if any(counts) else None


def count_most(top: str, delimiter: str, count_columns: CountColumns) -> int:
    """Return the most columns that one of the first rows names with this delimiter, 0 if none is a heading."""
    rows = read_csv(top, delimiter)[:TOP] if delimiter in top else []
    return max((count_columns(row) for row in rows if len(row) > 1), default=0)


def read_csv(text: str, delimiter: str) -> Rows:
    """Return the rows as RFC 4180 has them or, if a quote is never closed, each line as a row."""
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error:
        rows = [line.replace('"', "").split(delimiter) for line in text.splitlines()]
    return [[flatten(cell) for cell in row] for row in rows]


def flatten(cell: str) -> str:
    """Return a cell on one line, without the apostrophes that mark a text. A second call changes nothing."""
    flat = " ".join(cell.split())
    while (bare := read_inert(flat).strip()) != flat:
        flat = bare
    return flat


def write_cells(rows: Rows) -> str:
    """Return the rows as a text that `split_rows` reads back: what a spreadsheet puts on the clipboard."""
    out = io.StringIO()
    csv.writer(out, delimiter="\t", lineterminator="\n").writerows(rows)
    return out.getvalue()
