"""The addresses of rooms in the API, version 1."""

from django.urls import URLPattern, path

from rooms.api import fours, lobby, moves

urlpatterns: list[URLPattern] = [
    path("rooms/", lobby.LobbyView.as_view(), name="api_rooms"),
    path("rooms/mine/", lobby.OwnRoomsView.as_view(), name="api_rooms_mine"),
    path("rooms/classic/", fours.HallsView.as_view(), name="api_rooms_classic"),
    path("rooms/own/", fours.OwnFourRoomView.as_view(), name="api_rooms_own"),
    path("rooms/tables/<number:table>/", fours.FourView.as_view(), name="api_room_four"),
    path("rooms/tables/<number:table>/wish/", fours.WishView.as_view(), name="api_room_wish"),
    path("rooms/<number:pk>/tables/", fours.FourRoomView.as_view(), name="api_room_tables"),
    path("rooms/<number:pk>/sit/", fours.SitView.as_view(), name="api_room_sit"),
    path("rooms/<number:pk>/", lobby.OneRoomView.as_view(), name="api_room"),
    path("rooms/<number:pk>/join/", lobby.JoinRoomView.as_view(), name="api_room_join"),
    path("rooms/<number:pk>/games/", moves.GamesView.as_view(), name="api_room_games"),
    path("rooms/<number:pk>/games/<number:etui>/", moves.GameView.as_view(), name="api_room_game"),
    path("rooms/<number:pk>/ranking/", lobby.RoomRankingView.as_view(), name="api_room_ranking"),
    path("rooms/<number:pk>/etuis/<number:etui>/", lobby.RoomEtuiView.as_view(), name="api_room_etui"),
]
