import os

from django.core.wsgi import get_wsgi_application

from operations.stack import give_room

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = give_room(get_wsgi_application())
