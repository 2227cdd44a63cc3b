#!/usr/bin/env python3
"""Blocks a commit whose added lines or files hold a secret."""

import json
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
    words = command if isinstance(command, list) else command.split()
    # A hook reads a repository that is not to be trusted: nothing that its settings name may run.
    git = ["git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-C", event["work_dir"]]
    if subprocess.run([*git, "rev-parse", "--git-dir"], capture_output=True).returncode != 0:
        return
    everything = any(re.fullmatch(r"--all|-[a-z]*a[a-z]*", word) for word in words)
    adds = any(word == "add" for word in words)  # `git add . && git commit` in one line
    against = ["HEAD"] if everything or adds else ["--cached"]
    if against == ["HEAD"] and subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True).returncode != 0:
        against = ["--cached"]
    diff = ["diff", *against, "--no-ext-diff", "--no-textconv", "--unified=0", "--no-color", "--diff-filter=d"]
    found = [finding for finding in scan(run([*git, *diff]))]
    if adds:
        untracked = run([*git, "ls-files", "--others", "--exclude-standard"]).splitlines()
        found += [f"{name} is a file of secrets" for name in untracked if SECRET_FILE.search(name)]
    if found:
        listed = "; ".join(dict.fromkeys(found))
        print(f"The commit holds secrets: {listed}. Take them out, and revoke any that left this machine.", file=sys.stderr)
        sys.exit(2)


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
