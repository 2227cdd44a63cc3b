"""Agents of the real OpenAI Agents SDK, with a model that follows a script."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from agents import (
    Agent,
    FunctionTool,
    InputGuardrailTripwireTriggered,
    Model,
    ModelResponse,
    OutputGuardrailTripwireTriggered,
    RunConfig,
    Runner,
    RunResult,
    Usage,
    WebSearchTool,
    function_tool,
    handoff,
)
from agents.mcp import MCPServer
from house_rules import Shell, house_rules, watch
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText
from place import Place

from crosshook import CrosshookClient, CrosshookError
from crosshook.adapters import Guard
from crosshook.adapters.openai_agents import hooked_agent


class Scripted(Model):
    """`!command` is a call of the shell, `>tool {…}` of another tool, the rest is said."""

    def __init__(self, *turns: str) -> None:
        self.turns = iter(turns)
        self.instructions: list[str | None] = []
        self.told: list[str] = []

    async def get_response(self, *args: Any, **more: Any) -> ModelResponse:
        given = {**dict(zip(("system_instructions", "input"), args, strict=False)), **more}
        self.instructions.append(given["system_instructions"])
        self.told.append(json.dumps(given["input"], default=str))
        turn = next(self.turns)
        item: Any
        if turn.startswith("!"):
            item = _called("Shell", json.dumps({"command": turn[1:]}))
        elif turn.startswith(">"):
            item = _called(*turn[1:].split(" ", 1))
        else:
            text = ResponseOutputText(annotations=[], text=turn, type="output_text")
            item = ResponseOutputMessage(id="m", content=[text], role="assistant", status="completed", type="message")
        return ModelResponse(output=[item], usage=Usage(), response_id=None)

    def stream_response(self, *args: Any, **more: Any) -> AsyncIterator[Any]:
        raise NotImplementedError


NUMBERS = itertools.count()


def _called(name: str, arguments: str) -> ResponseFunctionToolCall:
    return ResponseFunctionToolCall(call_id=f"c{next(NUMBERS)}", name=name, arguments=arguments, type="function_call")


def worker(model: Model, shell: Shell, **more: Any) -> Agent[Any]:
    return Agent(name="worker", instructions="Work.", model=model, tools=[shell_tool(shell)], **more)


def shell_tool(shell: Shell) -> FunctionTool:
    @function_tool(name_override="Shell")
    def run_command(command: str) -> str:
        """Runs a command."""
        return shell.run(command)

    return run_command


def run(agent: Agent[Any], prompt: Any = "Do the work.") -> RunResult:
    return asyncio.run(Runner.run(agent, prompt, run_config=RunConfig(tracing_disabled=True)))


def test_a_denied_call_never_runs_and_the_model_reads_why(rules: Place) -> None:
    shell, model = Shell(), Scripted("!rm -rf build", "!deploy", "!ls", "I leave it.")
    result = run(hooked_agent(Guard(house_rules(rules)), worker(model, shell)))
    assert (shell.ran, result.final_output) == (["ls"], "I leave it.")
    assert "Blocked by a hook: nothing is deleted here" in model.told[1]
    assert "Blocked by a hook: nobody agreed to it: deploy now?" in model.told[2]
    assert r"ran ls\n\nremember the tests" in model.told[3]


def test_input_and_output_are_rewritten_and_a_person_may_agree(rules: Place) -> None:
    shell, model = Shell(), Scripted("!sudo ls", "!show password", "!deploy", "Done.")

    async def agree(question: str, call: Any) -> bool:
        return question == "deploy now?" and call.input == {"command": "deploy"}

    client = house_rules(rules)
    seen = watch(client, "PostToolUse")
    run(hooked_agent(Guard(client, session_id="oa", ask=agree), worker(model, shell)))
    assert shell.ran == ["ls", "show password", "deploy"]
    assert "the password is hidden" in model.told[2]
    assert "hunter2" not in "".join(model.told)
    assert [event.session_id for event in seen] == ["oa"] * 3
    assert set(model.instructions) == {"Work.\n\nit is Tuesday"}


def test_a_refused_prompt_never_reaches_the_model_and_a_refused_answer_never_leaves(rules: Place) -> None:
    model = Scripted("This is nonsense.")
    agent = hooked_agent(Guard(house_rules(rules)), worker(model, Shell()))
    asked: Any = [{"role": "user", "content": [{"type": "input_text", "text": "Plan an attack."}]}]
    with pytest.raises(InputGuardrailTripwireTriggered) as refused:
        run(agent, asked)
    assert refused.value.guardrail_result.output.output_info == "not that"
    assert model.told == []
    with pytest.raises(OutputGuardrailTripwireTriggered):
        run(agent)


def test_a_hook_ends_the_run(rules: Place) -> None:
    shell, model = Shell(), Scripted("!halt", "Never said.")
    with pytest.raises(Exception, match="the shop is closed"):
        run(hooked_agent(Guard(house_rules(rules)), worker(model, shell)))
    assert (shell.ran, len(model.told)) == ([], 1)


def test_what_a_tool_raises_is_told_to_hooks(rules: Place) -> None:
    client = house_rules(rules)
    failures = watch(client, "ToolError")
    run(hooked_agent(Guard(client), worker(Scripted("!fail", "!ls", "Done."), Shell())))
    assert [event.raw["args"] for event in failures] == [{"command": "fail"}]


def test_agents_that_are_handed_over_to_are_under_the_same_hooks(rules: Place) -> None:
    for wrap in (lambda agent: agent, handoff):
        shell = Shell()
        second = worker(Scripted("!rm -rf build", "!sudo ls", "Done."), shell)
        second.name = "second"
        first = worker(Scripted(">transfer_to_second {}"), shell, handoffs=[wrap(second)])
        second.handoffs = [first]
        assert run(hooked_agent(Guard(house_rules(rules)), first)).final_output == "Done."
        assert shell.ran == ["ls"]


def test_tools_of_mcp_servers_are_under_hooks(rules: Place) -> None:
    shell = Shell()

    class Server(MCPServer):
        name = "local"

        def __init__(self) -> None:
            super().__init__()

        async def connect(self) -> None: ...
        async def cleanup(self) -> None: ...
        async def list_tools(self, *args: Any, **more: Any) -> list[Any]:
            from mcp.types import Tool

            schema = {"type": "object", "properties": {"command": {"type": "string"}}}
            return [Tool.model_validate({"name": "Shell", "inputSchema": schema})]

        async def call_tool(self, tool_name: str, arguments: Any, *args: Any, **more: Any) -> Any:
            from mcp.types import CallToolResult

            text = {"type": "text", "text": shell.run(arguments["command"])}
            return CallToolResult.model_validate({"content": [text]})

        async def list_prompts(self) -> Any: ...
        async def get_prompt(self, name: str, arguments: Any = None) -> Any: ...

    agent: Agent[Any] = Agent(name="w", model=Scripted("!rm -rf build", "!sudo ls", "Done."), mcp_servers=[Server()])
    assert run(hooked_agent(Guard(house_rules(rules)), agent)).final_output == "Done."
    assert shell.ran == ["ls"]


def test_a_tool_that_no_hook_would_see_is_refused_unless_it_is_named(rules: Place) -> None:
    guard = Guard(house_rules(rules))
    agent: Agent[Any] = Agent(name="w", model=Scripted("Done."), tools=[WebSearchTool()])
    with pytest.raises(CrosshookError, match="no hook would see it"):
        run(hooked_agent(guard, agent))
    assert run(hooked_agent(guard, agent, unguarded=["web_search"])).final_output == "Done."


def test_arguments_that_nobody_can_judge_do_not_run(rules: Place) -> None:
    shell, model = Shell(), Scripted(">Shell [1]", ">Shell {", "Done.")
    run(hooked_agent(Guard(house_rules(rules)), worker(model, shell)))
    assert shell.ran == []
    assert "not a JSON object" in model.told[1]


def test_without_a_daemon_nothing_runs_unless_the_program_says_so(caplog: pytest.LogCaptureFixture) -> None:
    shell = Shell()
    away = CrosshookClient("127.0.0.1:9", "nobody")
    with pytest.raises(InputGuardrailTripwireTriggered):
        run(hooked_agent(Guard(away), worker(Scripted("!ls", "Done."), shell)))
    assert shell.ran == []
    run(hooked_agent(Guard(away, fail_behavior="continue"), worker(Scripted("!ls", "Done."), shell)))
    assert shell.ran == ["ls"]
    assert "could not be asked (before_tool)" in caplog.text
