"""The version of the names that a club's pages show. Every change of such a name raises it."""

from django.db.models import F

from clubs.models import Club


def raise_names_version(*club_ids: int) -> None:
    """Raise the version of these clubs. Call it in the transaction that changes a shown name.

    Such a name is that of a player or of the club. A page is cached with the version that was read before any name of
    the page. So a cached page may have newer names than its version, but never older ones.
    """
    Club.every.filter(pk__in=club_ids).update(names_version=F("names_version") + 1)
