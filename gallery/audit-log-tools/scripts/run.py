#!/usr/bin/env python3
"""Appends what happened to the audit log, with secrets masked."""

import json
import os
import re
import sys

KEPT = ("timestamp", "event_type", "session_id", "agent", "work_dir", "tool_name", "duration_ms")
SECRET = re.compile(
    r"(?i)((?:password|passwd|secret|token|api[_-]?key|authorization: *(?:bearer|basic))[\"']?[ =:]+[\"']?)[^\s\"']+"
    r"|\b(?:sk-|gh[pousr]_|github_pat_|glpat-|xox[abprs]-|AKIA|AIza|npm_)[\w-]{8,}"
)


def main():
    event = json.load(sys.stdin)
    line = {name: event[name] for name in KEPT if event.get(name) is not None}
    tool_input = event.get("tool_input") or {}
    for name in ("command", "path", "url"):
        if tool_input.get(name):
            line[name] = masked(tool_input[name])
    file = os.path.expanduser(os.environ.get("AUDIT_LOG", "~/.local/state/agents/audit.jsonl"))
    os.makedirs(os.path.dirname(os.path.abspath(file)), exist_ok=True)
    descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    with open(descriptor, "a", encoding="utf-8") as out:
        out.write(json.dumps(line, ensure_ascii=False) + "\n")


def masked(value):
    text = value if isinstance(value, str) else json.dumps(value)
    return SECRET.sub(lambda found: (found[1] or "") + "***", text)[:2000]


main()
