#!/usr/bin/env python3
"""Appends one line about the call. Inputs may hold secrets: only the fields named here are written."""

import json
import os
import sys

KEPT = ("timestamp", "event_type", "session_id", "agent", "work_dir", "tool_name")
FILE = os.path.expanduser("~/.local/state/agents/calls.jsonl")

event = json.load(sys.stdin)
line = {name: event[name] for name in KEPT if event.get(name) is not None}
path = (event.get("tool_input") or {}).get("path")
if isinstance(path, str):
    line["path"] = path
os.makedirs(os.path.dirname(FILE), exist_ok=True)
descriptor = os.open(FILE, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
with open(descriptor, "a", encoding="utf-8") as out:
    out.write(json.dumps(line) + "\n")
