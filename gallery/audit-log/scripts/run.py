#!/usr/bin/env python3
"""Appends what is known of a session to the audit log."""

import json
import os
import sys

KEPT = ("timestamp", "event_type", "session_id", "agent", "work_dir", "duration_seconds", "total_steps", "exit_reason")

event = json.load(sys.stdin)
line = {name: event[name] for name in KEPT if event.get(name) is not None}
file = os.path.expanduser(os.environ.get("AUDIT_LOG", "~/.local/state/agents/audit.jsonl"))
os.makedirs(os.path.dirname(os.path.abspath(file)), exist_ok=True)
descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
with open(descriptor, "a", encoding="utf-8") as out:
    out.write(json.dumps(line, ensure_ascii=False) + "\n")
