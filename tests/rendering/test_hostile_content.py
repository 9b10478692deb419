"""Content is hostile: nothing of it becomes a script, a handler, an id, a class, a form or a request."""

import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from xml.etree.ElementTree import Element

import html5lib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shareview.rendering import sanitize as sanitizer
from shareview.rendering.messages import DEFAULT_OPTIONS, RenderedMessage, RenderingOptions, render_message
from shareview.rendering.pool import RenderJob, RenderPool, render_job
from shareview.rendering.raw_html import ALLOWED_TAGS, KEPT_ATTRIBUTES
from shareview.rendering.sanitize import same_tree

OURS = {
    "a": {"target", "rel"},
    "pre": {"tabindex", "class"},
    "table": {"tabindex"},
    "code": {"data-lang"},
    "sup": {"class", "data-n"},
}
PLAIN = RenderingOptions(code_colour=False)


def elements(html: str) -> list[Element]:
    """Every element that a browser would make of ``html``."""
    root = html5lib.parseFragment(html, namespaceHTMLElements=False)
    return [element for element in root.iter() if isinstance(element.tag, str) and element.tag != "DOCUMENT_FRAGMENT"]


def faults(html: str) -> list[str]:
    """What in ``html`` no message may hold."""
    found = []
    for element in elements(html):
        allowed = set(KEPT_ATTRIBUTES.get(element.tag, ())) | OURS.get(element.tag, set())
        if element.tag not in ALLOWED_TAGS:
            found.append(element.tag)
        found += [f"{element.tag} {name}" for name in element.attrib if name not in allowed]
        target = element.get("href") or ""
        if target and not target.lower().startswith(("http://", "https://", "mailto:", "#")):
            found.append(target)
    return found


ATTACKS = [
    "<script>alert(1)</script>",
    "<ScRiPt src=//evil.example></sCrIpT>",
    "<img src=x onerror=alert(1)>",
    '<img src="https://evil.example/pixel.gif">',
    "<svg onload=alert(1)><a xlink:href=javascript:alert(1)>x</a></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "<iframe src=https://evil.example></iframe>",
    "<form action=https://evil.example><input name=q><button>go</button></form>",
    '<input type="checkbox" autofocus onfocus=alert(1)>',
    "<base href=https://evil.example/>",
    '<meta http-equiv="refresh" content="0;url=https://evil.example">',
    "<link rel=stylesheet href=https://evil.example/x.css>",
    "<style>*{background:url(https://evil.example)}</style>",
    '<p style="position:fixed" class="freeze" id="m-1" name="x" data-digest="forged">x</p>',
    '<div hx-get="/admin/" hx-trigger="load" data-hx-post="/x" hx-on:click="alert(1)">x</div>',
    '<sup class="cite-ref" data-n="1"><a href="#src-1-1">[1]</a></sup>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="javascript:123">x</a>',
    '<a href="JaVaScRiPt:alert(1)">x</a>',
    '<a href=" java\tscript:alert(1)">x</a>',
    '<a href="&#106;avascript&colon;alert(1)">x</a>',
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    '<a href="vbscript:x">x</a> <a href="/admin/">x</a> <a href="//evil.example">x</a> <a href="?open=all">x</a>',
    "[x](javascript:alert(1)) [x](JAVASCRIPT:123) [x](data:text/html,x) [x](vbscript:x) [x](/admin/) [x](?cite=1.1)",
    "[x](<javascript:alert(1)>) <javascript:alert(1)> ![x](javascript:alert(1)) ![x](data:image/svg+xml,<svg>)",
    "[x]: javascript:alert(1)\n\n[x]",
    '[x](https://a.example "onmouseover=alert(1)")',
    '[x](https://a.example/"onmouseover="alert(1))',
    "```html\" onload=\"alert(1)\n<script>alert(1)</script>\n```",
    "`<script>alert(1)</script>`",
    "<details open ontoggle=alert(1)><summary>x</summary></details>",
    "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
    "<xmp><script>alert(1)</script></xmp><plaintext>",
    "<!--><script>alert(1)</script>-->",
    "<a href=\"https://a.example\" target=_self rel=opener ping=https://evil.example download>x</a>",
    "<table><tr><td background=https://evil.example>x</td></tr></table>",
    "<video src=https://evil.example autoplay></video><audio src=x></audio><object data=x></object><embed src=x>",
    "<textarea><img src=x onerror=alert(1)></textarea><title><script>alert(1)</script></title>",
    "\ue0003f9a2c.0\ue001 https://3f9a2c.0.invalid/ `\ue0003f9a2c.1\ue001`",
    "\x02wzxhzdk:0\x03 \x02amp\x03lt;script\x02amp\x03gt;",
]  # fmt: skip


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_but_allowed_markup_comes_out(attack: str) -> None:
    assert faults(render_message(attack, nonce="0123456789abcdef").html) == []


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_but_text_comes_out_where_raw_html_is_escaped(attack: str) -> None:
    html = render_message(attack, nonce="0123456789abcdef", options=RenderingOptions(raw_html=False)).html
    assert faults(html) == []


@given(
    st.lists(
        st.sampled_from([*ATTACKS, "\n", "\n\n", "- ", "> ", "| ", "**", "`", "[^1^]", "~~", "    ", "# "]), max_size=12
    )
)
@settings(max_examples=150, deadline=None)
def test_no_mixture_of_attacks_comes_out(parts: list[str]) -> None:
    assert faults(render_message("".join(parts), nonce="0123456789abcdef", numbers={1: 1}).html) == []


@given(
    st.text(
        alphabet=st.sampled_from(
            list("ab1 \n\t*_~`[]()<>!|#>-+.:/&;\"'\\^$=@{}é中，。😀\u200d\u202e\x02\x03\ue000\ue001")
        ),
        max_size=120,
    )
)
@settings(max_examples=300, deadline=None)
def test_any_text_renders(text: str) -> None:
    rendered = render_message(text, nonce="0123456789abcdef", numbers={1: 1})
    assert faults(rendered.html) == []
    assert "0123456789abcdef" not in rendered.html


@given(st.text(alphabet=st.characters(categories=["L", "N"]), min_size=1, max_size=60))
@settings(max_examples=100, deadline=None)
def test_a_text_without_markup_is_shown_as_it_is(text: str) -> None:
    shown = "".join(html5lib.parseFragment(render_message(text, nonce="0123456789abcdef").html).itertext())
    assert shown == text


def test_a_placeholder_that_content_forges_is_only_text() -> None:
    forged = "\ue0003f9a2c.0\ue001"
    html = render_message(f"{forged} [^1^]", nonce="0123456789abcdef", numbers={1: 1}).html
    assert html == f'<p>{forged} <sup class="cite-ref" data-n="1">[1]</sup></p>'


def test_what_the_second_gate_would_change_is_shown_as_plain_text(monkeypatch: pytest.MonkeyPatch) -> None:
    class Careless:
        """A first sanitizer that lets a handler through."""

        def clean(self, html: str) -> str:
            return html.replace("<p>", '<p onclick="alert(1)">')

    monkeypatch.setattr(sanitizer, "_bleach", Careless)
    rendered = render_message("**x**", nonce="0123456789abcdef")
    assert rendered.html == '<pre class="plain-text" tabindex="0">**x**</pre>'
    assert rendered.fault == "the second sanitizer found something to change"


def test_trees_are_compared_and_not_their_spelling() -> None:
    assert same_tree("<p title='a'>&nbsp;x</p>", '<p title="a">\u00a0x')
    assert not same_tree("<p>x</p>", "<p>x</p><p></p>")
    assert not same_tree("<p>x</p>", "<p><b>x</b></p>")
    assert not same_tree("<a href='x'>x</a>", "<a>x</a>")


HOSTILE = {
    "8,000 brackets": ("[" * 8_000, "["),
    "lists 500 deep": ("".join("  " * level + f"- item{level}\n" for level in range(500)), "item499"),
    "20,000 nested quotes": (">" * 20_000 + " word", "word"),
    "20,000 bold tags": ("<b>" * 20_000 + "word", "word"),
    "20,000 div tags": ("<div>" * 20_000 + "word", "word"),
    "a 40,000-cell table": ("|" + " h |" * 200 + "\n|" + "-|" * 200 + "\n" + ("|" + " c |" * 200 + "\n") * 200, "c"),
    "50,000 backticks": ("word " + "`" * 50_000, "`"),
    "100 KB in a line": ("lorem **ipsum** dolor " * 4_700, "lorem"),
    "fences with attributes": ("``` {style=x}\nword\n```\n" * 500, "word"),
    "unclosed links": ("[a](" * 15_000, "["),
    "brackets in pairs": ("[a][b" * 10_000, "a"),
    "images": ("![" * 10_000 + "]", "!"),
    "comments": ("<!--" * 20_000, "<"),
    "stars": ("*a **b " * 15_000, "b"),
    "addresses in brackets": ("https://x.example/" + "(a)" * 10_000 + "." * 5_000, "x.example"),
    "mixed lists": ("- a\n1. b\n" * 10_000, "b"),
    "references": ("&amp;" * 40_000, "&"),
    "a million letters": ("word " * 200_000, "word"),
}  # fmt: skip


def timed(text: str) -> tuple[float, RenderedMessage]:
    """CPU seconds of rendering ``text``, and what came of it."""
    started = time.process_time()
    rendered = render_job(RenderJob(text, "0123456789abcdef"), DEFAULT_OPTIONS)
    return time.process_time() - started, rendered


@pytest.fixture(scope="module")
def worker() -> Iterator[ProcessPoolExecutor]:
    """A process of its own, as rendering has it."""
    with ProcessPoolExecutor(max_workers=1, mp_context=get_context("spawn")) as executor:
        yield executor


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_size_renders_or_falls_back_in_time_and_loses_nothing(worker: ProcessPoolExecutor, name: str) -> None:
    text, word = HOSTILE[name]
    seconds, rendered = worker.submit(timed, text).result()
    assert seconds < 2
    shown = "".join(html5lib.parseFragment(rendered.html).itertext()) if not rendered.fault else rendered.html
    assert word in shown.replace("&lt;", "<").replace("&amp;", "&")
    assert faults(rendered.html[:10_000] if rendered.fault else "") == []


def test_a_pool_gives_each_message_its_own_result_in_order() -> None:
    jobs = [RenderJob(f"**{number}**" if number % 7 else "[a][b" * 10_000, f"{number:032}") for number in range(1, 40)]
    with RenderPool(DEFAULT_OPTIONS, workers=2) as pool:
        results = list(pool.render_all(jobs))
    assert len(results) == len(jobs)
    for number, rendered in enumerate(results, 1):
        assert rendered.html == f"<p><strong>{number}</strong></p>" if number % 7 else "[a][b" in rendered.html
