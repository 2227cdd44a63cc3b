#!/usr/bin/env python3
"""Counts the calls of a session; exit 2 refuses those beyond the budget."""

import os
import sys

sys.stdin.read()
most = int(os.environ.get("BUDGET_CALLS", "200"))
file = os.path.join(os.environ["AGENT_HOOK_STATE"], "calls")
# One byte for each call: appending is safe when calls come at once.
with open(file, "ab") as out:
    out.write(b".")
    out.flush()
    count = os.fstat(out.fileno()).st_size
if count > most:
    print(f"This session has used its {most} tool calls. Say what is done and what is left, and stop.", file=sys.stderr)
    sys.exit(2)
