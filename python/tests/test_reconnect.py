"""Daemons come and go."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable

import pytest
from place import Place

from crosshook import CrosshookClient, CrosshookError, HookEvent, HookResponse


def eventually(holds: Callable[[], bool], seconds: float = 15) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it never came to hold"
        time.sleep(0.05)


def block(event: HookEvent) -> HookResponse:
    return HookResponse.block("guarded")


def test_hooks_run_again_after_the_daemon_was_killed_and_started_anew(own_daemon: Place) -> None:
    client = own_daemon.client()
    hook_id = client.register_hook("PreToolUse", block, matcher={"tool": "Bash"})
    assert own_daemon.shell("ls")["reason"] == "guarded"
    own_daemon.kill()
    eventually(lambda: _is_lost(client))
    own_daemon.start(own_daemon.status["grpc"])
    eventually(lambda: own_daemon.shell("ls")["reason"] == "guarded")
    assert [hook.id for hook in client.list_hooks()] == [hook_id]
    assert client.unregister_hook(hook_id)
    assert own_daemon.shell("ls")["decision"] == "allow"


def test_a_daemon_on_another_port_is_found_again(own_daemon: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", own_daemon.env["XDG_STATE_HOME"])
    with CrosshookClient() as client:
        hook_id = client.register_hook("PreToolUse", block)
        first = own_daemon.status["grpc"]
        own_daemon.kill()
        own_daemon.start()
        assert own_daemon.status["grpc"] != first
        eventually(lambda: own_daemon.shell("ls")["reason"] == "guarded")
        assert [hook.id for hook in client.list_hooks()] == [hook_id]
        assert client.unregister_hook(hook_id)
        assert own_daemon.shell("ls")["decision"] == "allow"


def test_a_stopped_daemon_is_waited_for(own_daemon: Place) -> None:
    client = own_daemon.client()
    client.register_hook("PreToolUse", block)
    own_daemon.stop()
    own_daemon.start(own_daemon.status["grpc"])
    eventually(lambda: own_daemon.shell("ls")["reason"] == "guarded")


def test_calls_without_a_daemon_say_so_at_once(own_daemon: Place) -> None:
    client = own_daemon.client()
    client.register_hook("PreToolUse", block)
    own_daemon.kill()
    eventually(lambda: _is_lost(client))
    with pytest.raises(CrosshookError) as lost:
        client.register_hook("PreToolUse", block)
    assert lost.value.code == "no_daemon"


def test_a_temporary_hook_that_ends_while_the_daemon_is_away_does_not_come_back(own_daemon: Place) -> None:
    client = own_daemon.client()

    async def main() -> None:
        async with client.temporary_hook("PreToolUse", block):
            own_daemon.kill()
            await asyncio.to_thread(eventually, lambda: _is_lost(client))

    asyncio.run(main())
    own_daemon.start(own_daemon.status["grpc"])
    eventually(lambda: not _is_lost(client))
    assert client.list_hooks() == []


def test_an_event_in_flight_fails_by_the_policy_of_its_hook_when_the_program_goes(own_daemon: Place) -> None:
    client = own_daemon.client()
    begun = threading.Event()
    over = threading.Event()

    def hang(event: HookEvent) -> None:
        begun.set()
        over.wait(30)

    client.register_hook("PreToolUse", hang, config={"fail_behavior": "block"})
    answers: list[str] = []
    asking = threading.Thread(target=lambda: answers.append(own_daemon.shell("ls")["decision"]))
    asking.start()
    assert begun.wait(5)
    connection = client._stream.open()
    connection.close()
    asking.join(3)
    over.set()
    assert answers == ["deny"]
    eventually(lambda: not _is_lost(client))


def _is_lost(client: CrosshookClient) -> bool:
    try:
        client.list_hooks()
        return False
    except CrosshookError:
        return True
