"""The HTTP caching of public answers. Each has an ETag, and a request that names the current ETag gets a 304.

The ETag of a publication is known before its data is read, and its answer is built once for all readers. Other public
answers are short, and their ETag is a hash of their content. An answer made for one user is never cached.
"""

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, cast

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from rest_framework.exceptions import Throttled
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.page_cache import (
    BUILT_WITHIN,
    KeptPage,
    TooManyBuilt,
    compress,
    count_build,
    find_counted_page,
    find_page,
    send,
)
from tournaments.words.stamps import make_stamp

READ = (200, 304)  # the statuses of an answer that can be cached
PRIVATE = "private, no-store"
VARIES = ("Accept-Encoding", "Accept-Language", "Authorization", "Cookie")
LEAST_BYTES = 500  # shorter answers are not compressed


def answer_published(
    request: Request, told: Sequence[object], build: Callable[[], Any], *, private: bool, counted: bool = False
) -> HttpResponseBase:
    """Return the public answer that `build` makes, from the cache if possible.

    The answer depends on `told`, the language and the site. `counted` is for answers of which there are very many: one
    client address can have only a limited number of them built.
    """
    try:
        return find_answer(request, told, build, private=private, counted=counted)
    except TooManyBuilt as too_many:
        raise Throttled(wait=BUILT_WITHIN) from too_many


def find_answer(
    request: Request, told: Sequence[object], build: Callable[[], Any], *, private: bool, counted: bool
) -> HttpResponseBase:
    if private:
        if counted:
            count_build(cast(HttpRequest, request))
        answer = write(build())
        answer["Cache-Control"] = PRIVATE
        return answer
    stamp, asked = make_stamp("api", *told), cast(HttpRequest, request)

    def give() -> HttpResponse:
        def build_for_all() -> KeptPage:
            return compress(write(build()))

        page = find_counted_page(asked, stamp, build_for_all) if counted else find_page(stamp, build_for_all)
        return send(asked, page)

    return let_keep(asked, stamp, give)


def let_public_keep(request: Request, answer: Response) -> HttpResponseBase:
    """Return a public answer with an ETag made from its content and its header Link."""
    stamp, asked = sha256(f"{answer.get('Link')}\n".encode() + answer.content), cast(HttpRequest, request)
    small = len(answer.content) < LEAST_BYTES
    return let_keep(asked, stamp.hexdigest()[:24], lambda: answer if small else send(asked, compress(answer)))


def let_keep(request: HttpRequest, stamp: str, give: Callable[[], HttpResponse]) -> HttpResponseBase:
    etag = f'W/"{stamp}"'  # weak: it stands for the answer and for its compressed bytes
    answer = get_conditional_response(request, etag=etag) or give()
    answer["ETag"] = etag
    patch_cache_control(answer, no_cache=True)
    patch_vary_headers(answer, VARIES)
    return answer


def write(data: Any) -> HttpResponse:
    """Return the data as a JSON response, or the response itself if it is already one, as for a file."""
    if isinstance(data, HttpResponse):
        return data
    return HttpResponse(JSONRenderer().render(data), content_type=JSONRenderer.media_type)
