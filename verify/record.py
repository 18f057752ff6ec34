"""Records: statements and evidence as plain JSON data, and back, exactly.

Each class of the language becomes an object tagged with its name, with all its fields:

    expression, symbol   "log(d)/d", "d"        (whitelist grammar of `expressions`)
    array of variables   {"array": "x"}
    text beside          {"text": "..."}        (where a field may hold an expression or text)
    rational             "-3/7"                 (sampled float64 values: "0x1.8p+1")

There is one way to write each value: `decode` rejects any other, so that what is read is what
was judged. Text from outside goes through `loads`, which bounds depth and digits and takes
neither duplicate keys nor NaN.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from fractions import Fraction
from functools import cache, partial
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from sympy import Expr, IndexedBase, Symbol

from ..symbolic.derivation import Line
from ..symbolic.statements import Attention, Domain, Function, Hadamard, Statement
from .errors import VerifyError
from .expressions import parse, parse_hex, parse_number, unparse
from .kernel.evidence import Evidence, SampleBatch

SCHEMA = "lemmata/1"
DEEPEST = 100
MOST_DIGITS = 4000

Language = Statement | Evidence
KINDS: dict[str, type] = {
    kind.__name__: kind
    for kind in (*get_args(Language), Domain, Line, SampleBatch, Function, Attention, Hadamard)
}
# Fields of sampled float64 values: exact as hexadecimal floats, and short.
_SAMPLED = {("SampleBatch", "sums"), ("Trajectory", "values")}


class RecordError(VerifyError):
    """Data that is no record, or no value that a record can hold."""


def encode(value: Any) -> dict[str, Any]:
    """A statement, a piece of evidence or a part of one as JSON data."""
    kind = type(value)
    if kind not in KINDS.values():
        raise RecordError(f"expected a statement or evidence; got {kind.__name__} {_short(value)}.")
    try:
        return _encode(value, kind, kind.__name__)
    except RecursionError:
        raise RecordError(f"{kind.__name__}: nested too deeply for a record.") from None


def decode(data: Any, hint: Any = Language, where: str = "") -> Any:
    """The value that `encode` wrote; `hint` is the class, or union of classes, it may have."""
    where = where or "record"
    try:
        value = _decode(data, hint, where)
        for place, found, canonical in differences(data, encode(value), where):
            raise RecordError(f"{place}: expected the form {canonical}; got {found}.")
    except RecursionError:
        raise RecordError(f"{where}: nested too deeply for a record.") from None
    return value


def _encode(value: Any, hint: Any, where: str, sampled: bool = False) -> Any:
    members = _members(hint)
    kind = type(value)
    if kind in members and kind.__name__ in KINDS:
        return _encode_object(value, where)
    if isinstance(value, IndexedBase) and IndexedBase in members:
        return {"array": _array_name(value, where)}
    if Expr in members and kind is int:
        return str(value)
    if (kind is Symbol and Symbol in members) or (isinstance(value, Expr) and Expr in members):
        return _attempt(unparse, value, where)
    if type(value) is tuple and (items := _items(members, len(value))) is not None:
        return [
            _encode(item, hint, f"{where}[{index}]", sampled)
            for index, (item, hint) in enumerate(zip(value, items, strict=True))
        ]
    if kind is str and str in members:
        return {"text": value} if Expr in members else value
    if type(value) is Fraction and Fraction in members:
        return _hex(value) if sampled else str(value)
    if kind in (int, bool, NoneType) and kind in members:
        return value
    if kind is str and value in _choices(members):
        return value
    raise RecordError(f"{where}: expected {_wanted(members)}; got {kind.__name__} {_short(value)}.")


def _encode_object(value: Any, where: str) -> dict[str, Any]:
    name = type(value).__name__
    data = {"kind": name}
    for field, hint in _fields(type(value)).items():
        place, sampled = f"{where}.{field}", (name, field) in _SAMPLED
        data[field] = _encode(getattr(value, field), hint, place, sampled)
    return data


def _decode(data: Any, hint: Any, where: str, sampled: bool = False) -> Any:
    members = _members(hint)
    kind = type(data)
    if kind is dict and "kind" in data:
        return _decode_object(data, members, where)
    if kind is dict and set(data) == {"array"} and IndexedBase in members:
        return IndexedBase(_symbol(data["array"], where).name)
    if kind is dict and set(data) == {"text"} and {Expr, str} <= members:
        return _decode(data["text"], str, where)
    if kind is list and (items := _items(members, len(data))) is not None:
        return tuple(
            _decode(item, hint, f"{where}[{index}]", sampled)
            for index, (item, hint) in enumerate(zip(data, items, strict=True))
        )
    if kind in (int, bool, NoneType) and kind in members:
        return data
    if kind is str:
        if Expr in members:
            return _attempt(partial(parse, allow_infinite=True), data, where)
        if Symbol in members:
            return _symbol(data, where)
        if Fraction in members:
            return _attempt(parse_hex if sampled and "x" in data else parse_number, data, where)
        if str in members or data in _choices(members):
            return data
    raise RecordError(f"{where}: expected {_wanted(members)}; got {_short(data)}.")


def _decode_object(data: dict[str, Any], members: frozenset[Any], where: str) -> Any:
    cls = KINDS.get(data["kind"]) if isinstance(data["kind"], str) else None
    if cls is None or cls not in members:
        raise RecordError(f"{where}: expected {_wanted(members)}; got {_short(data['kind'])}.")
    hints = _fields(cls)
    for field in (*hints, *data):
        if field not in data:
            raise RecordError(f"{where}: expected the field {field!r} of {cls.__name__}; got none.")
        if field not in hints and field != "kind":
            raise RecordError(f"{where}: {cls.__name__} has no field {_short(field)}. Remove it.")
    return cls(
        **{
            field: _decode(data[field], hint, f"{where}.{field}", (cls.__name__, field) in _SAMPLED)
            for field, hint in hints.items()
        }
    )


@cache
def _fields(cls: type) -> dict[str, Any]:
    hints = get_type_hints(cls)
    return {field.name: hints[field.name] for field in fields(cls)}


@cache
def _members(hint: Any) -> frozenset[Any]:
    return frozenset(get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,))


def _items(members: frozenset[Any], length: int) -> tuple[Any, ...] | None:
    """The hints of the items, where a tuple of this length is among the members."""
    for member in members:
        if get_origin(member) is tuple:
            items = get_args(member)
            if len(items) == 2 and items[1] is Ellipsis:
                return (items[0],) * length
            if len(items) == length:
                return items
    return None


def _choices(members: frozenset[Any]) -> tuple[Any, ...]:
    literals = (get_args(member) for member in members if get_origin(member) is Literal)
    return next(literals, ())


def _symbol(text: Any, where: str) -> Symbol:
    symbol = _attempt(parse, text, where) if isinstance(text, str) else None
    if type(symbol) is not Symbol:
        raise RecordError(f"{where}: expected symbol; got {_short(text)}.")
    return symbol


def _array_name(array: IndexedBase, where: str) -> str:
    if array != IndexedBase(str(array.label)):
        raise RecordError(
            f"{where}: expected an array without shape or assumptions; got {_short(array)}. "
            f"Write IndexedBase({str(array.label)!r})."
        )
    return str(array.label)


def _hex(value: Fraction) -> str:
    """Hexadecimal where a float64 holds the value, else p/q."""
    try:
        number = float(value)
    except OverflowError:
        return str(value)
    return number.hex() if Fraction(number) == value else str(value)


def _attempt(convert: Any, value: Any, where: str) -> Any:
    try:
        return convert(value)
    except (ValueError, TypeError, ArithmeticError) as error:
        raise RecordError(f"{where}: {error}") from None


def _wanted(members: frozenset[Any]) -> str:
    names = sorted(_name(member) for member in members)
    return names[0] if len(names) == 1 else "one of " + ", ".join(names)


def _name(member: Any) -> str:
    match get_origin(member):
        case None:
            return {Expr: "expression", NoneType: "null", Symbol: "symbol"}.get(
                member, getattr(member, "__name__", str(member))
            )
        case origin if origin is tuple:
            return "a list of items as described"
        case _:
            return " | ".join(map(repr, get_args(member)))


def _short(value: Any) -> str:
    try:
        text = repr(value)
    except ValueError:  # Python writes no integer of more than 4300 digits
        return "a number too long to show"
    return text if len(text) <= 80 else f"{text[:77]}..."


def differences(left: Any, right: Any, where: str = "") -> Iterator[tuple[str, str, str]]:
    """Where two pieces of JSON data differ, and what stands there, shortened for reading."""
    if type(left) is type(right) is dict and left.keys() == right.keys():
        for key in left:
            yield from differences(left[key], right[key], f"{where}.{key}" if where else key)
    elif type(left) is type(right) is list and len(left) == len(right):
        for index, (one, other) in enumerate(zip(left, right, strict=True)):
            yield from differences(one, other, f"{where}[{index}]")
    elif type(left) is not type(right) or left != right:
        yield where, _short(left), _short(right)


def canonical(data: Any) -> bytes:
    """The one text of JSON data, from which digests are made."""
    try:
        text = json.dumps(
            data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
        )
        return text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise RecordError(
            f"expected plain JSON data; got {type(error).__name__}: {error}"
        ) from None


def digest(data: Any) -> str:
    """SHA-256 of the canonical JSON text."""
    return hashlib.sha256(canonical(data)).hexdigest()


def seal(data: dict[str, Any]) -> dict[str, Any]:
    """`data` with a last field `digest` over all others."""
    rest = {key: value for key, value in data.items() if key != "digest"}
    return {**rest, "digest": digest(rest)}


def dumps(data: dict[str, Any]) -> str:
    """JSON text for a file."""
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def loads(text: str | bytes, where: str) -> Any:
    """JSON data from outside; anything odd is a RecordError."""
    try:
        data = json.loads(
            text.decode() if isinstance(text, bytes) else text,
            object_pairs_hook=_object,
            parse_int=_whole,
            parse_float=_finite,
            parse_constant=_finite,
        )
        canonical(data)  # lone surrogates have no UTF-8
    except RecursionError:
        raise RecordError(f"{where}: nested too deeply for a record.") from None
    except (ValueError, RecordError) as error:
        raise RecordError(f"{where}: expected a JSON record; {error}") from None
    _check_depth(data, where)
    return data


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise RecordError(f"the key {_short(twice)} stands twice in one object.")
    return data


def _whole(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise RecordError(f"a number has {len(text)} digits; at most {MOST_DIGITS} are read.")
    return int(text)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise RecordError(f"{_short(text)} is no finite number.")
    return number


def _check_depth(data: Any, where: str) -> None:
    level = [data]
    for _ in range(DEEPEST):
        level = [
            item
            for value in level
            if isinstance(value, dict | list)
            for item in (value.values() if isinstance(value, dict) else value)
        ]
        if not level:
            return
    raise RecordError(f"{where}: nested deeper than {DEEPEST} levels.")
