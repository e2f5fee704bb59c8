"""The declarations of personal data in teams: members, captains and line-ups. See `personal_data`."""

from django.utils.translation import gettext_lazy as _

from archives.privacy.personal_data import PersonalData

PERSONAL_DATA_OF_TEAMS = (
    PersonalData(
        name="teams",
        model="tournaments.TeamMember",
        title=_("teams of which you were a member"),
        whose=("player",),
        club="tournament__club",
        shows=(
            "number=id team=team_id team_number=team__number place from_session=from_session_id from_position"
            " until_session=until_session_id until_position ended_at replaces=replaces_id reason"
        ),
        frees=("reason",),
    ),
    PersonalData(
        name="line_ups",
        model="tournaments.LineUp",
        title=_("line-ups of your teams: who attacks, and who defends in which seat"),
        whose=("attacker__player", "in_north__player", "in_east__player", "in_west__player"),
        by=("author",),
        session="session",
        shows=(
            "number=id team=team_id position quarter attacker=attacker_id north=in_north_id east=in_east_id"
            " west=in_west_id made_at reason"
        ),
        frees=("reason",),
    ),
    PersonalData(
        name="match_decisions",
        model="tournaments.MatchDecision",
        title=_("decisions about matches that you made"),
        by=("author",),
        club="tournament__club",
        shows="number=id winner=winner__number loser=loser__number made_at reason",
        frees=("reason",),
    ),
    PersonalData(
        name="captains",
        model="tournaments.Team",
        title=_("teams whose captain you were"),
        whose=("captain",),
        club="tournament__club",
        shows="number=id team_number=number name made_at left_at left_reason",
        frees=("name", "left_reason"),
    ),
)
