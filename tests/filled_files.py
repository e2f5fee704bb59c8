"""The published files of a whole database as digests: a release that adds a form of play leaves those of others alone.

The program prints them as JSON, for a database with today's tables that the environment names.

    python -m tests.filled_files
"""

import datetime as dt
import hashlib
import io
import json
import sys
import zipfile
from collections.abc import Iterator

MOMENT = dt.datetime(2026, 11, 26, 10, 0, tzinfo=dt.UTC)
OF_VERSION = ("results_csv", "ranking_pdf", "feuilles_pdf", "podium")
OF_TOURNAMENT = ("tournament_csv", "tournament_pdf", "tournament_podium")
TABLES = ("ranking", "etuis", "plays", "feuilles")


def list_addresses() -> Iterator[str]:
    """Return the address of each file of the newest version of each session and tournament."""
    from django.urls import reverse

    from tournaments.models import Publication, TournamentPublication

    versions = Publication.objects.select_related("session__tournament__club").order_by("pk")
    newest = {each.session_id: each for each in versions}
    for each in newest.values():
        session = each.session
        place = [session.tournament.club.slug, session.tournament.slug, session.number, each.version]
        for name in OF_VERSION:
            yield reverse(name, args=place)
        for table in TABLES:
            for kind in ("csv", "xlsx", "json"):
                yield f"{reverse('published_file', args=place)}?table={table}&format={kind}"
    for total in TournamentPublication.objects.select_related("tournament__club").order_by("pk"):
        for name in OF_TOURNAMENT:
            yield reverse(name, args=[total.tournament.club.slug, total.tournament.slug, total.version])


def tell_files() -> dict[str, str]:
    """Return the digest of each file, by its address. A file that readers may not see is left out."""
    from django.conf import settings
    from django.test import Client
    from django.utils import timezone

    settings.ALLOWED_HOSTS = ["*"]
    timezone.now = lambda: MOMENT  # PDFs and pictures say when they were made
    told = {}
    for number, address in enumerate(list_addresses()):
        answer = Client(headers={"accept-language": "en"}).get(address, REMOTE_ADDR=f"10.0.{number >> 6}.{number & 63}")
        if answer.status_code == 200:
            body = b"".join(answer.streaming_content) if answer.streaming else answer.content
            told[address] = digest(body)
    return told


def digest(body: bytes) -> str:
    """Return the digest of a file. Of a workbook, take its parts: the packing has the time of day."""
    if body.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(body)) as packed:
            body = b"".join(packed.read(name) for name in sorted(packed.namelist()))
    return hashlib.sha256(body).hexdigest()


def main() -> None:
    sys.stdout.write(json.dumps(tell_files(), indent=1) + "\n")


if __name__ == "__main__":
    import django

    django.setup()
    main()
