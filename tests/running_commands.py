"""Commands as they are run: what they wrote, and how they refuse."""

import io

import pytest
from django.core.management import CommandError, call_command


def run(*arguments: str) -> tuple[str, str]:
    """What a command wrote to standard output and to standard error."""
    out, err = io.StringIO(), io.StringIO()
    call_command(*arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def refusal(*arguments: str) -> tuple[str, int]:
    """The sentence and the exit status of a command that refuses."""
    with pytest.raises(CommandError) as caught:
        run(*arguments)
    return str(caught.value), caught.value.returncode
