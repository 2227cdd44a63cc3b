"""Hooks of the real Claude Agent SDK: by its protocol with a program that stands in, and with Claude Code where it is."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, Transport
from house_rules import house_rules, watch
from place import Place

from crosshook import CrosshookError
from crosshook.adapters.claude_agent_sdk import claude_hooks


class Program(Transport):
    """Claude Code's side of the protocol: it says which hooks it was given, calls them, and keeps their answers."""

    def __init__(self) -> None:
        self.hooks: dict[str, Any] = {}
        self._out: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        self._answers: dict[str, asyncio.Future[dict[str, Any]]] = {}

    async def connect(self) -> None: ...

    async def write(self, data: str) -> None:
        message = json.loads(data)
        if message["type"] == "control_request" and message["request"]["subtype"] == "initialize":
            self.hooks = message["request"]["hooks"]
            reply = {"subtype": "success", "request_id": message["request_id"]}
            response = {"commands": [], "hook_on_failure_supported": True}
            await self._out.put({"type": "control_response", "response": {**reply, "response": response}})
        elif message["type"] == "control_response":
            self._answers[message["response"]["request_id"]].set_result(message["response"])

    async def read_messages(self) -> AsyncIterator[dict[str, Any]]:
        while (message := await self._out.get()) is not None:
            yield message

    async def close(self) -> None:
        await self._out.put(None)

    def is_ready(self) -> bool:
        return True

    async def end_input(self) -> None: ...

    async def call(self, event: str, **fields: Any) -> dict[str, Any]:
        (matcher,) = self.hooks[event]
        (callback,) = matcher["hookCallbackIds"]
        number = str(len(self._answers))
        self._answers[number] = asyncio.get_running_loop().create_future()
        given = {"hook_event_name": event, "session_id": "cs", "transcript_path": "/nowhere", "cwd": "/", **fields}
        request = {"subtype": "hook_callback", "callback_id": callback, "input": given, "tool_use_id": "t"}
        await self._out.put({"type": "control_request", "request_id": number, "request": request})
        answer: dict[str, Any] = await asyncio.wait_for(self._answers[number], 60)
        return answer

    async def bash(self, command: str) -> dict[str, Any]:
        answer = await self.call("PreToolUse", tool_name="Bash", tool_input={"command": command}, tool_use_id="t")
        response: dict[str, Any] = answer["response"]
        return response


def with_program(hooks: Any, talk: Any) -> Any:
    async def main() -> Any:
        program = Program()
        async with ClaudeSDKClient(ClaudeAgentOptions(hooks=hooks), transport=program):
            return await talk(program)

    return asyncio.run(main())


def hooks_of(place: Place, **more: Any) -> Any:
    return claude_hooks(place.status["http"], place.token, **more)


def test_calls_are_denied_rewritten_and_let_through(rules: Place) -> None:
    client = house_rules(rules)
    seen = watch(client, "PreToolUse")

    async def talk(program: Program) -> list[dict[str, Any]]:
        return [await program.bash(command) for command in ("rm -rf build", "sudo ls", "ls")]

    denied, rewritten, allowed = with_program(hooks_of(rules), talk)
    decided = denied["hookSpecificOutput"]
    assert decided["permissionDecision"] == "deny"
    assert "nothing is deleted here" in decided["permissionDecisionReason"]
    assert rewritten["hookSpecificOutput"]["updatedInput"] == {"command": "ls"}
    assert "permissionDecision" not in allowed.get("hookSpecificOutput", {})
    assert [(event.session_id, event.raw["tool"]) for event in seen] == [("cs", "Bash")] * 3


def test_prompts_outputs_and_every_other_event_have_their_hook(rules: Place) -> None:
    house_rules(rules)

    async def talk(program: Program) -> list[dict[str, Any]]:
        about = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t"}
        return [
            await program.call("UserPromptSubmit", prompt="Plan an attack."),
            await program.call("UserPromptSubmit", prompt="Do the work."),
            await program.call("PostToolUse", **about, tool_response={"stdout": "x", "stderr": ""}),
            await program.call("Stop", stop_hook_active=False),
        ]

    attack, prompt, output, stop = (answer["response"] for answer in with_program(hooks_of(rules), talk))
    assert (attack["decision"], attack["reason"]) == ("block", "not that")
    assert "it is Tuesday" in prompt["hookSpecificOutput"]["additionalContext"]
    assert "remember the tests" in output["hookSpecificOutput"]["additionalContext"]
    assert "decision" not in stop


def test_without_a_daemon_nothing_runs_unless_the_program_says_so() -> None:
    async def talk(program: Program) -> list[dict[str, Any]]:
        compact = program.call("PreCompact", trigger="auto", custom_instructions=None)
        return [
            await program.bash("ls"),
            (await program.call("UserPromptSubmit", prompt="x"))["response"],
            (await program.call("Stop", stop_hook_active=False))["response"],
            await compact,
        ]

    away = ("http://127.0.0.1:9", "nobody")
    call, prompt, stop, compact = with_program(claude_hooks(*away), talk)
    assert call["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert "could not be asked" in call["hookSpecificOutput"]["permissionDecisionReason"]
    assert prompt["decision"] == "block"
    # To block here would be to go on for ever.
    assert list(stop) == ["systemMessage"]
    assert compact["subtype"] == "error"
    call, *_ = with_program(claude_hooks(*away, fail_behavior="continue"), no_compact)
    assert list(call) == ["systemMessage"]


async def no_compact(program: Program) -> list[dict[str, Any]]:
    assert program.hooks["PreToolUse"][0]["onFailure"] == "continue"
    return [await program.bash("ls")]


def test_a_wrong_token_and_a_daemon_that_hangs_are_failures(rules: Place) -> None:
    async def talk(program: Program) -> dict[str, Any]:
        return await program.bash("ls")

    wrong = with_program(claude_hooks(rules.status["http"], "wrong"), talk)
    assert "The daemon answered 401" in wrong["hookSpecificOutput"]["permissionDecisionReason"]

    async def hanging() -> dict[str, Any]:
        server = await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        program = Program()
        hooks = claude_hooks(f"http://127.0.0.1:{port}", "x", timeout=0.5)
        answer: dict[str, Any] = {}
        async with ClaudeSDKClient(ClaudeAgentOptions(hooks=hooks), transport=program):
            answer = await program.bash("ls")
        return answer

    late = asyncio.run(hanging())
    assert late["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_the_daemon_of_this_user_is_found(rules: Place, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async def talk(program: Program) -> dict[str, Any]:
        return await program.bash("rm -rf build")

    house_rules(rules)
    monkeypatch.setenv("XDG_STATE_HOME", rules.env["XDG_STATE_HOME"])
    assert "nothing is deleted" in with_program(claude_hooks(), talk)["hookSpecificOutput"]["permissionDecisionReason"]
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert "No daemon is running" in str(with_program(claude_hooks(), talk))


def test_settings_that_do_not_exist_are_refused() -> None:
    wrong: Any = "open"
    with pytest.raises(CrosshookError, match="fail_behavior"):
        claude_hooks(fail_behavior=wrong)
