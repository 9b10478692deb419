"""Which origins may be named as ones that show a share in a frame."""

import pytest

from shareview.shares.origins import read_origin


@pytest.mark.parametrize(
    ("written", "origin"),
    [
        ("https://blog.example.org", "https://blog.example.org"),
        ("https://Blog.Example.org/", "https://blog.example.org"),
        ("https://blog.example.org:8443", "https://blog.example.org:8443"),
        ("https://blog.example.org:443", "https://blog.example.org"),
        ("http://localhost:3000", "http://localhost:3000"),
        ("http://127.0.0.1:80", "http://127.0.0.1"),
        ("https://xn--fiqs8s.example", "https://xn--fiqs8s.example"),
        ("https://10.0.0.7:8443", "https://10.0.0.7:8443"),
    ],
)
def test_an_origin_is_read_as_browsers_write_it(written: str, origin: str) -> None:
    assert read_origin(written) == origin


@pytest.mark.parametrize(
    "written",
    [
        "", "blog.example.org", "http://blog.example.org", "http://localhost.evil.example", "https://*.example.org",
        "*",
        "https://blog.example.org/path", "https://blog.example.org?x", "https://blog.example.org#x",
        "https://user@blog.example.org", "https://user:pw@blog.example.org", "ftp://blog.example.org", "null",
        "https://a.example https://b.example", "https://a.example;script-src *", "https://a.example\r\nX: y",
        "https://a.example,https://b.example", "https://", "https://.", "https://-a.example", "https://a..example",
        "https://a.example:0", "https://a.example:99999", "https://a.example:", "https://中国.example",
        "javascript:alert(1)",
        "https://a.example\\@evil.example", "'self'", "https://" + "a" * 64 + ".example", "data:", "https:a.example",
        "https://a.example:8443:8443", "https://[::1]", "https://a_b.example",
    ],
)  # fmt: skip
def test_anything_else_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match="https://, a host name"):
        read_origin(written)
