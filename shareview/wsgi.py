"""The site as a WSGI application."""

import os
import time

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from shareview.environment import require_production

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "shareview.settings")
site = get_wsgi_application()

from shareview.pages.gate import Application, Gate  # noqa: E402 - models can be had once Django is set up
from shareview.pages.observing import Observed  # noqa: E402
from shareview.shares.view_counts import VIEWS  # noqa: E402

if not settings.SHAREVIEW_DEMO:
    require_production(settings.ENVIRONMENT)
VIEWS.write_every(seconds=10)
application: Application = Gate(site)
if settings.SHAREVIEW_METRICS_TOKEN or settings.ENVIRONMENT.logs_json:
    application = Observed(
        application,
        clock=time.perf_counter,
        counts=bool(settings.SHAREVIEW_METRICS_TOKEN),
        logs=settings.ENVIRONMENT.logs_json,
    )
