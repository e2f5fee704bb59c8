"""A database with persons in the tables from before migration 0004, and its content after the upgrade.

    python -m tests.faults.old_persons fill
    python -m tests.faults.old_persons tell

The environment names an empty database. `tell` prints one line of JSON.
"""

import datetime as dt
import json
import sys

import django

T = [dt.datetime(2026, 1, day, tzinfo=dt.UTC) for day in range(1, 10)]


def fill() -> None:
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    executor = MigrationExecutor(connection)
    graph, newer = executor.loader.graph, ("clubs", "0004_rights_of_players")
    # Of each other app the newest migration that does not need the newer one.
    newest = {node[0]: node for node in sorted(graph.nodes) if newer not in graph.forwards_plan(node)}
    before = [*newest.values()]
    executor.migrate(before)
    apps = executor.loader.project_state(before).apps
    model = lambda name: apps.get_model("clubs", name)  # noqa: E731
    a, b = (model("Club").objects.create(name=slug, slug=slug) for slug in ("a", "b"))
    users = {name: model("User").objects.create(username=name) for name in ("da", "db", "sock", "zoe")}
    for user, club in (("da", a), ("db", b)):
        model("Membership").objects.create(user=users[user], club=club, role="director")

    def add(club, name, person=None, **more):
        person = person or model("Person").objects.create()
        return model("Player").objects.create(club=club, last_name=name, first_name="Zoé", person=person, **more)

    def say(person, shown, way, at, by=None, own=False):
        said = {"shown": shown, "way": way, "own": own, "by": users.get(by), "at": T[at]}
        model("ShownWord").objects.create(person=person, **said)

    def link(one, other, reason, at, was, account, by, **more):
        told = {"reason": reason, "proposed_by": users[by], "proposed_at": T[at], "accepted_by": users[by]}
        moved = {"players": [other.pk], "account": account and account.pk}
        model("PersonLink").objects.create(
            one=one, other=other, accepted_at=T[at], was=was, moved=moved, **told, **more
        )

    # The director of B joined a junior to a player by the licence, and had them shown by name. The player has an
    # account.
    bait, alone = add(b, "bait", licence="L"), model("Person").objects.create()
    junior = add(a, "junior", bait.person, licence="L", category="junior")
    say(alone, "hidden", "director", 0, "da")
    link(bait, junior, "licence", 1, alone, None, "db")
    say(bait.person, "hidden", "joined", 1, "db")
    say(bait.person, "name", "director", 2, "db")
    model("ClubLogEntry").objects.create(
        club=b, at=T[3], author=users["sock"], action="player_came", params={"whom": "Zoé bait"}
    )
    model("Person").objects.filter(pk=bait.person_id).update(account=users["sock"], shown="name")
    # Somebody has two players by an account, and has chosen how both are shown.
    one, gone = add(a, "one"), model("Person").objects.create()
    two = add(b, "two", one.person)
    link(one, two, "account", 1, gone, None, "zoe")
    say(one.person, "initials", "account", 2, "zoe", own=True)
    model("Person").objects.filter(pk=one.person_id).update(account=users["zoe"], shown="initials")
    # Two players were joined for a while, chose how to be shown meanwhile, and are separate again.
    left, right = add(a, "left"), add(b, "right")
    link(left, right, "directors", 1, right.person, None, "da", ended_at=T[5])
    say(left.person, "hidden", "link", 3, own=True)
    say(right.person, "hidden", "parted", 5, "da", own=True)
    model("Person").objects.filter(pk__in=[left.person_id, right.person_id]).update(shown="hidden")


def tell() -> None:
    from clubs.models import PersonLink, Player

    players = {
        player.last_name: {
            "account": player.account and player.account.username,
            "words": [[word.shown, word.way, word.own] for word in player.shown_words.order_by("pk")],
            "shown": player.person.shown,
        }
        for player in Player.objects.all()
    }
    links = {
        f"{link.one.last_name} {link.other.last_name}": [
            link.one_agreed_at is not None,
            link.other_agreed_at is not None,
        ]
        for link in PersonLink.objects.select_related("one", "other")
    }
    sys.stdout.write(json.dumps({"players": players, "links": links}))


if __name__ == "__main__":
    django.setup()
    {"fill": fill, "tell": tell}[sys.argv[1]]()
