"""The small files of plays and of tournaments that tests write by their cells."""

from collections.abc import Mapping

PLAY = ("etui", "N", "E", "S", "W", "taker", "base_score")
AT_FOUR = {"etui": "1", "N": "a", "E": "b", "S": "c", "W": "d"}


def write_rows(*rows: Mapping[str, str]) -> str:
    """Return a file with these rows. It has the columns of plays and those that a row has."""
    columns = dict.fromkeys([*PLAY, *(name for row in rows for name in row)])
    lines = [columns, *([row.get(name, "") for name in columns] for row in rows)]
    return "".join(",".join(line) + "\n" for line in lines)


def write_file(version: str, rules: str, *rows: Mapping[str, str], **cells: str) -> str:
    """Return a file whose first row says its version and its rules."""
    return write_rows({"kind": "file", "version": version, "rules": rules, **cells}, *rows)


def write_substitute(**cells: str) -> list[dict[str, str]]:
    """Return 101 plays of one table: in the last one, z sits on South, where c sat before."""
    plays = [AT_FOUR | cells | {"etui": str(etui), "taker": "N", "base_score": "60"} for etui in range(1, 102)]
    return [*plays[:-1], plays[-1] | {"S": "z"}]
