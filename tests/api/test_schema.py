"""The schema of the API is valid, its examples are true, and each address has a name of its own."""

from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from django.core.management import call_command
from django.urls import URLPattern

from api.urls import urlpatterns
from tests.api.conftest import V1, Client, schema
from tests.law.test_plain_words import PLAIN_ENGLISH, find_lines

pytestmark = pytest.mark.django_db


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
