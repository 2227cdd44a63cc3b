"""Hooks by registration: `@client.hook("PreToolUse")`."""

from __future__ import annotations

import asyncio
import atexit
import json
import signal
import threading
import weakref
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from types import TracebackType
from typing import Any

from ._proto import hooks_pb2 as wire
from .awaiting import Call, Done, HookId, HookList
from .discovery import find_daemon
from .errors import CrosshookError
from .events import ModelResponse, ToolResult
from .generate import Generate, generate
from .handlers import H, Handler, Handlers, handling
from .options import (
    HookAuditLevel,
    HookConfig,
    HookMatcher,
    config_to_wire,
    from_wire,
    matcher_to_wire,
)
from .outcome import FireResult
from .stream import HookStream


class CrosshookClient:
    """Without an address and a token: those of `CROSSHOOK_GRPC` and `CROSSHOOK_TOKEN`, else of this user's daemon.

    It connects with the first call. A handler that is a coroutine runs on the event loop on which the client was
    used; in a program without one, on a loop of the client's own. A plain function runs on a thread of its own.
    """

    def __init__(
        self,
        address: str | None = None,
        token: str | None = None,
        *,
        generate: Generate | None = None,
    ) -> None:
        """`generate` is the program's own model, which `client.generate` calls between its hooks."""
        self._handlers = Handlers()
        self._stream = HookStream(lambda: find_daemon(address, token), self._handlers)
        self._generate = generate
        # A program that does not call close() must not leave hooks that nobody answers.
        atexit.register(_close_forgotten, weakref.ref(self))

    def hook(
        self,
        event: str,
        matcher: HookMatcher | None = None,
        config: HookConfig | None = None,
        *,
        name: str | None = None,
    ) -> Callable[[H], H]:
        def register(handler: H) -> H:
            own = str(getattr(handler, "__name__", ""))
            known = name or ("" if own == "<lambda>" else own)
            self.register_hook(event, handler, matcher, config, name=known)
            return handler

        return register

    def register_hook(
        self,
        event: str,
        handler: Handler,
        matcher: HookMatcher | None = None,
        config: HookConfig | None = None,
        *,
        name: str = "",
    ) -> HookId:
        """The hook's id, which begins with its name. Raises when the hook is refused."""
        if not callable(handler):
            raise CrosshookError("bad_input", f"The handler is {handler!r}, which cannot be called.")
        request = wire.RegisterHookRequest(
            event_type=event, matcher=matcher_to_wire(matcher), config=config_to_wire(config), name=name
        )
        self._handlers.adopt()
        return HookId(self._stream.register(request, handler))

    def unregister_hook(self, hook_id: str) -> Done:
        """True when there was such a hook."""
        return Done(self._stream.unregister(hook_id))

    def list_hooks(self) -> HookList:
        """All hooks that are registered at the daemon, those of other programs too."""
        listed = self._stream.open().call("ListHooks", wire.ListHooksRequest(), wire.ListHooksResponse)
        names = self._stream.names()
        return HookList(from_wire(hook, names.get(hook.hook_id, hook.hook_id)) for hook in listed.hooks)

    @asynccontextmanager
    async def temporary_hook(
        self,
        event: str,
        handler: Handler,
        matcher: HookMatcher | None = None,
        config: HookConfig | None = None,
    ) -> AsyncIterator[HookId]:
        """A hook for as long as the block runs, however that ends."""
        hook_id = self.register_hook(event, handler, matcher, config)
        try:
            yield hook_id
        finally:
            self.unregister_hook(hook_id)

    def set_hook_audit_level(self, level: HookAuditLevel) -> Done:
        request = wire.SetHookAuditLevelRequest(level=level)
        self._stream.open().call("SetHookAuditLevel", request, wire.SetHookAuditLevelResponse)
        return Done()

    def execute_tool(self, session_id: str, tool: str, args: Mapping[str, Any]) -> Call[ToolResult]:
        """Runs a tool in the folder of the session, past the same hooks as any tool call."""
        about = handling.get()
        if about.depth > 0:
            raise CrosshookError(
                "refused",
                "A hook that was run by execute_tool may not call execute_tool again.",
                "Match fewer tools in the hook, or do the work in the first call.",
            )
        self._handlers.adopt()
        request = wire.ExecuteToolRequest(
            session_id=session_id, tool=tool, args=json.dumps(args).encode(), event_id=about.event_id
        )
        connection = self._stream.open()
        return Call(connection.call_later("ExecuteTool", request, wire.ExecuteToolResponse, _tool_result))

    def fire(self, event: str, fields: Mapping[str, Any] | None = None) -> Call[FireResult]:
        """Runs every hook that matches, in any program or folder; for programs that are agents."""
        self._handlers.adopt()
        request = wire.FireRequest(event_type=event, event=json.dumps(fields or {}).encode())
        return Call(self._stream.open().call_later("Fire", request, wire.FireResponse, FireResult.from_wire))

    def generate(self, session_id: str, prompt: str, **more: Any) -> Awaitable[ModelResponse]:
        """One call of the program's own model, between the hooks of GenerateStart and GenerateEnd."""
        return generate(self.fire, self._generate, session_id, prompt, more)

    def start(self) -> CrosshookClient:
        """Connects. Other calls do so by themselves; this one only says early when there is no daemon."""
        self._handlers.adopt()
        self._stream.open()
        return self

    def run(self) -> None:
        """Answers events until the client is closed or the program interrupted."""
        self.start()
        try:
            with _interrupted_by_sigterm():
                # On some systems Ctrl-C does not interrupt a wait without a limit.
                while not self._stream.wait(1):
                    pass
        except KeyboardInterrupt:
            pass
        finally:
            self.close()

    async def wait(self) -> None:
        """`run` for programs that have an event loop: ends when the client is closed, or with its task."""
        self.start()
        while not self._stream.wait(0):
            await asyncio.sleep(0.1)

    def close(self) -> Done:
        """Unregisters this client's hooks and disconnects."""
        self._stream.close()
        self._handlers.close()
        return Done()

    def __enter__(self) -> CrosshookClient:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    async def __aenter__(self) -> CrosshookClient:
        return self.start()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


@contextmanager
def _interrupted_by_sigterm() -> Iterator[None]:
    """Unregisters the hooks on SIGTERM, unless the program handles that signal itself."""
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _tool_result(done: wire.ExecuteToolResponse) -> ToolResult:
    return ToolResult(
        success=done.success,
        output=done.output,
        exit_code=done.exit_code if done.HasField("exit_code") else None,
        duration=done.duration_ms,
    )


def _close_forgotten(reference: weakref.ref[CrosshookClient]) -> None:
    client = reference()
    if client is not None:
        client.close()
