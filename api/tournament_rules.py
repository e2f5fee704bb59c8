"""The views of a tournament's rules: who is ranked, how ties are broken, sections, draws of lots."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import PublicView, Shape, View, operation, query, read_shape
from api.results import ReasonShape
from api.sessions import author_and_time
from evenings.sessions.lots import draw_lots, take_back_lots
from evenings.sessions.ranking_rules import change_rules
from evenings.sessions.sections import Together, part_sections, put_together
from rankings.events.counting import draw_tournament_lots, take_back_tournament_lots
from scoring.ties import TieBreak
from tournaments.models import Tournament
from tournaments.permissions import Can, get_session_for, get_tournament_for


class RulesIn(Shape):
    """The changes of a tournament's settings. Fields that are left out stay as they are."""

    least_share = serializers.IntegerField(
        min_value=0,
        max_value=100,
        required=False,
        help_text="players who have played less than this share, in per cent, of what the others have played are"
        " unranked",
    )
    substitutes_ranked = serializers.BooleanField(
        required=False, help_text="whether substitutes, who took a seat for their own percentages, are ranked"
    )
    ties = serializers.ListField(
        child=serializers.ChoiceField([tie.value for tie in TieBreak]),
        max_length=len(TieBreak),
        required=False,
        help_text="what separates tied players, in order; none: they share a rank",
    )
    window_hours = serializers.IntegerField(
        min_value=0, max_value=720, required=False, help_text="hours for which a publication is provisional"
    )
    counting = serializers.ChoiceField(
        Tournament.SessionCounting.choices, required=False, help_text="how the sessions make one ranking"
    )
    best_of = serializers.IntegerField(
        min_value=1,
        max_value=99,
        allow_null=True,
        required=False,
        help_text="the number of best sessions that count; null: all",
    )
    least_sessions = serializers.IntegerField(
        min_value=1, max_value=99, required=False, help_text="players with fewer sessions are unranked"
    )
    carry_over = serializers.IntegerField(
        min_value=0,
        max_value=100,
        allow_null=True,
        required=False,
        help_text="the share of the sessions before, in per cent, that is carried into the final; null: all of it",
    )
    meeting = serializers.ChoiceField(
        Tournament.MeetingKind.choices, required=False, help_text="who meets whom in team matches"
    )
    win_points = serializers.IntegerField(
        min_value=1, max_value=20, required=False, help_text="points for a match won in a league of team matches"
    )
    draw_points = serializers.IntegerField(
        min_value=0, max_value=20, required=False, help_text="points for a match drawn, at most those for a win"
    )
    drops_worst = serializers.BooleanField(
        required=False, help_text="in donnes libres: whether the lowest marks of each team do not count"
    )


class RulesOut(serializers.ModelSerializer[Tournament]):
    ties = serializers.ListField(child=serializers.ChoiceField([tie.value for tie in TieBreak]))

    class Meta:
        model = Tournament
        fields = (
            *("least_share", "substitutes_ranked", "ties", "window_hours"),
            *("counting", "best_of", "least_sessions", "carry_over"),
            *("meeting", "win_points", "draw_points", "drops_worst"),
        )


class RulesView(PublicView):
    @operation("tournaments_rules", "Read who is ranked in a tournament, and how", answer=RulesOut)
    def get(self, request: Request, pk: int) -> Response:
        return Response(RulesOut(get_tournament_for(request.user, Can.READ, pk=pk)).data)

    @operation(
        "tournaments_change_rules",
        "Change who is ranked, and how. This is possible during the tournament: its rankings follow",
        request=RulesIn,
        answer=RulesOut,
    )
    def patch(self, request: Request, pk: int) -> Response:
        get_tournament_for(request.user, Can.DIRECT, pk=pk)
        changes: dict[str, Any] = read_shape(RulesIn, request.data)
        return Response(RulesOut(change_rules(tournament_id=pk, **author_and_time(request), **changes)).data)


class SectionsIn(Shape):
    sessions = serializers.ListField(
        child=serializers.IntegerField(min_value=1), max_length=100, help_text="numbers of sessions on the same étuis"
    )
    one_topage = serializers.BooleanField(
        default=True, help_text="whether the plays of all sections are compared together"
    )
    one_ranking = serializers.BooleanField(
        default=True, help_text="whether the players of all sections are in one ranking"
    )


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
    @operation(
        "sections_list", "List the sessions that are sections on the same étuis", answer=SectionGroupOut(many=True)
    )
    def get(self, request: Request, pk: int) -> Response:
        tournament = get_tournament_for(request.user, Can.DIRECT, pk=pk)
        groups = tournament.section_groups.order_by("pk").prefetch_related("sections")
        return Response(SectionGroupOut(groups, many=True).data)

    @operation(
        "sections_create",
        "Group sessions on the same étuis as sections",
        request=SectionsIn,
        answer=SectionGroupOut,
        statuses=(201,),
    )
    def post(self, request: Request, pk: int) -> Response:
        get_tournament_for(request.user, Can.DIRECT, pk=pk)
        body = read_shape(SectionsIn, request.data)
        how = Together(body["one_topage"], body["one_ranking"])
        group = put_together(tournament_id=pk, numbers=body["sessions"], how=how, **author_and_time(request))
        return Response(SectionGroupOut(group).data, status=status.HTTP_201_CREATED)


class SectionGroupView(View):
    @operation(
        "sections_part",
        "End a group of sections: each is a session of its own again. Answers with the remaining groups",
        answer=SectionGroupOut(many=True),
    )
    def delete(self, request: Request, pk: int, group: int) -> Response:
        tournament = get_tournament_for(request.user, Can.DIRECT, pk=pk)
        part_sections(tournament_id=pk, group_id=group, **author_and_time(request))
        groups = tournament.section_groups.order_by("pk").prefetch_related("sections")
        return Response(SectionGroupOut(groups, many=True).data)


class LotsOut(serializers.Serializer[Any]):
    order = serializers.ListField(child=serializers.IntegerField(), help_text="ids of the players, in the order drawn")


class LotsView(View):
    @operation("sessions_draw_lots", "Draw lots among players who share a rank", answer=LotsOut, statuses=(201,))
    def post(self, request: Request, pk: int) -> Response:
        get_session_for(request.user, Can.DIRECT, pk=pk)
        draw = draw_lots(session_id=pk, **author_and_time(request))
        return Response(LotsOut(draw).data, status=status.HTTP_201_CREATED)

    @operation(
        "sessions_take_back_lots",
        "Cancel the draw of lots. Send the reason in the address, or in a body if your client can send one",
        answer=LotsOut,
        query=[query("reason", OpenApiTypes.STR)],
    )
    def delete(self, request: Request, pk: int) -> Response:
        get_session_for(request.user, Can.DIRECT, pk=pk)
        body = read_shape(ReasonShape, request.query_params.dict() or request.data)
        take_back_lots(session_id=pk, **author_and_time(request), **body)
        return Response(LotsOut({"order": []}).data)


class TournamentLotsView(View):
    @operation(
        "tournaments_draw_lots",
        "Draw lots among players who share a rank in the tournament's ranking",
        answer=LotsOut,
        statuses=(201,),
    )
    def post(self, request: Request, pk: int) -> Response:
        get_tournament_for(request.user, Can.DIRECT, pk=pk)
        draw = draw_tournament_lots(tournament_id=pk, **author_and_time(request))
        return Response(LotsOut(draw).data, status=status.HTTP_201_CREATED)

    @operation(
        "tournaments_take_back_lots",
        "Cancel the draw of lots of the tournament. Send the reason in the address, or in a body if your"
        " client can send one",
        answer=LotsOut,
        query=[query("reason", OpenApiTypes.STR)],
    )
    def delete(self, request: Request, pk: int) -> Response:
        get_tournament_for(request.user, Can.DIRECT, pk=pk)
        body = read_shape(ReasonShape, request.query_params.dict() or request.data)
        take_back_tournament_lots(tournament_id=pk, **author_and_time(request), **body)
        return Response(LotsOut({"order": []}).data)
