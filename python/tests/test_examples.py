"""The examples of the A3S design as they are written there, that of our README, and programs of other shapes."""

from __future__ import annotations

import ast
import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, cast

import pytest
from place import Place

import crosshook
from crosshook import HookEvent, HookResponse

PACKAGE = Path(__file__).resolve().parents[1]

DESIGN = """
from crosshook import CrosshookClient, HookEvent, HookResponse

client = CrosshookClient(address, token, generate=model)

# Register hook with decorator
@client.hook("PreToolUse")
async def validate_bash(event: PreToolUseEvent) -> HookResponse:
    if event.tool == "Bash":
        command = event.args.get("command", "")
        if "rm -rf /" in command:
            return HookResponse.block("Dangerous command blocked")
    return HookResponse.continue_()

# Register hook with matcher
@client.hook("PreToolUse", matcher={"tool": "Write", "path_pattern": "*.py"})
async def format_python(event: PreToolUseEvent) -> HookResponse:
    # Will run only for Write operations on .py files
    return HookResponse.continue_()

# Register hook programmatically
async def log_generation(event: GenerateEndEvent) -> HookResponse:
    print(f"Generated {event.response.usage.total_tokens} tokens")
    return HookResponse.continue_()

client.register_hook("GenerateEnd", log_generation)

# Context manager for temporary hooks
async with client.temporary_hook("PreToolUse", my_handler):
    response = await client.generate(session_id, "Do something")
    # Hook active only within this block
"""


def test_the_examples_of_the_design_run_as_written(daemon: Place, capsys: pytest.CaptureFixture[str]) -> None:
    asked: list[str] = []

    def my_handler(event: HookEvent) -> HookResponse:
        asked.append(event.session_id)
        return HookResponse.block("asked")

    async def model(session_id: str, prompt: str) -> dict[str, Any]:
        result = await asyncio.to_thread(daemon.shell, "ls")
        return {"text": f"{prompt}: {result['reason']}", "usage": {"total_tokens": 42}}

    names: dict[str, Any] = {
        **{name: getattr(crosshook, name) for name in crosshook.__all__},
        "address": daemon.status["grpc"],
        "token": daemon.token,
        "model": model,
        "my_handler": my_handler,
        "session_id": "s1",
    }

    async def main() -> None:
        code = compile(DESIGN, "design.py", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        await cast("Coroutine[Any, Any, None]", eval(code, names))
        daemon.clients.append(names["client"])
        assert names["response"].text == "Do something: asked"
        result = await asyncio.to_thread(daemon.shell, "sudo rm -rf /")
        assert result["reason"] == "Dangerous command blocked"
        assert (await asyncio.to_thread(daemon.shell, "ls"))["decision"] == "allow"

    asyncio.run(main())
    assert asked == ["s1"]
    assert capsys.readouterr().out == "Generated 42 tokens\n"


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_the_example_of_the_readme_runs_until_it_is_interrupted(
    daemon: Place, tmp_path: Path, ending: signal.Signals
) -> None:
    (source,) = re.findall(r"```python\n(.*?)```", (PACKAGE / "README.md").read_text(), re.DOTALL)
    program = run(daemon, tmp_path, source)
    until_there(daemon, 2)
    assert daemon.shell("git push --force")["reason"].startswith("Force pushes are not allowed")
    assert daemon.shell("git push")["decision"] == "allow"
    daemon.fire("after_tool", session_id="s9", tool_name="Shell", tool_input={"command": "ls"}, tool_output="")
    program.send_signal(ending)
    output, _ = program.communicate(timeout=15)
    assert (program.returncode, output) == (0, "s9 Bash worked\n")
    until_there(daemon, 0)


def test_a_program_that_ends_takes_its_hooks_along(daemon: Place, tmp_path: Path) -> None:
    source = """
import time
from crosshook import CrosshookClient, HookResponse

client = CrosshookClient()

@client.hook("PreToolUse")
async def slow(event):
    await hang()

@client.hook("PreToolUse", config={"timeout": 300})
def block(event):
    if event.args["command"] == "hang":
        time.sleep(60)
    return HookResponse.block("from a script")

input()
"""
    program = run(daemon, tmp_path, source)
    until_there(daemon, 2)
    assert daemon.shell("ls")["reason"] == "from a script"
    daemon.fire("before_tool", tool_name="Shell", tool_input={"command": "hang"}, session_id="hang")
    program.communicate("\n", timeout=15)
    assert program.returncode == 0
    until_there(daemon, 0)


def test_an_asyncio_program_waits_until_it_closes_the_client(daemon: Place, tmp_path: Path) -> None:
    source = """
import asyncio
from crosshook import CrosshookClient, HookResponse

client = CrosshookClient()

@client.hook("PreToolUse")
async def block(event):
    asyncio.get_running_loop().call_later(0.2, client.close)
    return HookResponse.block(str(asyncio.get_running_loop() is main_loop))

async def main():
    global main_loop
    main_loop = asyncio.get_running_loop()
    async with client:
        print("ready", flush=True)
        await client.wait()

asyncio.run(main())
"""
    program = run(daemon, tmp_path, source)
    assert program.stdout is not None
    assert program.stdout.readline() == "ready\n"
    assert daemon.shell("ls")["reason"] == "True"
    program.communicate(timeout=15)
    assert program.returncode == 0


def run(daemon: Place, folder: Path, source: str) -> subprocess.Popen[str]:
    (folder / "program.py").write_text(source)
    path = os.pathsep.join([str(PACKAGE / "src"), os.environ.get("PYTHONPATH", "")])
    return subprocess.Popen(
        [sys.executable, str(folder / "program.py")],
        env={**daemon.env, "PYTHONPATH": path},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def until_there(daemon: Place, count: int) -> None:
    client = daemon.client()
    end = time.monotonic() + 15
    while len(client.list_hooks()) != count:
        assert time.monotonic() < end, f"there were never {count} hooks"
        time.sleep(0.05)
