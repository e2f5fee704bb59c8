"""The middleware that tells browsers which of their features no page of the site uses, nor a page in a frame."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

# The site copies to the clipboard, makes sounds and opens the dialogue for sharing, so these features are not here.
UNUSED = (
    "accelerometer",
    "camera",
    "display-capture",
    "geolocation",
    "gyroscope",
    "hid",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "serial",
    "usb",
)
HEADER, VALUE = "Permissions-Policy", ", ".join(f"{feature}=()" for feature in UNUSED)


class PermissionsPolicyMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response[HEADER] = VALUE
        return response
