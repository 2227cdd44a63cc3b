"""Objects of JSON as dataclasses: fields by attribute, unknown fields are kept."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, TypeVar, cast, get_args, get_origin, get_type_hints

R = TypeVar("R", bound="Record")


@dataclass(frozen=True)
class Record:
    """`raw` is the object as it came; fields that its class does not name are attributes all the same."""

    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False, kw_only=True)

    @classmethod
    def of(cls: type[R], raw: object) -> R:
        """Missing or null fields keep their defaults."""
        source = cast("Mapping[str, Any]", raw) if isinstance(raw, Mapping) else {}
        values: dict[str, Any] = {}
        for name, kind in _kinds(cls).items():
            value = _lookup(source, name)
            if value is not None:
                values[name] = _read(kind, value)
        return cls(raw=source, **values)

    if not TYPE_CHECKING:
        # Hidden from type checkers, so that a misspelt field of a known event is still an error to them.
        def __getattr__(self, name: str) -> Any:
            return unnamed(self, name)


def unnamed(record: Record, name: str) -> Any:
    raw = record.__dict__.get("raw", {})
    for spelling in (name, camel_case(name)):
        if spelling in raw:
            return raw[spelling]
    raise AttributeError(f"{type(record).__name__} has no field {name!r}. It has: {', '.join(_names(record))}")


def camel_case(name: str) -> str:
    return re.sub(r"_([a-z])", lambda match: match.group(1).upper(), name)


def _names(record: Record) -> list[str]:
    named = [item.name for item in fields(record) if item.name != "raw"]
    known = {spelling for name in named for spelling in (name, camel_case(name))}
    return named + [name for name in record.__dict__.get("raw", {}) if name not in known]


def _lookup(source: Mapping[str, Any], name: str) -> Any:
    value = source.get(name)
    return source.get(camel_case(name)) if value is None else value


def _kinds(cls: type[Record]) -> Mapping[str, Any]:
    if cls not in _KINDS:
        hints = get_type_hints(cls)
        _KINDS[cls] = {item.name: hints[item.name] for item in fields(cls) if item.name != "raw"}
    return _KINDS[cls]


# Looking types up is slow, and every event needs it.
_KINDS: dict[type[Record], Mapping[str, Any]] = {}


def _read(kind: Any, value: Any) -> Any:
    if isinstance(kind, type) and issubclass(kind, Record):
        return kind.of(value)
    if get_origin(kind) is list and isinstance(value, list):
        (inner,) = get_args(kind)
        return [_read(inner, item) for item in value]
    return value
