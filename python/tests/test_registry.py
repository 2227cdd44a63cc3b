"""Registering, listing and removing hooks."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import Any

import pytest
from place import Place

from crosshook import CrosshookClient, CrosshookError, HookEvent, HookResponse, RegisteredHook


def block(event: HookEvent) -> HookResponse:
    return HookResponse.block("blocked")


def test_a_hook_is_listed_until_it_is_unregistered(daemon: Place) -> None:
    client = daemon.client()
    hook_id = client.register_hook(
        "PreToolUse",
        block,
        matcher={"tool": "Bash", "command_pattern": "rm"},
        config={"priority": 10, "timeout": 3000, "fail_behavior": "block"},
    )
    assert client.list_hooks() == [
        RegisteredHook(
            id=hook_id,
            event="PreToolUse",
            matcher={"tool": "Bash", "command_pattern": "rm"},
            config={"priority": 10, "timeout": 3000, "fail_behavior": "block"},
        )
    ]
    assert daemon.shell("rm x")["decision"] == "deny"
    assert client.unregister_hook(hook_id)
    assert not client.unregister_hook(hook_id)
    assert client.list_hooks() == []
    assert daemon.shell("rm x")["decision"] == "allow"


def test_the_short_calls_may_be_awaited(daemon: Place) -> None:
    async def main() -> None:
        client = daemon.client()
        hook_id = await client.register_hook("PreToolUse", block)
        assert [hook.id for hook in await client.list_hooks()] == [hook_id]
        assert await client.unregister_hook(hook_id) is True
        await client.set_hook_audit_level("verbose")
        await client.set_hook_audit_level("info")
        await client.close()

    asyncio.run(main())


def test_a_temporary_hook_is_there_only_within_its_block(daemon: Place) -> None:
    async def main() -> None:
        client = daemon.client()
        event = {"tool_name": "Shell", "tool_input": {"command": "ls"}}
        async with client.temporary_hook("PreToolUse", block, matcher={"tool": "Bash"}) as hook_id:
            assert [hook.id for hook in client.list_hooks()] == [hook_id]
            assert (await client.fire("PreToolUse", event)).decision == "deny"
        assert client.list_hooks() == []
        assert (await client.fire("PreToolUse", event)).decision == "allow"

    asyncio.run(main())


def test_a_temporary_hook_goes_with_an_exception_too(daemon: Place) -> None:
    async def main() -> None:
        client = daemon.client()
        with pytest.raises(ZeroDivisionError):
            async with client.temporary_hook("PreToolUse", block):
                raise ZeroDivisionError
        assert client.list_hooks() == []

    asyncio.run(main())


def test_the_eleventh_hook_of_an_event_and_the_fifty_first_of_all_are_refused(daemon: Place) -> None:
    client = daemon.client()
    events = ["PreToolUse", "PostToolUse", "ToolError", "GenerateStart", "GenerateEnd"]
    for event in events:
        for _ in range(10):
            client.register_hook(event, block)
        if event == events[0]:
            with pytest.raises(CrosshookError, match="PreToolUse already has 10 hooks") as refused:
                client.register_hook(event, block)
            assert refused.value.code == "limit"
    with pytest.raises(CrosshookError, match="already 50 hooks") as refused:
        client.register_hook("SessionStart", block)
    assert refused.value.code == "limit"
    client.unregister_hook(client.list_hooks()[0].id)
    client.register_hook("SessionStart", block)


@pytest.mark.parametrize(
    ("event", "handler", "more", "words"),
    [
        ("PreToolUze", block, {}, "PreToolUse"),
        ("PreToolUse", "block", {}, "cannot be called"),
        ("PreToolUse", block, {"matcher": {"path_patern": "*"}}, "Did you mean 'path_pattern'"),
        ("PreToolUse", block, {"matcher": {"tool": 3}}, "must be str"),
        ("PreToolUse", block, {"matcher": "Bash"}, "not a dict"),
        ("PreToolUse", block, {"config": {"priority": True}}, "must be int"),
        ("PreToolUse", block, {"config": {"timeout": 2**40}}, "too large"),
        ("PreToolUse", block, {"config": {"fail_behavior": "explode"}}, "continue"),
    ],
)
def test_what_is_wrong_with_a_registration_is_said(
    daemon: Place, event: str, handler: Any, more: Any, words: str
) -> None:
    client = daemon.client()
    with pytest.raises(CrosshookError, match=words) as refused:
        client.register_hook(event, handler, **more)
    assert refused.value.code == "bad_input"
    assert client.list_hooks() == []


def test_two_clients_each_answer_for_their_own_hooks(daemon: Place) -> None:
    one, two = daemon.client(), daemon.client()
    one.register_hook("PreToolUse", lambda event: HookResponse.block("one"), matcher={"command_pattern": "one"})
    two.register_hook("PreToolUse", lambda event: HookResponse.block("two"), matcher={"command_pattern": "two"})
    assert daemon.shell("say one")["reason"] == "one"
    assert daemon.shell("say two")["reason"] == "two"
    assert len(one.list_hooks()) == 2
    one.close()
    assert daemon.shell("say one")["decision"] == "allow"
    assert daemon.shell("say two")["reason"] == "two"


def test_a_closed_client_has_no_hooks_and_says_that_it_is_closed(daemon: Place) -> None:
    with daemon.client() as client:
        client.register_hook("PreToolUse", block)
        assert daemon.shell("ls")["decision"] == "deny"
    assert daemon.shell("ls")["decision"] == "allow"
    with pytest.raises(CrosshookError, match="closed"):
        client.register_hook("PreToolUse", block)
    client.close()


def test_a_client_may_be_closed_while_its_hook_is_temporary(daemon: Place) -> None:
    async def main() -> None:
        client = daemon.client()
        async with client.temporary_hook("PreToolUse", block):
            client.close()

    asyncio.run(main())
    assert daemon.client().list_hooks() == []


def test_a_wrong_audit_level_is_refused(daemon: Place) -> None:
    level: Any = "loud"
    with pytest.raises(CrosshookError, match="verbose"):
        daemon.client().set_hook_audit_level(level)


def test_a_wrong_token_is_refused(daemon: Place) -> None:
    with pytest.raises(CrosshookError, match="token") as refused:
        CrosshookClient(daemon.status["grpc"], "wrong").list_hooks()
    assert refused.value.code == "refused"


def test_a_hook_counts_from_the_moment_that_the_daemon_knows_it(daemon: Place) -> None:
    """Events may come before the answer to the registration."""
    client = daemon.client()
    for _ in range(10):
        decisions: list[str] = []
        asking = [threading.Thread(target=ask, args=(daemon, decisions)) for _ in range(4)]
        for thread in asking:
            thread.start()
        hook_id = client.register_hook("PreToolUse", block)
        for thread in asking:
            thread.join()
        client.unregister_hook(hook_id)
        assert set(decisions) == {"deny"}


def ask(daemon: Place, decisions: list[str]) -> None:
    """Until the hook was there a few times."""
    for _ in range(5):
        result = daemon.shell("ls")
        while not result["hooks"]:
            result = daemon.shell("ls")
        decisions.append(result["decision"])


def test_a_hook_of_a_program_has_a_name_that_people_see(daemon: Place) -> None:
    client = daemon.client()
    hook_id = client.register_hook("PreToolUse", block, matcher={"tool": "Bash"}, name="no shell / here")
    client.hook("SessionStart")(block)
    assert hook_id.startswith("no-shell-here-")
    assert sorted(hook.id.rpartition("-")[0] for hook in client.list_hooks()) == ["block", "no-shell-here"]
    listed = json.loads(daemon.command("list", "--json").stdout)
    assert [(row["name"], row["scope"]) for row in listed if row["name"] == hook_id] == [(hook_id, "sdk")]
    # Fired in a process of its own the hook is not asked, which is said.
    alone = daemon.command("fire", "before_tool", "--tool", "Shell", "--input", "{}")
    assert alone.returncode == 0, alone.stderr
    assert "no-shell-here" in alone.stderr and "--via daemon" in alone.stderr
