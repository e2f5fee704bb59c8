"""The processor time of the page that previews a list of 3 000 rows, in a club of 300 players.

    python -m bench.lists [--rows 3000] [--players 300] [--rounds 3] [--limit 3.5]

The program makes a club in an empty SQLite file, and posts each list to the page of the club's players. The lists are
a table with headings, one without, lines with plain names in both orders, and the file of a ticket office. It prints
the seconds of the best round for each, with those of the process that reads the file. The exit code is 1 if one is
above `--limit`.
"""

import argparse
import io
import os
import random
import sys

import xlsxwriter

from bench.site import new_place, set_up

SYLLABLES = ("ba", "cho", "dé", "fri", "gou", "lan", "mar", "nel", "pé", "quin", "ro", "sel", "ti", "vau", "zé", "ber")
FIRST_NAMES = (
    *(
        "Marie",
        "Jean-Pierre",
        "Chantal",
        "Michel",
        "Zoé",
        "Alain",
        "Lucie",
        "Hélène",
        "Paul",
        "Anne",
        "Olivier",
        "Rémi",
    ),
    *("Claude", "Ginette", "Yvon", "Solange", "Thierry", "Nadège", "Wladimir", "Ysoline", "Bérengère", "Théodore"),
)

OFFICE = (
    *("N° de commande", "Date de la commande", "Statut", "Nom participant", "Prénom participant", "Nom payeur"),
    *("Prénom payeur", "E-mail payeur", "Raison sociale", "Moyen de paiement", "Billet", "N° de billet", "Tarif"),
    *("Montant tarif", "Code promo", "Montant code promo", "N° de licence", "Téléphone", "Adresse", "Code postal"),
)

OFFICE_FILE = "ticket office"


def make_names(count: int) -> list[tuple[str, str]]:
    """Return so many different family names, with a first name each."""
    chance = random.Random(1)
    names = {"".join(chance.choices(SYLLABLES, k=3)).capitalize(): chance.choice(FIRST_NAMES) for _ in range(3 * count)}
    return [*names.items()][:count]


def write_lists(names: list[tuple[str, str]]) -> dict[str, str]:
    """Return the lists by what they are."""
    licensed = [(last, first, f"{number:07}") for number, (last, first) in enumerate(names, 1)]
    return {
        "headings": "Nom;Prénom;Licence;Club\n"
        + "\n".join(f"{last};{first};{licence};Ici" for last, first, licence in licensed),
        "cells": "\n".join(f"{last};{first};{licence}" for last, first, licence in licensed),
        "capitals": "\n".join(f"{last.upper()} {first}" for last, first in names),
        "first name first": "\n".join(f"{first} {last}" for last, first in names),
        "family name first": "\n".join(f"{last} {first}" for last, first in names),
        "wrong letters": "\n".join(f"{first} {misspell(last)}" for last, first in names),
        OFFICE_FILE: "\n".join(["\t".join(OFFICE), *("\t".join(write_ticket(*each)) for each in licensed)]),
    }


def misspell(name: str) -> str:
    """Return the name without its third letter."""
    return name[:2] + name[3:]


def write_ticket(last: str, first: str, licence: str) -> list[str]:
    """Return the row of a ticket office for a person, whose ticket somebody else has paid."""
    told = {"Nom participant": last, "Prénom participant": first, "N° de licence": licence, "Statut": "Validé"}
    return [told.get(heading, licence) for heading in OFFICE]


def write_book(text: str) -> io.BytesIO:
    """Return a text with tabs as an XLSX file."""
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        for number, line in enumerate(text.splitlines()):
            sheet.write_row(number, 0, line.split("\t"))
    out.seek(0)
    out.name = "billets.xlsx"
    return out


def count_seconds() -> float:
    """Return the processor seconds of this process and of those that it has started and seen ended."""
    return sum(os.times()[:4])


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, default=3000)
    parser.add_argument("--players", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=float, default=3.5)
    args = parser.parse_args()
    with new_place():
        slowest = measure(make_names(args.rows), args.players, args.rounds)
    sys.stdout.write(f"slowest {slowest:.2f} s   goal ≤ {args.limit:g}\n")
    return int(slowest > args.limit)


def measure(names: list[tuple[str, str]], players: int, rounds: int) -> float:
    """Fill the database, print the seconds of each list, and return those of the slowest one."""
    set_up()
    from django.test import Client
    from django.urls import reverse

    from clubs.models import Club, Membership, User
    from clubs.players import add_players
    from clubs.roster import RosterLine

    club = Club.objects.create(name="Club", slug="bench")
    director = User.objects.create_user("bench")
    Membership.objects.create(user=director, club=club, role=Membership.Role.DIRECTOR)
    add_players(club=club, lines=[RosterLine(*name, f"{number:07}") for number, name in enumerate(names[:players], 1)])
    client, slowest = Client(headers={"host": "localhost"}), 0.0
    client.force_login(director)
    for what, text in write_lists(names).items():
        times = []
        for _round in range(rounds):
            sent = {"file": write_book(text)} if what == OFFICE_FILE else {"text": text}
            start = count_seconds()
            page = client.post(reverse("players", args=[club.slug]), sent)
            times.append(count_seconds() - start)
        rows = page.content.count(b"</tr>")
        if rows < len(names):
            raise SystemExit(f"{what}: the page has {rows} rows of {len(names)}")
        slowest = max(slowest, min(times))
        asked = page.content.count(b"<fieldset")
        sys.stdout.write(f"{what:18} {min(times):5.2f} s, {len(page.content):,} bytes, {asked} questions\n")
    return slowest


if __name__ == "__main__":
    raise SystemExit(main())
