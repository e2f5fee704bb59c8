"""The clients of the API, named after their roles in one club. They compare every answer with the schema."""

import json
import re
from contextlib import nullcontext
from functools import cache
from typing import Any

import pytest
import requests
import schemathesis
from django.test import TestCase
from drf_spectacular.generators import SchemaGenerator
from rest_framework.test import APIClient

from clubs.models import Club, User
from tests.factories import make_club, make_director, make_helper, make_user
from tests.short_searches import session, short_searches, tournament  # noqa: F401  (fixtures)

V1 = "/api/v1/"


@cache
def schema() -> Any:
    """Return the API as its own schema describes it."""
    return schemathesis.openapi.from_dict(SchemaGenerator().get_schema(request=None, public=True))


def hold_against_schema(method: str, response: Any) -> None:
    """Check that the answer has a documented status and the documented shape."""
    if response.status_code == 405:  # a method that the schema does not have
        return
    route = re.sub(r"<\w+:(\w+)>", r"{\1}", f"/{response.resolver_match.route}").replace("{pk}", "{id}")
    answer = schemathesis.Response(
        status_code=response.status_code,
        headers={name: [value] for name, value in response.items()},
        content=response.content,
        request=requests.Request(method, f"http://testserver{response.request['PATH_INFO']}").prepare(),
        elapsed=0.0,
        verify=True,
    )
    schema()[route][method].validate_response(answer)


class Client:
    """A client that sends an account's requests in English, and runs the jobs that are queued after a commit."""

    def __init__(self, user: User | None) -> None:
        self.user = user
        self.client = APIClient(HTTP_ACCEPT_LANGUAGE="en")
        if user is not None:
            self.client.force_authenticate(user)

    def send(self, method: str, path: str, body: Any = None, *, query: str = "", **headers: str) -> Any:
        """Send any request and return the response.

        An answer that the schema does not foresee fails the test; so does an error of the server.
        """
        if self.user is not None:
            self.user.__dict__.pop("roles", None)  # a real request loads its account anew
        # A stranger writes nothing. What a stranger may ask without a database should work without one.
        with TestCase.captureOnCommitCallbacks(execute=True) if self.user else nullcontext():
            response = self.client.generic(
                method,
                path,
                "" if body is None else json.dumps(body),
                content_type="application/json",
                QUERY_STRING=query,
                headers=headers,
            )
        hold_against_schema(method, response)
        return response

    def __call__(self, method: str, path: str, data: Any = None, *, status: int = 200, **headers: str) -> Any:
        """Send a request below /api/v1/, check its status, and return the body of the answer."""
        path, _mark, query = path.partition("?")
        response = self.send(method, V1 + path, data, query=query, **headers)
        assert response.status_code == status, response.content
        return response.json() if response.content else None

    def get(self, path: str, **options: Any) -> Any:
        return self("GET", path, **options)

    def post(self, path: str, data: Any = None, **options: Any) -> Any:
        return self("POST", path, data, **options)

    def put(self, path: str, data: Any = None, **options: Any) -> Any:
        return self("PUT", path, data, **options)

    def refused(self, method: str, path: str, data: Any = None, *, status: int, **headers: str) -> str:
        """Send a request that must be refused, and return the code of its error."""
        answer = self(method, path, data, status=status, **headers)
        assert set(answer) == {"error"}
        assert {"code", "field", "message", "params"} <= set(answer["error"])
        code: str = answer["error"]["code"]
        return code


@pytest.fixture
def club(db: None) -> Club:
    return make_club()


@pytest.fixture
def director(club: Club) -> Client:
    return Client(make_director(club))


@pytest.fixture
def helper(club: Club) -> Client:
    return Client(make_helper(club))


@pytest.fixture
def outsider(db: None) -> Client:
    """Return a client whose account has no membership."""
    return Client(make_user("passante"))


@pytest.fixture
def stranger() -> Client:
    return Client(None)
