"""The site's addresses, and the bare view: two bytes through the same middleware, to compare other views with."""

from django.http import HttpRequest, HttpResponse
from django.urls import path

from config import urls

BARE = "/bare/"

handler500 = urls.handler500


def bare(_request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok")


urlpatterns = [path(BARE.strip("/") + "/", bare), *urls.urlpatterns]
