"""The template tag for the head of a session's desk. The page around it need not know its parts."""

from typing import Any

from django import template

from tournaments.web.desk.progress import SessionDesk
from tournaments.web.desk.running import make_head_context

register = template.Library()


@register.inclusion_tag("desk/_running_head.html")
def running_head(desk: SessionDesk) -> dict[str, Any]:
    return make_head_context(desk)
