"""The schema of the API and its browsable page, under the site's strict content security policy."""

from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView


class SchemaView(SpectacularAPIView):
    pass


class DocsView(SpectacularSwaggerSplitView):
    url_name = "api_schema"
    template_name = "api/docs.html"
