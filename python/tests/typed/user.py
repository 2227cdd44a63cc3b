"""A user's program, which is only type-checked: by mypy --strict and pyright, against the wheel."""

from agents import Agent
from claude_agent_sdk import ClaudeAgentOptions
from langchain.agents import create_agent
from typing_extensions import assert_type

from crosshook import (
    CrosshookClient,
    CrosshookError,
    FireResult,
    HookResponse,
    ModelResponse,
    PostToolUseEvent,
    PreToolUseEvent,
    ToolResult,
)
from crosshook.adapters import Guard, ToolCall
from crosshook.adapters.claude_agent_sdk import claude_hooks
from crosshook.adapters.langchain import HooksMiddleware
from crosshook.adapters.openai_agents import HookedAgent, hooked_agent

client = CrosshookClient()


@client.hook("PreToolUse", matcher={"tool": "Bash"}, config={"fail_behavior": "block", "timeout": 1000})
async def guard_shell(event: PreToolUseEvent) -> HookResponse:
    command: str = event.args.get("command", "")
    return HookResponse.block("no") if "rm" in command else HookResponse.continue_()


@client.hook("PostToolUse")
def note(event: PostToolUseEvent) -> None:
    assert_type(event.result, ToolResult)
    assert_type(event.result.success, bool)


def sync_program() -> None:
    with CrosshookClient("127.0.0.1:1", "token") as sync:
        result = sync.fire("before_tool", {"tool_name": "Shell"}).result(timeout=5)
        assert_type(result, FireResult)
        assert_type(result.additional_context, list[str])
        for hook in sync.list_hooks():
            assert_type(hook.id, str)


async def async_program() -> None:
    async with CrosshookClient() as running:
        result = await running.fire("before_tool", {"tool_name": "Shell"})
        assert_type(result, FireResult)
        assert_type(result.reason, str | None)
        assert_type(await running.generate("s", "Hello"), ModelResponse)
        try:
            assert_type(await running.execute_tool("s", "Bash", {"command": "ls"}), ToolResult)
        except CrosshookError as error:
            print(error.code, error.fix)


async def ask(question: str, call: ToolCall | None) -> bool:
    return call is not None and question != ""


guard = Guard(client, session_id="s", ask=ask, fail_behavior="continue")
assert_type(hooked_agent(guard, Agent(name="worker")), HookedAgent)
options = ClaudeAgentOptions(hooks=claude_hooks(fail_behavior="block"))
agent = create_agent("openai:gpt-5", [], middleware=[HooksMiddleware(guard)])
