"""The declarations of personal data in series: typed results, and what directors did. See `personal_data`."""

from django.utils.translation import gettext_lazy as _

from archives.privacy.personal_data import PersonalData, WithholdReason

PERSONAL_DATA_OF_SERIES = (
    PersonalData(
        name="series_results",
        model="tournaments.SeriesListRow",
        title=_("results of yours that a club typed for a championship"),
        whose=("player",),
        club="list__event__series__club",
        shows="championship=list__event__series__title event=list__event__title day=list__event__day points rank",
    ),
    PersonalData(
        name="series_lists",
        model="tournaments.SeriesList",
        title=_("lists of results that you typed for championships"),
        by=("made_by",),
        club="event__series__club",
        shows="championship=event__series__title event=event__title source made_at",
        frees=("source",),
    ),
    PersonalData(
        name="series_clubs",
        model="tournaments.SeriesClub",
        title=_("clubs that you asked, brought into championships or took out of them"),
        by=("asked_by", "agreed_by", "left_by", "taken_out_by"),
        club="series__club",
        shows="championship=series__title other_club=club__name asked_at agreed_at left_at taken_out_at reason",
        frees=("reason",),
    ),
    PersonalData(
        name="series_publications",
        model="tournaments.SeriesPublication",
        title=_("rankings of championships that you published"),
        by=("published_by",),
        club="series__club",
        shows="championship=series__title version status published_at reason",
        hides={
            **dict.fromkeys(("changes", "data", "digest", "frozen"), WithholdReason.FIGURES),
            "events": WithholdReason.NUMBERS,
        },
        frees=("reason",),
    ),
)
