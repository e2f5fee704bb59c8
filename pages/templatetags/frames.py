"""The template tags for what all pages draw alike: the frame of a form, buttons, and what stands for an empty list.

`{% show_form form submit=_("Save") %}` shows a form with all of its fields. Where a page writes the fields itself, they
stand between `{% form_frame form submit=_("Save") %}` and `{% endform_frame %}`.
"""

from dataclasses import dataclass
from typing import Any

from django import forms, template
from django.template.loader import get_template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()
FRAME = "components/forms/form.html"


@dataclass(frozen=True, slots=True)
class FormFrame:
    """The frame of a form around its fields: its buttons, and its attributes.

    `submit` has the words of the button, which is red with `danger`, and may have a `name` and a `value`. `back` is the
    address of a second button with the words "Back" or `back_text`. `more` are further classes of the form, and
    `checked` lets the browser check the fields, too.
    """

    submit: str = ""
    danger: bool = False
    name: str = ""
    value: Any = ""
    back: str = ""
    back_text: str = ""
    action: str = ""
    id: str = ""
    more: str = ""
    checked: bool = False


def render_form(context: template.Context, form: forms.BaseForm | None, parts: str, frame: FormFrame) -> SafeString:
    with context.push(form=form, parts=parts.strip() and parts, frame=frame):
        html: str = get_template(FRAME).template.render(context)  # type: ignore[attr-defined]
    return mark_safe(html)


@register.simple_tag(takes_context=True)
def show_form(context: template.Context, form: forms.BaseForm, **given: Any) -> SafeString:
    """Return a form with all of its fields. `given` is what a `FormFrame` takes."""
    return render_form(context, form, "", FormFrame(**given))


@register.simple_block_tag(takes_context=True)
def form_frame(
    context: template.Context, content: SafeString, form: forms.BaseForm | None = None, **given: Any
) -> SafeString:
    """Return a form whose fields are what stands inside the block. Without `form`, it has no errors above it."""
    return render_form(context, form, content, FormFrame(**given))


@register.inclusion_tag("components/empty.html")
def show_empty(
    title: str, text: str = "", action: str = "", page: str = "", *place: object, url: str = ""
) -> dict[str, str]:
    """Show these words in place of an empty list, and a link to the next useful step with the words `action`.

    `page` names the address of that step, of which `place` has the parts. Or `url` is the address.
    """
    return {"title": title, "text": text, "action": action, "url": reverse(page, args=place) if page else url}


@register.inclusion_tag("components/up.html")
def up_link(words: str, page: str, *place: object) -> dict[str, str]:
    """Show the way up from a page that no bar names. `page` names the address above, of which `place` has the parts."""
    return {"up_url": reverse(page, args=place), "up_label": words}


@register.simple_tag
def link_button(words: str, page: str, *place: object, more: str = "") -> SafeString:
    """Return a link that looks like a button. `page` names the address, of which `place` has the parts.

    `more` are further classes, such as the one of the main button.
    """
    classes = " ".join(filter(None, ("button", more)))
    return format_html('<a class="{}" href="{}">{}</a>', classes, reverse(page, args=place), words)


@register.simple_tag
def show_state(kind: str, words: str) -> SafeString:
    """Return the state of something as HTML: these words on a coloured ground. `kind` ends the name of its class."""
    return format_html('<span class="state state-{}">{}</span>', kind, words)


@register.inclusion_tag("components/forms/post_button.html", takes_context=True)
def post_button(context: template.Context, words: str, button: str = "button", **given: Any) -> dict[str, Any]:
    """Show a form of one button with these words, and with the class `button`.

    `form` is the class of the form, and `action` its address. `name` and `value` are those of the button, and `about`
    has words that only screen readers read after the others, such as “, table 1”. All others are sent as hidden values.
    """
    own = {name: given.pop(name, "") for name in ("form", "action", "name", "value", "about")}
    return {"words": words, "button": button, "hidden": given, "csrf_token": context.get("csrf_token"), **own}
