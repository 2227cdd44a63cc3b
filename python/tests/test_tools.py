"""Tools that hooks ask for, events that programs fire, models between their hooks."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from place import Place

from crosshook import (
    CrosshookError,
    GenerateEndEvent,
    GenerateStartEvent,
    HookResponse,
    PostToolUseEvent,
    PreToolUseEvent,
    ToolResult,
)


def written(daemon: Place, folder: Path) -> dict[str, Any]:
    return daemon.fire(
        "after_tool",
        session_id="tools",
        work_dir=str(folder),
        tool_name="WriteFile",
        tool_input={"path": "main.rs", "content": ""},
        tool_output="ok",
    )


def test_a_hook_runs_a_tool_in_the_folder_of_the_session(daemon: Place, tmp_path: Path) -> None:
    client = daemon.client()
    results: list[ToolResult] = []

    @client.hook("PostToolUse", matcher={"tool": "Write", "path_pattern": "*.rs"})
    async def format_file(event: PostToolUseEvent) -> HookResponse:
        if event.result.success:
            command = f"echo formatted > {event.args['file_path']}; exit 3"
            results.append(await client.execute_tool(event.session_id, "Bash", {"command": command}))
        return HookResponse.continue_()

    written(daemon, tmp_path)
    assert (tmp_path / "main.rs").read_text() == "formatted\n"
    (result,) = results
    assert (result.success, result.exit_code) == (False, 3)


def test_a_plain_function_takes_the_result(daemon: Place, tmp_path: Path) -> None:
    client = daemon.client()
    outputs: list[str] = []

    @client.hook("PostToolUse")
    def look(event: PostToolUseEvent) -> None:
        outputs.append(client.execute_tool(event.session_id, "Bash", {"command": "pwd -P"}).result().output)

    written(daemon, tmp_path)
    assert outputs[0] == f"{tmp_path.resolve()}\n"


def test_tools_of_hooks_pass_the_hooks_and_go_no_deeper(daemon: Place, tmp_path: Path) -> None:
    client = daemon.client()
    errors: list[str] = []

    @client.hook("PostToolUse", matcher={"tool": "Write"})
    async def ask(event: PostToolUseEvent) -> None:
        with pytest.raises(CrosshookError) as refused:
            await client.execute_tool(event.session_id, "Bash", {"command": "ls"})
        errors.append(str(refused.value))

    @client.hook("PreToolUse", matcher={"tool": "Bash"})
    async def nested(event: PreToolUseEvent) -> HookResponse:
        with pytest.raises(CrosshookError, match="again") as refused:
            await client.execute_tool(event.session_id, "Bash", {"command": "ls"})
        errors.append(refused.value.message)
        return HookResponse.block("not this one")

    written(daemon, tmp_path)
    assert len(errors) == 2
    assert "not this one" in errors[1]


def test_a_session_that_nobody_has_seen_has_no_tools(daemon: Place) -> None:
    with pytest.raises(CrosshookError) as missing:
        daemon.client().execute_tool("unseen", "Bash", {"command": "ls"}).result()
    assert missing.value.code == "not_found"


def test_a_call_that_nobody_waits_for_any_more_does_no_harm(daemon: Place) -> None:
    async def main() -> None:
        given_up = asyncio.Event()

        async def slow(event: PreToolUseEvent) -> None:
            await given_up.wait()

        client = daemon.client()
        client.register_hook("PreToolUse", slow)
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(client.fire("PreToolUse", {"tool_name": "Shell"}), 0.05)
        given_up.set()
        assert (await client.fire("PreToolUse", {"tool_name": "Shell"})).decision == "allow"

    asyncio.run(main())


def test_a_program_that_is_an_agent_fires_events(daemon: Place) -> None:
    client = daemon.client()
    client.register_hook("PreToolUse", lambda event: HookResponse.continue_({"args": {"command": "ls -l"}}))
    result = client.fire("before_tool", {"tool_name": "Shell", "tool_input": {"command": "ls"}}).result()
    assert (result.decision, result.reason, result.retry) == ("allow", None, None)
    assert result.updated_input == {"command": "ls -l"}


def test_a_model_is_called_between_its_hooks(daemon: Place) -> None:
    usage = {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}

    async def model(session_id: str, prompt: str) -> dict[str, Any]:
        return {"text": f"{session_id}: {prompt}", "usage": usage}

    async def main() -> None:
        client = daemon.client(generate=model)
        totals: list[int] = []

        @client.hook("GenerateStart")
        async def shout(event: GenerateStartEvent) -> HookResponse:
            if event.prompt == "stop":
                return HookResponse.block("not now")
            return HookResponse.continue_({"prompt": event.prompt.upper()})

        @client.hook("GenerateEnd")
        async def count(event: GenerateEndEvent) -> None:
            totals.append(event.response.usage.total_tokens)

        response = await client.generate("s1", "hello")
        assert response.text == "s1: HELLO"
        assert response.usage.total_tokens == 3
        assert totals == [3]
        with pytest.raises(CrosshookError, match="not now") as blocked:
            await client.generate("s1", "stop")
        assert blocked.value.code == "blocked"
        with pytest.raises(CrosshookError, match="no model"):
            await daemon.client().generate("s1", "hello")

    asyncio.run(main())
