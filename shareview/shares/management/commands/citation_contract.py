"""``citation_contract``: what a chat back end tells its model."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from shareview.annotation.prompts import two_stage_section
from shareview.citations.contract import citation_contract


class Command(BaseCommand):
    """Prints the prompt sections: for markers, with the sentences for two tools' descriptions, and for two stages."""

    help = "Prints the citation rules for a model's system prompt and its web tools, in Chinese or English."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--language", choices=["zh", "en"], default="zh")
        parser.add_argument(
            "--scheme",
            choices=["all", "markers", "two-stage"],
            default="all",
            help="markers that the model writes, or citations that an annotator adds to a finished answer",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        contract = citation_contract(options["language"])
        markers = f"{contract.section}\n\nweb_search: {contract.web_search}\nopen_web_page: {contract.open_web_page}"
        two_stage = two_stage_section(options["language"])
        schemes = {
            "markers": markers,
            "two-stage": f"{two_stage.text}\n{two_stage.version}, SHA-256 {two_stage.sha256}",
        }
        chosen = schemes.values() if options["scheme"] == "all" else [schemes[options["scheme"]]]
        self.stdout.write("\n\n".join(chosen))
