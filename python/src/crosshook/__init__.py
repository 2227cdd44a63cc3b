"""Hooks around AI agents, in Python: register functions at the crosshook daemon, and it calls them."""

from .awaiting import Call, Done, HookId, HookList
from .client import CrosshookClient
from .errors import CrosshookError, ErrorCode
from .events import (
    GenerateEndEvent,
    GenerateStartEvent,
    HookEvent,
    ModelConfig,
    ModelResponse,
    OtherEvent,
    PermissionEvent,
    PermissionRequestEvent,
    PostToolUseEvent,
    PreToolUseEvent,
    TokenUsage,
    ToolArgs,
    ToolCall,
    ToolContext,
    ToolErrorEvent,
    ToolResult,
)
from .options import HookAuditLevel, HookConfig, HookMatcher, RegisteredHook
from .outcome import FireResult
from .response import HookAction, HookAnswer, HookResponse

__all__ = [
    "Call",
    "CrosshookClient",
    "CrosshookError",
    "Done",
    "ErrorCode",
    "FireResult",
    "GenerateEndEvent",
    "GenerateStartEvent",
    "HookAction",
    "HookAnswer",
    "HookAuditLevel",
    "HookConfig",
    "HookEvent",
    "HookId",
    "HookList",
    "HookMatcher",
    "HookResponse",
    "ModelConfig",
    "ModelResponse",
    "OtherEvent",
    "PermissionEvent",
    "PermissionRequestEvent",
    "PostToolUseEvent",
    "PreToolUseEvent",
    "RegisteredHook",
    "TokenUsage",
    "ToolArgs",
    "ToolCall",
    "ToolContext",
    "ToolErrorEvent",
    "ToolResult",
]
