from config.celery import app as celery_app
