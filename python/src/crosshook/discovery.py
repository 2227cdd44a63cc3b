"""Where the daemon is: what was given, else what the environment says, else what the running daemon wrote down."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import CrosshookError


@dataclass(frozen=True)
class Target:
    address: str
    """`host:port`, or a URL; `https://` is TLS."""
    token: str


@dataclass(frozen=True)
class HttpTarget:
    url: str
    token: str


def find_http(url: str | None, token: str | None, env: Mapping[str, str] = os.environ) -> HttpTarget:
    """The daemon's HTTP address: what was given, else that of this user's running daemon."""
    token = token or env.get("CROSSHOOK_TOKEN") or None
    if url is None or token is None:
        status = _status(_state_folder(env))
        url = url or str(status["http"])
        token = token or _token(Path(status["token_file"]))
    return HttpTarget(url.rstrip("/"), token.strip())


def find_daemon(address: str | None, token: str | None, env: Mapping[str, str] = os.environ) -> Target:
    address = address or env.get("CROSSHOOK_GRPC") or None
    token = token or env.get("CROSSHOOK_TOKEN") or None
    if address is None or token is None:
        status = _status(_state_folder(env))
        address = address or _address(status)
        token = token or _token(Path(status["token_file"]))
    return Target(address, token.strip())


def _status(state: Path) -> Mapping[str, Any]:
    try:
        status: Mapping[str, Any] = json.loads((state / "daemon.json").read_text("utf-8"))
    except FileNotFoundError:
        raise CrosshookError("no_daemon", "No daemon is running.") from None
    except (OSError, ValueError) as error:
        message = f"{state / 'daemon.json'} cannot be read: {error}."
        raise CrosshookError("no_daemon", message) from error
    # A daemon that was killed leaves this file, and anybody may listen on its port now, and must not get the token.
    if not _is_locked(state / "daemon.lock"):
        raise CrosshookError("no_daemon", "No daemon is running; the last one was killed.")
    return status


def _is_locked(lock: Path) -> bool:
    """The daemon holds a lock in SQLite, which is released when its process ends, also when it is killed."""
    if not lock.exists():
        return False
    database = sqlite3.connect(lock, timeout=0, isolation_level=None)
    try:
        database.execute("BEGIN EXCLUSIVE")
        database.execute("ROLLBACK")
        return False
    except sqlite3.OperationalError:
        return True
    finally:
        database.close()


def _address(status: Mapping[str, Any]) -> str:
    address = str(status["grpc"])
    return f"https://{address}" if str(status.get("http")).startswith("https:") else address


def _token(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except OSError as error:
        message = f"The daemon's token cannot be read: {error}."
        raise CrosshookError("no_daemon", message, "Give token=… or set CROSSHOOK_TOKEN.") from error


def _state_folder(env: Mapping[str, str]) -> Path:
    given = Path(env.get("XDG_STATE_HOME") or "")
    home = Path(env.get("HOME") or Path.home())
    # The XDG specification: a relative path in its variables is to be ignored.
    return (given if given.is_absolute() else home / ".local" / "state") / "crosshook"
