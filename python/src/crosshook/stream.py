"""The hooks of one client: registered by calls, answered on a stream that is opened again when it breaks."""

from __future__ import annotations

import json
import logging
import random
import threading
import time
import uuid
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass

from ._proto import hooks_pb2 as wire
from .connection import CALL_LIMIT, Connection
from .discovery import Target
from .errors import CrosshookError
from .events import event_of
from .handlers import Handler, Handlers, Handling
from .response import to_wire

log = logging.getLogger("crosshook")

FIRST_PAUSE = 0.1
MAX_PAUSE_SECONDS = 5.0
STEADY = 1.0
"""Seconds after which a stream counts as working, so that the pause before the next attempt is short again."""


@dataclass
class Known:
    request: wire.RegisterHookRequest
    handler: Handler
    at: str
    """The id at the daemon; a new one after the daemon was started anew."""


class HookStream:
    def __init__(self, find: Callable[[], Target], handlers: Handlers) -> None:
        self._find = find
        self._handlers = handlers
        self._client_id = str(uuid.uuid4())
        self._known: dict[str, Known] = {}
        # Protects the table of hooks, and wakes events that came before their hook's registration was confirmed.
        self._changed = threading.Condition()
        self._registering = 0
        self._unwanted: set[str] = set()
        self._connection: Connection | None = None
        self._opened: Future[None] | None = None
        self._closed = threading.Event()

    def open(self) -> Connection:
        """The connection, once the daemon has opened the stream for the first time."""
        if self._closed.is_set():
            raise _is_closed()
        with self._changed:
            if self._opened is None:
                self._opened = Future()
                thread = threading.Thread(
                    target=self._keep_open, args=(self._opened,), name="crosshook-stream", daemon=True
                )
                thread.start()
            opened = self._opened
        opened.result()
        connection = self._connection
        if connection is None:
            raise CrosshookError("no_daemon", "The connection to the daemon is lost; it is tried again and again.")
        return connection

    def register(self, request: wire.RegisterHookRequest, handler: Handler) -> str:
        connection = self.open()
        with self._changed:
            self._registering += 1
        try:
            hook_id = connection.call("RegisterHook", request, wire.RegisterHookResponse).hook_id
            with self._changed:
                self._known[hook_id] = Known(request, handler, hook_id)
            return hook_id
        finally:
            with self._changed:
                self._registering -= 1
                self._changed.notify_all()

    def unregister(self, hook_id: str) -> bool:
        if self._closed.is_set():
            return False
        hook = self._known.get(hook_id)
        at = hook.at if hook else hook_id
        try:
            return self._remove(at, self.open())
        except CrosshookError as error:
            if hook is None or error.code != "no_daemon":
                raise
            # Removed when a daemon is there again.
            self._unwanted.add(at)
            return True
        finally:
            # Only now: an event that was sent before is still answered.
            with self._changed:
                self._known.pop(hook_id, None)

    def names(self) -> dict[str, str]:
        """Id at the daemon → the id that the program knows."""
        with self._changed:
            return {hook.at: name for name, hook in self._known.items()}

    def close(self) -> None:
        if self._closed.is_set():
            return
        self._closed.set()
        connection = self._connection
        if connection is None:
            return
        end = time.monotonic() + 2
        for at in self.names():
            try:
                self._remove(at, connection, max(0.1, end - time.monotonic()))
            except CrosshookError as error:
                log.warning("the hook %s could not be unregistered: %s", at, error)
        connection.close()

    def wait(self, timeout: float | None = None) -> bool:
        return self._closed.wait(timeout)

    def _keep_open(self, first: Future[None]) -> None:
        pause = FIRST_PAUSE
        told = ""
        while not self._closed.is_set():
            started = time.monotonic()
            try:
                self._serve(first)
            except Exception as error:
                if not first.done():
                    with self._changed:
                        self._opened = None
                    first.set_exception(error)
                    return
                if not self._closed.is_set() and str(error) != told:
                    log.warning("the stream of the daemon broke, and is tried again: %s", error)
                    told = str(error)
            pause = FIRST_PAUSE if time.monotonic() - started > STEADY else min(pause * 2, MAX_PAUSE_SECONDS)
            self._closed.wait(pause * random.uniform(0.75, 1.25))
        if not first.done():
            first.set_exception(_is_closed())

    def _serve(self, first: Future[None]) -> None:
        connection = Connection(self._find(), self._client_id)
        try:
            self._settle_hooks(connection)
            self._connection = connection
            if self._closed.is_set():
                return
            if not first.done():
                first.set_result(None)
            for event in connection.events():
                self._answer(event, connection)
        finally:
            self._connection = None
            connection.close()

    def _settle_hooks(self, connection: Connection) -> None:
        """A restarted daemon has none of our hooks; another may have hooks that were removed meanwhile."""
        listed = connection.call("ListHooks", wire.ListHooksRequest(), wire.ListHooksResponse)
        there = {hook.hook_id for hook in listed.hooks}
        with self._changed:
            lost = {name: hook for name, hook in self._known.items() if hook.at not in there}
        for name, hook in lost.items():
            try:
                hook.at = connection.call("RegisterHook", hook.request, wire.RegisterHookResponse).hook_id
                there.add(hook.at)
            except CrosshookError as error:
                if error.code == "no_daemon":
                    raise
                log.error("the hook %s could not be registered again: %s", name, error)
            if name not in self._known:
                self._unwanted.add(hook.at)
        for at in self._unwanted & there:
            self._remove(at, connection)
        self._unwanted.clear()

    def _remove(self, at: str, connection: Connection, limit: float = CALL_LIMIT) -> bool:
        request = wire.UnregisterHookRequest(hook_id=at)
        return connection.call("UnregisterHook", request, wire.UnregisterHookResponse, limit).removed

    def _answer(self, event: wire.HookEvent, connection: Connection) -> None:
        hook = self._hook_at(event.hook_id)
        if hook is not None:
            self._call(hook, event, connection)
        else:
            # The wait must not hold up the other events.
            threading.Thread(target=self._answer_late, args=(event, connection), daemon=True).start()

    def _answer_late(self, event: wire.HookEvent, connection: Connection) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._hook_at(event.hook_id) or not self._registering, CALL_LIMIT)
        hook = self._hook_at(event.hook_id)
        if hook is not None:
            self._call(hook, event, connection)
        else:
            # Unregistered while the event was on its way.
            connection.answer(wire.HookResponse(hook_id=event.hook_id, event_id=event.event_id))

    def _hook_at(self, hook_id: str) -> Known | None:
        with self._changed:
            return next((hook for hook in self._known.values() if hook.at == hook_id), None)

    def _call(self, hook: Known, event: wire.HookEvent, connection: Connection) -> None:
        def answered(answer: object, error: BaseException | None) -> None:
            response = wire.HookResponse()
            try:
                if error is not None:
                    raise error
                response = to_wire(answer)
            except BaseException as failure:
                log.warning("the hook %s failed: %r", event.hook_id, failure, exc_info=failure)
                response.error = f"{type(failure).__name__}: {failure}"
            response.hook_id = event.hook_id
            response.event_id = event.event_id
            connection.answer(response)

        try:
            given = event_of(json.loads(event.payload))
            depth = given.metadata.get("execute_tool_depth", 0)
            self._handlers.start(hook.handler, given, Handling(event.event_id, int(depth)), answered)
        except Exception as error:
            answered(None, error)


def _is_closed() -> CrosshookError:
    return CrosshookError("closed", "This client is closed.")
