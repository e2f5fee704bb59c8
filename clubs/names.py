"""How people's names are compared when they are sorted and looked up, whatever the database's own order."""

import unicodedata


def plain(text: str) -> str:
    """A name without accents, capitals and hyphens: "Élise Saint-Jean" is found as "elise saint jean"."""
    bare = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    return bare.casefold().replace("-", " ").replace("’", "'")
