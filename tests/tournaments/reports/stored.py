"""The reports that the databases of older releases have stored."""

import json

from tests.filled import FILLED, read_filled

FILES = sorted(FILLED.glob("*.json.gz"))


def list_stored(path, name):
    """Return the data of each row of a table that a release has filled, with the digest that it gave it, or None."""
    table = read_filled(path)["tables"][name]
    rows = [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]
    return [
        (json.loads(row["data"]) if isinstance(row["data"], str) else row["data"], row.get("digest")) for row in rows
    ]


def as_bytes(data):
    """Return the data as it is stored, with the keys in their order."""
    return json.dumps(data, ensure_ascii=False).encode()
