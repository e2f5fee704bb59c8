"""The contents of the handbook with the calculator, and its pages. They are the same for every reader."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from handbook.words import find_language, list_chapters, list_slugs, open_page, say_sources
from outgoing.paper.booklet import set_booklet
from pages.everybody import answer_everybody, answer_file
from pages.public.calculator import CalculatorForm
from pages.public.handbook.drawing import draw_parts, name_page, stamp_handbook
from pages.public.handbook.exercises import draw_block as draw_exercise
from pages.public.published import MOST_TYPED
from pages.report_pages import find_neighbours

# Until 2026 the rules were one page. Links to its sections lead to the line of the page that now has the section.
FORMER_ANCHORS = {"auction": "contracts", "marks": "score", "players": "tables"}


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show the contents of the handbook, and the calculator, filled with an example by default."""
    typed = [name for name in CalculatorForm.base_fields if name in request.GET]
    asked = {name: request.GET[name].strip()[:MOST_TYPED] for name in typed}

    def build(request: HttpRequest) -> HttpResponse:
        form = CalculatorForm(request.GET if asked else CalculatorForm.EXAMPLE)
        chapters = [
            (chapter, [(FORMER_ANCHORS.get(slug, slug), name_page(slug)) for slug in chapter.slugs])
            for chapter in list_chapters(find_language())
            if chapter.slugs
        ]
        return render(request, "public/rules.html", {"form": form, "chapters": chapters})

    return answer_everybody(request, stamp_handbook(), build, asked, kept=not asked)


@require_safe
def calculator(request: HttpRequest) -> HttpResponse:
    """Return only the calculator's result, which the page fetches while the form is filled in."""
    return render(request, "public/calculator/_score.html", {"form": CalculatorForm(request.GET), "live": True})


@require_safe
def rules_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show one page of the handbook."""
    if slug not in list_slugs():
        raise Http404

    def build(request: HttpRequest) -> HttpResponse:
        page = open_page(find_language(), slug)
        before, after = find_neighbours(list_slugs(), slug)
        context = {
            "page": page,
            "sources": say_sources(page.sources),
            "parts": draw_parts(page, {"exercise": draw_exercise}),
            "sections": [heading for heading in page.headings if heading.level == 2],
            "moves": any(block.kind == "replay" for block in page.blocks),
            "before": name_page(before) if before else None,
            "after": name_page(after) if after else None,
        }
        return render(request, "public/rules/page.html", context)

    return answer_everybody(request, stamp_handbook(), build)


@require_safe
def booklet(request: HttpRequest) -> HttpResponse:
    """Return all pages as a PDF to print, in the language of the reader."""
    language = find_language()
    headers = {"Content-Type": "application/pdf", "Content-Disposition": f'inline; filename="tarot-{language}.pdf"'}
    return answer_file(request, stamp_handbook(), lambda: set_booklet(language), headers)
