import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from quizsite.sub_path import BelowPath

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "quizsite.settings")
application = BelowPath(get_wsgi_application(), settings.SUB_PATH) if settings.SUB_PATH else get_wsgi_application()
