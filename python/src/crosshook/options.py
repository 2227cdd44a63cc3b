"""What people write when they register a hook, in either spelling, checked and put on the wire, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal, TypedDict, cast

from ._proto import hooks_pb2 as wire
from .errors import CrosshookError


class HookMatcher(TypedDict, total=False):
    tool: str
    path_pattern: str
    """A glob; without a slash it matches in any folder."""
    command_pattern: str
    """A regular expression, searched in the command."""


HookConfig = TypedDict(
    "HookConfig",
    {
        # Lower runs first; 100 unless said otherwise.
        "priority": int,
        # Milliseconds.
        "timeout": int,
        # The agent does not wait for the answer.
        "async": bool,
        # What happens when the handler fails.
        "fail_behavior": Literal["continue", "block"],
    },
    total=False,
)

HookAuditLevel = Literal["off", "info", "verbose"]


@dataclass(frozen=True)
class RegisteredHook:
    id: str
    event: str
    matcher: HookMatcher
    config: HookConfig


def matcher_to_wire(matcher: HookMatcher | None) -> wire.HookMatcher:
    return wire.HookMatcher(**_collect("matcher", matcher, MATCHER_FIELDS))


def config_to_wire(config: HookConfig | None) -> wire.HookConfig:
    fields = _collect("config", config, CONFIG_FIELDS)
    return wire.HookConfig(**fields)


def from_wire(hook: wire.RegisteredHook, name: str) -> RegisteredHook:
    matcher = {field.name: value for field, value in hook.matcher.ListFields()}
    config = {_shown(field.name): value for field, value in hook.config.ListFields()}
    return RegisteredHook(name, hook.event_type, cast("HookMatcher", matcher), cast("HookConfig", config))


def _shown(field: str) -> str:
    return "timeout" if field == "timeout_ms" else field


MATCHER_FIELDS: Mapping[str, tuple[str, type]] = {
    "tool": ("tool", str),
    "path_pattern": ("path_pattern", str),
    "pathPattern": ("path_pattern", str),
    "command_pattern": ("command_pattern", str),
    "commandPattern": ("command_pattern", str),
}

CONFIG_FIELDS: Mapping[str, tuple[str, type]] = {
    "priority": ("priority", int),
    "timeout": ("timeout_ms", int),
    "timeout_ms": ("timeout_ms", int),
    "timeoutMs": ("timeout_ms", int),
    "async": ("async", bool),
    "fail_behavior": ("fail_behavior", str),
    "failBehavior": ("fail_behavior", str),
}


def _collect(what: str, given: object, known: Mapping[str, tuple[str, type]]) -> dict[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise CrosshookError("bad_input", f"The {what} is {given!r}, not a dict.")
    found: dict[str, Any] = {}
    for name, value in given.items():
        if value is None:
            continue
        if name not in known:
            near = get_close_matches(str(name), known, 1)
            guess = f" Did you mean {near[0]!r}?" if near else ""
            raise CrosshookError("bad_input", f"The {what} has no field {name!r}.{guess}", _fields(known))
        field, kind = known[name]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise CrosshookError("bad_input", f"{what}[{name!r}] is {value!r}.", f"It must be {kind.__name__}.")
        if isinstance(value, int) and abs(value) >= 2**31:
            raise CrosshookError("bad_input", f"{what}[{name!r}] is {value}, which is too large.")
        found[field] = value
    return found


def _fields(known: Mapping[str, tuple[str, type]]) -> str:
    return f"Fields: {', '.join(name for name in known if name.islower())}."
