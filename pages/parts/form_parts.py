"""The forms of which a page shows parts: the settings in sections, and the fields in parts."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from django.forms import BaseForm, BoundField
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubs.session_settings import settings_with


class FormInParts(BaseForm):
    """A form whose page shows the fields in parts. PARTS is the only list of the fields of each part."""

    PARTS: ClassVar[Mapping[str, Sequence[str]]]

    @property
    def parts(self) -> dict[str, list[BoundField]]:
        """The fields of each part, without those that the form leaves out."""
        return {part: [self[name] for name in names if name in self.fields] for part, names in self.PARTS.items()}


class SettingsSection(NamedTuple):
    """A section of settings, which is a page with its own button.

    - `path`: the end of its address, after that of the settings. The first section has none.
    - `lead`: a sentence below the heading.
    """

    path: str
    label: str | Promise
    fields: tuple[str, ...]
    lead: str | Promise = ""


Sections = Mapping[str, SettingsSection]

# The sections of a club's settings, by the names of their addresses.
CLUB_SETTINGS: Sections = {
    "club_settings": SettingsSection(
        "", _("The club"), ("name", "address", "contact", "logo", "no_logo", "language", "time_zone")
    ),
    "club_settings_usual": SettingsSection(
        "usual/",
        _("The usual evening"),
        ("auction", *settings_with("usual")),
        _("What a new tournament or session starts with; you can change it for each."),
    ),
    "club_settings_rules": SettingsSection("rules/", _("Publication and rules"), ("window_hours", "fixed_note")),
    "club_settings_public": SettingsSection(
        "public/",
        _("What is public"),
        ("player_accounts", "listed", "indexed", "shows_address", "shows_members", "embedders"),
    ),
    "club_settings_cash": SettingsSection("cash/", _("Cash box"), ("keeps_cash", "cash_years")),
}
FOLLOWS = _("They apply to all its sessions, and you can change them during play: the ranking follows at once.")
# The sections of a tournament's settings, by the names of their addresses.
TOURNAMENT_SETTINGS: Sections = {
    "tournament_rules": SettingsSection("", _("The tournament"), ("name", "auction", "season", "federation")),
    "tournament_rules_ranked": SettingsSection(
        "ranked/",
        _("Who is ranked"),
        ("least_share", "substitutes_ranked", "drops_worst", "window_hours"),
        FOLLOWS,
    ),
    "tournament_rules_ties": SettingsSection(
        "ties/",
        _("Ties"),
        tuple(f"tie_{place}" for place in range(1, 6)),
        _(
            "If you choose nothing, they share their rank. Otherwise the first criterion counts first, and the next "
            "separates those who are still tied. You draw lots on the standings page."
        ),
    ),
    "tournament_rules_several": SettingsSection(
        "several/",
        _("Several sessions"),
        ("counting", "best_of", "least_sessions", "carry_over", "meeting", "win_points", "draw_points"),
        FOLLOWS,
    ),
}


class SectionForm(BaseForm):
    """A form of settings that has the fields of one section alone: `SectionForm(…, section=section)`."""

    def __init__(self, *args: Any, section: SettingsSection, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.section = section

    def keep_section(self) -> None:
        """Take out the fields of the other sections. Their settings stay as they are."""
        self.fields = {name: field for name, field in self.fields.items() if name in self.section.fields}
        self.order_fields(self.section.fields)


def find_section(request: HttpRequest, sections: Sections) -> SettingsSection:
    """Return the section of which the request has the address."""
    assert request.resolver_match
    return sections[request.resolver_match.url_name or ""]
