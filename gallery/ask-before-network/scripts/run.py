#!/usr/bin/env python3
"""Asks when a command names a host that is not known."""

import json
import os
import re
import sys

KNOWN = (
    "localhost,127.0.0.1,::1,github.com,githubusercontent.com,registry.npmjs.org,"
    "pypi.org,files.pythonhosted.org,crates.io,static.crates.io,proxy.golang.org"
)


def main():
    event = json.load(sys.stdin)
    command = event["tool_input"].get("command", "")
    line = " ".join(command) if isinstance(command, list) else command
    known = [host.strip() for host in os.environ.get("NETWORK_KNOWN_HOSTS", KNOWN).split(",") if host.strip()]
    hosts = sorted(set(find_hosts(line)))
    strange = [host for host in hosts if not any(host == one or host.endswith("." + one) for one in known)]
    if hosts and not strange:
        return
    which = ", ".join(strange) if hosts else "a host that cannot be told from the line"
    print(json.dumps({"decision": "ask", "reason": f"This reaches {which}."}))


def find_hosts(line):
    line = re.sub(r"[\"'\\]", "", line)
    rest = line
    for match in re.finditer(r"\w+://(?:[^\s/@]*@)?(\[[0-9a-fA-F:.]+\]|[^\s/:?#;|&<>()]+)[^\s;|&<>()]*", line):
        yield match[1].strip("[]").lower()
        rest = rest.replace(match[0], " ")
    # Words that are a host without a scheme, perhaps with a user, a port or a path.
    for word in re.findall(r"[^\s;|&<>()]+", rest):
        bare = re.fullmatch(r"(?:[\w.+-]+@)?((?:[a-zA-Z0-9-]+\.)+[a-zA-Z]{2,}|\d{1,3}(?:\.\d{1,3}){3}|localhost)(?:[:/]\S*)?", word)
        if bare and not re.search(r"\.(?:json|html?|txt|zip|gz|tgz|tar|sh|py|js|ts|md|xml|ya?ml|csv|png|jpe?g|pdf|iso|log)$", bare[1]):
            yield bare[1].lower()


main()
