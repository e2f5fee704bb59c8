"""A browser that reads the pages in English, and the values in the forms of a page."""

from html.parser import HTMLParser
from typing import Any

from django.http import HttpResponse
from django.test import Client

from clubs.models import User


def browser_of(user: User | None = None, **options: object) -> Client:
    """Return a browser in which this account is logged in. Without an account it is a stranger's."""
    client = Client(headers={"accept-language": "en"}, **options)  # type: ignore[arg-type]
    if user is not None:
        client.force_login(user)
    return client


class Fields(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.values: dict[str, str] = {}
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        name, value = given.get("name") or "", given.get("value") or ""
        if tag == "input" and (given.get("type") not in ("radio", "checkbox") or "checked" in given):
            self.values[name] = value
        elif tag in ("select", "textarea"):
            self.inside = name
            self.values[name] = ""
        elif tag == "option" and "selected" in given:
            self.values[self.inside] = value

    def handle_endtag(self, tag: str) -> None:
        if tag in ("select", "textarea"):
            self.inside = ""

    def handle_data(self, data: str) -> None:
        if self.inside and self.lasttag == "textarea":
            self.values[self.inside] += data


def press_preview(client: Client, url: str, data: dict[str, Any]) -> HttpResponse:
    """Send a list, then press the button of its preview if there is one. Return the last answer."""
    page = client.post(url, data)
    told = fields(page) if page.status_code == 200 else {}
    if not told.get("shown"):
        return page
    seen = {"shown": told["shown"], "text": told["text"]}
    return client.post(url, {name: value for name, value in data.items() if name != "file"} | seen)


def fields(response: HttpResponse) -> dict[str, str]:
    """Return the values of all fields of the page, as its forms would send them."""
    reader = Fields()
    reader.feed(response.content.decode())
    return {name: value.strip("\r\n") for name, value in reader.values.items()}
