"""The fixtures of evenings, for the tests of `tournaments`."""

from tests.short_searches import director, session, short_searches, tournament

__all__ = ["director", "session", "short_searches", "tournament"]
