"""``evaluate``: how good the citations of shares are."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.template.loader import render_to_string
from django.utils import timezone, translation

from shareview.shares.evaluate import (
    answer_bars,
    document_bars,
    evaluate_shares,
    evaluation_record,
    total_of_shares,
)
from shareview.shares.models import Share
from shareview.shares.revoke import UnknownShareError, share_of_link


class Command(BaseCommand):
    """Writes ``evaluation.json`` and ``evaluation.html``, a report that needs nothing else."""

    help = "Evaluates the citations of shares: integrity, support and what is pending, each apart."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("links", nargs="*", metavar="LINK_OR_TOKEN")
        parser.add_argument("--all", action="store_true", help="every share that can be read now")
        parser.add_argument("--output", type=Path, default=Path(), metavar="DIR", help="where both files go")
        parser.add_argument("--language", choices=["en", "zh-hans"], default="en", help="of the report")

    def handle(self, *args: Any, **options: Any) -> None:
        if bool(options["links"]) == options["all"]:
            raise CommandError("give links or tokens, or --all", returncode=2)
        try:
            chosen = [share_of_link(link) for link in options["links"]]
        except UnknownShareError as error:
            raise CommandError(str(error), returncode=1) from None
        now = timezone.now()
        shares = list(Share.objects.live(now).select_related("snapshot")) if options["all"] else chosen
        evaluations = evaluate_shares(shares)
        totals = total_of_shares(evaluations)
        plots = [(one, answer_bars(one)) for one in evaluations]
        with translation.override(options["language"]):
            report = render_to_string(
                "shares/evaluation.html",
                {"totals": totals, "plots": plots, "documents": document_bars(totals), "now": now,
                 "language": options["language"]},
            )  # fmt: skip
        self._write(options["output"], json.dumps(evaluation_record(evaluations), ensure_ascii=False, indent=2), report)

    def _write(self, folder: Path, record: str, report: str) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "evaluation.json").write_text(record + "\n", encoding="utf-8")
            (folder / "evaluation.html").write_text(report, encoding="utf-8")
        except OSError as error:
            raise CommandError(f"{folder}: {error.strerror}", returncode=1) from None
        self.stdout.write(f"{folder / 'evaluation.json'}\n{folder / 'evaluation.html'}")
