"""The command `manage.py makemessages`: Django's command, which here also finds plurals marked by `wording.Plural`.

Code that does not import Django marks its plurals in this way.
"""

from django.core.management.commands.makemessages import Command as Makemessages


class Command(Makemessages):
    xgettext_options = [*Makemessages.xgettext_options, "--keyword=Plural:1,2"]
