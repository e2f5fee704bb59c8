"""The declarations of personal data in simultaneous tournaments: what directors did. See `personal_data`."""

from django.utils.translation import gettext_lazy as _

from archives.privacy.personal_data import PersonalData, WithholdReason

PERSONAL_DATA_OF_SIMULTANEOUS = (
    PersonalData(
        name="simultaneous",
        model="tournaments.Simultaneous",
        title=_("simultaneous tournaments that you closed"),
        by=("closed_by",),
        club="club",
        shows="title slug opens_at closes_at public_at closed_at",
        hides={"token": WithholdReason.SECRET},
        codes=("title", "slug"),
    ),
    PersonalData(
        name="simultaneous_clubs",
        model="tournaments.SimultaneousClub",
        title=_("clubs that you invited, or brought into simultaneous tournaments or out of them"),
        by=("invited_by", "agreed_by", "left_by"),
        club="simultaneous__club",
        shows="simultaneous=simultaneous__title other_club=club__name invited_at agreed_at left_at reason",
        frees=("reason",),
    ),
    PersonalData(
        name="simultaneous_rulings",
        model="tournaments.FieldRuling",
        title=_("your rulings on étuis of simultaneous tournaments"),
        by=("author",),
        club="simultaneous__club",
        shows="simultaneous=simultaneous__title etui kind from_position played_before reason ruled_at",
        frees=("reason",),
        codes=("played_before",),
    ),
    PersonalData(
        name="simultaneous_publications",
        model="tournaments.FieldPublication",
        title=_("rankings of simultaneous tournaments that you published"),
        by=("published_by",),
        club="simultaneous__club",
        shows="simultaneous=simultaneous__title version status published_at reason",
        hides={
            **dict.fromkeys(("changes", "data", "digest", "frozen"), WithholdReason.FIGURES),
            "sessions": WithholdReason.NUMBERS,
        },
        frees=("reason",),
    ),
)
