#!/usr/bin/env python3
"""Formats the file that a tool has just written."""

import json
import os
import shlex
import shutil
import subprocess
import sys

WEB = [["prettier", "--write", "--log-level", "warn"], ["biome", "format", "--write"]]
FORMATTERS = {
    ".py": [["ruff", "format", "--quiet"], ["black", "--quiet"]],
    ".go": [["gofmt", "-w"]],
    ".rs": [["rustfmt", "--quiet"]],
    ".sh": [["shfmt", "-w"]],
    **{kind: WEB for kind in (".js", ".jsx", ".ts", ".tsx", ".css", ".html", ".json", ".md", ".yaml", ".yml")},
}


def main():
    event = json.load(sys.stdin)
    folder = os.path.realpath(event["work_dir"])
    path = event["tool_input"].get("path")
    if not isinstance(path, str):
        return
    file = os.path.realpath(os.path.join(folder, path))
    if not file.startswith(folder + os.sep) or not os.path.isfile(file):
        return
    command = formatter(os.path.splitext(file)[1].lower(), folder)
    if command:
        subprocess.run([*command, file], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def formatter(kind, folder):
    own = os.environ.get("AUTO_FORMAT_" + kind.lstrip(".").upper())
    if own:
        return shlex.split(own)
    search = os.pathsep.join([os.path.join(folder, "node_modules", ".bin"), os.environ.get("PATH", "")])
    for command in FORMATTERS.get(kind, []):
        program = shutil.which(command[0], path=search)
        if program:
            return [program, *command[1:]]
    return None


main()
