"""All that a database holds, as one text."""

from django.apps import apps


def stored_words() -> str:
    """Every field of every row."""
    rows = (row for model in apps.get_models() for row in model.objects.values_list())  # type: ignore[attr-defined] # each model has one
    return "\n".join(str([bytes(v) if isinstance(v, memoryview) else v for v in row]) for row in rows)
