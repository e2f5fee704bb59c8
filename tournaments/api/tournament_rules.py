"""A tournament's settings: who is ranked, how equals are told apart, how long a ranking is provisional."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.ties import TieBreak
from tournaments.api.base import Shape, View, operation, query, read
from tournaments.api.results import Reasoned
from tournaments.api.sessions import author_and_time
from tournaments.events.lots import draw_tournament_lots, take_back_tournament_lots
from tournaments.models import Tournament
from tournaments.permissions import Can, get_session_for, get_tournament_for
from tournaments.sessions.lots import draw_lots, take_back_lots
from tournaments.sessions.ranking_rules import change_rules
from tournaments.sessions.sections import Together, part_sections, put_together


class RulesIn(Shape):
    """What is left out stays as it is."""

    least_share = serializers.IntegerField(
        min_value=0,
        max_value=100,
        required=False,
        help_text="per cent of what the others have played, below which a player is shown unranked",
    )
    substitutes_ranked = serializers.BooleanField(
        required=False, help_text="whether those are ranked who took a seat for percentages of their own"
    )
    ties = serializers.ListField(
        child=serializers.ChoiceField([tie.value for tie in TieBreak]),
        max_length=len(TieBreak),
        required=False,
        help_text="what tells equals apart, in order; none: they share their rank",
    )
    window_hours = serializers.IntegerField(
        min_value=0, max_value=720, required=False, help_text="for how long a publication is provisional"
    )
    counting = serializers.ChoiceField(
        Tournament.Counting.choices, required=False, help_text="how sessions become one ranking"
    )
    best_of = serializers.IntegerField(
        min_value=1, max_value=99, allow_null=True, required=False, help_text="best sessions that count; null: all"
    )
    least_sessions = serializers.IntegerField(
        min_value=1, max_value=99, required=False, help_text="below which a player is unranked"
    )
    carry_over = serializers.IntegerField(
        min_value=0,
        max_value=100,
        allow_null=True,
        required=False,
        help_text="per cent of the sessions before that is taken into a final; null: all of it",
    )


class RulesOut(serializers.ModelSerializer[Tournament]):
    ties = serializers.ListField(child=serializers.ChoiceField([tie.value for tie in TieBreak]))

    class Meta:
        model = Tournament
        fields = (
            *("least_share", "substitutes_ranked", "ties", "window_hours"),
            *("counting", "best_of", "least_sessions", "carry_over"),
        )


class RulesView(View):
    open_to_all = frozenset({"GET"})

    @operation("tournaments_rules", "Who is ranked in a tournament, and how", answer=RulesOut)
    def get(self, request: Request, pk: int) -> Response:
        return Response(RulesOut(get_tournament_for(request.user, Can.READ, pk=pk)).data)

    @operation(
        "tournaments_change_rules",
        "Change who is ranked and how, also while the tournament is played: its rankings follow",
        request=RulesIn,
        answer=RulesOut,
    )
    def patch(self, request: Request, pk: int) -> Response:
        get_tournament_for(request.user, Can.DIRECT, pk=pk)
        changes: dict[str, Any] = read(RulesIn, request.data)
        return Response(RulesOut(change_rules(tournament_id=pk, **author_and_time(request), **changes)).data)


class SectionsIn(Shape):
    sessions = serializers.ListField(
        child=serializers.IntegerField(min_value=1), max_length=100, help_text="numbers of sessions on the same étuis"
    )
    one_topage = serializers.BooleanField(default=True, help_text="whether the plays of all are compared together")
    one_ranking = serializers.BooleanField(default=True, help_text="whether the players of all are in one ranking")


class SectionOut(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    number = serializers.IntegerField()
    section = serializers.CharField()


class SectionGroupOut(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    one_topage = serializers.BooleanField()
    one_ranking = serializers.BooleanField()
    sections = SectionOut(many=True, source="sections.all")


class SectionGroupsView(View):
    @operation("sections_list", "The sessions that are sections of one field", answer=SectionGroupOut(many=True))
    def get(self, request: Request, pk: int) -> Response:
        tournament = get_tournament_for(request.user, Can.DIRECT, pk=pk)
        groups = tournament.section_groups.order_by("pk").prefetch_related("sections")
        return Response(SectionGroupOut(groups, many=True).data)

    @operation(
        "sections_create",
        "Put sessions on the same étuis together as sections",
        request=SectionsIn,
        answer=SectionGroupOut,
        statuses=(201,),
    )
    def post(self, request: Request, pk: int) -> Response:
        get_tournament_for(request.user, Can.DIRECT, pk=pk)
        given = read(SectionsIn, request.data)
        how = Together(given["one_topage"], given["one_ranking"])
        group = put_together(tournament_id=pk, numbers=given["sessions"], how=how, **author_and_time(request))
        return Response(SectionGroupOut(group).data, status=status.HTTP_201_CREATED)


class SectionGroupView(View):
    @operation(
        "sections_part", "Let each be a session of its own again: what remains", answer=SectionGroupOut(many=True)
    )
    def delete(self, request: Request, pk: int, group: int) -> Response:
        tournament = get_tournament_for(request.user, Can.DIRECT, pk=pk)
        part_sections(tournament_id=pk, group_id=group, **author_and_time(request))
        groups = tournament.section_groups.order_by("pk").prefetch_related("sections")
        return Response(SectionGroupOut(groups, many=True).data)


class LotsOut(serializers.Serializer[Any]):
    order = serializers.ListField(child=serializers.IntegerField(), help_text="ids of players, the first drawn first")


class LotsView(View):
    @operation("sessions_draw_lots", "Draw lots among those who share a rank", answer=LotsOut, statuses=(201,))
    def post(self, request: Request, pk: int) -> Response:
        get_session_for(request.user, Can.DIRECT, pk=pk)
        draw = draw_lots(session_id=pk, **author_and_time(request))
        return Response(LotsOut(draw).data, status=status.HTTP_201_CREATED)

    @operation(
        "sessions_take_back_lots",
        "Take the lots back. The reason stands in the address, or in a body where the client can send one",
        answer=LotsOut,
        query=[query("reason", OpenApiTypes.STR)],
    )
    def delete(self, request: Request, pk: int) -> Response:
        get_session_for(request.user, Can.DIRECT, pk=pk)
        given = read(Reasoned, request.query_params.dict() or request.data)
        take_back_lots(session_id=pk, **author_and_time(request), **given)
        return Response(LotsOut({"order": []}).data)


class TournamentLotsView(View):
    @operation(
        "tournaments_draw_lots",
        "Draw lots among those who share a rank of the tournament's ranking",
        answer=LotsOut,
        statuses=(201,),
    )
    def post(self, request: Request, pk: int) -> Response:
        get_tournament_for(request.user, Can.DIRECT, pk=pk)
        draw = draw_tournament_lots(tournament_id=pk, **author_and_time(request))
        return Response(LotsOut(draw).data, status=status.HTTP_201_CREATED)

    @operation(
        "tournaments_take_back_lots",
        "Take these lots back. The reason stands in the address, or in a body where the client can send one",
        answer=LotsOut,
        query=[query("reason", OpenApiTypes.STR)],
    )
    def delete(self, request: Request, pk: int) -> Response:
        get_tournament_for(request.user, Can.DIRECT, pk=pk)
        given = read(Reasoned, request.query_params.dict() or request.data)
        take_back_tournament_lots(tournament_id=pk, **author_and_time(request), **given)
        return Response(LotsOut({"order": []}).data)
