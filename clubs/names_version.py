"""The version of the names that a club's pages show: raised by whatever changes one of them."""

from django.db.models import F

from clubs.models import Club


def raise_names_version(*club_ids: int) -> None:
    """Asked within the transaction of whatever changes a name that is shown: a player's, the club's own.

    Pages are kept by this version, and read it before they read any name: what is kept by it can only be newer.
    """
    Club.every.filter(pk__in=club_ids).update(names_version=F("names_version") + 1)
