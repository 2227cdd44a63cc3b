#!/usr/bin/env python3
"""Blocks a commit whose added lines or files hold a secret."""

import json
import os
import re
import subprocess
import sys

KINDS = {
    "an AWS key": r"A[KS]IA[0-9A-Z]{16}",
    "an Anthropic key": r"sk-ant-[\w-]{20}",
    "an OpenAI key": r"sk-proj-[\w-]{20}|\bsk-[A-Za-z0-9]{40}",
    "a GitHub token": r"gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{40}",
    "a GitLab token": r"glpat-[\w-]{20}",
    "a Slack token": r"xox[abprs]-[A-Za-z0-9-]{20}",
    "a Google key": r"AIza[\w-]{35}",
    "a Stripe key": r"[rs]k_live_[0-9A-Za-z]{20}",
    "an npm token": r"npm_[A-Za-z0-9]{36}",
    "a private key": r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY",
}
SECRET_FILE = re.compile(r"(?:^|/)(?:\.env(?:\.(?!example$|sample$|template$|test$)\w+)?|id_(?:rsa|ed25519)|.*\.(?:pem|p12|pfx))$")


def main():
    event = json.load(sys.stdin)
    command = event["tool_input"].get("command", "")
    line = " ".join(command) if isinstance(command, list) else command
    found = []
    # The commit may be made elsewhere: `git -C sub commit`, `cd sub && git commit`.
    for folder in ["", *re.findall(r"(?:-C|\bcd) +[\"']?([^\s;&|\"']+)", line)]:
        found += look(os.path.join(event["work_dir"], os.path.expanduser(folder)), line.split())
    if found:
        listed = "; ".join(dict.fromkeys(found))
        print(f"The commit holds secrets: {listed}. Take them out, and revoke any that left this machine.", file=sys.stderr)
        sys.exit(2)


def look(folder, words):
    # A hook reads a repository that is not to be trusted: nothing that its settings name may run.
    git = ["git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-C", folder]
    asked = subprocess.run([*git, "rev-parse", "--git-dir"], capture_output=True, text=True, errors="replace",
                           env={**os.environ, "LC_ALL": "C"})
    if asked.returncode != 0:
        # "not a git repository (or any of the parent directories)": git will not commit here either.
        if "(or any " in asked.stderr or not os.path.isdir(folder):
            return []
        raise SystemExit(f"git cannot read the repository of {folder}: {asked.stderr.strip()}")
    everything = any(re.fullmatch(r"--all|-[a-z]*a[a-z]*", word) for word in words)
    adds = "add" in words  # `git add . && git commit` in one line
    has_commits = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True).returncode == 0
    against = "HEAD" if (everything or adds) and has_commits else "--cached"
    diff = run([*git, "diff", against, "--no-ext-diff", "--no-textconv", "--unified=0", "--no-color", "--diff-filter=d"])
    untracked = run([*git, "ls-files", "--others", "--exclude-standard"]).splitlines() if adds else []
    return [*scan(diff), *(f"{name} is a file of secrets" for name in untracked if SECRET_FILE.search(name))]


def scan(diff):
    name = ""
    for line in diff.splitlines():
        if line.startswith("+++ "):
            name = re.sub(r"^b/", "", line[4:].strip('"'))
            if SECRET_FILE.search(name):
                yield f"{name} is a file of secrets"
        elif line.startswith("+"):
            for kind, pattern in KINDS.items():
                if re.search(pattern, line):
                    yield f"{name} has {kind}"


def run(command):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", check=True).stdout


main()
