"""The addresses of the site: public pages, pages of directors and helpers, the tables, the API, accounts."""

from collections.abc import Iterable, Iterator

from django.conf import settings
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from config.logs import SecretsOfAddresses
from config.urls.public import published
from pages.accounts.log_in import Login

handler500 = "config.patience.server_error"

urlpatterns = [
    path("", include(published)),
    path("admin/login/", Login.as_view(), name="admin_login"),  # with the second step, if the account has one
    path("admin/", admin.site.urls),
    path("", include("config.urls.accounts")),
    path("api/v1/", include("rooms.api.urls")),
    path("api/v1/", include("api.urls")),
    path("", include("config.urls.direct")),
    path("", include("config.urls.competitions")),
    path("", include("rooms.urls")),
    path("", include("config.urls.public")),
]

if settings.TOOLBAR:
    from debug_toolbar.toolbar import debug_toolbar_urls

    urlpatterns += debug_toolbar_urls()


def list_routes(patterns: Iterable[URLPattern | URLResolver], before: str = "") -> Iterator[str]:
    """Yield the addresses of these patterns, each written as for `path`. Addresses of libraries may be expressions."""
    for each in patterns:
        route = before + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from list_routes(each.url_patterns, route)
        else:
            yield route


SecretsOfAddresses.learn(list_routes(urlpatterns))
