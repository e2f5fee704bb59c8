"""The views by which directors read and change a player on the club's list, and the club's seasons."""

from typing import cast

from django.utils import timezone
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Shape, View, operation, read_shape
from api.clubs import SeasonOut
from clubs.editing import FIELDS, edit_player
from clubs.house import SeasonGiven, change_season, delete_season, make_season
from clubs.models import Player, User, validate_name
from clubs.roster import MAX_NAME
from tournaments.permissions import Can, get_club_for, require_found


class PlayerInFullOut(serializers.ModelSerializer[Player]):
    """The data of a player, for directors. A choice that nobody has made is empty."""

    class Meta:
        model = Player
        fields = ("id", *FIELDS)


class PlayerChangeIn(Shape):
    """The changes of a player. Fields that are left out stay as they are; an empty choice clears the choice."""

    last_name = serializers.CharField(max_length=MAX_NAME, required=False, validators=[validate_name])
    first_name = serializers.CharField(
        max_length=MAX_NAME, required=False, allow_blank=True, validators=[validate_name]
    )
    licence = serializers.CharField(max_length=20, required=False, allow_blank=True, validators=[validate_name])
    category = serializers.ChoiceField(
        Player.Category.choices, required=False, allow_blank=True, help_text="age category"
    )
    series = serializers.ChoiceField(
        Player.SeriesClass.choices, required=False, allow_blank=True, help_text="the player’s class at the federation"
    )
    ladies = serializers.ChoiceField(
        Player.Ladies.choices,
        required=False,
        allow_blank=True,
        help_text="whether the player is also ranked among the ladies",
    )
    country = serializers.CharField(max_length=60, required=False, allow_blank=True, validators=[validate_name])
    origin = serializers.CharField(max_length=120, required=False, allow_blank=True, validators=[validate_name])


class PlayerView(View):
    @operation("players_read_one", "Read a player of a club", answer=PlayerInFullOut)
    def get(self, request: Request, slug: str, player: int) -> Response:
        club = get_club_for(request.user, Can.DIRECT, slug=slug)
        return Response(PlayerInFullOut(require_found(club.players.real().filter(pk=player).first())).data)

    @operation(
        "players_change", "Change a player’s entry on the club’s list", request=PlayerChangeIn, answer=PlayerInFullOut
    )
    def patch(self, request: Request, slug: str, player: int) -> Response:
        club = get_club_for(request.user, Can.DIRECT, slug=slug)
        require_found(club.players.real().filter(pk=player).first())
        values = read_shape(PlayerChangeIn, request.data)
        changed = edit_player(club=club, player_id=player, values=values, by=cast(User, request.user))
        return Response(PlayerInFullOut(changed).data)


class SeasonIn(Shape):
    name = serializers.CharField(max_length=60, validators=[validate_name])
    starts_on = serializers.DateField()
    ends_on = serializers.DateField()


class SeasonsView(View):
    @operation("seasons_create", "Add a season to a club", request=SeasonIn, answer=SeasonOut, statuses=(201,))
    def post(self, request: Request, slug: str) -> Response:
        club = get_club_for(request.user, Can.DIRECT, slug=slug)
        new_season = SeasonGiven(**read_shape(SeasonIn, request.data))
        season = make_season(club, new_season, by=cast(User, request.user), now=timezone.now())
        return Response(SeasonOut(season).data, status=status.HTTP_201_CREATED)


class SeasonView(View):
    @operation("seasons_change", "Change the name or the dates of a season", request=SeasonIn, answer=SeasonOut)
    def put(self, request: Request, slug: str, season: int) -> Response:
        club = get_club_for(request.user, Can.DIRECT, slug=slug)
        new_season = SeasonGiven(**read_shape(SeasonIn, request.data))
        changed = change_season(club, season, new_season, by=cast(User, request.user), now=timezone.now())
        return Response(SeasonOut(changed).data)

    @operation("seasons_delete", "Delete a season that has no tournament", answer=None, statuses=(204,))
    def delete(self, request: Request, slug: str, season: int) -> Response:
        club = get_club_for(request.user, Can.DIRECT, slug=slug)
        delete_season(club, season, by=cast(User, request.user), now=timezone.now())
        return Response(status=status.HTTP_204_NO_CONTENT)
