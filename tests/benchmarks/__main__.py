"""All figures with their goals: ``python -m tests.benchmarks``, or the names of some: ``… serving searching``.

It takes about half an hour on two cores, which should have nothing else to do.
"""

import sys

from tests.benchmarks import growing, long_sessions, others, publishing, searching, serving
from tests.benchmarks.figures import write_table

PARTS = {
    "serving": ("Serving: CPU of the server a request", serving.figures),
    "growing": ("Looking a link up among many: CPU of the server a request", growing.figures),
    "publishing": ("Publishing", publishing.figures),
    "others": ("Beside other tools: CPU of the whole command", others.figures),
    "long_sessions": ("10,000 messages in Chromium, beside 100", long_sessions.figures),
    "searching": ("Search in 10,000 messages", searching.figures),
}


def main() -> None:
    """Prints the tables that were asked for, or all."""
    for name in sys.argv[1:] or PARTS:
        title, figures = PARTS[name]
        write_table(title, figures())


main()
