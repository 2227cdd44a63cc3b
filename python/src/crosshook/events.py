"""The events as handlers get them. The wire's camelCase is read as snake_case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .records import Record, unnamed

ToolArgs = dict[str, Any]


@dataclass(frozen=True)
class TokenUsage(Record):
    prompt_tokens: int = 0
    completion_tokens: int = 0
    total_tokens: int = 0


@dataclass(frozen=True)
class ModelConfig(Record):
    name: str | None = None


@dataclass(frozen=True)
class ToolCall(Record):
    name: str | None = None
    args: ToolArgs = field(default_factory=dict)


@dataclass(frozen=True)
class ToolContext(Record):
    working_directory: str = ""
    recent_tools: list[str] = field(default_factory=list)
    token_usage: TokenUsage = field(default_factory=TokenUsage)


@dataclass(frozen=True)
class ToolResult(Record):
    success: bool = False
    output: str = ""
    exit_code: int | None = None
    duration: float = 0
    """Milliseconds."""


@dataclass(frozen=True)
class ModelResponse(Record):
    text: str = ""
    tool_calls: list[ToolCall] = field(default_factory=list)
    usage: TokenUsage = field(default_factory=TokenUsage)
    duration: float = 0
    """Milliseconds."""


@dataclass(frozen=True)
class HookEvent(Record):
    event_type: str = ""
    session_id: str = ""
    timestamp: int = 0
    """Milliseconds since 1970."""
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class PreToolUseEvent(HookEvent):
    tool: str = ""
    """`Bash`, `Write`, `Edit`…"""
    args: ToolArgs = field(default_factory=dict)
    context: ToolContext = field(default_factory=ToolContext)


@dataclass(frozen=True)
class PostToolUseEvent(HookEvent):
    tool: str = ""
    args: ToolArgs = field(default_factory=dict)
    result: ToolResult = field(default_factory=ToolResult)


@dataclass(frozen=True)
class ToolErrorEvent(PostToolUseEvent):
    error: str = ""


@dataclass(frozen=True)
class PermissionRequestEvent(PreToolUseEvent):
    permission_suggestions: Any = None


@dataclass(frozen=True)
class PermissionEvent(HookEvent):
    tool: str = ""
    args: ToolArgs = field(default_factory=dict)
    reason: str | None = None


@dataclass(frozen=True)
class GenerateStartEvent(HookEvent):
    prompt: str = ""
    system_prompt: str | None = None
    model: ModelConfig = field(default_factory=ModelConfig)
    tools: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class GenerateEndEvent(HookEvent):
    prompt: str = ""
    model: ModelConfig = field(default_factory=ModelConfig)
    response: ModelResponse = field(default_factory=ModelResponse)


@dataclass(frozen=True)
class OtherEvent(HookEvent):
    """Every other event: its own fields are attributes too."""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            return unnamed(self, name)


EVENTS: Mapping[str, type[HookEvent]] = {
    "PreToolUse": PreToolUseEvent,
    "PostToolUse": PostToolUseEvent,
    "ToolError": ToolErrorEvent,
    "PermissionRequest": PermissionRequestEvent,
    "PermissionGranted": PermissionEvent,
    "PermissionDenied": PermissionEvent,
    "GenerateStart": GenerateStartEvent,
    "GenerateEnd": GenerateEndEvent,
}


def event_of(payload: Mapping[str, Any]) -> HookEvent:
    return EVENTS.get(str(payload.get("eventType")), OtherEvent).of(payload)
