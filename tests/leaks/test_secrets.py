"""Secrets in a text: what is found, where its span ends, what is none, and what a hostile text costs.

The secrets are put together here, so that no scanner takes this file for a leak.
"""

import base64
import json
import time

import pytest

from shareview.leaks.findings import Leak, LeakClass, keep_longest
from shareview.leaks.secrets import find_secrets

MIXED = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0"  # 40 letters and digits


def part_of_jwt(content: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(content).encode()).decode().rstrip("=")


JWT = f"{part_of_jwt({'alg': 'HS256', 'typ': 'JWT'})}.{part_of_jwt({'sub': '17'})}.{MIXED}"
PEM = "\n".join(["-----BEGIN RSA " + "PRIVATE KEY-----", "MIIEow" + MIXED, MIXED, "-----END RSA " + "PRIVATE KEY-----"])
TOKENS = {
    "aws-access-key": "AKIA" + "QYLPMN5HHHFPZAM2",
    "github-token": "ghp_" + "a1B2" * 9,
    "github-token of one repository": "github_pat_" + MIXED[:22] + "_" + MIXED + MIXED[:19],
    "gitlab-token": "glpat-" + MIXED[:20],
    "openai-key": "sk-" + MIXED[:20] + "T3BlbkFJ" + MIXED[20:],
    "openai-key of a project": "sk-proj-" + MIXED + "_-" + MIXED,
    "anthropic-key": "sk-ant-" + "api03-" + MIXED + "-" + MIXED + "AA",
    "google-api-key": "AIza" + "SyA" + MIXED[:32],
    "hugging-face-token": "hf_" + "aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH",
    "slack-token": "xoxb" + "-123456789012-1234567890123-" + MIXED[:24],
    "stripe-key": "sk_" + "live_" + MIXED[:24],
    "telegram-token": "123456789" + ":" + "AA" + MIXED[:33],
    "sendgrid-key": "SG." + MIXED[:22] + "." + MIXED + "abc",
    "npm-token": "npm_" + MIXED[:36],
    "pypi-token": "pypi-" + "AgEIcHlwaS5vcmc" + MIXED + MIXED,
    "jwt": JWT,
    "private-key": PEM,
    "digitalocean-token": "dop_v1_" + "0123456789abcdef" * 4,
    "mailchimp-key": "0123456789abcdef" * 2 + "-us12",
    "square-secret": "sq0csp-" + MIXED + "abc",
    "alibaba-cloud-key": "LTAI" + "5t" + MIXED[:18],
    "model-key": "sk-" + "0123456789abcdef" * 2,
}
STANDING = {
    # Around the secret: before, secret, behind.
    "aws-secret-key": ("AWS_SECRET_ACCESS_KEY=", "wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLEKEY", "\n"),
    "aws-secret-key in prose": ("My AWS secret is `", "wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "9xT3pLq0Za", "`."),
    "azure-storage-key": ("AccountName=a;AccountKey=", (MIXED * 3)[:86] + "==", ";EndpointSuffix=x"),
    "url-password": ("https://user:", "pass", "@host"),
    "url-password with an @": ("DATABASE_URL=postgres://app:", "s3cr@t!", "@db.internal:5432/app"),
    "authorization-header": ("Authorization: Bearer ", "xyz12345", "\n"),
    "authorization-header in an object": ('{"Authorization": "Bearer ', MIXED, '"}'),
    "authorization-header of a program": ('-H "authorization: Basic ', "dXNlcjpwYXNzd29yZA==", '"'),
    "password": ('password = "', "hunter2!", '"'),
    "password of an .env line": ("HOST=x\nDB_PASSWORD=", "correcthorse9#x", "\nPORT=1"),
    "password of letters in an .env line": ("export DB_PASSWORD=", "swordfish", "\n"),
    "password of an object": ('{"user": "me", "password": "', "hunter2", '"}'),
    "password of an object in a string": (r'{"arguments": "{\"password\": \"', "hun'ter2", r'\"}"}'),
    "password of YAML": ("db:\n  passwd: ", "Tr0ub4dor&3", "\n"),
    "password in XML": ("<password>", "Tr0ub4dor&3", "</password>"),
    "password with a type": ('password: str | None = "', "hunter2!", '"'),
    "password as a default": ('getenv("DB_PASSWORD", "', "hunter2!", '")'),
    "password of an option": ("mysql --password ", "hunter2", " -u root"),
    "password of a query": ("/login?user=x&password=", "hunter2", "&next=%2F"),
    "password of a table": ("| Password | ", "hunter2!", " |"),
    "password in bold": ("**Password:** ", "hunter2!", "\n"),
    "password in Chinese": ("密码是", "hunter2", "。"),
    "password behind a wide colon": ("数据库口令：", "P@ssw0rd!", "，请保密"),
    "secret-value": ('"client_secret": "', MIXED[:24], '"'),
    "secret-value of an .env line": ("API_KEY=", "9f86d081884c7d659a2feaa0c55ad015", "\n"),
    "secret-value in prose": ("API key: ", MIXED[:24], "."),
}


def found_in(text: str) -> list[tuple[str, str]]:
    return [(leak.kind, text[leak.start : leak.end]) for leak in find_secrets(text)]


@pytest.mark.parametrize("name", TOKENS)
@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ("", ""),
        ("密钥是", "。"),
        ("**", "**"),
        ("`", "`"),
        ("| ", " |"),
        ('"', '"'),
        ('"line\\n', '\\nline"'),
        ("It is ", "[^3^]."),
        ("(", ")"),
        ("line\n", "\nline"),
    ],
)
def test_a_token_is_found_whatever_stands_beside_it(name: str, before: str, behind: str) -> None:
    assert found_in(before + TOKENS[name] + behind) == [(name.split(maxsplit=1)[0], TOKENS[name])]


@pytest.mark.parametrize("name", STANDING)
def test_a_secret_is_found_by_where_it_stands(name: str) -> None:
    before, secret, behind = STANDING[name]
    assert found_in(before + secret + behind) == [(name.split(maxsplit=1)[0], secret)]


def test_a_key_in_json_is_found_as_a_whole_with_its_escaped_ends_of_lines() -> None:
    text = json.dumps({"type": "service_account", "private_key": PEM + "\n", "client_id": "1"})
    assert found_in(text) == [("private-key", json.dumps(PEM)[1:-1])]


def test_a_key_without_its_end_reaches_to_the_end_of_the_text() -> None:
    text = "Here:\n" + PEM[:-20]
    assert [(leak.start, leak.end) for leak in find_secrets(text)] == [(6, text.index("\n-----END"))]


def test_a_key_without_its_end_takes_nothing_with_it_of_what_stands_behind() -> None:
    key = PEM[: PEM.index("-----END")].rstrip()
    text = json.dumps({"results": [{"content": key}, {"content": "Passage two of it. -----END PRIVATE KEY-----"}]})
    (leak,) = find_secrets(text)
    assert text[leak.end :].startswith('"}, {"content": "Passage two')


def test_a_marker_inside_a_key_is_part_of_no_span() -> None:
    middle = len(PEM) // 2
    text = PEM[:middle] + "[^12^]" + PEM[middle:]
    assert found_in(text) == [("private-key", PEM[:middle]), ("private-key", PEM[middle:])]


def test_a_key_of_putty_is_found_up_to_its_check() -> None:
    block = f"PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 1\n{MIXED}\nPrivate-MAC: 0a1b2c"
    assert found_in(f"See {block}\nabove") == [("private-key", block)]


@pytest.mark.parametrize("text", ['password = "hunter2[^3^]"', "password: hunter2[^3^].", "密码：hunter2[^3^]"])
def test_a_password_ends_before_a_marker(text: str) -> None:
    assert found_in(text) == [("password", "hunter2")]


@pytest.mark.parametrize(
    "text",
    [
        'password = "xxxxxxxx"', "password: ********", 'password = "<your password>"', 'api_key = "<your key>"',
        "DB_PASSWORD=${DB_PASSWORD}", "DB_PASSWORD=$DB_PASSWORD1", 'password = os.environ["DB_PASSWORD2"]',
        'secret = os.getenv("S3")', "password = changeme", 'password = "changeme"', '"password": "example"',
        '"password": null', "password = None", '"password": true', 'password = "…"', '"token": "..."',
        "password: str = field1()", "token: Optional[str]", "def f(password: string, token: Buffer)",
        "token: the word", "The password is required.", "The secret is patience; the token is a word.",
        "password = get_password2(user)", "password = self.password1", "password=settings.DB_PASSWORD_1",
        '"password2": "password1"', 'type="password" name="new-password"', '("password", "current-password")',
        '"secret": "sk-estuary-crossing-in-the-fog"', "max_tokens: 4096", '"next_page_token": "' + MIXED + '"',
        "Authorization: Bearer <token>", "Authorization: Bearer $TOKEN1234", "Authorization: Bearer authentication",
        "the bearer application/x-www-form-urlencoded", "https://user:${PASSWORD}@host/", "https://user:***@host/",
        "https://a.example:8080/@name", "ghp_" + "x" * 36, "AKIA" + "SHORT", "x" + "AKIA" + "QYLPMN5HHHFPZAM2",
        "eyJhbGci...", "-----BEGIN " + "PRIVATE KEY----- marks the beginning of a key.",
        "-----BEGIN PUBLIC KEY-----\n" + MIXED, "commit 9f86d081884c7d659a2feaa0c55ad0154f1c8b2e",
        "secrets/9f86d081884c7d659a2feaa0c55ad0154f1c8b2e", "PWD=/home/me/project1", "password=/run/secrets/db1",
        "密码至少 8 位，口令为空。", "令牌是一个词。", "passwords: see chapter2", "[^1^] token [^2^]",
        'password = "Enter at least 8 characters"', "password -> hash2()", "compass: N12E34",
        'checkbox:!0,password:!0,image:!0})b.pseudos[e]=B(e);', "token = _XRegExp$exec2[0];",
        '"internals/shared-key":148}],128:[function(require){',
        '"RequestAws", "V1OrganizationExternalKeysPostRequestGcp"',
    ],
)  # fmt: skip
def test_what_only_stands_for_a_secret_is_none(text: str) -> None:
    assert found_in(text) == []


def test_secrets_come_in_ascending_order_with_their_class() -> None:
    text = f"{TOKENS['npm-token']} and password=hunter2 and {TOKENS['aws-access-key']}"
    leaks = find_secrets(text)
    assert [leak.kind for leak in leaks] == ["npm-token", "password", "aws-access-key"]
    assert leaks == sorted(leaks, key=lambda leak: leak.start)
    assert {leak.of for leak in leaks} == {LeakClass.SECRET}


def test_one_that_knows_the_issuer_wins_over_a_name() -> None:
    assert found_in(f"GITHUB_TOKEN={TOKENS['github-token']}") == [("github-token", TOKENS["github-token"])]
    assert found_in(f"Authorization: Bearer {JWT}") == [("jwt", JWT)]


def test_the_longest_wins_and_leaves_what_it_does_not_touch() -> None:
    def leak(kind: str, start: int, end: int) -> Leak:
        return Leak(kind, start, end, LeakClass.SECRET)

    first, longest, last = leak("a", 0, 5), leak("b", 4, 10), leak("c", 10, 12)
    assert keep_longest([last, first, longest]) == [longest, last]
    assert keep_longest([leak("d", 0, 3), leak("e", 0, 3)]) == [leak("d", 0, 3)]
    assert keep_longest([leak("f", 0, 3), leak("g", 2, 6), leak("h", 5, 7)]) == [leak("g", 2, 6)]
    assert keep_longest([]) == []


def test_a_letter_that_grows_in_lower_case_moves_no_span() -> None:
    assert found_in("İİİ password = hunter2") == [("password", "hunter2")]


@pytest.mark.parametrize(
    "unit",
    [
        "a", " ", "1", "sk-", "-eyJ", "eyJ.", "xoxb-1-", "-----BEGIN " + "PRIVATE KEY-----", "://a:", "aws key ",
        "PuTTY-User-Key-File-2:", "pwd='", "pwd='pwd=\"pwd=`", r"pwd=\'", "pwd=", "passpass", "\\", "-us1", "12345678:",
        "Authorization: Bearer ", "[^3^]", "password: a = ", "-----BEGIN " + "PRIVATE KEY-----\nAAAA",
    ],
)  # fmt: skip
def test_a_hostile_line_takes_time_in_proportion_to_its_length(unit: str) -> None:
    text = unit * (400_000 // len(unit))
    begun = time.process_time()
    find_secrets(text)
    assert time.process_time() - begun < 3
