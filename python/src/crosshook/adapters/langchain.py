"""LangChain: one middleware for `create_agent` that puts tools, prompt and answer under hooks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from .calls import Came, Passed, Steps, ToolResult, adrive, answer, drive, prompt, tool_call
from .guard import Guard, ToolCall, missing

try:
    from langchain.agents.middleware import AgentMiddleware, AgentState, ToolCallRequest, hook_config
    from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
    from langgraph.errors import GraphBubbleUp
    from langgraph.runtime import Runtime
    from langgraph.types import Command
except ImportError as error:
    raise missing("langchain", "langchain", error) from None

OURS = "crosshook"
"""Marks a final message that a hook wrote, not the agent."""

Message = ToolMessage | Command[Any]


class HooksMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Give it last in `create_agent(…, middleware=[…])`: hooks do not see what later middleware does."""

    def __init__(self, guard: Guard) -> None:
        super().__init__()
        self.guard = guard

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Message]) -> Message:
        last: list[Message] = []

        def run(given: dict[str, Any]) -> Came:
            try:
                message = handler(_with_input(request, given))
            except GraphBubbleUp:
                # The graph pauses or ends: the call has not failed.
                raise
            except Exception as error:
                return Came(str(error), True, error)
            last[:] = [message]
            return _came(message)

        result = drive(self.guard, tool_call(self.guard, _call(request)), run)
        return self._message(request, last, result)

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Message]]
    ) -> Message:
        last: list[Message] = []

        async def run(given: dict[str, Any]) -> Came:
            try:
                message = await handler(_with_input(request, given))
            except GraphBubbleUp:
                raise
            except Exception as error:
                return Came(str(error), True, error)
            last[:] = [message]
            return _came(message)

        result = await adrive(self.guard, tool_call(self.guard, _call(request)), run)
        return self._message(request, last, result)

    @hook_config(can_jump_to=["end"])
    def before_agent(self, state: AgentState[Any], runtime: Runtime[Any]) -> dict[str, Any] | None:
        asked = _last_human(state)
        return _prompted(asked, drive(self.guard, prompt(self.guard, asked.text if asked else "")))

    @hook_config(can_jump_to=["end"])
    async def abefore_agent(self, state: AgentState[Any], runtime: Runtime[Any]) -> dict[str, Any] | None:
        asked = _last_human(state)
        return _prompted(asked, await adrive(self.guard, prompt(self.guard, asked.text if asked else "")))

    @hook_config(can_jump_to=["end"])
    def before_model(self, state: AgentState[Any], runtime: Runtime[Any]) -> dict[str, Any] | None:
        if self.guard.stopped is not None:
            return {"jump_to": "end", "messages": [_blocked(self.guard.stopped)]}
        remarks = [HumanMessage(remark) for remark in self.guard.remarks]
        self.guard.remarks.clear()
        return {"messages": remarks} if remarks else None

    def after_agent(self, state: AgentState[Any], runtime: Runtime[Any]) -> dict[str, Any] | None:
        said = self._answer(state)
        return None if said is None else _answered(said[0], drive(self.guard, said[1]))

    async def aafter_agent(self, state: AgentState[Any], runtime: Runtime[Any]) -> dict[str, Any] | None:
        said = self._answer(state)
        return None if said is None else _answered(said[0], await adrive(self.guard, said[1]))

    def _answer(self, state: AgentState[Any]) -> tuple[AIMessage, Steps[Passed]] | None:
        last = state["messages"][-1]
        if not isinstance(last, AIMessage) or last.additional_kwargs.get(OURS):
            return None
        return last, answer(self.guard, last.text)

    def _message(self, request: ToolCallRequest, last: list[Message], result: ToolResult) -> Message:
        if result.thrown is not None and not result.replaced:
            self.guard.remarks.extend(result.notes)
            raise result.thrown
        message = last[0] if last else None
        if message is not None and not result.replaced:
            if not isinstance(message, ToolMessage):
                # A Command steers the graph; it has no text that notes could be added to.
                self.guard.remarks.extend(result.notes)
                return message
            if not result.notes:
                return message
            if isinstance(message.content, list):
                notes = [{"type": "text", "text": note} for note in result.notes]
                return message.model_copy(update={"content": [*message.content, *notes]})
            return message.model_copy(update={"content": result.text()})
        return ToolMessage(
            content=result.text(),
            tool_call_id=request.tool_call["id"] or "",
            name=request.tool_call["name"],
            status="error" if result.failed else "success",
        )


def _call(request: ToolCallRequest) -> ToolCall:
    call = request.tool_call
    return ToolCall(call["name"], call["args"], call["id"] or "")


def _with_input(request: ToolCallRequest, given: dict[str, Any]) -> ToolCallRequest:
    return request.override(tool_call={**request.tool_call, "args": given})


def _came(message: Message) -> Came:
    if isinstance(message, ToolMessage):
        return Came(message.content, message.status == "error")
    return Came(None)


def _last_human(state: AgentState[Any]) -> HumanMessage | None:
    said: list[AnyMessage] = state["messages"]
    return next((message for message in reversed(said) if isinstance(message, HumanMessage)), None)


def _prompted(asked: HumanMessage | None, passed: Passed) -> dict[str, Any] | None:
    if passed.refusal is not None:
        return {"jump_to": "end", "messages": [_blocked(passed.refusal)]}
    # LangChain replaces the message that has the same id.
    changed = [HumanMessage(passed.text, id=asked.id if asked else None)] if passed.changed else []
    messages = [*changed, *(HumanMessage(note) for note in passed.notes)]
    return {"messages": messages} if messages else None


def _answered(said: AIMessage, passed: Passed) -> dict[str, Any] | None:
    if passed.refusal is not None:
        return {"messages": [AIMessage(f"Blocked by a hook: {passed.refusal}", id=said.id)]}
    return {"messages": [AIMessage(passed.text, id=said.id)]} if passed.changed else None


def _blocked(reason: str) -> AIMessage:
    return AIMessage(f"Blocked by a hook: {reason}", additional_kwargs={OURS: True})
