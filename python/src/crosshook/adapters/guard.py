"""Who is asked before and after a tool call, and what happens when nobody can be asked."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass, field, is_dataclass
from typing import Any, Literal
from uuid import uuid4

from ..client import CrosshookClient
from ..errors import CrosshookError
from ..outcome import FireResult

log = logging.getLogger("crosshook")


@dataclass(frozen=True)
class ToolCall:
    name: str
    input: Mapping[str, Any]
    id: str = ""


Asking = Callable[[str, ToolCall | None], bool | Awaitable[bool]]
"""Puts a hook's question to a person; the call is None where the question is about a prompt."""


@dataclass
class Guard:
    """One for each session of an agent. Its hooks are those of the daemon that the client is connected to."""

    client: CrosshookClient
    session_id: str = field(default_factory=lambda: uuid4().hex)
    work_dir: str = field(default_factory=os.getcwd)
    ask: Asking | None = None
    """Without it, the answer to every question is no."""
    fail_behavior: Literal["block", "continue"] = "block"
    """What happens when the daemon cannot be asked. `continue` goes on, and says so in the log."""
    tell: Callable[[str], None] | None = None
    """Shows a hook's message to the person; without it, the message is logged."""
    stopped: str | None = field(default=None, init=False)
    """Why a hook ended the run; None while it goes on."""
    remarks: list[str] = field(default_factory=list, init=False)
    """For the model, with its next input."""

    def __post_init__(self) -> None:
        if self.fail_behavior not in ("block", "continue"):
            message = f'fail_behavior is {self.fail_behavior!r}, not "block" or "continue".'
            raise CrosshookError("bad_input", message)

    def fields(self, more: Mapping[str, Any]) -> dict[str, Any]:
        """An event of this session. Values that JSON cannot hold become strings."""
        told: dict[str, Any] = json.loads(json.dumps(more, default=_in_json))
        return {"session_id": self.session_id, "work_dir": self.work_dir, **told}

    def heard(self, event: str, answer: FireResult | Exception) -> FireResult | None:
        """The answer of the hooks; None when there is none and the guard goes on. Raises `Unasked` when it does not."""
        if isinstance(answer, Exception):
            why = f"the hooks could not be asked ({event}): {answer}"
            if self.fail_behavior == "block":
                raise Unasked(why)
            log.warning("crosshook: %s It goes on, because fail_behavior is continue.", why)
            return None
        if answer.user_message:
            (self.tell or _tell_log)(answer.user_message)
        unknown = sorted(name for name, value in answer.result.items() if value and name not in CARRIED)
        if unknown:
            log.warning("crosshook: hooks asked for %s on %s, which cannot be done here", ", ".join(unknown), event)
        return answer


class Unasked(Exception):
    """The daemon gave no answer, so the call is refused."""


# `confine` comes as a rewritten command.
CARRIED = {
    *("event_type", "hooks", "decision", "reason", "user_message", "updated_input", "confine"),
    *("updated_output", "additional_context", "stop", "retry"),
}


def missing(module: str, extra: str, error: ImportError) -> ImportError:
    return ImportError(f"crosshook.adapters.{module} needs {extra} ({error}): pip install 'crosshook[{extra}]'")


def reason_of(result: FireResult) -> str:
    return result.stop or result.reason or "a hook gave no reason"


def as_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, default=_in_json, ensure_ascii=False)


def _in_json(value: object) -> object:
    dump = getattr(value, "model_dump", None)
    if callable(dump):
        return dump(mode="json")
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    return str(value)


def _tell_log(message: str) -> None:
    log.warning("crosshook: %s", message)
