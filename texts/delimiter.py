"""The delimiter between the cells of a table that is saved as text. Spreadsheet programs use different ones."""

DELIMITERS = ";\t,"


def find_delimiter(heading: str) -> str:
    """Return the most frequent of `;`, tab and `,` in a table's first line, or "" if the line has none of them."""
    commonest = max(DELIMITERS, key=heading.count)
    return commonest if commonest in heading else ""
