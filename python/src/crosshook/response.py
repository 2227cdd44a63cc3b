"""What a handler answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast, get_args

from ._proto import hooks_pb2 as wire
from .errors import CrosshookError

HookAction = Literal["continue", "block", "retry", "skip"]


@dataclass(frozen=True)
class HookResponse:
    action: HookAction = "continue"
    reason: str | None = None
    modified: Mapping[str, Any] | None = None
    delay: float | None = None
    """Milliseconds."""

    @classmethod
    def continue_(cls, modified: Mapping[str, Any] | None = None) -> HookResponse:
        """Go on; with `modified`, such as `{"args": {…}}`, with other data."""
        return cls("continue", modified=modified)

    @classmethod
    def block(cls, reason: str | None = None) -> HookResponse:
        """Stop the operation; the agent is told why."""
        return cls("block", reason=reason)

    @classmethod
    def retry(cls, delay: float | None = None, reason: str | None = None) -> HookResponse:
        """Do it again after so many milliseconds; 1000 unless said otherwise, 60000 at most."""
        return cls("retry", reason=reason, delay=delay)

    @classmethod
    def skip(cls) -> HookResponse:
        """Go on, without what later hooks of programs would change; a block of theirs still counts."""
        return cls("skip")


HookAnswer = HookResponse | Mapping[str, Any] | None
"""`None` goes on; a mapping is a response in the words of the wire: `{"action": "block", "reason": "…"}`."""


def to_wire(answer: object) -> wire.HookResponse:
    """Raises when it is no valid answer: the hook has failed then."""
    if answer is None:
        return wire.HookResponse()
    response = answer if isinstance(answer, HookResponse) else _from_mapping(answer)
    message = wire.HookResponse(action=response.action.upper())
    if response.reason is not None:
        message.reason = str(response.reason)
    if response.modified is not None:
        message.modified = _json(response.modified)
    if response.delay is not None:
        message.retry_delay_ms = _milliseconds(response.delay)
    return message


def _from_mapping(answer: object) -> HookResponse:
    if not isinstance(answer, Mapping):
        raise _wrong(f"{type(answer).__name__} instead of a HookResponse")
    given = cast("Mapping[str, Any]", answer)
    action = str(given.get("action")).lower()
    if action not in get_args(HookAction):
        raise _wrong(f"the action {given.get('action')!r}")
    # The wire knows only "the remaining hooks"; skipping only this hook means to go on.
    if action == "skip" and given.get("scope") == "hook":
        action = "continue"
    delays = (given.get(name) for name in ("delay", "delayMs", "delay_ms"))
    return HookResponse(
        action=cast("HookAction", action),
        reason=given.get("reason"),
        modified=given.get("modified"),
        delay=next((delay for delay in delays if delay is not None), None),
    )


def _json(modified: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(modified, allow_nan=False).encode()
    except (TypeError, ValueError) as error:
        raise _wrong(f"modified data that cannot be written as JSON ({error})") from error


MAX_DELAY_MS = 2**31 - 1


def _milliseconds(delay: object) -> int:
    is_number = isinstance(delay, (int, float)) and not isinstance(delay, bool)
    if is_number and 0 <= cast("float", delay) < float("inf"):
        return min(round(cast("float", delay)), MAX_DELAY_MS)
    raise _wrong(f"the delay {delay!r}, which is no time in milliseconds")


def _wrong(what: str) -> CrosshookError:
    fix = 'Answer HookResponse.continue_(), .block("…"), .retry() or .skip(), or nothing.'
    return CrosshookError("bad_input", f"The handler answered with {what}.", fix)
