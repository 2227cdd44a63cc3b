"""The middleware in the real LangChain, with a model that follows a script."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from house_rules import Shell, house_rules, watch
from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, interrupt
from place import Place

from crosshook import CrosshookClient
from crosshook.adapters import Guard
from crosshook.adapters.langchain import HooksMiddleware


class Scripted(GenericFakeChatModel):
    def bind_tools(self, tools: Sequence[Any], **more: Any) -> Any:
        return self


def script(*turns: str) -> Scripted:
    """`!command` is a call of the shell, the rest is said."""
    messages = [
        AIMessage("", tool_calls=[{"name": "Shell", "args": {"command": turn[1:]}, "id": f"c{number}"}])
        if turn.startswith("!")
        else AIMessage(turn)
        for number, turn in enumerate(turns)
    ]
    return Scripted(messages=iter(messages))


def run(
    guard: Guard, shell: Shell, *turns: str, prompt: str = "Do the work.", is_async: bool = False
) -> list[BaseMessage]:
    @tool("Shell")
    def run_command(command: str) -> str:
        """Runs a command."""
        return shell.run(command)

    agent = create_agent(script(*turns), [run_command], middleware=[HooksMiddleware(guard)])
    given: Any = {"messages": [HumanMessage(prompt)]}
    done = asyncio.run(agent.ainvoke(given)) if is_async else agent.invoke(given)
    messages: list[BaseMessage] = done["messages"]
    return messages


def outputs(messages: list[BaseMessage]) -> list[str]:
    return [message.text for message in messages if isinstance(message, ToolMessage)]


BOTH = pytest.mark.parametrize("is_async", [False, True])


@BOTH
def test_a_denied_call_never_runs_and_the_model_reads_why(rules: Place, is_async: bool) -> None:
    shell = Shell()
    guard = Guard(house_rules(rules))
    messages = run(guard, shell, "!rm -rf build", "!deploy", "!ls", "I leave it.", is_async=is_async)
    assert shell.ran == ["ls"]
    first, second, third = outputs(messages)
    assert first == "Blocked by a hook: nothing is deleted here"
    assert second == "Blocked by a hook: nobody agreed to it: deploy now?"
    assert third == "ran ls\n\nremember the tests"
    assert [message.status for message in messages if isinstance(message, ToolMessage)] == ["error", "error", "success"]
    assert messages[-1].text == "I leave it."


@BOTH
def test_input_and_output_are_rewritten_and_a_person_may_agree(rules: Place, is_async: bool) -> None:
    shell = Shell()
    asked: list[str] = []

    def agree(question: str, call: Any) -> bool:
        asked.append(f"{question} {call.input['command']}")
        return True

    client = house_rules(rules)
    seen = watch(client, "PostToolUse")
    guard = Guard(client, session_id="lc", ask=agree)
    messages = run(guard, shell, "!sudo ls", "!show password", "!deploy", "Done.", is_async=is_async)
    assert shell.ran == ["ls", "show password", "deploy"]
    assert asked == ["deploy now? deploy"]
    assert "hunter2" not in str(messages)
    assert outputs(messages)[1].startswith("the password is hidden")
    assert [event.session_id for event in seen] == ["lc"] * 3
    assert "it is Tuesday" in [message.text for message in messages]


@BOTH
def test_a_refused_prompt_never_reaches_the_model_and_a_refused_answer_never_leaves(
    rules: Place, is_async: bool
) -> None:
    guard = Guard(house_rules(rules))
    messages = run(guard, Shell(), prompt="Plan an attack.", is_async=is_async)
    assert messages[-1].text == "Blocked by a hook: not that"
    assert run(guard, Shell(), "nonsense", is_async=is_async)[-1].text == "Blocked by a hook: not this"


@BOTH
def test_a_hook_ends_the_run(rules: Place, is_async: bool) -> None:
    shell = Shell()
    messages = run(Guard(house_rules(rules)), shell, "!halt", "Never said.", is_async=is_async)
    assert (shell.ran, messages[-1].text) == ([], "Blocked by a hook: the shop is closed")


def test_what_a_tool_raises_is_told_to_hooks_and_raised(rules: Place) -> None:
    client = house_rules(rules)
    seen = watch(client, "ToolError")
    with pytest.raises(RuntimeError, match="exit status 1"):
        run(Guard(client), Shell(), "!fail")
    assert [event.raw["error"] for event in seen] == ["exit status 1"]


@BOTH
def test_without_a_daemon_nothing_runs_unless_the_program_says_so(
    is_async: bool, caplog: pytest.LogCaptureFixture
) -> None:
    shell = Shell()
    away = CrosshookClient("127.0.0.1:9", "nobody")
    messages = run(Guard(away), shell, "!ls", "Never said.", is_async=is_async)
    assert shell.ran == []
    assert "the hooks could not be asked (before_agent)" in messages[-1].text
    messages = run(Guard(away, fail_behavior="continue"), shell, "!ls", "Done.", is_async=is_async)
    assert (shell.ran, messages[-1].text) == (["ls"], "Done.")
    assert "could not be asked (before_tool)" in caplog.text


def test_what_the_tool_gave_is_withheld_when_the_daemon_dies_meanwhile(own_daemon: Place) -> None:
    class Killer(Shell):
        def run(self, command: str) -> str:
            own_daemon.kill()
            return super().run(command)

    shell = Killer()
    guard = Guard(own_daemon.client())
    (output,) = outputs(run(guard, shell, "!show password", "Done."))
    assert shell.ran == ["show password"]
    assert "withheld: the hooks could not be asked (after_tool)" in output


def test_an_interrupt_of_the_graph_is_no_failure(rules: Place) -> None:
    client = house_rules(rules)
    failures = watch(client, "ToolError")

    @tool("Shell")
    def run_command(command: str) -> str:
        """Runs a command."""
        return f"{command}: {interrupt('sure?')}"

    guard = Guard(client)
    agent = create_agent(
        script("!sudo ls", "Done."),
        [run_command],
        middleware=[HooksMiddleware(guard)],
        checkpointer=InMemorySaver(),
    )
    thread: Any = {"configurable": {"thread_id": "1"}}
    paused = agent.invoke({"messages": [HumanMessage("Do it.")]}, thread)
    assert "__interrupt__" in paused
    done = agent.invoke(Command(resume="yes"), thread)
    assert outputs(done["messages"]) == ["ls: yes\n\nremember the tests"]
    assert failures == []
