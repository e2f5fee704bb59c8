"""The HTTP caching of public answers by ETag. A request that sends the current ETag gets status 304 without a body.

The ETag of a publication's answer is known before its data is read. Such an answer is built once and cached for all
readers. Other public answers are short; their ETag is a hash of the content. Answers for one account are never cached.
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
    """Return the public answer that `build` makes, from the cache if it is there.

    `told` has all data on which the answer depends, besides the language and the version of the site. With `private`,
    it is not cached. With `counted`, the site builds only a limited number of such answers for each client address, and
    raises `Throttled` above that limit. Use `counted` if there are very many different answers.
    """
    stamp, http_request = make_stamp("api", *told), cast(HttpRequest, request)

    def build_for_all() -> KeptPage:
        return compress(write_json_answer(build()))

    def give() -> HttpResponse:
        page = find_counted_page(http_request, stamp, build_for_all) if counted else find_page(stamp, build_for_all)
        return send(http_request, page)

    try:
        if not private:
            return let_keep(http_request, stamp, give)
        if counted:
            count_build(http_request)
    except TooManyBuilt as too_many:
        raise Throttled(wait=BUILT_WITHIN) from too_many
    answer = write_json_answer(build())
    answer["Cache-Control"] = PRIVATE
    return answer


def let_public_keep(request: Request, answer: Response) -> HttpResponseBase:
    """Return a short public answer with an ETag, which is made from its content and its header Link."""
    stamp, http_request = sha256(f"{answer.get('Link')}\n".encode() + answer.content), cast(HttpRequest, request)
    small = len(answer.content) < LEAST_BYTES
    return let_keep(
        http_request, stamp.hexdigest()[:24], lambda: answer if small else send(http_request, compress(answer))
    )


def let_keep(request: HttpRequest, stamp: str, give: Callable[[], HttpResponse]) -> HttpResponseBase:
    """Return the answer that `give` makes, with this stamp as its ETag, or a 304 if the client has it already."""
    etag = f'W/"{stamp}"'  # a weak ETag, because the answer may be compressed or not
    answer = get_conditional_response(request, etag=etag) or give()
    answer["ETag"] = etag
    patch_cache_control(answer, no_cache=True)
    patch_vary_headers(answer, VARIES)
    return answer


def write_json_answer(data: Any) -> HttpResponse:
    """Return the data as a JSON response. If it is a response already, for example a file, return it unchanged."""
    if isinstance(data, HttpResponse):
        return data
    return HttpResponse(JSONRenderer().render(data), content_type=JSONRenderer.media_type)
