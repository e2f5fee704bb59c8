"""The tags for what all pages draw alike: links like buttons, empty lists, the pages of a list, a choice of lists."""

from django.template import Context, Template
from django.test import RequestFactory


def render(text, **context):
    shown = Context(context)
    shown.request = RequestFactory().get("/", {"season": "3", "page": "2"})
    return " ".join(Template("{% load frames %}" + text).render(shown).split())


def test_link_looks_like_a_button_and_may_have_further_classes():
    html = render('{% link_button words "club" "halles" %}', words="A & B")
    assert html == '<a class="button" href="/clubs/halles/">A &amp; B</a>'
    assert 'class="button no-print"' in render('{% link_button "Up" "home" more="no-print" %}')


def test_way_up_names_the_page_above():
    html = render('{% up_link words "club" "halles" %}', words="A & B")
    assert html == '<p class="up no-print"><a href="/clubs/halles/">A &amp; B</a></p>'


def test_empty_list_has_two_texts_and_no_link_of_the_page_around_it():
    html = render('{% show_empty "None" "Soon." %}', url="/elsewhere/", action="Go")
    assert html == '<div class="empty"> <p><strong>None</strong></p> <p class="quiet">Soon.</p> </div>'


def test_empty_list_leads_to_the_next_useful_step():
    link = '<p><a class="button" href="/clubs/lilas/">Go</a></p>'
    for html in (
        render('{% show_empty "None" "Soon." "Go" "club" "lilas" %}'),
        render('{% show_empty "None" "Soon." "Go" url="/clubs/lilas/" %}'),
    ):
        assert html == f'<div class="empty"> <p><strong>None</strong></p> <p class="quiet">Soon.</p> {link} </div>'


def test_page_of_a_list_leads_to_its_neighbours_with_the_same_parameters():
    html = render('{% include "components/pages.html" with number=2 pages=3 %}')
    assert 'href="?season=3&amp;page=1" rel="prev"' in html
    assert 'href="?season=3&amp;page=3" rel="next"' in html
    last = render('{% include "components/pages.html" with number=3 pages=3 next_url="/more/" %}')
    assert 'href="/more/" rel="next"' in last
    assert render('{% include "components/pages.html" with number=1 pages=1 %}') == ""


def test_choice_of_a_list_keeps_the_other_parameters():
    given = {"name": "club", "choices": [("", "All"), ("a", "A")], "chosen": "a", "hidden": {"by": "x"}}
    html = render('{% include "components/choose.html" %}', **given)
    assert '<input type="hidden" name="by" value="x">' in html
    assert '<option value="a" selected>A</option>' in html
    assert '<option value="" >All</option>' in html
