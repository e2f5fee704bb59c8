"""The command `manage.py makemessages`: that of Django, with the plurals that pure code marks by `wording.Plural`."""

from django.core.management.commands.makemessages import Command as Makemessages


class Command(Makemessages):
    xgettext_options = [*Makemessages.xgettext_options, "--keyword=Plural:1,2"]
