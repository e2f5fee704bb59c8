"""The changes that a published version made, as sentences with the players' present names.

Changes in parts that readers do not see are left out. `differences` finds the changes; this module writes the
sentences.
"""

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from django.db.models import Model

from clubs.shown import call_in_public
from rankings.publication.differences import people_in
from rankings.publication.teams.names import name_number, name_teams_told
from tournaments.models import Version
from tournaments.published import Shows
from tournaments.words.change_sentences import CHANGES, OF_CARDS, OF_DEALS, OF_ETUIS, OF_RANKING
from tournaments.words.figures import decimal, percent, show_marks
from tournaments.words.messages import sentence, show_signed


class RankMove(NamedTuple):
    """A player's rank in the classement général before and after a change. None means unranked."""

    player: str
    before: int | None
    after: int | None


class ChangeInWords(NamedTuple):
    """A change as a sentence, with the players whose rank it changes, sorted by their new ranks."""

    code: str
    text: str
    moves: list[RankMove]


def names_in(changes: Sequence[dict[str, Any]], version: Version | None = None) -> dict[int, str]:
    """Return the public names of all people and teams in the changes, by id.

    This takes one query, or none without people. The id of a team is its number, as a negative number. If `version` is
    given, the changes belong to it, and teams get their own names. Without it, a team is named by its number.
    """
    told = people_in(changes)
    teams = {-who for who in told if who < 0}
    people = {who for who in told if who > 0}
    names = {pk: called.name for pk, called in call_in_public(people).items()} if people else {}
    named = name_teams_told(version, teams) if version is not None else {}
    return names | {-number: named.get(number) or name_number(number) for number in teams}


def list_changes(
    changes: Sequence[dict[str, Any]],
    shows: Shows,
    names: Mapping[int, str] | None = None,
    *,
    version: Version | None = None,
) -> list[ChangeInWords]:
    """Return the changes in the parts that readers see, as sentences.

    `names` has the players' names by id; if it is None, they are read from the database. With `version`, teams get
    their own names. It is the version to which the changes belong, or the one before it.
    """
    shown = [change for change in changes if is_shown(change["code"], shows)]
    known = names_in(shown, version) if names is None else names
    return [ChangeInWords(change["code"], say_change(change, known), moves_of(change, known)) for change in shown]


class ToldVersion(NamedTuple):
    """A version in the list of all versions of a ranking.

    `changes` are those that readers may see. `is_open` is True if readers may see the version itself. `untold` says why
    changes are missing: "held" if the version is held back, "held_before" if the version before it is, or "hidden".
    A version that counts a ranking which readers may not see is held back.
    """

    version: Version
    changes: list[ChangeInWords]
    is_open: bool
    untold: str


def list_versions(owner: Model, shows: Shows, held: Collection[int] = ()) -> list[ToldVersion]:
    """Return the versions of an owner's ranking without their figures, the newest first, each with its changes.

    It takes two queries. `held` has the numbers of the versions that are held back. Their changes are not told, and
    neither are those of the version after them: with these, readers could compute figures of the version before. No
    changes are told of a version that withdrew the ranking, nor of all versions before that one.
    """
    versions = list(owner.publications.defer("data", "frozen").order_by("-version"))  # type: ignore[attr-defined]
    gone = max((each.version for each in versions if each.status == Version.PublicationStatus.WITHDRAWN), default=0)
    after = {number + 1 for number in held}
    told = [[] if each.version <= gone or each.version in {*held, *after} else each.changes for each in versions]
    names = names_in([change for changes in told for change in changes], versions[0] if versions else None)
    rows = []
    for version, changes in zip(versions, told, strict=True):
        number, shown = version.version, list_changes(changes, shows, names)
        untold = "held_before" if number in after else "hidden"
        untold = "held" if number in held else untold if version.changes and not shown else ""
        rows.append(ToldVersion(version, shown, number > gone and number not in held and shows.ranking, untold))
    return rows


def is_shown(code: str, shows: Shows) -> bool:
    """Return whether readers see the part of the publication in which a change with this code happened."""
    for family, part in (
        (OF_ETUIS, shows.etuis),
        (OF_DEALS, shows.etuis),
        (OF_CARDS, shows.cards),
        (OF_RANKING, shows.ranking),
    ):
        if code in family:
            return part
    return True


def say_change(change: Mapping[str, Any], names: Mapping[int, str]) -> str:
    """Return the change as a sentence. `names` has the players' names by id."""
    told = {key: value for key, value in change.items() if key not in ("code", "moves")}
    if "player" in told:
        told["player"] = names[told["player"]]
    if "note" in told:
        told["note"] = percent(Fraction(told["note"]))
    for key in {"before", "after"} & told.keys():
        match change["code"]:
            case "penalty":
                told[key] = sign_points(told[key])
            case "penalty_marks":
                told[key] = show_marks(-Fraction(told[key]))
            case _:
                told[key] = show_signed(told[key])
    return sentence(CHANGES, change["code"], told)


def sign_points(penalty: str) -> str:
    """Return the effect of a penalty on the percentage, as text.

    The penalty "2" gives "−2,00"; the bonus "-2" gives "+2,00".
    """
    points = -Fraction(penalty)
    return f"{'−' if points < 0 else '+' if points else ''}{decimal(abs(points), 2)}"


def moves_of(change: Mapping[str, Any], names: Mapping[int, str]) -> list[RankMove]:
    """Return the changed ranks, sorted by the new rank. Players without a new rank come last."""
    moves = [RankMove(names[pk], before, after) for pk, before, after in change.get("moves", ())]
    return sorted(moves, key=lambda move: (move.after is None, move.after or 0, move.player))
