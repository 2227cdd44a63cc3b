"""One tool call, one prompt, one answer under hooks, for programs with and without an event loop.

Each is a generator of steps that have to be done outside; `drive` does them on this thread, `adrive` awaits them.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable, Generator
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from ..outcome import FireResult
from .guard import Guard, ToolCall, Unasked, as_text, log, reason_of

T = TypeVar("T")

MAX_RETRIES = 3
MAX_PAUSE_SECONDS = 30.0


@dataclass(frozen=True)
class Fire:
    event: str
    fields: dict[str, Any]


@dataclass(frozen=True)
class Run:
    input: dict[str, Any]


@dataclass(frozen=True)
class Pause:
    seconds: float


@dataclass(frozen=True)
class Ask:
    question: str
    call: ToolCall | None


Steps = Generator[Fire | Run | Pause | Ask, Any, T]


@dataclass
class Came:
    """The result of a tool."""

    output: Any
    failed: bool = False
    thrown: Exception | None = None


@dataclass
class ToolResult(Came):
    replaced: bool = False
    """The output was written by a hook, or says why there is none."""
    notes: list[str] = field(default_factory=list)
    """For the model, in addition to the output."""

    def text(self) -> str:
        return "\n\n".join([as_text(self.output), *self.notes])


@dataclass
class Passed:
    """A prompt or an answer: why it was refused, or the text to pass on."""

    text: str
    refusal: str | None = None
    changed: bool = False
    notes: list[str] = field(default_factory=list)


def tool_call(guard: Guard, call: ToolCall) -> Steps[ToolResult]:
    try:
        before = yield from _decided(guard, "before_tool", _about(call))
        notes = before.additional_context if before else []
        changed = before.updated_input if before else None
        allowed = call if changed is None else ToolCall(call.name, changed, call.id)
        refusal = (yield from _refused(guard, before, allowed)) if before else None
    except Unasked as error:
        return _instead(f"Blocked: {error}")
    if refusal is not None:
        return _instead(f"Blocked by a hook: {refusal}", notes)
    try:
        came, after = yield from _ran(guard, allowed)
    except Unasked as error:
        return _instead(f"The tool has run, but what it gave is withheld: {error}", notes)
    if after is None:
        return ToolResult(came.output, came.failed, came.thrown, notes=notes)
    guard.stopped = guard.stopped or after.stop
    feedback = [f"[Hook feedback: {reason_of(after)}]"] if after.decision == "deny" else []
    notes = [*notes, *after.additional_context, *feedback]
    if after.updated_output is not None:
        return ToolResult(after.updated_output, came.failed, None, replaced=True, notes=notes)
    return ToolResult(came.output, came.failed, came.thrown, notes=notes)


def prompt(guard: Guard, text: str) -> Steps[Passed]:
    """`before_agent`: what a person asked for, before any model reads it."""
    guard.stopped = None
    try:
        before = yield from _decided(guard, "before_agent", {"prompt": text})
        if before is None:
            return Passed(text)
        refusal = yield from _refused(guard, before, None)
    except Unasked as error:
        return Passed(text, str(error))
    guard.stopped = None
    changed = (before.updated_input or {}).get("prompt")
    return Passed(
        text if changed is None else as_text(changed), refusal, changed is not None, before.additional_context
    )


def answer(guard: Guard, text: str) -> Steps[Passed]:
    """`after_agent`: the agent's answer, before anybody reads it."""
    try:
        after = guard.heard("after_agent", (yield Fire("after_agent", {"response": text})))
    except Unasked as error:
        return Passed(text, str(error))
    if after is None:
        return Passed(text)
    guard.remarks.extend(after.additional_context)
    if after.decision == "deny" or after.stop is not None:
        return Passed(text, reason_of(after))
    changed = after.updated_output
    return Passed(text if changed is None else as_text(changed), None, changed is not None)


def drive(guard: Guard, steps: Steps[T], run: Callable[[dict[str, Any]], Came] | None = None) -> T:
    def step(wanted: object) -> Any:
        if isinstance(wanted, Fire):
            try:
                return guard.client.fire(wanted.event, guard.fields(wanted.fields)).result()
            except Exception as error:
                return error
        if isinstance(wanted, Run):
            return cast("Callable[[dict[str, Any]], Came]", run)(wanted.input)
        if isinstance(wanted, Pause):
            return time.sleep(wanted.seconds)
        asked = cast("Ask", wanted)
        agreed = guard.ask(asked.question, asked.call) if guard.ask else False
        if inspect.isawaitable(agreed):
            if inspect.iscoroutine(agreed):
                agreed.close()
            log.warning("crosshook: `ask` is a coroutine, which only agents that are awaited can ask; the answer is no")
            return False
        return agreed is True

    reply: Any = None
    while True:
        try:
            wanted = steps.send(reply)
        except StopIteration as end:
            return cast("T", end.value)
        reply = step(wanted)


async def adrive(guard: Guard, steps: Steps[T], run: Callable[[dict[str, Any]], Awaitable[Came]] | None = None) -> T:
    async def step(wanted: object) -> Any:
        if isinstance(wanted, Fire):
            try:
                return await guard.client.fire(wanted.event, guard.fields(wanted.fields))
            except Exception as error:
                return error
        if isinstance(wanted, Run):
            return await cast("Callable[[dict[str, Any]], Awaitable[Came]]", run)(wanted.input)
        if isinstance(wanted, Pause):
            return await asyncio.sleep(wanted.seconds)
        asked = cast("Ask", wanted)
        agreed = guard.ask(asked.question, asked.call) if guard.ask else False
        return (await agreed if inspect.isawaitable(agreed) else agreed) is True

    reply: Any = None
    while True:
        try:
            wanted = steps.send(reply)
        except StopIteration as end:
            return cast("T", end.value)
        reply = await step(wanted)


def _decided(guard: Guard, event: str, about: dict[str, Any]) -> Steps[FireResult | None]:
    """Asks the hooks before something happens; one that answers `retry` is asked again."""
    for tried in range(MAX_RETRIES + 1):
        before = guard.heard(event, (yield Fire(event, about)))
        if before is None or before.retry is None or before.decision == "deny" or tried == MAX_RETRIES:
            return before
        yield _pause(before.retry)
    raise AssertionError("the last attempt returns")


def _ran(guard: Guard, call: ToolCall) -> Steps[tuple[Came, FireResult | None]]:
    """Runs the tool and asks the hooks about its result; they may ask for another run."""
    for tried in range(MAX_RETRIES + 1):
        started = time.monotonic()
        came: Came = yield Run(dict(call.input))
        about = {**_about(call), "duration_ms": round((time.monotonic() - started) * 1000)}
        if came.failed:
            event, about["error"] = "after_tool_failure", as_text(came.output)
        else:
            event, about["tool_output"] = "after_tool", came.output
        after = guard.heard(event, (yield Fire(event, about)))
        if after is None or after.retry is None or after.stop is not None or tried == MAX_RETRIES:
            return came, after
        yield _pause(after.retry)
    raise AssertionError("the last attempt returns")


def _refused(guard: Guard, before: FireResult, call: ToolCall | None) -> Steps[str | None]:
    guard.stopped = guard.stopped or before.stop
    if before.decision == "deny" or before.stop is not None:
        return reason_of(before)
    if before.retry is not None:
        return f"{reason_of(before)} (it is not yet time)"
    if before.decision == "allow":
        return None
    question = before.reason or "May it go on?"
    return None if (yield Ask(question, call)) else f"nobody agreed to it: {question}"


def _about(call: ToolCall) -> dict[str, Any]:
    return {"tool_name": call.name, "tool_input": dict(call.input), **({"tool_use_id": call.id} if call.id else {})}


def _instead(text: str, notes: list[str] | None = None) -> ToolResult:
    return ToolResult(text, failed=True, replaced=True, notes=notes or [])


def _pause(milliseconds: float) -> Pause:
    return Pause(min(max(milliseconds, 0) / 1000, MAX_PAUSE_SECONDS))
