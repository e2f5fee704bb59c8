"""The template tags for links that a director hands out, or that a player copies."""

from typing import Any
from urllib.parse import urlsplit

import segno
from django import template
from django.utils.safestring import SafeString, mark_safe

from tournaments.addresses import find_hall_origins, is_only_here, origin_of

register = template.Library()
DOTS = 5  # pixels of a QR code's squares: a link of 80 letters is 4 cm wide on a laptop


@register.inclusion_tag("links/only_here.html", takes_context=True)
def warn_only_here(context: template.Context, *, about: str = "link", page: str = "") -> dict[str, Any]:
    """Show a warning if links made here would only work on this computer (for example `localhost`).

    `about` tells what is made: "link" for a link to hand out, "codes" for printed codes, "own" for a player's own
    address. `page` is the address of the page where it must be made again; empty means this page.
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


@register.inclusion_tag("links/handed_out.html", takes_context=True)
def hand_out(
    context: template.Context, text: str, *, name: str = "handed", follow: bool = False, in_field: bool = False
) -> dict[str, Any]:
    """Show a link to hand out, with a button that copies it and with its QR code.

    `name` tells several links on a page apart. With `follow`, the reader may also open the link. With `in_field`, an
    input named `name` already shows the link.
    """
    picture = "" if is_only_here(context["request"]) else draw_qr(text)
    return {"text": text, "name": name, "is_link": follow, "in_field": in_field, "picture": picture}


@register.inclusion_tag("links/handed_out.html")
def hand_out_code(text: str, *, label: str, name: str = "handed-code") -> dict[str, Any]:
    """Show a code to hand out, with a button that copies it."""
    return {"text": text, "name": name, "is_link": False, "picture": "", "label": label}


def draw_qr(text: str) -> SafeString:
    """Return the QR code of a link as SVG. It is black on white in dark mode too, so that phones can read it."""
    return mark_safe(segno.make_qr(text, error="m").svg_inline(scale=DOTS, border=3, light="#fff"))
