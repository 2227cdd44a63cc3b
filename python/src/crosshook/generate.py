"""A model's turn between its hooks, for programs that call models themselves."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Mapping
from typing import Any

from .awaiting import Call
from .errors import CrosshookError
from .events import ModelResponse
from .outcome import FireResult

Generate = Callable[[str, str], Any]
"""Called with the session's id and the prompt; answers, or promises, a text or `{"text", "tool_calls", "usage"}`."""

Fire = Callable[[str, Mapping[str, Any]], Call[FireResult]]


async def generate(
    fire: Fire, model: Generate | None, session_id: str, prompt: str, more: Mapping[str, Any]
) -> ModelResponse:
    if model is None:
        fix = "Give the function that calls it: CrosshookClient(generate=my_model)."
        raise CrosshookError("bad_input", "This client has no model.", fix)
    before = await fire("GenerateStart", {**more, "session_id": session_id, "prompt": prompt})
    _refuse(before)
    prompt = str((before.updated_input or {}).get("prompt", prompt))
    started = time.monotonic()
    answer = model(session_id, prompt)
    if inspect.isawaitable(answer):
        answer = await answer
    duration = round((time.monotonic() - started) * 1000)
    response = _response(answer, duration)
    told = {
        "prompt": prompt,
        "response": dict(response.raw),
        "usage": dict(response.usage.raw),
        "duration_ms": duration,
    }
    after = await fire("GenerateEnd", {**more, "session_id": session_id, **told})
    _refuse(after)
    return response if after.updated_output is None else _response(after.updated_output, duration)


def _response(answer: object, duration: int) -> ModelResponse:
    fields = answer if isinstance(answer, Mapping) else {"text": str(answer)}
    return ModelResponse.of({"duration": duration, **fields})


def _refuse(result: FireResult) -> None:
    if result.decision != "allow":
        raise CrosshookError("blocked", result.reason or "A hook blocked it.")
