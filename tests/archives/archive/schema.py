"""The JSON Schema of an archive's files, made from the models.

After a change of what an archive has, write it anew:

    python -m tests.archives.archive
"""

from pathlib import Path

SCHEMA = Path(__file__).parents[3] / "docs" / "archive.schema.json"
KINDS = {
    "BooleanField": "boolean",
    "CharField": "string",
    "SlugField": "string",
    "TextField": "string",
    "DecimalField": "string",
    "DateField": "string",
    "DateTimeField": "string",
    "TimeField": "string",
    "UUIDField": "string",
}


def describe_column(column):
    """Return the schema of a column's values."""
    kind = column.get_internal_type()
    if kind == "JSONField":
        return {}
    told = {"type": "integer" if column.is_relation or "Integer" in kind else KINDS[kind]}
    if column.is_relation:
        told["minimum"] = 1
    elif kind in ("CharField", "SlugField") and column.max_length:
        told["maxLength"] = column.max_length
    if column.choices:
        told["enum"] = sorted({value for value, _label in column.flatchoices} | ({""} if column.blank else set()))
    if column.null:
        told["type"] = [told["type"], "null"]
        told |= {"enum": [*told["enum"], None]} if "enum" in told else {}
    return told


def describe_rows(properties, optional=()):
    """Return the schema of a file with rows of these columns. Rows may lack those in `optional`."""
    row = {"row": {"type": "integer", "minimum": 1}, **properties}
    required = sorted(set(row) - set(optional))
    return {
        "type": "array",
        "items": {"type": "object", "properties": row, "required": required, "additionalProperties": False},
    }


def make_schema():
    """Return the schema of all files of an archive, as an object by path."""
    from archives.archive.contents import ARCHIVED, FORMAT, OF_FREE_DEALS, VERSION, WITH_FREE_DEALS
    from archives.archive.restoring import FURTHER

    further = {
        "shown": {"enum": ["name", "initials", "hidden"]},
        "unrated": {"type": "boolean"},
        "numbers": {
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "propertyNames": {"pattern": "^[0-9]+$"},
                "additionalProperties": {"type": "integer", "minimum": 1},
            },
        },
    }
    digest = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
    files = {
        "manifest.json": {
            "type": "object",
            "properties": {
                "format": {"const": FORMAT},
                "version": {"enum": [VERSION, WITH_FREE_DEALS]},
                "key": {"type": "string", "format": "uuid"},
                "files": {"type": "object", "additionalProperties": digest},
            },
            "required": ["files", "format", "key", "version"],
            "additionalProperties": False,
        },
        "authors.json": describe_rows({"name": {"type": "string", "maxLength": 301}}),
    }
    for each in ARCHIVED:
        own = {name: further[name] for name in sorted(FURTHER.get(each.name, ()))}
        columns = {one.name: describe_column(one) for one in each.columns}
        files[f"{each.name}.json"] = describe_rows(columns | own, OF_FREE_DEALS.get(each.name, ()))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The files of an archive of a tournament, by their paths (docs/archive.md)",
        "type": "object",
        "properties": files,
        "patternProperties": {"^(tournament_)?publications/[1-9][0-9]*\\.json$": {"type": "object"}},
        "required": sorted(files),
        "additionalProperties": False,
    }
