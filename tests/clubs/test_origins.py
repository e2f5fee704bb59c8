"""The list of sites that may frame a club's rankings: addresses become origins, other texts are refused."""

import pytest
from django.core.exceptions import ValidationError

from clubs.origins import read_origins, write_origins


@pytest.mark.parametrize(
    ("typed", "origins"),
    [
        ("", []),
        ("https://club.example", ["https://club.example"]),
        ("  https://Club.Example/classements/?x=1#a \n", ["https://club.example"]),
        ("club.example", ["https://club.example"]),
        (
            "https://club.example:8443, https://www.club.example",
            ["https://club.example:8443", "https://www.club.example"],
        ),
        ("https://club.example:443\nhttps://club.example/", ["https://club.example"]),
        ("https://tarot-étoilé.example", ["https://xn--tarot-toil-g7ae.example"]),
    ],
)
def test_addresses_become_origins(typed, origins):
    assert read_origins(typed) == origins
    assert read_origins(write_origins(origins)) == origins


@pytest.mark.parametrize(
    "typed",
    [
        "http://club.example",
        "https://*.example",
        "*",
        "https:",
        "https://",
        "https://club",
        "https://localhost",
        "https://192.168.1.5",
        "https://[::1]",
        "https://me@club.example",
        "https://club.example;script-src",
        "https://club.example:0",
        "https://club.example:99999",
        "https://'none'.example",
        "javascript://club.example",
        "data:text/html,x",
        "https://-.example",
        "https://" + "a" * 300 + ".example",
    ],
)
def test_anything_else_is_refused_and_named(typed):
    with pytest.raises(ValidationError) as refused:
        read_origins(typed)
    assert "https://club.example" in str(refused.value)


def test_six_are_too_many():
    sites = [f"https://site{number}.example" for number in range(6)]
    assert read_origins(" ".join(sites[:5])) == sites[:5]
    with pytest.raises(ValidationError, match=r"Five|Cinq"):
        read_origins(" ".join(sites))
