"""The head of a session's desk, as a tag, so that the page around it need not know what it is made of."""

from typing import Any

from django import template

from tournaments.web.desk.progress import Desk
from tournaments.web.desk.running import context_of

register = template.Library()


@register.inclusion_tag("desk/_running_head.html")
def running_head(desk: Desk) -> dict[str, Any]:
    return context_of(desk)
