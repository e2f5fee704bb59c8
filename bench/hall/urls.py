"""The addresses of the site, and that of the bare view. It answers two bytes through the same middleware."""

from django.http import HttpRequest, HttpResponse
from django.urls import path

from config import urls

BARE = "/bare/"

handler500 = urls.handler500


def bare(_request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok")


urlpatterns = [path(BARE.strip("/") + "/", bare), *urls.urlpatterns]
