"""The addresses of rooms in the API, version 1."""

from django.urls import URLPattern, path

from rooms.api import moves

urlpatterns: list[URLPattern] = [
    path("rooms/<number:pk>/games/", moves.GamesView.as_view(), name="api_room_games"),
    path("rooms/<number:pk>/games/<number:etui>/", moves.GameView.as_view(), name="api_room_game"),
]
