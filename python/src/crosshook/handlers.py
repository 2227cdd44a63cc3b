"""Where handlers run: coroutines on an event loop, plain functions each on a thread of its own."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar

from .awaiting import running_loop
from .events import HookEvent
from .response import HookAnswer

Handler = Callable[[Any], HookAnswer | Awaitable[HookAnswer]]
H = TypeVar("H", bound=Handler)

Answered = Callable[[object, BaseException | None], None]
"""Told the answer, or what went wrong instead."""


@dataclass(frozen=True)
class Handling:
    """The event that the code which runs now answers, and how many tool calls of hooks led to it."""

    event_id: str = ""
    depth: int = 0


NO_EVENT = Handling()

handling: ContextVar[Handling] = ContextVar("crosshook_handling", default=NO_EVENT)


class Handlers:
    """Coroutines run on the program's event loop if the client was used there and it runs, else on one of ours."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._theirs: asyncio.AbstractEventLoop | None = None
        self._ours: asyncio.AbstractEventLoop | None = None

    def adopt(self) -> None:
        loop = running_loop()
        if loop is not None and loop is not self._ours:
            self._theirs = loop

    def start(self, handler: Handler, event: HookEvent, about: Handling, answered: Answered) -> None:
        if inspect.iscoroutinefunction(handler):
            self._on_loop(lambda: handler(event), about, answered)
            return

        def work() -> None:
            handling.set(about)
            try:
                answer = handler(event)
            except BaseException as error:
                answered(None, error)
                return
            if inspect.isawaitable(answer):
                self._on_loop(lambda: answer, about, answered)
            else:
                answered(answer, None)

        # A daemon thread does not keep the program from ending.
        threading.Thread(target=work, name="crosshook-handler", daemon=True).start()

    def close(self) -> None:
        with self._lock:
            if self._ours is not None:
                self._ours.call_soon_threadsafe(self._ours.stop)
                self._ours = None

    def _on_loop(self, begin: Callable[[], Any], about: Handling, answered: Answered) -> None:
        async def work() -> object:
            handling.set(about)
            return await begin()

        coroutine = work()
        try:
            future = asyncio.run_coroutine_threadsafe(coroutine, self._loop())
        except RuntimeError as error:
            coroutine.close()
            answered(None, error)
            return

        def settle(_: object) -> None:
            if future.cancelled():
                answered(None, asyncio.CancelledError("the handler was cancelled"))
            else:
                error = future.exception()
                answered(None if error else future.result(), error)

        future.add_done_callback(settle)

    def _loop(self) -> asyncio.AbstractEventLoop:
        theirs = self._theirs
        if theirs is not None and theirs.is_running():
            return theirs
        with self._lock:
            if self._ours is None:
                self._ours = asyncio.new_event_loop()
                threading.Thread(target=_serve, args=(self._ours,), name="crosshook-loop", daemon=True).start()
            return self._ours


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
        tasks = asyncio.all_tasks(loop)
        for task in tasks:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
    finally:
        loop.close()
