"""The tests' forged header `Host`, and a search for it in answers and in the cache."""

import pickle

from django.core.cache import cache

EVIL, SITE = "evil.example", "https://tarot.example.org"
FORGED = {"HTTP_HOST": EVIL, "HTTP_X_FORWARDED_HOST": EVIL, "HTTP_X_FORWARDED_SERVER": EVIL, "HTTP_FORWARDED": EVIL}
# The settings of a site in a hall that name its address, whatever a request says.
SETTINGS = {"ALLOWED_HOSTS": ["*"], "SITE_URL": SITE, "MAIL": True}


def read_cache() -> str:
    """Return everything in the cache, as text."""
    client = cache._cache.get_client()
    found = []
    for key in client.scan_iter():
        data = client.get(key) if client.type(key) == b"string" else b""
        value = pickle.loads(data) if data.startswith(b"\x80") else data
        body = value.plain if hasattr(value, "plain") else b""
        found.append(f"{key} {value} {body.decode(errors='replace')}")
    return "\n".join(found)
