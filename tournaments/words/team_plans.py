"""The sentences about plans of teams, and the colours of the badges of a triplette."""

from collections.abc import Collection, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext_lazy

from movements import Plan, PlanFigures
from movements.teams import MATCH
from scoring.formats import TRIPLETTES
from scoring.teams import Badge
from tournaments.words.figures import etuis_text

WHOLE = 100  # the balance of sides in per cent if any two teams sit the same way equally often


def say_other_takers(numbers: Collection[int]) -> str:
    """Return the warning about étuis that name another taker than South, where South takes them all. "" for none."""
    if not numbers:
        return ""
    return ngettext(
        "South takes every étui here, but étui %(etuis)s names another player: South’s hand may be too weak for a "
        "Garde, and the label misleads the table. Prepare étuis in which South takes (profile garde-1-south), or play "
        "this one as it is: South takes it anyway.",
        "South takes every étui here, but étuis %(etuis)s name another player: South’s hand may be too weak for a "
        "Garde, and the labels mislead the tables. Prepare étuis in which South takes (profile garde-1-south), or play "
        "these as they are: South takes them anyway.",
        len(numbers),
    ) % {"etuis": etuis_text(numbers)}


def say_copies(count: int) -> str:
    """Return how many copies of each étui a plan needs, or "" if one is enough."""
    return _("%(count)s copies of each étui, or tables wait for each other") % {"count": count} if count > 1 else ""


def say_team_worth(plan: Plan[int], found: PlanFigures) -> list[str]:
    """Return short texts that say what a plan of teams needs and how good it is."""
    said = [ngettext("%(count)s étui to fill", "%(count)s étuis to fill", found.etuis) % {"count": found.etuis}]
    if copies := say_copies(found.copies):
        said.append(copies)
    if plan.rule == MATCH:
        said.append(_("team 1 meets team 2, team 3 meets team 4, and so on"))
    elif found.repeated:
        said.append(
            ngettext("%(count)s meeting is repeated", "%(count)s meetings are repeated", found.repeated)
            % {"count": found.repeated}
        )
    elif plan.lines:
        said.append(_("no meeting is repeated; teams of one line never meet"))
    else:
        said.append(_("no meeting is repeated"))
    rests = max(found.exempt)
    if rests:
        values = {"count": rests, "most": found.most_exempt}
        said.append(
            ngettext(
                "%(count)s team rests in each position, each at most %(most)s times",
                "%(count)s teams rest in each position, each at most %(most)s times",
                rests,
            )
            % values
        )
    if found.least_attacks == found.most_attacks:
        said.append(_("every team attacks %(count)s étuis") % {"count": found.least_attacks})
    else:
        values = {"least": found.least_attacks, "most": found.most_attacks}
        said.append(_("teams attack %(least)s to %(most)s étuis") % values)
    if plan.etuis_per_position % 2 and found.attack_gap > 1:
        said.append(_("with an even number of étuis per position, both sides would attack equally often"))
    if found.balance < WHOLE:
        said.append(_("balance of the sides: %(percent)s of 100") % {"percent": found.balance})
    return said


BADGES: Mapping[int, Badge] = dict(enumerate(Badge, 1))
OF_FORMATS: Mapping[str, Mapping[int, Badge]] = {TRIPLETTES.name: BADGES}  # in others places have no colours
COLOURS: Mapping[str, str | Promise] = {
    Badge.BLUE.value: pgettext_lazy("badge of a team member", "blue"),
    Badge.WHITE.value: pgettext_lazy("badge of a team member", "white"),
    Badge.RED.value: pgettext_lazy("badge of a team member", "red"),
}


def badges_of(format: str) -> Mapping[int, Badge]:
    """Return the badges of the members of a team in the format with this name, by place: {} if there are none."""
    return OF_FORMATS.get(format, {})


def say_badge(place: int, badges: Mapping[int, Badge] = BADGES) -> str:
    """Return the colour of the badge of this place as text: "blue". Return "" for a place without a colour."""
    return str(COLOURS[badges[place]]) if place in badges else ""


def read_badge(colour: object) -> int | None:
    """Return the place whose badge has this colour, such as "blue". Return None for anything else."""
    return next((place for place, badge in BADGES.items() if badge.value == colour), None)
