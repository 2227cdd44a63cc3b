#!/usr/bin/env python3
"""Appends one line about a tool call."""

import json
import os
import sys

event = json.load(sys.stdin)
line = {
    "at": event["timestamp"],
    "session": event["session_id"],
    "agent": event.get("agent"),
    "tool": event["tool_name"],
    "duration_ms": event.get("duration_ms"),
    "input_bytes": len(json.dumps(event["tool_input"])),
    "output_bytes": len(json.dumps(event.get("tool_output"))) if "tool_output" in event else 0,
}
file = os.path.expanduser(os.environ.get("METRICS_FILE", "~/.local/state/agents/metrics.jsonl"))
os.makedirs(os.path.dirname(os.path.abspath(file)), exist_ok=True)
with open(file, "a", encoding="utf-8") as out:
    out.write(json.dumps(line) + "\n")
