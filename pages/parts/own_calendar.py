"""The secret address of a person's calendar, as the page of its owner shows it."""

from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from tournaments.addresses import link_to
from tournaments.models import CalendarLink


def addresses_of(request: HttpRequest, link: CalendarLink | None) -> dict[str, Any]:
    """Return the `address` to copy, and the same address as `webcal:`, which calendar programs open by a click.

    Both are "" if there is no link.
    """
    if link is None:
        return {"address": "", "webcal": ""}
    address = link_to(request, reverse("own_calendar_file", args=[link.token]))
    return {"address": address, "webcal": f"webcal://{address.partition('://')[2]}"}
