"""How the director's and the entry pages are addressed from templates."""

from django import template

from tournaments.views.access import session_url

register = template.Library()

register.simple_tag(session_url, name="session_url")
