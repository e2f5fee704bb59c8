"""What parts the cells of a table that somebody saved as text, in whichever way his spreadsheet does."""

DELIMITERS = ";\t,"


def find_delimiter(heading: str) -> str:
    """The commonest of `;`, tab and `,` in a table's first line; "" where none stands there."""
    commonest = max(DELIMITERS, key=heading.count)
    return commonest if commonest in heading else ""
