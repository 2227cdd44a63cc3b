#!/usr/bin/env python3
"""Keeps what an agent wants to tell."""

import json
import os
import sys

FILE = os.path.expanduser("~/.local/state/agents/messages.txt")

event = json.load(sys.stdin)
message = " ".join(str(event.get("message") or "wants your attention").split())[:500]
os.makedirs(os.path.dirname(FILE), exist_ok=True)
with open(FILE, "a", encoding="utf-8") as out:
    out.write(f"{event.get('timestamp', '')} {event.get('agent') or 'agent'}: {message}\n")
