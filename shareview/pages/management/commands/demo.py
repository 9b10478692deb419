"""``demo``: the whole site on this machine, with sessions to look at."""

import os
import secrets
import subprocess
import sys
from argparse import ArgumentParser
from importlib.resources import as_file, files
from typing import Any, Final

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.utils import timezone

from shareview.environment import PROJECT
from shareview.exports.native import read_native
from shareview.pages.compositions import publish_composed
from shareview.rendering.pool import RenderPool
from shareview.shares.actors import command_actor
from shareview.shares.models import Share
from shareview.shares.publish import ShareTerms
from shareview.snapshots.freezing import freeze_session

_RECIPIENT: Final = "Demo"
_ADMIN: Final = "admin"


class Command(BaseCommand):
    """Migrates an embedded database, publishes the samples once, and serves."""

    help = "Tries the site out on 127.0.0.1: sample sessions, their links, and an admin sign-in for this run."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *args: Any, **options: Any) -> None:
        port = options["port"]
        base_url = f"http://127.0.0.1:{port}"
        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        for share in self._samples():
            self.stdout.write(f"{share.shown_title}\n  {share.link(base_url)}")
        self.stdout.write(f"Admin: {base_url}/admin/  sign in as {_ADMIN} with {self._new_password()}")
        self.stdout.write("Stop with Ctrl-C.")
        self.stdout.flush()
        _serve(port, base_url)

    def _samples(self) -> list[Share]:
        existing = list(Share.objects.filter(recipient=_RECIPIENT).live(timezone.now()).order_by("pk"))
        return existing or self._publish_samples()

    def _publish_samples(self) -> list[Share]:
        shares: list[Share] = []
        terms = ShareTerms(recipients=[_RECIPIENT])
        with (
            RenderPool(settings.SHAREVIEW_RENDERING) as renderer,
            as_file(files("shareview.shares") / "samples") as folder,
        ):
            for path in sorted(folder.glob("*.jsonl")):
                with path.open("rb") as source, read_native(source) as export:
                    freeze = freeze_session(export, now=timezone.now(), renderer=renderer)
                shares += publish_composed(
                    freeze.snapshot,
                    terms,
                    actor=command_actor(),
                    now=timezone.now(),
                    token_key=settings.SHAREVIEW_TOKEN_KEY,
                )
        return shares

    def _new_password(self) -> str:
        password = secrets.token_urlsafe(12)
        users = get_user_model()
        admin, _ = users.objects.get_or_create(username=_ADMIN, defaults={"is_staff": True, "is_superuser": True})
        admin.set_password(password)
        admin.save()
        return password


def _serve(port: int, base_url: str) -> None:
    """Becomes the server, which reads its settings anew. Does not return."""
    server = [sys.executable, "-m", "granian", "shareview.wsgi:application", "--interface", "wsgi", "--no-ws"]
    place = ["--host", "127.0.0.1", "--port", str(port), "--blocking-threads", "4", "--log-level", "warning"]
    variables = {"SHAREVIEW_DEMO": "1", "SHAREVIEW_BASE_URL": base_url}
    subprocess.Popen(
        [sys.executable, "manage.py", "worker", "--with-parent"], cwd=PROJECT, env={**os.environ, **variables}
    )
    os.execve(sys.executable, [*server, *place], {**os.environ, **variables})  # noqa: S606 - our own interpreter
