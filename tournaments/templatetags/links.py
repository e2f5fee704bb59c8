"""The template tags for links that are given to people, on the pages where they are made."""

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
    """Show a warning if the links made here begin with an address of this computer alone.

    `about` is "link" for what a director hands out, "codes" for what is printed and "own" for a player's own address.
    `page` is where to do it again; empty means this page.
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
    """Show a link to hand out, with a button to copy it and its QR code.

    `name` distinguishes several on a page. With `follow`, the reader may follow it too, as their own. With `in_field`,
    an input of that name shows the link already.
    """
    picture = "" if is_only_here(context["request"]) else draw_qr(text)
    return {"text": text, "name": name, "is_link": follow, "in_field": in_field, "picture": picture}


@register.inclusion_tag("links/handed_out.html")
def hand_out_code(text: str, *, label: str, name: str = "handed-code") -> dict[str, Any]:
    """Show a code to hand out, with a button to copy it."""
    return {"text": text, "name": name, "is_link": False, "picture": "", "label": label}


def draw_qr(text: str) -> SafeString:
    """Return the QR code of a link, as SVG: black on white in dark mode too."""
    return mark_safe(segno.make_qr(text, error="m").svg_inline(scale=DOTS, border=3, light="#fff"))
