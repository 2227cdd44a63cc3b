"""Hooks that do one thing each, the same for every framework, and a tool that remembers its calls."""

from __future__ import annotations

from place import Place

from crosshook import CrosshookClient, HookEvent, HookResponse, PreToolUseEvent

RULES = """---
name: house
description: Says what the agent's own function cannot
trigger: after_tool
matcher:
  tool: Shell
outcome:
  additional_context: remember the tests
---
"""

SECRET = """---
name: secret
description: Hides a password
trigger: after_tool
matcher:
  command: password
outcome:
  updated_output: the password is hidden
---
"""

ASK = """---
name: deploys
description: Asks before a deployment
trigger: before_tool
matcher:
  command: ^deploy
outcome:
  decision: ask
  reason: deploy now?
---
"""

STOP = """---
name: closing
description: Ends the run
trigger: before_tool
matcher:
  command: ^halt
outcome:
  stop: the shop is closed
---
"""

PROMPTS = """---
name: prompts
description: Adds the day, and refuses attacks
trigger: before_agent
when: '!prompt.contains("attack")'
outcome:
  additional_context: it is Tuesday
---
"""

ATTACKS = """---
name: attacks
description: Refuses attacks
trigger: before_agent
when: 'prompt.contains("attack")'
outcome:
  decision: deny
  reason: not that
---
"""

ANSWERS = """---
name: answers
description: Refuses nonsense
trigger: after_agent
when: 'response.contains("nonsense")'
outcome:
  decision: deny
  reason: not this
---
"""

FILES = {
    "house": RULES,
    "secret": SECRET,
    "deploys": ASK,
    "closing": STOP,
    "prompts": PROMPTS,
    "attacks": ATTACKS,
    "answers": ANSWERS,
}


def house_rules(place: Place) -> CrosshookClient:
    """Refuses `rm`, takes `sudo` away; the files above do the rest."""
    client = place.client()

    @client.hook("PreToolUse", matcher={"tool": "Bash"}, config={"fail_behavior": "block"})
    def commands(event: PreToolUseEvent) -> HookResponse:
        command = str(event.args.get("command"))
        if command.startswith("rm "):
            return HookResponse.block("nothing is deleted here")
        if command.startswith("sudo "):
            return HookResponse.continue_(modified={"args": {**event.args, "command": command[5:]}})
        return HookResponse.continue_()

    return client


def watch(client: CrosshookClient, event: str) -> list[HookEvent]:
    seen: list[HookEvent] = []
    client.register_hook(event, seen.append)
    return seen


class Shell:
    def __init__(self) -> None:
        self.ran: list[str] = []

    def run(self, command: str) -> str:
        self.ran.append(command)
        if "fail" in command:
            raise RuntimeError("exit status 1")
        return "the password is hunter2" if "password" in command else f"ran {command}"
