import hashlib
import json

from django.db import migrations

from tournaments.rules.split import Split, part_of


def name_nobody(apps, schema_editor):
    """Publications of format 1 hold names; from format 2 on, ids of the club's players, who stay on its list."""
    Publication = apps.get_model("tournaments", "Publication")
    PublishedPlayer = apps.get_model("tournaments", "PublishedPlayer")
    for publication in Publication.objects.select_related("session__tournament").order_by("pk").iterator(chunk_size=1):
        if publication.data.get("format", 1) == 1:
            convert(publication.data, find_people(apps, publication))
            text = json.dumps(publication.data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
            publication.digest = hashlib.sha256(text.encode()).hexdigest()
            publication.save(update_fields=["data", "digest"])
            people = {person["player"] for player in publication.data["players"] for person in [player, *player["stand_ins"]]}
            PublishedPlayer.objects.bulk_create(
                PublishedPlayer(publication=publication, player_id=pk) for pk in sorted(people)
            )


def find_people(apps, publication):
    """By the id of each entrant named: the player's, and who stood in for him. Whoever has left the plan since is found
    by his name on the club's list, and put back on it where he is not there any more."""
    Entrant, Player = apps.get_model("tournaments", "Entrant"), apps.get_model("clubs", "Player")
    entrants = Entrant.objects.filter(session=publication.session).in_bulk()
    club_id = publication.session.tournament.club_id
    found = {}
    for told in publication.data["players"]:
        entrant, name = entrants.get(told["id"]), told["name"]
        if entrant is not None:
            # A stand-in who came after this publication is not named in it.
            stood = " / " in name and entrant.stand_in_id is not None
            stay = {"player": entrant.stand_in_id, "from": entrant.stand_in_from, "to": entrant.last_position}
            found[told["id"]] = (entrant.player_id, [stay] if stood else [])
            continue
        named = {f"{player.first_name} {player.last_name}".strip(): player for player in Player.objects.filter(club=club_id)}
        player = named.get(name) or Player.objects.create(club_id=club_id, last_name=name[:80], **person_of(Player))
        found[told["id"]] = (player.pk, [])
    return found


def person_of(Player):
    """Every player is a person, where persons are known already: in a test that runs this by the models of today."""
    if not any(field.name == "person" for field in Player._meta.fields):
        return {}
    return {"person": Player._meta.get_field("person").related_model.objects.create()}


def convert(data, people):
    """In place, from whatever a publication of format 1 says."""
    data["format"] = 2
    del data["club"], data["tournament"]
    data["counts"].setdefault("not_played", 0)
    for player in data["players"]:
        del player["name"]
        player["player"], player["stand_ins"] = people[player["id"]]
        player.setdefault("ranked", True)
        player["penalty"] = player.get("penalty") or "0"
    for etui in data["etuis"]:
        etui.setdefault("altered_from", None)
        etui.setdefault("altered_after", [])
        split = Split(etui["altered_from"], tuple(etui["altered_after"])) if etui["altered_from"] else None
        for play in etui["plays"]:
            if not play.get("part"):
                play["part"] = part_of(split, play["position"], play["table"])


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0002_players_of_publications")]

    operations = [migrations.RunPython(name_nobody)]
