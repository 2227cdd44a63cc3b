#!/usr/bin/env python3
"""Prints what the model is told when a session begins."""

import json
import os
import sys

FILE = "CONTEXT.md"
MAX_CHARS = 4000

event = json.load(sys.stdin)
file = os.path.join(event["work_dir"], FILE)
if os.path.isfile(file):
    with open(file, encoding="utf-8", errors="replace") as text:
        known = text.read(MAX_CHARS).strip()
    if known:
        print(json.dumps({"additional_context": known}))
