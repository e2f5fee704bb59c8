"""How the accounts' pages name things."""

import re

from django import template
from django.utils.translation import gettext as _

register = template.Library()

# The first that is found: others pretend to be those below them.
BROWSERS = ("Edg", "OPR", "SamsungBrowser", "Firefox", "FxiOS", "CriOS", "Chrome", "Safari")
NAMES = {"Edg": "Edge", "OPR": "Opera", "SamsungBrowser": "Samsung", "FxiOS": "Firefox", "CriOS": "Chrome"}
SYSTEMS = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "Linux")


@register.filter
def device(user_agent: str) -> str:
    """“Firefox, Android” for what a browser says of itself."""
    found = [
        next((word for word in words if re.search(rf"\b{word}\b", user_agent)), "") for words in (BROWSERS, SYSTEMS)
    ]
    browser, system = NAMES.get(found[0], found[0]), found[1].replace("Macintosh", "Mac")
    return ", ".join(filter(None, (browser, system))) or _("unknown device")
