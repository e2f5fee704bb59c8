"""The views that create, change and delete a club's seasons."""

from typing import cast

from django.utils import timezone
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Shape, View, operation, read_shape
from api.clubs import SeasonOut
from clubs.models import User, validate_name
from clubs.seasons import SeasonGiven, change_season, delete_season, make_season
from tournaments.permissions import Can, get_club_for


class SeasonIn(Shape):
    name = serializers.CharField(max_length=60, validators=[validate_name])
    starts_on = serializers.DateField()
    ends_on = serializers.DateField()


class SeasonsView(View):
    @operation("seasons_create", "Add a season to a club", request=SeasonIn, answer=SeasonOut, statuses=(201,))
    def post(self, request: Request, slug: str) -> Response:
        club = get_club_for(request.user, Can.DIRECT, slug=slug)
        given = SeasonGiven(**read_shape(SeasonIn, request.data))
        season = make_season(club, given, by=cast(User, request.user), now=timezone.now())
        return Response(SeasonOut(season).data, status=status.HTTP_201_CREATED)


class SeasonView(View):
    @operation("seasons_change", "Change the name or the dates of a season", request=SeasonIn, answer=SeasonOut)
    def put(self, request: Request, slug: str, season: int) -> Response:
        club = get_club_for(request.user, Can.DIRECT, slug=slug)
        given = SeasonGiven(**read_shape(SeasonIn, request.data))
        changed = change_season(club, season, given, by=cast(User, request.user), now=timezone.now())
        return Response(SeasonOut(changed).data)

    @operation("seasons_delete", "Delete a season that has no tournament", answer=None, statuses=(204,))
    def delete(self, request: Request, slug: str, season: int) -> Response:
        club = get_club_for(request.user, Can.DIRECT, slug=slug)
        delete_season(club, season, by=cast(User, request.user), now=timezone.now())
        return Response(status=status.HTTP_204_NO_CONTENT)
