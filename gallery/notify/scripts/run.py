#!/usr/bin/env python3
"""Shows a text to the person who sits at this machine."""

import json
import os
import shutil
import subprocess
import sys


def main():
    event = json.load(sys.stdin)
    title = event.get("agent") or "Agent"
    show(title, str(event.get("message") or "wants your attention")[:500])


def show(title, text):
    own = os.environ.get("NOTIFY_COMMAND")
    if own:
        subprocess.run([own, title, text], check=True)
    elif shutil.which("notify-send"):
        subprocess.run(["notify-send", "--", title, text], check=True)
    elif shutil.which("osascript"):
        script = "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run"
        subprocess.run(["osascript", "-e", script, title, text], check=True)
    else:
        with open("/dev/tty", "w", encoding="utf-8") as terminal:
            terminal.write("\a")


main()
