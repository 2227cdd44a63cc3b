#!/usr/bin/env python3
"""Says in a few lines where a repository stands."""

import json
import subprocess
import sys

MOST_FILES = 20


def main():
    work_dir = json.load(sys.stdin)["work_dir"]
    branch = git(work_dir, "symbolic-ref", "--short", "HEAD") or git(work_dir, "rev-parse", "--short", "HEAD")
    if branch is None:
        return
    lines = [f"Git branch: {branch}"]
    changed = (git(work_dir, "status", "--porcelain") or "").splitlines()
    if changed:
        lines += [f"{len(changed)} changed files:", *changed[:MOST_FILES]]
        if len(changed) > MOST_FILES:
            lines.append(f"… and {len(changed) - MOST_FILES} more")
    else:
        lines.append("No uncommitted changes.")
    commits = git(work_dir, "log", "-5", "--format=%h %s")
    if commits:
        lines += ["Last commits:", *commits.splitlines()]
    print(json.dumps({"additional_context": "\n".join(lines)}))


def git(work_dir, *args):
    # The repository is not to be trusted: nothing that its settings name may run.
    safe = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-optional-locks"]
    done = subprocess.run(["git", *safe, "-C", work_dir, *args], capture_output=True, text=True, errors="replace")
    return done.stdout.rstrip() if done.returncode == 0 else None


main()
