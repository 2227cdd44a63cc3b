"""Claude Agent SDK: its `hooks` option, answered by the daemon in the words of Claude Code.

Events and tools get crosshook's names there (`Bash` is `Shell`), so that every hook works as it does in Claude Code.
"""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from typing import Any, Literal, cast, get_args
from urllib.parse import quote, unquote

from ..discovery import HttpTarget, find_http
from ..errors import CrosshookError
from .guard import log, missing

try:
    from claude_agent_sdk import HookContext, HookInput, HookJSONOutput, HookMatcher
    from claude_agent_sdk.types import HookEvent
except ImportError as error:
    raise missing("claude_agent_sdk", "claude-agent-sdk", error) from None


def claude_hooks(
    url: str | None = None,
    token: str | None = None,
    *,
    fail_behavior: Literal["block", "continue"] = "block",
    timeout: float = 60,
) -> dict[HookEvent, list[HookMatcher]]:
    """For `ClaudeAgentOptions(hooks=claude_hooks())`.

    Without a URL and a token: those of this user's daemon, looked up with each event. `timeout` is in seconds; a daemon
    that is later has failed.
    """
    if fail_behavior not in ("block", "continue"):
        raise CrosshookError("bad_input", f'fail_behavior is {fail_behavior!r}, not "block" or "continue".')

    async def hook(event: HookInput, tool_use_id: str | None, context: HookContext) -> HookJSONOutput:
        name = event["hook_event_name"]
        # Shorter than the SDK's own limit, after which the call would go on unchecked.
        limit = timeout - min(5.0, timeout / 10)
        try:
            asked = asyncio.to_thread(_ask, lambda: find_http(url, token), dict(event), limit)
            return cast("HookJSONOutput", await asyncio.wait_for(asked, limit))
        except Exception as error:
            why = f"The hooks could not be asked ({name}): {str(error) or 'no answer in time.'}"
            if fail_behavior == "block":
                return cast("HookJSONOutput", _refusal(name, why, error))
            log.warning("crosshook: %s It goes on, because fail_behavior is continue.", why)
            return {"systemMessage": why}

    names = [name for literal in get_args(HookEvent) for name in get_args(literal)]
    return {name: [HookMatcher(hooks=[hook], timeout=timeout, on_failure=fail_behavior)] for name in names}


def _ask(target: Any, event: dict[str, Any], limit: float) -> dict[str, Any]:
    found: HttpTarget = target()
    request = urllib.request.Request(
        f"{found.url}/v1/agents/claude-code/{quote(str(event['hook_event_name']), safe='')}",
        json.dumps(event).encode(),
        {"authorization": f"Bearer {found.token}", "content-type": "application/json"},
    )
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with direct.open(request, timeout=limit) as response:
            text = response.read().decode()
            code = response.headers.get("x-crosshook-exit-code", "0")
            stderr = unquote(response.headers.get("x-crosshook-stderr", ""))
    except urllib.error.HTTPError as error:
        raise CrosshookError(
            "refused", f"The daemon answered {error.code}: {error.read(500).decode(errors='replace')}"
        ) from error
    except urllib.error.URLError as error:
        raise CrosshookError("no_daemon", f"The daemon cannot be reached: {error.reason}.") from error
    if code != "0":
        return {"decision": "block", "reason": stderr.strip() or text}
    if text.lstrip().startswith("{"):
        answer: dict[str, Any] = json.loads(text)
        return answer
    # This reply has no field for plain text, so the person gets it.
    return {"systemMessage": text.strip()} if text.strip() else {}


def _refusal(name: str, why: str, error: Exception) -> dict[str, Any]:
    if name == "PreToolUse":
        decided = {"hookEventName": name, "permissionDecision": "deny", "permissionDecisionReason": why}
        return {"hookSpecificOutput": decided}
    if name == "PermissionRequest":
        return {"hookSpecificOutput": {"hookEventName": name, "decision": {"behavior": "deny", "message": why}}}
    if name in ("UserPromptSubmit", "PostToolUse", "PostToolUseFailure"):
        return {"decision": "block", "reason": why}
    if name in ("Stop", "SubagentStop"):
        # Blocking here makes the agent go on working: without a daemon that would never end.
        return {"systemMessage": why}
    raise CrosshookError("no_daemon", why, "") from error
