"""The site as a WSGI application."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from shareview.environment import require_production

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "shareview.settings")
application = get_wsgi_application()
if not settings.SHAREVIEW_DEMO:
    require_production(settings.ENVIRONMENT)
