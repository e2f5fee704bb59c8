"""The template tags of the accounts' pages."""

import re

from django import template
from django.utils.translation import gettext as _

register = template.Library()

# The order matters: a browser also names browsers further down in this list, because it is compatible with them.
BROWSERS = ("Edg", "OPR", "SamsungBrowser", "Firefox", "FxiOS", "CriOS", "Chrome", "Safari")
NAMES = {"Edg": "Edge", "OPR": "Opera", "SamsungBrowser": "Samsung", "FxiOS": "Firefox", "CriOS": "Chrome"}
SYSTEMS = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "Linux")


@register.filter
def device(user_agent: str) -> str:
    """Return the browser and the system of a user agent, for example “Firefox, Android”."""
    found = [
        next((word for word in words if re.search(rf"\b{word}\b", user_agent)), "") for words in (BROWSERS, SYSTEMS)
    ]
    browser, system = NAMES.get(found[0], found[0]), found[1].replace("Macintosh", "Mac")
    return ", ".join(filter(None, (browser, system))) or _("unknown device")
