"""The origin of the cards of a deal set, in words."""

from django.utils.translation import gettext

from deals.models import DealSet


def describe_origin(deal_set: DealSet, *, imported: bool) -> str:
    """Return the origin of the cards in a few words. `imported` is true if any étui of the set came from a file."""
    if deal_set.seed_imported:
        return gettext("dealt from an imported secret draw")
    if deal_set.commitment:
        return gettext("dealt by the site from a secret draw")
    return (
        gettext("imported, without a secret draw")
        if imported
        else gettext("dealt at the tables, without a secret draw")
    )
