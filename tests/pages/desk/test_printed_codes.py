"""The codes of personal links that the desk prints on papers."""

from types import SimpleNamespace

from django.utils import timezone

from outgoing.paper.pdf import Code
from pages.desk import prints
from tournaments.models import Session


def test_paper_has_the_link_of_a_member_and_no_code_for_another(monkeypatch, rf):
    links = {7: SimpleNamespace(token="jeton", code="4711")}
    monkeypatch.setattr(prints, "ensure_member_links", lambda _session, now: links if now <= timezone.now() else {})
    code_of = prints.member_codes(rf.get("/"), Session(pk=1))
    code = code_of(7)
    assert (code.typed, code.url.endswith("/jeton/")) == ("4711", True)
    assert code_of(8) == Code()
