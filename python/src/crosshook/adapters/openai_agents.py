"""OpenAI Agents SDK: an agent whose tools, prompt and answer are under hooks."""

from __future__ import annotations

import copy
import dataclasses
import json
from collections.abc import Collection
from typing import Any

from ..errors import CrosshookError
from .calls import Came, adrive, answer, prompt, tool_call
from .guard import Guard, ToolCall, as_text, log, missing

try:
    from agents import (
        Agent,
        FunctionTool,
        GuardrailFunctionOutput,
        Handoff,
        InputGuardrail,
        OutputGuardrail,
        RunContextWrapper,
        Tool,
        TResponseInputItem,
        default_tool_error_function,
    )
    from agents.tool_context import ToolContext
except ImportError as error:
    raise missing("openai_agents", "openai-agents", error) from None


@dataclasses.dataclass
class HookedAgent(Agent[Any]):
    """Made by `hooked_agent`. Tools of MCP servers are under hooks as well: they are known only when the agent runs."""

    guard: Guard | None = dataclasses.field(default=None, kw_only=True)
    unguarded: frozenset[str] = dataclasses.field(default=frozenset(), kw_only=True)

    async def get_all_tools(self, run_context: RunContextWrapper[Any]) -> list[Tool]:
        return [self._hooked(tool) for tool in await super().get_all_tools(run_context)]

    async def get_system_prompt(self, run_context: RunContextWrapper[Any]) -> str | None:
        instructions = await super().get_system_prompt(run_context)
        remarks = self.guard.remarks if self.guard else []
        return "\n\n".join([*([instructions] if instructions else []), *remarks]) or None

    def _hooked(self, tool: Tool) -> Tool:
        if tool.name in self.unguarded:
            return tool
        if self.guard is not None and isinstance(tool, FunctionTool):
            return hooked_tool(self.guard, tool)
        raise CrosshookError(
            "refused",
            f"The tool {tool.name} of the agent {self.name} does not run as a function here, so no hook would see it.",
            f'Leave it out, or accept it: hooked_agent(guard, agent, unguarded=["{tool.name}"]).',
        )


def hooked_agent(guard: Guard, agent: Agent[Any], *, unguarded: Collection[str] = ()) -> HookedAgent:
    """The agent under hooks, and every agent that it hands over to. `unguarded` names tools that no hook can see."""
    return _hooked_agent(guard, agent, frozenset(unguarded), {})


def hooked_tool(guard: Guard, tool: FunctionTool) -> FunctionTool:
    """One tool under hooks, for agents that are put together in another way."""
    inner = getattr(tool, "_agent_instance", None)
    if inner is not None and not isinstance(inner, HookedAgent):
        log.warning("crosshook: the tools of the agent behind %s run without hooks; use hooked_agent on it", tool.name)
    invoke = tool.on_invoke_tool

    async def guarded(context: ToolContext[Any], given: str) -> Any:
        arguments = _arguments(given)
        if arguments is None:
            # Neither hooks nor the tool could use them.
            return "Blocked: the arguments of this call are not a JSON object."

        async def run(allowed: dict[str, Any]) -> Came:
            try:
                text = given if allowed == arguments else json.dumps(allowed)
                output = await invoke(context, text)
            except Exception as error:
                return Came(str(error), True, error)
            # The SDK returns this text when a tool raises.
            return Came(output, output == default_tool_error_function(context, Exception()))

        call = ToolCall(tool.name, arguments, context.tool_call_id)
        result = await adrive(guard, tool_call(guard, call), run)
        if guard.stopped is not None:
            raise CrosshookError("blocked", f"A hook ended the run: {guard.stopped}.", "")
        if result.thrown is not None and not result.replaced:
            guard.remarks.extend(result.notes)
            raise result.thrown
        if not result.notes:
            return result.output
        if isinstance(result.output, (str, dict, int, float, bool)) or result.output is None or result.replaced:
            return result.text()
        # Text cannot be added to images and files.
        guard.remarks.extend(result.notes)
        return result.output

    hooked = copy.copy(tool)
    hooked.on_invoke_tool = guarded
    return hooked


def _hooked_agent(
    guard: Guard, agent: Agent[Any], unguarded: frozenset[str], made: dict[int, HookedAgent]
) -> HookedAgent:
    if id(agent) in made:
        return made[id(agent)]
    if isinstance(agent, HookedAgent):
        return agent
    if type(agent) is not Agent:
        kind = type(agent).__name__
        fix = "Wrap its tools one by one with hooked_tool(guard, tool)."
        raise CrosshookError("bad_input", f"{agent.name} is a {kind}, and only an Agent can be hooked.", fix)
    given = {part.name: getattr(agent, part.name) for part in dataclasses.fields(agent) if part.init}
    hooked = made[id(agent)] = HookedAgent(**given, guard=guard, unguarded=unguarded)
    hooked.input_guardrails = [*agent.input_guardrails, _prompts(guard)]
    hooked.output_guardrails = [*agent.output_guardrails, _answers(guard)]
    hooked.handoffs = [
        _hooked_handoff(guard, other, unguarded, made)
        if isinstance(other, Handoff)
        else _hooked_agent(guard, other, unguarded, made)
        for other in agent.handoffs
    ]
    return hooked


def _hooked_handoff(
    guard: Guard, handoff: Handoff[Any, Any], unguarded: frozenset[str], made: dict[int, HookedAgent]
) -> Handoff[Any, Any]:
    invoke = handoff.on_invoke_handoff

    async def guarded(context: RunContextWrapper[Any], given: str) -> Any:
        return _hooked_agent(guard, await invoke(context, given), unguarded, made)

    return dataclasses.replace(handoff, on_invoke_handoff=guarded)


def _prompts(guard: Guard) -> InputGuardrail[Any]:
    async def check(
        context: RunContextWrapper[Any], agent: Agent[Any], given: str | list[TResponseInputItem]
    ) -> GuardrailFunctionOutput:
        passed = await adrive(guard, prompt(guard, _said(given)))
        guard.remarks[:] = passed.notes
        # A guardrail cannot change a text, and the old one must not pass in its place.
        refusal = passed.refusal or (
            "a hook wants another prompt, which cannot be changed here" if passed.changed else None
        )
        return GuardrailFunctionOutput(output_info=refusal, tripwire_triggered=refusal is not None)

    return InputGuardrail(check, name="crosshook", run_in_parallel=False)


def _answers(guard: Guard) -> OutputGuardrail[Any]:
    async def check(context: RunContextWrapper[Any], agent: Agent[Any], output: Any) -> GuardrailFunctionOutput:
        passed = await adrive(guard, answer(guard, as_text(output)))
        refusal = passed.refusal or (
            "a hook wants another answer, which cannot be changed here" if passed.changed else None
        )
        return GuardrailFunctionOutput(output_info=refusal, tripwire_triggered=refusal is not None)

    return OutputGuardrail(check, name="crosshook")


def _arguments(given: str) -> dict[str, Any] | None:
    try:
        arguments = json.loads(given or "{}")
    except ValueError:
        return None
    return arguments if isinstance(arguments, dict) else None


def _said(given: str | list[TResponseInputItem]) -> str:
    """The last message of the person."""
    if isinstance(given, str):
        return given
    for item in reversed(given):
        if item.get("role") == "user":
            content: Any = item.get("content")
            if isinstance(content, str):
                return content
            return "\n".join(str(part.get("text", "")) for part in content or [])
    return ""
