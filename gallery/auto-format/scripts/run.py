#!/usr/bin/env python3
"""Formats the file that a tool has just written."""

import json
import os
import shutil
import subprocess
import sys
import tempfile

# Without the project's settings: prettier's may be a program of the project's.
WEB = [["prettier", "--no-config", "--write", "--log-level", "warn"], ["biome", "format", "--write"]]
FORMATTERS = {
    ".py": [["ruff", "format", "--quiet"], ["black", "--quiet"]],
    ".go": [["gofmt", "-w"]],
    ".rs": [["rustfmt", "--quiet"]],
    ".sh": [["shfmt", "-w"]],
    **{kind: WEB for kind in (".js", ".jsx", ".ts", ".tsx", ".css", ".html", ".json", ".md", ".yaml", ".yml")},
}
# The person's own choice lies beside this file, where no project can write.
OWN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "formatters.json")


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
        env = {**os.environ, "XDG_CACHE_HOME": tempfile.gettempdir()}
        subprocess.run([*command, file], cwd=folder, check=True, stdout=subprocess.DEVNULL, env=env)


def formatter(kind, folder):
    for command in [*own(kind), *FORMATTERS.get(kind, [])]:
        program = shutil.which(command[0])
        if program and not is_of_project(program, folder):
            return [program, *command[1:]]
    return None


def own(kind):
    if not os.path.exists(OWN):
        return []
    with open(OWN, encoding="utf-8") as text:
        command = json.load(text).get(kind)
    return [command] if command else []


def is_of_project(program, folder):
    real = os.path.realpath(program)
    return real.startswith(folder + os.sep) or f"{os.sep}node_modules{os.sep}.bin{os.sep}" in program


main()
