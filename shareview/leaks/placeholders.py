"""What stands in the place of a secret without being one: examples, references, names, code, paths."""

import re
from typing import Final

_WORDS: Final = frozenset(
    """
    admin administrator bearer changeit default dummy empty false foobar guest hidden masked none null omitted optional
    passwd password postgres redacted removed required root sample secret string test testing token true undefined unset
    username
    """.split()
)
_INSIDE: Final = re.compile(
    r"\$\{|\{\{|\$\(|%s|%\(|\*\*\*|\.\.\.|…|xxxx|••|\{\w{0,64}\}|<[^<>]{0,64}>"
    r"|example|placeholder|change[_-]?me|replace|redacted|dummy"
)
# A name that stands for the secret, in the shells, templates and programs of today; a selector; the place of a secret.
_REFERENCE: Final = re.compile(
    r"\$[A-Za-z_]\w*|%[A-Za-z_]\w*%|%[(a-z{].*|\{.*|<.*|\[.*|#[a-z][\w-]*|@\{.*|\^.*|[&*][A-Za-z_]\w*|__.*"
    r"|(?:arn|vault|op|ssm|env|file|https?|data|urn|sm|kms):.*"
    # Paths, and names of files.
    r"|(?:~|\.{1,2})?(?:/[\w.-]*)+|(?:[\w.-]+/)+[\w.-]+\.[a-z]{1,5}|[A-Za-z]:\\.*"
    r"|[\w-]+\.(?:txt|json|pem|key|py|js|ts|ya?ml|toml|html|md|env|crt)"
)
_YOURS: Final = re.compile(r"(?:(?:enter|insert|put|use|my|the|a)[_ -])?your?s?[_ -].*|(?:insert|enter)[_ -].*")
_CODE: Final = re.compile(
    r"\(.*|[A-Za-z_][\w.?>-]*[(\[].*|[A-Za-z_]\w*(?:(?:\.|::|->|\?\.)[A-Za-z_]\w*)+|--?[a-z][a-z-]*|[A-Za-z_]\w*[)\]}]+.*"
    r"|[^()\[\]{}]*[(\[{][^()\[\]{}]*[)\]}].*|[^{}]*\}.*|[A-Za-z_][\w$.]*\[[0-9]*"
)
# A word of another script as JSON writes it: no more a secret than a plain word is.
_ESCAPED_WORD: Final = re.compile(r"(?:\\{1,7}u[0-9a-fA-F]{4})+")
_NAMES: Final = ("password", "passwd", "pwd", "pass", "secret", "token", "key", "credential")


def is_placeholder(value: str) -> bool:
    """Whether ``value``, found where a secret is expected, only stands for one."""
    lowered = value.lower()
    if lowered in _WORDS or len(set(value)) < 3 or _ESCAPED_WORD.fullmatch(value):
        return True
    return any((_INSIDE.search(lowered), _REFERENCE.fullmatch(value), _YOURS.fullmatch(lowered)))


def is_code(value: str) -> bool:
    """Whether ``value``, which stands in no quotes, is a call, an index, an attribute or an option."""
    return _CODE.fullmatch(value) is not None


def is_field_name(value: str) -> bool:
    """Whether ``value`` names a secret instead of being one, as ``password2`` and ``api_key`` do."""
    name = value.lower()
    letters = name.rstrip("0123456789")
    plain = letters.replace("_", "").replace("-", "")
    return len(name) - len(letters) < 3 and plain.isalpha() and any(word in plain for word in _NAMES)
