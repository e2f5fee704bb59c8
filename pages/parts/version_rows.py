"""The rows of the pages that list all versions of a ranking."""

from typing import NamedTuple

from rankings.publication.changes import ChangeInWords
from tournaments.models import Version


class VersionRow(NamedTuple):
    """A version on the page of all versions.

    `changes` has its changes as text. If they are not shown, `untold` has the reason. `address` is the version's page,
    or "" if readers may not see the version.
    """

    version: Version
    changes: list[ChangeInWords]
    address: str
    untold: str = ""
