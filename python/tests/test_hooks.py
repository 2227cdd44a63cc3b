"""What handlers answer, and what becomes of it."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

import pytest
from place import Place

from crosshook import CrosshookError, HookEvent, HookResponse, PostToolUseEvent, PreToolUseEvent


def test_a_decorated_function_is_asked_and_can_block(daemon: Place) -> None:
    client = daemon.client()

    @client.hook("PreToolUse")
    async def guard(event: PreToolUseEvent) -> HookResponse:
        if "rm -rf /" in event.args.get("command", ""):
            return HookResponse.block("Dangerous command blocked")
        return HookResponse.continue_()

    assert guard.__name__ == "guard"
    blocked = daemon.shell("rm -rf /")
    assert (blocked["decision"], blocked["reason"]) == ("deny", "Dangerous command blocked")
    assert daemon.shell("ls")["decision"] == "allow"


@pytest.mark.parametrize(
    ("matcher", "tool", "tool_input", "runs"),
    [
        ({"tool": "Bash"}, "Shell", {"command": "ls"}, True),
        ({"tool": "Write"}, "Shell", {"command": "ls"}, False),
        ({"tool": "Write", "path_pattern": "*.py"}, "WriteFile", {"path": "/app/main.py", "content": ""}, True),
        ({"tool": "Write", "path_pattern": "*.py"}, "WriteFile", {"path": "/app/main.rs", "content": ""}, False),
        ({"command_pattern": r"git\s+push"}, "Shell", {"command": "git  push"}, True),
        ({"commandPattern": r"git\s+push"}, "Shell", {"command": "git pull"}, False),
    ],
)
def test_a_matcher_chooses_the_calls(
    daemon: Place, matcher: Any, tool: str, tool_input: dict[str, Any], runs: bool
) -> None:
    client = daemon.client()
    client.register_hook("PreToolUse", lambda event: HookResponse.block("matched"), matcher=matcher)
    result = daemon.fire("before_tool", tool_name=tool, tool_input=tool_input)
    assert (result["reason"] == "matched") is runs


def test_a_handler_gets_the_event_by_attributes(daemon: Place) -> None:
    client = daemon.client()
    seen: list[PreToolUseEvent] = []
    client.register_hook("PreToolUse", seen.append)
    daemon.shell("ls", work_dir="/app", context={"recent_tools": ["Read"], "ticket": 7})
    (event,) = seen
    assert isinstance(event, PreToolUseEvent)
    assert (event.event_type, event.session_id, event.tool) == ("PreToolUse", "s1", "Bash")
    assert event.args == {"command": "ls"}
    assert event.timestamp == pytest.approx(time.time() * 1000, abs=60_000)
    assert event.context.working_directory == "/app"
    assert event.context.recent_tools == ["Read"]
    assert event.context.token_usage.total_tokens == 0
    assert event.metadata["ticket"] == 7


def test_modified_arguments_are_used(daemon: Place) -> None:
    client = daemon.client()

    @client.hook("PreToolUse", matcher={"tool": "Bash"})
    async def limit(event: PreToolUseEvent) -> HookResponse:
        return HookResponse.continue_(modified={"args": {**event.args, "timeout": 30000}})

    assert daemon.shell("ls")["updated_input"] == {"command": "ls", "timeout": 30000}


def test_an_operation_can_be_retried(daemon: Place) -> None:
    client = daemon.client()
    client.register_hook("ToolError", lambda event: HookResponse.retry(250))
    result = daemon.fire("after_tool_failure", tool_name="Shell", tool_input={"command": "x"}, error="busy")
    assert result["retry"] == 250


def test_skip_leaves_out_what_later_hooks_would_change(daemon: Place) -> None:
    client = daemon.client()
    change = HookResponse.continue_({"args": {"command": "changed"}})
    client.register_hook("PreToolUse", lambda event: change, config={"priority": 200})
    assert daemon.shell("ls")["updated_input"] == {"command": "changed"}
    client.register_hook("PreToolUse", lambda event: HookResponse.skip(), config={"priority": 1})
    result = daemon.shell("ls")
    assert (result["decision"], result["updated_input"]) == ("allow", None)


def test_skip_gets_nobody_past_the_guards_of_the_user(daemon: Place) -> None:
    daemon.configure("agents/hooks/late/HOOK.md", LATE)
    client = daemon.client()
    client.register_hook("PreToolUse", lambda event: HookResponse.skip(), config={"priority": 1})
    assert daemon.shell("skip me")["reason"] == "late"


LATE = """---
name: late
description: Comes after the hooks of programs
trigger: before_tool
matcher:
  command: ^skip
outcome:
  decision: deny
  reason: late
---
"""


def test_a_plain_function_may_take_its_time_without_holding_up_others(daemon: Place) -> None:
    client = daemon.client()
    both = threading.Barrier(2, timeout=4)

    def meet(event: HookEvent) -> HookResponse:
        both.wait()
        return HookResponse.block("met")

    client.register_hook("PreToolUse", meet)
    other = threading.Thread(target=daemon.shell, args=("one",))
    other.start()
    assert daemon.shell("two")["reason"] == "met"
    other.join()


def test_answers_may_be_nothing_or_a_mapping(daemon: Place) -> None:
    client = daemon.client()
    client.register_hook("PreToolUse", lambda event: None)
    client.register_hook("PreToolUse", lambda event: {"action": "block", "reason": "as a dict"})
    assert daemon.shell("ls")["reason"] == "as a dict"


def test_a_handler_that_is_late_counts_as_failed(daemon: Place) -> None:
    client = daemon.client()

    async def slow(event: HookEvent) -> HookResponse:
        await asyncio.sleep(3)
        return HookResponse.block("too late")

    hook_id = client.register_hook("PreToolUse", slow, config={"timeout": 200})
    result = daemon.shell("ls")
    assert result["decision"] == "allow"
    assert [hook["status"] for hook in result["hooks"]] == ["timed_out"]
    client.unregister_hook(hook_id)
    client.register_hook("PreToolUse", slow, config={"timeout": 200, "fail_behavior": "block"})
    assert daemon.shell("ls")["decision"] == "deny"


@pytest.mark.parametrize("broken", [ValueError("boom"), "no response", {"action": "explode"}])
def test_a_handler_that_fails_is_told_to_the_daemon_which_decides(daemon: Place, broken: Any) -> None:
    client = daemon.client()

    def handler(event: HookEvent) -> Any:
        if isinstance(broken, Exception):
            raise broken
        return broken

    hook_id = client.register_hook("PreToolUse", handler)
    result = daemon.shell("ls")
    assert result["decision"] == "allow"
    assert result["hooks"][0]["status"] == "failed"
    assert ("boom" if isinstance(broken, Exception) else "answered with") in result["hooks"][0]["error"]
    client.unregister_hook(hook_id)
    client.register_hook("PreToolUse", handler, config={"fail_behavior": "block"})
    assert daemon.shell("ls")["decision"] == "deny"


def test_nobody_waits_for_an_asynchronous_hook(daemon: Place) -> None:
    client = daemon.client()
    answered = threading.Event()
    seen = threading.Event()

    def note(event: PostToolUseEvent) -> HookResponse:
        assert answered.wait(30)
        assert event.result.success
        assert event.result.output == "done"
        seen.set()
        return HookResponse.continue_()

    client.register_hook("PostToolUse", note, config={"async": True})
    daemon.fire("after_tool", tool_name="Shell", tool_input={"command": "x"}, tool_output="done")
    assert not seen.is_set()
    answered.set()
    assert seen.wait(30)


def test_a_coroutine_runs_on_the_loop_of_the_program(daemon: Place) -> None:
    async def main() -> None:
        loops: list[asyncio.AbstractEventLoop] = []
        done = asyncio.Event()
        async with daemon.client() as client:

            @client.hook("PreToolUse")
            async def note(event: PreToolUseEvent) -> None:
                loops.append(asyncio.get_running_loop())
                done.set()

            result = await client.fire("PreToolUse", {"tool_name": "Shell", "tool_input": {"command": "ls"}})
            assert result.decision == "allow"
            await asyncio.wait_for(done.wait(), 1)
        assert loops == [asyncio.get_running_loop()]

    asyncio.run(main())


def test_a_coroutine_outlives_the_loop_of_the_program(daemon: Place) -> None:
    client = daemon.client()

    async def block(event: HookEvent) -> HookResponse:
        await asyncio.sleep(0)
        return HookResponse.block("still here")

    async def main() -> None:
        client.register_hook("PreToolUse", block)

    asyncio.run(main())
    assert daemon.shell("ls")["reason"] == "still here"


def test_result_is_refused_where_it_would_stop_the_loop(daemon: Place) -> None:
    async def main() -> None:
        async with daemon.client() as client:
            call = client.fire("PreToolUse", {"tool_name": "Shell"})
            with pytest.raises(CrosshookError, match="await"):
                call.result()
            assert (await call).decision == "allow"

    asyncio.run(main())


def test_an_event_of_many_megabytes_arrives(daemon: Place) -> None:
    client = daemon.client()
    client.register_hook("PreToolUse", lambda event: HookResponse.block(str(len(event.args["command"]))))
    assert daemon.shell("x" * 9_000_000)["reason"] == "9000000"


def test_hundreds_of_events_at_once_are_all_answered(daemon: Place) -> None:
    client = daemon.client()

    @client.hook("PreToolUse")
    async def echo(event: PreToolUseEvent) -> HookResponse:
        await asyncio.sleep(0.01)
        return HookResponse.block(event.args["command"])

    calls = [
        client.fire("PreToolUse", {"tool_name": "Shell", "tool_input": {"command": str(number)}})
        for number in range(300)
    ]
    assert [call.result(30).reason for call in calls] == [str(number) for number in range(300)]
