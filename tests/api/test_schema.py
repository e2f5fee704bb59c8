"""The schema of the API is valid, its examples are true, and each address has a name of its own."""

import json
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from django.core.management import call_command
from django.urls import URLPattern

from api.urls import urlpatterns
from tests.api.conftest import V1, Client, schema
from tests.law.test_plain_words import PLAIN_ENGLISH, find_lines

pytestmark = pytest.mark.django_db
KEPT = Path(__file__).parents[1] / "golden" / "api_fields.txt"
SAID = {"description", "title", "summary", "example", "examples"}
REFERENCE = "#/components/schemas/"


@pytest.mark.nightly("crawl")
def test_schema_is_valid_and_made_without_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("spectacular", "--validate", "--fail-on-warn")
    assert "paths:" in capsys.readouterr().out


def test_examples_are_what_is_answered() -> None:
    whole = schema().raw_schema
    told = [
        (answer["schema"], example["value"])
        for methods in whole["paths"].values()
        for operation in methods.values()
        for response in operation["responses"].values()
        for answer in response.get("content", {}).values()
        for example in answer.get("examples", {}).values()
    ]
    assert len(told) == 4
    for shape, value in told:
        jsonschema.validate(value, without_nullable(shape | {"components": whole["components"]}))


def without_nullable(shape: Any) -> Any:
    """Return the shape with a type `null` of JSON Schema in place of the word `nullable` of OpenAPI 3.0."""
    if isinstance(shape, list):
        return list(map(without_nullable, shape))
    if not isinstance(shape, dict):
        return shape
    told = {key: without_nullable(value) for key, value in shape.items()}
    return {"anyOf": [told, {"type": "null"}]} if shape.get("nullable") is True else told


def test_each_address_has_a_name_of_its_own() -> None:
    names = [pattern.name for pattern in urlpatterns if isinstance(pattern, URLPattern) and pattern.name]
    assert len(names) == len(set(names))


def list_fields(whole: dict[str, Any]) -> Iterator[str]:
    """Yield a line for each shape of the API with its fields, then one for each operation with what it takes and gives.

    A field has its type, its bounds and whether it may be null. Texts for readers are left out.
    """
    for name, shape in sorted(whole["components"]["schemas"].items()):
        yield f"{name} {write_shape(shape)}"
    for path, methods in sorted(whole["paths"].items()):
        for method, told in sorted(methods.items()):
            asked = {
                parameter["name"]: (parameter["in"], parameter.get("required", False), parameter["schema"])
                for parameter in told.get("parameters", ())
            }
            given = {status: answer.get("content") for status, answer in told["responses"].items() if status < "3"}
            yield f"{method} {path} {write_shape([asked, told.get('requestBody'), given])}"


def write_shape(shape: Any) -> str:
    """Return a shape as JSON without quotes, because the file is only compared."""
    text = json.dumps(leave_texts_out(shape), sort_keys=True, ensure_ascii=False, separators=(", ", ":"))
    return text.replace(REFERENCE, "").replace('"', "")


def leave_texts_out(shape: Any, *, names: bool = False) -> Any:
    """Return the shape without its texts. Below `properties` the keys are names of fields."""
    if isinstance(shape, list | tuple):
        return list(map(leave_texts_out, shape))
    if not isinstance(shape, dict):
        return shape
    kept = shape.items() if names else ((key, value) for key, value in shape.items() if key not in SAID)
    return {str(key): leave_texts_out(value, names=key == "properties") for key, value in kept}


def test_fields_and_parameters_are_those_that_programs_know(tmp_path: Path) -> None:
    """Compare the API with the file of its fields. Fields may be added, and are never renamed or removed."""
    told, known = list(list_fields(schema().raw_schema)), KEPT.read_text().splitlines()
    if told != known:
        found = tmp_path / KEPT.name
        found.write_text("\n".join(told) + "\n")
        differs = "\n".join(unified_diff(known, told, "known", "told", lineterm="", n=0))
        pytest.fail(f"{differs}\n\nIf programs can go on as before: cp {found} {KEPT}", pytrace=False)


def find_descriptions(shape: Any) -> Iterator[str]:
    """Return all texts of a part of the schema that its page shows."""
    if isinstance(shape, list):
        for each in shape:
            yield from find_descriptions(each)
    elif isinstance(shape, dict):
        for key, value in shape.items():
            if key in ("description", "summary") and isinstance(value, str):
                yield value
            else:
                yield from find_descriptions(value)


def test_schema_says_the_words_that_players_understand() -> None:
    texts = {line for text in find_descriptions(schema().raw_schema) for line in text.splitlines()}
    said = {line: found for line in texts if not line.startswith("* `") and (found := find_lines(line, PLAIN_ENGLISH))}
    assert len(texts) > 500
    assert said == {}, "say it as the values do: the names of fields stand in backticks"


@pytest.mark.nightly("crawl")
def test_schema_and_its_page_are_served(stranger: Client) -> None:
    answer = stranger.client.get(f"{V1}schema/", HTTP_ACCEPT="application/vnd.oai.openapi+json")
    assert set(schema().raw_schema["paths"]) == set(answer.json()["paths"])
    assert b"swagger-ui" in stranger.client.get(f"{V1}docs/").content
