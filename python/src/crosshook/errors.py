"""One error class with a closed table of codes. Each says what to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

ErrorCode = Literal["no_daemon", "limit", "bad_input", "not_found", "refused", "closed", "blocked"]

FIXES: Mapping[ErrorCode, str] = {
    "no_daemon": "Start it with `crosshook daemon start`.",
    "limit": "Remove a hook, or raise the limit in a3s.json beside config.toml.",
    "bad_input": "Correct what the message names.",
    "not_found": "Check the name or id.",
    "refused": "See the reason above.",
    "closed": "Make a new CrosshookClient.",
    "blocked": "See the reason above; a hook decided it.",
}

assert set(FIXES) == set(get_args(ErrorCode))


class CrosshookError(Exception):
    """What went wrong, by its `code`, and what to do about it, in `fix`."""

    def __init__(self, code: ErrorCode, message: str, fix: str | None = None) -> None:
        self.code: ErrorCode = code
        self.message = message
        self.fix = FIXES[code] if fix is None else fix
        super().__init__(f"{message} {self.fix}".strip())
