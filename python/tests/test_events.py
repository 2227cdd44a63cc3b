"""Payloads as events."""

from __future__ import annotations

import pytest

from crosshook import (
    GenerateEndEvent,
    HookResponse,
    OtherEvent,
    PostToolUseEvent,
    PreToolUseEvent,
    ToolErrorEvent,
)
from crosshook.events import EVENTS, event_of
from crosshook.response import to_wire


def test_nested_objects_are_read_by_attribute() -> None:
    event = event_of(
        {
            "eventType": "GenerateEnd",
            "sessionId": "s1",
            "timestamp": 5,
            "metadata": {"agent": "codex"},
            "prompt": "Do something",
            "model": {"name": "small", "temperature": 0.5},
            "response": {
                "text": "Done",
                "toolCalls": [{"name": "Bash", "args": {"command": "ls"}, "id": "c1"}],
                "usage": {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3, "cached": 4},
                "duration": 12,
            },
        }
    )
    assert isinstance(event, GenerateEndEvent)
    assert event.response.usage.total_tokens == 3
    assert event.response.tool_calls[0].args == {"command": "ls"}
    assert (event.session_id, event.model.name, event.metadata) == ("s1", "small", {"agent": "codex"})


def test_fields_that_nobody_named_are_kept() -> None:
    event = event_of({"eventType": "PreCompact", "sessionId": "s", "triggerKind": "auto", "nothing": None})
    assert isinstance(event, OtherEvent)
    assert event.trigger_kind == "auto"
    assert event.triggerKind == "auto"
    assert event.nothing is None
    assert event.raw["triggerKind"] == "auto"
    with pytest.raises(AttributeError, match=r"OtherEvent has no field 'other'. It has: .*triggerKind"):
        _ = event.other


def test_what_is_missing_or_null_has_its_default() -> None:
    event = event_of({"eventType": "PostToolUse", "result": None})
    assert isinstance(event, PostToolUseEvent)
    assert (event.result.success, event.result.exit_code, event.args) == (False, None, {})


def test_each_event_of_the_table_is_read_as_its_class() -> None:
    for name, kind in EVENTS.items():
        assert type(event_of({"eventType": name})) is kind
    assert issubclass(ToolErrorEvent, PostToolUseEvent)
    assert PreToolUseEvent(tool="Bash").tool == "Bash"


def test_responses_say_what_they_mean() -> None:
    assert HookResponse.continue_() == HookResponse("continue")
    assert HookResponse.block("no") == HookResponse("block", reason="no")
    assert to_wire(HookResponse.retry(1.6)).retry_delay_ms == 2
    assert to_wire({"action": "SKIP", "scope": "hook"}).action == 0
    assert to_wire(HookResponse.continue_({"args": {"a": "ü"}})).modified == b'{"args": {"a": "\\u00fc"}}'
    for wrong in (HookResponse.retry(-1), HookResponse.retry(float("nan")), HookResponse.continue_({"a": object()})):
        with pytest.raises(Exception, match="answered with"):
            to_wire(wrong)
