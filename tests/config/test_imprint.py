"""The imprint of the site: it comes from the environment, and an unusable address stops the start by its name."""

import re

import pytest
from environs import EnvValidationError

from tests.config.test_settings import SERVER, read


def test_imprint_is_empty_unless_it_is_given():
    said = read().IMPRINT
    assert (said.publisher, said.director, said.host, said.contact, said.source, said.contact_link) == ("",) * 6


def test_imprint_is_what_the_environment_says():
    given = {
        "IMPRINT_PUBLISHER": "Club des Étuis, Lyon",
        "IMPRINT_DIRECTOR": "Zoé",
        "IMPRINT_HOST": "Machines du Rhône",
        "CONTACT": "bureau@etuis.example",
        "SOURCE_URL": "https://forge.example/topage",
    }
    said = read(**SERVER | given).IMPRINT
    assert (said.publisher, said.director, said.host, said.contact, said.source) == tuple(given.values())
    assert said.contact_link == "mailto:bureau@etuis.example"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CONTACT", "le bureau"),
        ("CONTACT", "javascript:alert(1)"),
        ("SOURCE_URL", "forge.example"),
        ("SOURCE_URL", "javascript:x"),
    ],
)
def test_address_that_leads_nowhere_is_refused_by_its_name(name, value):
    with pytest.raises(EnvValidationError, match=re.escape(f"Environment variables invalid: {{'{name}': [")):
        read(**SERVER | {name: value})
