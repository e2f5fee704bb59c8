"""The links of rooms of one's own that a device has. Whoever has the link of such a room may read it."""

from clubs.guard.devices import Asked

LINKS_COOKIE = "room_links"
LINKS_KEPT, LINKS_LIFE = 8, 30 * 86_400  # links, seconds


def list_links(request: Asked, *given: str) -> list[str]:
    """Return the given links and those in the device's cookie, without empty ones."""
    return [link for link in (*given, *request.COOKIES.get(LINKS_COOKIE, "").split(".")) if link]


def join_links(links: list[str]) -> str:
    """Return the content of the cookie for these links, the newest first. It keeps a few of them."""
    return ".".join(list(dict.fromkeys(links))[:LINKS_KEPT])
