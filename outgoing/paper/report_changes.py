"""Two parts of the arbiter's report: the changes of plan and settings, and the players who were not there all evening.

The module only reads. It returns the same sentences that the page of changes shows.
"""

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise

from django.utils.translation import gettext as _

from evenings.changes.preview import OperationNames, operation_of, say_exchange, say_operation
from evenings.sessions.checklist import say_chosen_plan
from movements import LinePlan, read_plan
from outgoing.paper.report_rows import BESIDE, ReportRow, Teller, in_order, report_log
from tournaments.models import Applicant, Entrant, PlanVersion, Session
from tournaments.rules.operations import Substitute
from tournaments.words.messages import label

SETTINGS = (
    "edited",
    "etuis_added",
    "public_etuis",
    "redirected",
    "counts_no_longer",
    "director_plays",
    "hiding_lifted",
)


class Changes:
    """The versions of a session's plan, in order, with what each of them changed.

    `logged` has the actions whose log entries are reported together with the versions.
    """

    logged: tuple[str, ...] = SETTINGS

    def __init__(self, session: Session) -> None:
        self.session, self.names = session, OperationNames(session)
        self.versions = list(session.plans.select_related("author", "undone_by").order_by("number"))

    @cached_property
    def chosen(self) -> PlanVersion | None:
        """The plan with which the session started, or None if none was stored."""
        return next((one for one in reversed(self.versions) if operation_of(one) is None), None)

    @property
    def made(self) -> list[PlanVersion]:
        """The versions that a director's operation made, undone ones too."""
        return [version for version in self.versions if operation_of(version) is not None]

    def plan_before(self, version: PlanVersion) -> LinePlan | None:
        """Return the plan that was in force when this version was made, or None."""
        held = [
            one
            for one in self.versions
            if one.number < version.number and (one.undone_at is None or one.undone_at > version.made_at)
        ]
        return read_plan(held[-1].data) if held else None

    def say(self, version: PlanVersion) -> str:
        """Return what a version changed, in sentences. For exchanged étuis, they say what each table played."""
        operation = operation_of(version)
        assert operation is not None
        sentences = [say_operation(operation, self.names)]
        if (plan := self.plan_before(version)) is not None:
            sentences += say_exchange(plan, self.session, operation)
        return " ".join(sentences)

    def say_chosen(self) -> str:
        """Return the sentence that describes the plan with which the session started, "" without a plan."""
        return say_chosen_plan(self.chosen) if self.chosen else ""

    @cached_property
    def substitutes(self) -> list[Substitute]:
        """The operations, not undone, by which a substitute plays for percentages of their own."""
        held = (operation_of(version) for version in self.versions if version.undone_at is None)
        return [done for done in held if isinstance(done, Substitute) and done.own]


def report_changes(teller: Teller, plans: Changes) -> list[ReportRow]:
    """Return rows for the changes of the plan, their undoing, and the changes of settings."""
    rows = []
    for version in plans.made:
        change = plans.say(version)
        rows.append(teller.row(version.made_at, change, by=version.author))
        if version.undone_at:
            rows.append(teller.row(version.undone_at, _("Undone: %(what)s") % {"what": change}, by=version.undone_by))
    logged = teller.session.log.filter(action__in=plans.logged).select_related("author").order_by("at", "id")
    return in_order([*rows, *report_log(teller, logged)])


def people(teller: Teller, plans: Changes) -> list[list[str]]:
    """Return rows for the players who came late, left, were replaced, are unranked or did not come.

    A row has the place ("N 3", or "3" without lines), the name, and what happened.
    """
    rows, has_lines = [], not teller.session.tournament.plays_in_games
    for entrant in sorted(teller.entrants.values(), key=lambda each: (each.number, each.line)):
        happenings = list(say_stay(entrant, plans))
        if not entrant.ranked:
            happenings.append(_("completed a table, unranked"))
        if happenings:
            place = f"{label('letter', entrant.line)} {entrant.number}" if has_lines else str(entrant.number)
            rows.append([place, entrant.player.name, BESIDE.join(happenings)])
    seated = {entrant.player_id for entrant in teller.entrants.values()}
    for applicant in Applicant.objects.filter(session=teller.session, withdrawn_at=None, present_at=None):
        if applicant.player_id not in seated and not applicant.waits_for_director:
            rows.append(["", applicant.name, _("had signed up, but did not come")])
    return rows


def say_stay(entrant: Entrant, plans: Changes) -> Iterator[str]:
    """Yield in short sentences when the entrant came, left and came back, and who replaced whom."""
    replaced = next((done for done in plans.substitutes if done.entrant == entrant.pk), None)
    own = [done for done in plans.substitutes if entrant.player_id is not None and done.player == entrant.player_id]
    replaces = own[0] if own else None
    (_number, first, _last), *_rest = stays = entrant.stays
    if replaces:
        values = {"name": plans.names.entrants([replaces.entrant]), "position": replaces.position}
        yield _("replaced %(name)s from position %(position)s on, for percentages of their own") % values
    elif first > 1:
        yield _("came for position %(position)s") % {"position": first}
    for (_n, _f, last), (_m, back, _l) in pairwise(stays):
        yield _("left after position %(last)s, back for %(back)s") % {"last": last, "back": back}
    if replaced:
        values = {"name": plans.names.players([replaced.player]), "position": replaced.position}
        yield (_("replaced from position %(position)s on by %(name)s, who plays for percentages of their own") % values)
    elif stays[-1][2] is not None:
        yield _("left after position %(position)s") % {"position": stays[-1][2]}
    if entrant.stand_in:
        values = {"name": entrant.stand_in.name, "position": entrant.stand_in_from}
        yield _("replaced by %(name)s from position %(position)s on") % values
