"""Every function and class of the project is reached from a page, a job, a command or the configuration."""

import ast

import pytest

from tests.law.reached import Reach, Source, read_project

# Code of tools and tests that stands beside the code that it belongs to.
TOOLS = {
    "movements.games.search_fields.list_fields": "bench.seating searches the fields that the site knows",
    "movements.games.search_fields.search_field": "bench.seating searches the fields that the site knows",
    "movements.games.search_fields.write_field": "bench.seating searches the fields that the site knows",
}


def test_every_function_is_reached_by_a_page_a_job_or_a_command():
    assert set(read_project().dead) == {*TOOLS}


URLS = "from shop import pages\n\nurlpatterns = [pages.show]\n"
PAGES = "from shop import find_goods\n\n\ndef show(): return find_goods()\n\n\ndef hide(): return hide()\n"
GOODS = "def find_goods(): return GOODS\n\n\nGOODS = list_all()\n\n\ndef list_all(): ...\n"


@pytest.mark.parametrize(
    ("changed", "dead"),
    [
        ({}, ["shop.pages.hide"]),
        ({"shop.urls": URLS + "hide = pages.hide\n"}, []),
        (
            {"shop.urls": "urlpatterns = ['shop.pages.hide']"},
            ["shop.goods.find_goods", "shop.goods.list_all", "shop.pages.show"],
        ),
        ({"shop.tasks": "from shop.pages import hide\n\n\n@shared_task\ndef job(): hide()\n"}, []),
        (
            {"shop.tasks": "def job():\n    from shop.pages import hide\n    hide()\n"},
            ["shop.pages.hide", "shop.tasks.job"],
        ),
        ({"shop.apps": "import_module('shop.pages').hide()"}, []),
    ],
)
def test_planted_function_is_dead_unless_something_reaches_it(changed, dead):
    sources = {"shop": "from shop.goods import find_goods", "shop.goods": GOODS, "shop.pages": PAGES, "shop.urls": URLS}
    reach = Reach({name: Source(name, ast.parse(text)) for name, text in {**sources, **changed}.items()})
    assert reach.dead == dead
