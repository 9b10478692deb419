"""JSON Lines as a stream: strict JSON, bounded, one object a line."""

import json
from collections.abc import Iterator
from typing import BinaryIO, Final, NoReturn

import rfc8785

from shareview.exports.errors import ExportError
from shareview.exports.limits import Limits

_TYPE_NAMES: Final = {
    dict: "an object",
    list: "a list",
    str: "text",
    bool: "true or false",
    int: "a number",
    float: "a number",
}

JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]
JsonObject = dict[str, JsonValue]

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_SAFE_INTEGER: Final = 2**53 - 1


def describe(value: object) -> str:
    """A found value in few words, for an error."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value[:40]}…"' if len(value) > 40 else f'"{value}"'
    if isinstance(value, int | float):
        return str(value)[:40]
    return _TYPE_NAMES[type(value)]


class _RefusedError(ValueError):
    pass


def _refuse_constant(name: str) -> NoReturn:
    raise _RefusedError(f"{name}, which JSON does not know")


def _object_of(pairs: list[tuple[str, JsonValue]]) -> JsonObject:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        repeated = next(key for at, key in enumerate(keys) if key in keys[:at])
        raise _RefusedError(f"the key {describe(repeated)} twice in one object")
    return found


def _integer(digits: str) -> int | float:
    # Python refuses to convert more than 4300 digits; RFC 8785 has no way to write beyond 2**53 - 1.
    number = int(digits) if len(digits) < 400 else 0
    if abs(number) > _SAFE_INTEGER and _is_exact(number):
        return float(number)
    if abs(number) > _SAFE_INTEGER or len(digits) >= 400:
        raise _RefusedError(f"the number {digits[:40]}, beyond 2^53-1; write it as text")
    return number


def _is_exact(number: int) -> bool:
    """Whether a double holds ``number`` and RFC 8785 writes it with these very digits."""
    try:
        return canonical(float(number)) == str(number)
    except OverflowError:
        return False


def _float(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise _RefusedError(f"the number {digits[:40]}, too large")
    return number


def parse_json(text: str, *, depth: int) -> JsonValue:
    """The value of ``text``. Raises ValueError, worded as what was found, on anything but strict JSON.

    Strict: no NaN or Infinity, no repeated keys, no lone surrogates, numbers that RFC 8785 can write, at most
    ``depth`` levels.
    """
    try:
        value: JsonValue = json.loads(
            text,
            object_pairs_hook=_object_of,
            parse_constant=_refuse_constant,
            parse_int=_integer,
            parse_float=_float,
        )
    except _RefusedError:
        raise
    except json.JSONDecodeError as error:
        raise ValueError(f"no JSON ({error.msg} at character {error.pos + 1})") from None
    except RecursionError:
        raise ValueError(f"more than {depth} levels") from None
    _check(value, depth)
    return value


def _check(value: JsonValue, depth: int) -> None:
    level: list[JsonValue] = [value]
    for levels in range(depth + 1):
        deeper: list[JsonValue] = []
        for part in level:
            if isinstance(part, str):
                _check_text(part)
            elif isinstance(part, dict | list):
                if levels == depth:
                    raise ValueError(f"more than {depth} levels")
                deeper += part
                deeper += part.values() if isinstance(part, dict) else ()
        level = deeper


def _check_text(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"half of a surrogate pair at character {error.start + 1} of a text") from None


def canonical(value: JsonValue) -> str:
    """``value`` as RFC 8785 JSON, without a line end."""
    return rfc8785.dumps(value).decode()


def read_lines(source: BinaryIO, limits: Limits) -> Iterator[tuple[int, bytes]]:
    """Number (from 1) and bytes of each line that is not blank. Raises ExportError where a bound is passed."""
    total = number = 0
    while line := source.readline(limits.line_bytes + 2):
        number += 1
        total += len(line)
        if len(line.rstrip(b"\r\n")) > limits.line_bytes:
            raise ExportError(number, "", f"at most {limits.line_bytes} bytes a line", "a longer line")
        if total > limits.file_bytes:
            raise ExportError(number, "", f"at most {limits.file_bytes} bytes in all", "more")
        if number == 1:
            line = line.removeprefix(_BYTE_ORDER_MARK)
        if line.strip():
            yield number, line


def parse_line(number: int, line: bytes, limits: Limits) -> JsonObject:
    """The object that ``line`` holds. Raises ExportError."""
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise ExportError(number, "", "UTF-8", f"other bytes at byte {error.start + 1}") from None
    try:
        value = parse_json(text, depth=limits.depth)
    except ValueError as error:
        raise ExportError(number, "", "one JSON object", str(error)) from None
    if not isinstance(value, dict):
        raise ExportError(number, "", "one JSON object", describe(value))
    return value
