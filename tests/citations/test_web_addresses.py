"""Which addresses may be shown, and how a host reads."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shareview.citations.web_addresses import host_and_path, is_showable, shown_host


@pytest.mark.parametrize(
    "address",
    [
        "https://a.example",
        "http://a.example/",
        "HTTPS://A.example/Path",
        "https://a.example:8443/x?y=z#w",
        "https://a.example/@user/mail@host",
        "https://a.example?mail=me@b.example",
        "https://a.example/政策 2026",
        "https://例え.jp/",
        "http://127.0.0.1/",
        "http://[2001:db8::1]/",
    ],
)
def test_a_web_address_with_a_plain_host_may_be_shown(address: str) -> None:
    assert is_showable(address) is True


@pytest.mark.parametrize(
    "address",
    [
        "",
        "a.example",
        "//a.example/",
        "/path",
        "#part",
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "javascript://a.example/%0aalert(1)",
        "java\nscript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "ftp://a.example/",
        "ws://a.example/",
        "blob:https://a.example/1",
        "view-source:https://a.example/",
        "mailto:me@a.example",
    ],
)
def test_anything_but_http_and_https_may_not_be_shown(address: str) -> None:
    assert is_showable(address) is False


@pytest.mark.parametrize(
    "address",
    [
        "https://user@a.example/",
        "https://user:pw@a.example/",
        "https://:pw@a.example/",
        "https://@a.example/",
        "https://bank.example@evil.example/",
        "https://bank.example%2F@evil.example/",
        "https:user@a.example",
        "https://a.example%40evil.example/",
        "https://bank.example＠evil.example/",
    ],
)
def test_an_address_with_user_info_may_not_be_shown(address: str) -> None:
    assert is_showable(address) is False


@pytest.mark.parametrize(
    "address",
    [
        "https:", "https://", "http:///", "https:///a.example/", "https:a.example", "https:/a.example/", "https://:80/",
        "https://?x", "https://#x", "https://a b/", "https://a.example:port/", "https://a.example:99999/", "https://[::1/",
        "https://%/", "https://a<b/", "http://256.0.0.1/",
    ],
)  # fmt: skip
def test_an_address_without_a_valid_host_may_not_be_shown(address: str) -> None:
    assert is_showable(address) is False


@pytest.mark.parametrize(
    "address",
    [
        " https://a.example/", "https://a.example/ ", "\thttps://a.example/", "https://a.example/\n", "\u3000https://a.example/",
        "https://a.ex\nample/", "https://a.example/\x00", "https://a.example/\x7f", "https://a.example/\x85x",
        "https:\\\\a.example\\", "https://a.example\\@evil.example/", "https://a.example/\ud800",
        "https://a.example/x\\y", "https://a.example\\.evil.example/",
    ],
)  # fmt: skip
def test_an_address_that_reads_otherwise_than_it_is_written_may_not_be_shown(address: str) -> None:
    assert is_showable(address) is False


@given(
    st.text(st.characters(), max_size=40) | st.text(st.sampled_from("htps:/@[]?#.%\\ a0\u3002xn-\ud800"), max_size=20)
)
def test_any_text_is_judged_and_what_may_be_shown_has_a_host(text: str) -> None:
    for address in (text, f"https://{text}"):
        if is_showable(address):
            assert shown_host(address)
            assert host_and_path(address).startswith(shown_host(address))


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("https://www.a.example/x", "a.example"),
        ("https://WWW.A.Example/", "a.example"),
        ("https://news.www.example/", "news.www.example"),
        ("https://a.example:8443/", "a.example"),
        ("http://[2001:db8::1]/", "[2001:db8::1]"),
        ("https://0x7f.1/", "127.0.0.1"),
        ("https://新华网.cn/", "新华网.cn"),
        ("https://xn--xkrr14bows.cn/", "新华网.cn"),
        ("https://新闻2026.中国/", "新闻2026.中国"),
        ("https://www.ひらがな.jp/", "ひらがな.jp"),
        ("https://한국.kr/", "한국.kr"),
    ],
)
def test_a_host_reads_without_www_and_in_its_own_script_where_that_is_east_asian(address: str, host: str) -> None:
    assert shown_host(address) == host


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("https://аpple.com/", "xn--pple-43d.com"),  # a Cyrillic а
        ("https://раураl.com/", "xn--l-7sba6dbr.com"),
        ("https://faß.de/", "xn--fa-hia.de"),
        ("https://bücher.example/", "xn--bcher-kva.example"),
        ("https://例abc.cn/", "xn--abc-uc0e.cn"),
        ("https://丶.cn/", "xn--oiq.cn"),
        ("https://ノ.jp/", "xn--ldk.jp"),
    ],
)
def test_a_host_that_could_pass_for_another_reads_in_punycode(address: str, host: str) -> None:
    assert shown_host(address) == host


@pytest.mark.parametrize("lookalike", "丶丿丨一亅乀乁〇ノー・ソン")
def test_an_ideograph_that_passes_for_punctuation_never_reads_in_its_own_script(lookalike: str) -> None:
    for address in (f"https://中{lookalike}国.cn/", f"https://{lookalike}国.cn/"):
        if is_showable(address):
            assert lookalike not in shown_host(address)
            assert shown_host(address).startswith("xn--")


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("https://www.a.example", "a.example"),
        ("https://a.example/", "a.example"),
        ("https://a.example/t/88?from=search#top", "a.example/t/88"),
        ("https://a.example:8443/x/", "a.example/x/"),
        ("https://a.example/%20", "a.example/%20"),
        ("https://a.example/政策/2026", "a.example/政策/2026"),
        ("https://a.example/%E6%94%BF%E7%AD%96", "a.example/政策"),
    ],
)
def test_host_and_path_stand_for_a_missing_title_decoded_where_that_is_readable(address: str, shown: str) -> None:
    assert host_and_path(address) == shown
