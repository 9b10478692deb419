"""How long it takes to see what a message says, and to find a passage in it: ``python -m tests.benchmarks.quotes``."""

import sys
import time

from shareview.chat.quotes import Selector
from shareview.quotes.finding import find_passage
from shareview.quotes.visible_text import visible_text

_SENTENCE = "<p>Sentence {} keeps the <strong>same prefix</strong> of every request, 缓存只认前缀, and says so.</p>\n"


def main() -> None:
    """Prints seconds for a message of 100 KB: its visible text, then words at their place, elsewhere, and changed."""
    html = "".join(_SENTENCE.format(number) for number in range(1_000))
    begun = time.perf_counter()
    text = visible_text(html).text
    sys.stdout.write(f"visible text of {len(html):,} characters: {time.perf_counter() - begun:.3f} s\n")
    at = text.index("Sentence 777")
    words = text[at : at + 60]
    changed = words.replace("prefix", "prefx")
    for name, selector in {
        "at its place": Selector(words, start=at),
        "elsewhere": Selector(words, start=3),
        "misspelt, with a thousand rivals": Selector(changed),
        "not there": Selector("Nothing of the kind was ever said in this message."),
    }.items():
        begun = time.perf_counter()
        found = find_passage(text, selector)
        sys.stdout.write(f"{name}: {found} in {time.perf_counter() - begun:.4f} s\n")


if __name__ == "__main__":
    main()
