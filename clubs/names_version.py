"""The version of the names that a club's pages show. Every change of such a name raises it."""

from django.db.models import F

from clubs.models import Club


def raise_names_version(*club_ids: int) -> None:
    """Raise the version of these clubs.

    Called in the transaction that changes a shown name: a player's or the club's own.

    Pages are cached by this version and read it before they read any name, so a cached page can only be newer than its
    version.
    """
    Club.every.filter(pk__in=club_ids).update(names_version=F("names_version") + 1)
