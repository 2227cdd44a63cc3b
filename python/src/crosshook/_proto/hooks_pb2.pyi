from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class HookAction(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CONTINUE: _ClassVar[HookAction]
    BLOCK: _ClassVar[HookAction]
    RETRY: _ClassVar[HookAction]
    SKIP: _ClassVar[HookAction]
CONTINUE: HookAction
BLOCK: HookAction
RETRY: HookAction
SKIP: HookAction

class RegisterHookRequest(_message.Message):
    __slots__ = ("event_type", "matcher", "config", "name")
    EVENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    MATCHER_FIELD_NUMBER: _ClassVar[int]
    CONFIG_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    event_type: str
    matcher: HookMatcher
    config: HookConfig
    name: str
    def __init__(self, event_type: _Optional[str] = ..., matcher: _Optional[_Union[HookMatcher, _Mapping]] = ..., config: _Optional[_Union[HookConfig, _Mapping]] = ..., name: _Optional[str] = ...) -> None: ...

class RegisterHookResponse(_message.Message):
    __slots__ = ("hook_id",)
    HOOK_ID_FIELD_NUMBER: _ClassVar[int]
    hook_id: str
    def __init__(self, hook_id: _Optional[str] = ...) -> None: ...

class UnregisterHookRequest(_message.Message):
    __slots__ = ("hook_id",)
    HOOK_ID_FIELD_NUMBER: _ClassVar[int]
    hook_id: str
    def __init__(self, hook_id: _Optional[str] = ...) -> None: ...

class UnregisterHookResponse(_message.Message):
    __slots__ = ("removed",)
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    removed: bool
    def __init__(self, removed: bool = ...) -> None: ...

class ListHooksRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListHooksResponse(_message.Message):
    __slots__ = ("hooks",)
    HOOKS_FIELD_NUMBER: _ClassVar[int]
    hooks: _containers.RepeatedCompositeFieldContainer[RegisteredHook]
    def __init__(self, hooks: _Optional[_Iterable[_Union[RegisteredHook, _Mapping]]] = ...) -> None: ...

class RegisteredHook(_message.Message):
    __slots__ = ("hook_id", "event_type", "matcher", "config")
    HOOK_ID_FIELD_NUMBER: _ClassVar[int]
    EVENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    MATCHER_FIELD_NUMBER: _ClassVar[int]
    CONFIG_FIELD_NUMBER: _ClassVar[int]
    hook_id: str
    event_type: str
    matcher: HookMatcher
    config: HookConfig
    def __init__(self, hook_id: _Optional[str] = ..., event_type: _Optional[str] = ..., matcher: _Optional[_Union[HookMatcher, _Mapping]] = ..., config: _Optional[_Union[HookConfig, _Mapping]] = ...) -> None: ...

class HookMatcher(_message.Message):
    __slots__ = ("tool", "path_pattern", "command_pattern")
    TOOL_FIELD_NUMBER: _ClassVar[int]
    PATH_PATTERN_FIELD_NUMBER: _ClassVar[int]
    COMMAND_PATTERN_FIELD_NUMBER: _ClassVar[int]
    tool: str
    path_pattern: str
    command_pattern: str
    def __init__(self, tool: _Optional[str] = ..., path_pattern: _Optional[str] = ..., command_pattern: _Optional[str] = ...) -> None: ...

class HookConfig(_message.Message):
    __slots__ = ("priority", "timeout_ms", "fail_behavior")
    PRIORITY_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_MS_FIELD_NUMBER: _ClassVar[int]
    ASYNC_FIELD_NUMBER: _ClassVar[int]
    FAIL_BEHAVIOR_FIELD_NUMBER: _ClassVar[int]
    priority: int
    timeout_ms: int
    fail_behavior: str
    def __init__(self, priority: _Optional[int] = ..., timeout_ms: _Optional[int] = ..., fail_behavior: _Optional[str] = ..., **kwargs) -> None: ...

class HookEvent(_message.Message):
    __slots__ = ("hook_id", "event_type", "session_id", "timestamp", "payload", "event_id")
    HOOK_ID_FIELD_NUMBER: _ClassVar[int]
    EVENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TIMESTAMP_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_FIELD_NUMBER: _ClassVar[int]
    EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    hook_id: str
    event_type: str
    session_id: str
    timestamp: int
    payload: bytes
    event_id: str
    def __init__(self, hook_id: _Optional[str] = ..., event_type: _Optional[str] = ..., session_id: _Optional[str] = ..., timestamp: _Optional[int] = ..., payload: _Optional[bytes] = ..., event_id: _Optional[str] = ...) -> None: ...

class HookResponse(_message.Message):
    __slots__ = ("hook_id", "action", "reason", "modified", "event_id", "retry_delay_ms", "error")
    HOOK_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    MODIFIED_FIELD_NUMBER: _ClassVar[int]
    EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    RETRY_DELAY_MS_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    hook_id: str
    action: HookAction
    reason: str
    modified: bytes
    event_id: str
    retry_delay_ms: int
    error: str
    def __init__(self, hook_id: _Optional[str] = ..., action: _Optional[_Union[HookAction, str]] = ..., reason: _Optional[str] = ..., modified: _Optional[bytes] = ..., event_id: _Optional[str] = ..., retry_delay_ms: _Optional[int] = ..., error: _Optional[str] = ...) -> None: ...

class FireRequest(_message.Message):
    __slots__ = ("event_type", "event")
    EVENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    event_type: str
    event: bytes
    def __init__(self, event_type: _Optional[str] = ..., event: _Optional[bytes] = ...) -> None: ...

class FireResponse(_message.Message):
    __slots__ = ("decision", "reason", "result")
    DECISION_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    decision: str
    reason: str
    result: bytes
    def __init__(self, decision: _Optional[str] = ..., reason: _Optional[str] = ..., result: _Optional[bytes] = ...) -> None: ...

class SetHookAuditLevelRequest(_message.Message):
    __slots__ = ("level",)
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    level: str
    def __init__(self, level: _Optional[str] = ...) -> None: ...

class SetHookAuditLevelResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ExecuteToolRequest(_message.Message):
    __slots__ = ("session_id", "tool", "args", "event_id")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    ARGS_FIELD_NUMBER: _ClassVar[int]
    EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    tool: str
    args: bytes
    event_id: str
    def __init__(self, session_id: _Optional[str] = ..., tool: _Optional[str] = ..., args: _Optional[bytes] = ..., event_id: _Optional[str] = ...) -> None: ...

class ExecuteToolResponse(_message.Message):
    __slots__ = ("success", "output", "exit_code", "duration_ms")
    SUCCESS_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_FIELD_NUMBER: _ClassVar[int]
    EXIT_CODE_FIELD_NUMBER: _ClassVar[int]
    DURATION_MS_FIELD_NUMBER: _ClassVar[int]
    success: bool
    output: str
    exit_code: int
    duration_ms: int
    def __init__(self, success: bool = ..., output: _Optional[str] = ..., exit_code: _Optional[int] = ..., duration_ms: _Optional[int] = ...) -> None: ...
