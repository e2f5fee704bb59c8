"""The addresses of the site: public pages, pages of directors and helpers, the tables, the API, accounts."""

from collections.abc import Iterable, Iterator

from django.conf import settings
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from config.logs import SecretsOfAddresses
from tournaments.web.accounts.log_in import Login

handler500 = "config.patience.server_error"

urlpatterns = [
    path("", include("tournaments.urls.published")),
    path("admin/login/", Login.as_view(), name="admin_login"),  # with the second step, if the account has one
    path("admin/", admin.site.urls),
    path("", include("tournaments.urls.accounts")),
    path("api/v1/", include("rooms.api.urls")),
    path("api/v1/", include("tournaments.api.urls")),
    path("", include("tournaments.urls.direct")),
    path("", include("tournaments.urls.series")),
    path("", include("tournaments.urls.elsewhere")),
    path("", include("tournaments.urls.simultaneous")),
    path("", include("tournaments.urls.field")),
    path("", include("tournaments.urls.running")),
    path("", include("tournaments.urls.deal_sets")),
    path("", include("tournaments.urls.table")),
    path("", include("tournaments.urls.registration")),
    path("", include("tournaments.urls.cash")),
    path("", include("tournaments.urls.requests")),
    path("", include("rooms.urls")),
    path("", include("tournaments.urls.public")),
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
