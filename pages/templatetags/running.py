"""The template tag for the head of a session's desk, with everything that the head needs."""

from typing import Any

from django import template

from pages.desk.progress import SessionDesk
from pages.desk.running import make_head_context

register = template.Library()


@register.inclusion_tag("desk/_running_head.html")
def running_head(desk: SessionDesk) -> dict[str, Any]:
    """Return the values that the template of the desk's head needs."""
    return make_head_context(desk)
