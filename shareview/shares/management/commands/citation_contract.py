"""``citation_contract``: what a chat back end tells its model."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from shareview.citations.contract import citation_contract


class Command(BaseCommand):
    """Prints the prompt section and the sentences for the two tools' descriptions."""

    help = "Prints the citation rules for a model's system prompt and its web tools, in Chinese or English."
    requires_system_checks: list[str] = []  # noqa: RUF012 - as Django declares it

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--language", choices=["zh", "en"], default="zh")

    def handle(self, *args: Any, **options: Any) -> None:
        contract = citation_contract(options["language"])
        self.stdout.write(
            f"{contract.section}\n\nweb_search: {contract.web_search}\nopen_web_page: {contract.open_web_page}"
        )
