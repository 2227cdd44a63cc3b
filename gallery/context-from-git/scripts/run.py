#!/usr/bin/env python3
"""Says in a few lines where a repository stands."""

import json
import os
import subprocess
import sys

MAX_FILES = 20


def main():
    work_dir = json.load(sys.stdin)["work_dir"]
    branch = git(work_dir, "symbolic-ref", "--short", "HEAD") or git(work_dir, "rev-parse", "--short", "HEAD")
    if branch is None:
        return
    lines = [f"Git branch: {branch}"]
    status = git(work_dir, "status", "--porcelain", "--ignore-submodules=all")
    changed = (status or "").splitlines()
    if status is None:
        lines.append("What has changed cannot be told: git status failed.")
    elif changed:
        lines += [f"{len(changed)} changed files:", *changed[:MAX_FILES]]
        if len(changed) > MAX_FILES:
            lines.append(f"… and {len(changed) - MAX_FILES} more")
    else:
        lines.append("No uncommitted changes.")
    commits = git(work_dir, "log", "-5", "--format=%h %s")
    if commits:
        lines += ["Last commits:", *commits.splitlines()]
    print(json.dumps({"additional_context": "\n".join(lines)}))


def git(work_dir, *args):
    return run(work_dir, *without_filters(work_dir), *args)


def without_filters(work_dir):
    """Filters that the repository names run on the content of files, also for `status`."""
    names = run(work_dir, "config", "--name-only", "--get-regexp", r"^filter\..*\.") or ""
    filters = {name[: name.rindex(".")] for name in names.splitlines()}
    settings = [f"{each}.{key}=" for each in sorted(filters) for key in ("clean", "smudge", "process")]
    settings += [f"{each}.required=false" for each in sorted(filters)]
    return [word for setting in settings for word in ("-c", setting)]


# The repository is not to be trusted: nothing that its settings name may run, and nothing is fetched.
SAFE = ["core.fsmonitor=false", "core.hooksPath=/dev/null", "log.showSignature=false", "protocol.allow=never"]


def run(work_dir, *args):
    safe = [word for setting in SAFE for word in ("-c", setting)]
    command = ["git", "--no-pager", "--no-optional-locks", *safe, "-C", work_dir, *args]
    env = {**os.environ, "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"}
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", env=env)
    return done.stdout.rstrip() if done.returncode == 0 else None


main()
