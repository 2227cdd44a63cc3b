"""One connection to the hook service: its calls, and the stream of events."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from typing import TypeVar

import grpc
from google.protobuf.message import Message

from ._proto import hooks_pb2 as wire
from .discovery import Target
from .errors import CrosshookError, ErrorCode

T = TypeVar("T")
B = TypeVar("B", bound=Message)

CALL_LIMIT = 10.0
"""Seconds, for calls that run no hook."""


class Connection:
    """When it is made, its stream is open or has failed; the next call raises what went wrong."""

    def __init__(self, target: Target, client_id: str) -> None:
        self._metadata = (
            ("authorization", f"Bearer {target.token}"),
            ("crosshook-client", client_id),
        )
        self._answers: queue.SimpleQueue[wire.HookResponse | None] = queue.SimpleQueue()
        # The daemon opens the stream when it gets the first message.
        self._answers.put(wire.HookResponse())
        self._channel = _channel(target.address)
        stream = self._channel.stream_stream(
            "/HookService/HookStream",
            request_serializer=wire.HookResponse.SerializeToString,
            response_deserializer=wire.HookEvent.FromString,
        )
        self._stream = stream(iter(self._answers.get, None), metadata=self._metadata)
        # The daemon sends the head as soon as the stream is open.
        self._stream.initial_metadata()

    def events(self) -> Iterator[wire.HookEvent]:
        """Until the stream ends; raises when it breaks."""
        try:
            yield from self._stream
        except grpc.RpcError as error:
            raise explain(error) from error

    def answer(self, response: wire.HookResponse) -> None:
        self._answers.put(response)

    def call(self, name: str, request: Message, answer: type[B], limit: float = CALL_LIMIT) -> B:
        method = self._method(name, answer)
        try:
            return method(request, timeout=limit, metadata=self._metadata)
        except FAILURES as error:
            raise explain(error) from error

    def call_later(self, name: str, request: Message, answer: type[B], read: Callable[[B], T]) -> Future[T]:
        """For calls without a time limit."""
        future: Future[T] = Future()
        try:
            pending = self._method(name, answer).future(request, metadata=self._metadata)
        except ValueError as error:
            raise explain(error) from error

        def settle(_: object) -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                message = pending.result()
            except FAILURES as error:
                future.set_exception(explain(error))
            else:
                future.set_result(read(message))

        pending.add_done_callback(settle)
        # A cancelled future cancels its call.
        future.add_done_callback(lambda _: pending.cancel())  # type: ignore[no-untyped-call]
        return future

    def close(self) -> None:
        self._answers.put(None)
        self._stream.cancel()  # type: ignore[no-untyped-call]
        self._channel.close()

    def _method(self, name: str, answer: type[B]) -> grpc.UnaryUnaryMultiCallable[Message, B]:
        return self._channel.unary_unary(
            f"/HookService/{name}",
            request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=answer.FromString,
        )


# The last two mean that the connection was closed, before the call or during it.
FAILURES = (grpc.RpcError, grpc.FutureCancelledError, ValueError)


def explain(error: Exception) -> CrosshookError:
    code: grpc.StatusCode | None = error.code() if isinstance(error, grpc.Call) else None
    if code is None or code is grpc.StatusCode.CANCELLED:
        return CrosshookError("no_daemon", "The connection to the daemon was closed.")
    details = str(error.details() or code) if isinstance(error, grpc.Call) else str(error)
    if code is grpc.StatusCode.UNAVAILABLE:
        return CrosshookError("no_daemon", f"The daemon cannot be reached: {details}.")
    # The daemon's messages say what to do.
    return CrosshookError(CODES.get(code, "refused"), details, "")


CODES: Mapping[grpc.StatusCode, ErrorCode] = {
    grpc.StatusCode.RESOURCE_EXHAUSTED: "limit",
    grpc.StatusCode.INVALID_ARGUMENT: "bad_input",
    grpc.StatusCode.NOT_FOUND: "not_found",
}


def _channel(address: str) -> grpc.Channel:
    scheme, _, rest = address.rpartition("://")
    options: list[tuple[str, int]] = [
        # The daemon has limits of its own.
        ("grpc.max_receive_message_length", -1),
        ("grpc.max_send_message_length", -1),
        ("grpc.keepalive_time_ms", 30_000),
        ("grpc.keepalive_timeout_ms", 20_000),
        # This client does the retries and their pauses.
        ("grpc.enable_retries", 0),
        ("grpc.use_local_subchannel_pool", 1),
    ]
    if rest.startswith(("127.", "localhost:", "[::1]:")):
        options.append(("grpc.enable_http_proxy", 0))
    if scheme == "https":
        return grpc.secure_channel(rest, grpc.ssl_channel_credentials(), options)
    return grpc.insecure_channel(rest, options)
