"""The schema of the data between a table's screen and the site: checks of real data, and TypeScript for the scripts.

`python -m tests.evenings.tables.screen_schema` writes the types anew.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker

FOLDER = Path(__file__).parents[3] / "evenings" / "tables"
SCHEMA: dict[str, Any] = json.loads((FOLDER / "screen.schema.json").read_text())
DEFINITIONS: dict[str, Any] = SCHEMA["$defs"]
TYPES = FOLDER / "screen.d.ts"
HEAD = "// What the table's screen and the site tell one another: written from screen.schema.json, which explains it.\n"
PLAIN = {"string": "string", "integer": "number", "boolean": "boolean", "null": "null"}


@cache
def validator(name: str) -> Draft202012Validator:
    schema = {"$ref": f"#/$defs/{name}", "$defs": DEFINITIONS}
    return Draft202012Validator(schema, format_checker=FormatChecker())


def fitting(name: str, data: Any) -> Any:
    """Return the data, and fail if it does not follow the schema."""
    faults = [f"{error.json_path}: {error.message}" for error in validator(name).iter_errors(data)]
    assert faults == [], f"not a {name} of {SCHEMA['title']}"
    return data


def write_types() -> str:
    """Return every definition as a TypeScript type."""
    Draft202012Validator.check_schema(SCHEMA)
    return HEAD + "".join(f"\nexport type {name} = {type_of(schema)};\n" for name, schema in DEFINITIONS.items())


def type_of(schema: dict[str, Any], indent: str = "") -> str:
    match schema:
        case {"$ref": target}:
            return str(target).rpartition("/")[2]
        case {"const": value}:
            return json.dumps(value)
        case {"enum": values}:
            return " | ".join(json.dumps(value) for value in values)
        case {"anyOf": choices} | {"oneOf": choices}:
            return " | ".join(type_of(choice, indent) for choice in choices)
        case {"type": "object", "propertyNames": names}:
            optional = "" if "required" in schema else "?"
            return f"{{ [name in {type_of(names)}]{optional}: {type_of(schema['additionalProperties'], indent)} }}"
        case {"type": "object", "properties": properties}:
            marks = {name: "" if name in schema["required"] else "?" for name in properties}
            inner = f"{indent}  "
            lines = (f"{inner}{name}{marks[name]}: {type_of(properties[name], inner)};\n" for name in properties)
            return "{\n" + "".join(lines) + indent + "}"
        case {"type": ["array", "null"], "items": items}:
            return f"({type_of(items, indent)})[] | null"
        case {"type": "array", "items": items}:
            return f"({type_of(items, indent)})[]"
        case {"type": [*names]}:
            return " | ".join(PLAIN[name] for name in names)
    return PLAIN[schema["type"]]


if __name__ == "__main__":
    TYPES.write_text(write_types())
