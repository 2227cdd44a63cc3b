"""Results that may be awaited. Short calls return a finished result, so `await` is optional there."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Generator
from concurrent.futures import Future
from typing import Any, Generic, TypeVar

from .errors import CrosshookError
from .options import RegisteredHook

T = TypeVar("T")


class HookId(str):
    def __await__(self) -> Generator[Any, None, HookId]:
        return _at_once(self)


class HookList(list[RegisteredHook]):
    def __await__(self) -> Generator[Any, None, HookList]:
        return _at_once(self)


class Done:
    """The result of a finished call; true when it changed something."""

    def __init__(self, changed: bool = True) -> None:
        self._changed = changed

    def __bool__(self) -> bool:
        return self._changed

    def __eq__(self, other: object) -> bool:
        return self._changed == bool(other) if isinstance(other, (bool, Done)) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._changed)

    def __repr__(self) -> str:
        return repr(self._changed)

    def __await__(self) -> Generator[Any, None, bool]:
        return _at_once(self._changed)


class Call(Awaitable[T], Generic[T]):
    """Runs already: `await` it, or take its `result()` where there is no event loop."""

    def __init__(self, future: Future[T]) -> None:
        self._future = future

    def __await__(self) -> Generator[Any, None, T]:
        return asyncio.wrap_future(self._future).__await__()

    def result(self, timeout: float | None = None) -> T:
        """Waits, at most `timeout` seconds."""
        if not self._future.done() and running_loop() is not None:
            raise CrosshookError(
                "refused",
                "result() would stop the event loop, and with it the handlers that the answer may need.",
                "Use `await` here.",
            )
        return self._future.result(timeout)


def running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def _at_once(value: T) -> Generator[Any, None, T]:
    return value
    yield
