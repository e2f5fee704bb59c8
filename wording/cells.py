"""The writing of a text into a cell of a file so that spreadsheet programs keep it as a text.

A CSV file does not say what a cell is, so the program that opens it guesses. "=1+1" becomes a formula, "1/2" a date,
and "00123" loses its zeros. An apostrophe before the text prevents this. Spreadsheet programs use the same sign to mark
a text.
"""

import re

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
