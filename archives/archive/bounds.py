"""The versions of archives that this site reads, and the bounds on what an archive may hold. It uses no Django."""

FORMAT, VERSION = "topage-archive", 6
WITH_FREE_DEALS = 7  # the version of an archive of donnes libres or with a cut; others keep VERSION
NEWEST = WITH_FREE_DEALS
MOST_BYTES = 200_000_000  # of an unpacked archive
MOST_MANIFEST = 1_000_000  # bytes; it has a line for each file
MOST_FROZEN = 20_000_000  # bytes of the figures of a published version
MOST_ROW = 2_000_000  # letters of a row
MOST_PEOPLE = 20_000  # players or authors
