#!/usr/bin/env python3
"""Wraps a shell command in timeout(1)."""

import json
import os
import re
import shlex
import shutil
import sys

ALREADY_LIMITED = re.compile(r"\s*(?:sudo\s+)?g?timeout\s")
CHANGES_THE_SHELL = re.compile(r"\s*(?:cd|pushd|popd|export|unset|source|\.|alias|set|ulimit|umask)(?:\s|$)")
IN_BACKGROUND = re.compile(r"(?<!&)&\s*$|^\s*nohup\s")


def main():
    event = json.load(sys.stdin)
    tool_input = event["tool_input"]
    command = tool_input.get("command")
    program = shutil.which("timeout") or shutil.which("gtimeout")
    if not isinstance(command, str) or not command.strip() or program is None:
        return
    if any(pattern.search(command) for pattern in (IN_BACKGROUND,)):
        return
    if ALREADY_LIMITED.match(command) or CHANGES_THE_SHELL.match(command):
        return
    seconds = os.environ.get("ADD_TIMEOUT_SECONDS", "300")
    limited = f"{os.path.basename(program)} {int(seconds)} bash -c {shlex.quote(command)}"
    print(json.dumps({"updated_input": {**tool_input, "command": limited}}))


main()
