#!/usr/bin/env python
"""Runs the site's commands: ``python manage.py help``."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db.utils import OperationalError, ProgrammingError

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "shareview.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"manage.py: {error}")
    except (OperationalError, ProgrammingError) as error:
        sys.exit(f"manage.py: the database refused ({str(error).strip()}); has it been migrated?")
