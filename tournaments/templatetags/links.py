"""Links that leave the site, on the page where they are made."""

from typing import Any
from urllib.parse import urlsplit

from django import template

from tournaments.addresses import find_hall_origins, is_only_here, origin_of

register = template.Library()


@register.inclusion_tag("links/only_here.html", takes_context=True)
def warn_only_here(context: template.Context, *, about: str = "link", page: str = "") -> dict[str, Any]:
    """Show a warning where links of this request begin with an address of this computer alone; else nothing.

    `about` is "link" for what a director hands out, "codes" for what is printed and "own" for a player's own address.
    `page` is where to do it again, this page where empty.
    """
    request = context["request"]
    if not is_only_here(request):
        return {"only_here": False}
    return {
        "only_here": True,
        "host": urlsplit(origin_of(request)).netloc,
        "path": page or request.path,
        "origins": find_hall_origins(request),
        "about": about,
    }
