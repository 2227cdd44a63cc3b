"""What every framework's adapter does alike."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from place import Place

from crosshook import CrosshookClient, CrosshookError, FireResult
from crosshook.adapters import Guard, ToolCall
from crosshook.adapters.calls import Came, ToolResult, drive, tool_call

SOURCE = Path(__file__).resolve().parents[1] / "src"


@pytest.mark.parametrize(
    ("module", "framework", "extra"),
    [
        ("openai_agents", "agents", "openai-agents"),
        ("langchain", "langchain", "langchain"),
        ("claude_agent_sdk", "claude_agent_sdk", "claude-agent-sdk"),
    ],
)
def test_an_adapter_without_its_framework_says_what_to_install(module: str, framework: str, extra: str) -> None:
    code = f"import sys; sys.modules[{framework!r}] = None; import crosshook.adapters.{module}"
    path = os.pathsep.join([str(SOURCE), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True
    )
    last = done.stderr.strip().splitlines()[-1]
    assert done.returncode == 1
    assert last.startswith(f"ImportError: crosshook.adapters.{module} needs {extra} (")
    assert last.endswith(f"): pip install 'crosshook[{extra}]'")
    assert "During handling" not in done.stderr


class Answering(CrosshookClient):
    """Gives the answers that it was given, in order, and keeps what it was asked."""

    def __init__(self, *answers: dict[str, Any]) -> None:
        super().__init__("127.0.0.1:9", "nobody")
        self.answers = list(answers)
        self.asked: list[tuple[str, Any]] = []

    def fire(self, event: str, fields: Any = None) -> Any:
        self.asked.append((event, fields))
        result = self.answers.pop(0) if self.answers else {}
        answer = FireResult(result.get("decision", "allow"), result.get("reason"), result)

        class Ready:
            def result(self) -> FireResult:
                return answer

        return Ready()


def call(guard: Guard, output: Any = "done", name: str = "Shell") -> tuple[ToolResult, list[dict[str, Any]]]:
    ran: list[dict[str, Any]] = []

    def run(given: dict[str, Any]) -> Came:
        ran.append(given)
        return Came(output)

    return drive(guard, tool_call(guard, ToolCall(name, {"command": "ls"})), run), ran


def test_effects_that_cannot_be_carried_out_are_said(caplog: pytest.LogCaptureFixture) -> None:
    client = Answering({"watch_paths": ["/x"], "of_tomorrow": {"a": 1}, "updated_permissions": None})
    result, ran = call(Guard(client))
    assert (result.output, ran) == ("done", [{"command": "ls"}])
    assert "hooks asked for of_tomorrow, watch_paths on before_tool, which cannot be done here" in caplog.text


def test_messages_to_the_person_go_where_the_program_says() -> None:
    told: list[str] = []
    call(Guard(Answering({"user_message": "before"}, {"user_message": "after"}), tell=told.append))
    assert told == ["before", "after"]


def test_not_yet_is_asked_again_and_never_taken_for_yes() -> None:
    client = Answering(*[{"retry": 1, "reason": "busy"}] * 9)
    result, ran = call(Guard(client))
    assert (ran, result.output) == ([], "Blocked by a hook: busy (it is not yet time)")
    assert len(client.asked) == 4
    result, ran = call(Guard(Answering({"retry": 1}, {})))
    assert (len(ran), result.output) == (1, "done")


def test_a_tool_runs_again_when_hooks_want_it_but_not_for_ever() -> None:
    _, ran = call(Guard(Answering({}, {"retry": 1}, {"retry": 1}, {})))
    assert len(ran) == 3
    _, ran = call(Guard(Answering({}, *[{"retry": 1}] * 9)))
    assert len(ran) == 4


@pytest.mark.parametrize("said", [None, "yes", 1, False])
def test_only_true_is_a_yes_of_the_person(said: Any) -> None:
    _, ran = call(Guard(Answering({"decision": "ask"}), ask=lambda question, about: said))
    assert ran == []


def test_a_coroutine_that_nobody_can_await_is_a_no(caplog: pytest.LogCaptureFixture) -> None:
    async def ask(question: str, about: ToolCall | None) -> bool:
        return True

    _, ran = call(Guard(Answering({"decision": "ask"}), ask=ask))
    assert ran == []
    assert "only agents that are awaited" in caplog.text


def test_a_decision_of_tomorrow_is_no_allow() -> None:
    _, ran = call(Guard(Answering({"decision": "postpone"})))
    assert ran == []


def test_a_block_after_the_tool_is_told_to_the_model() -> None:
    result, _ = call(Guard(Answering({}, {"decision": "deny", "reason": "tests fail"})))
    assert result.text() == "done\n\n[Hook feedback: tests fail]"


def test_an_output_that_is_no_json_reaches_hooks_as_text(daemon: Place) -> None:
    seen: list[Any] = []
    client = daemon.client()
    client.register_hook("PostToolUse", lambda event: seen.append(event.result.output))
    output = Path("/a/file")
    result, _ = call(Guard(client), output)
    assert (result.output, seen) == (output, ["/a/file"])


def test_an_input_that_cannot_be_told_to_hooks_does_not_run(daemon: Place) -> None:
    endless: dict[str, Any] = {}
    endless["self"] = endless
    guard = Guard(daemon.client())
    result = drive(guard, tool_call(guard, ToolCall("Shell", endless)), lambda given: Came("ran"))
    assert "could not be asked (before_tool)" in result.text()


def test_settings_that_do_not_exist_are_refused() -> None:
    wrong: Any = "open"
    with pytest.raises(CrosshookError, match="fail_behavior"):
        Guard(Answering(), fail_behavior=wrong)
