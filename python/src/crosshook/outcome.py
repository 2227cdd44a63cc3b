"""What the hooks decided about an event that this program fired."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from ._proto import hooks_pb2 as wire
from ._result import ResultFields

Decision = Literal["allow", "ask", "deny"]


@dataclass(frozen=True)
class FireResult(ResultFields):
    decision: Decision
    reason: str | None = None
    """For the model."""
    result: dict[str, Any] = field(default_factory=dict)
    """All of it, as `crosshook fire --json` prints it."""

    @staticmethod
    def from_wire(response: wire.FireResponse) -> FireResult:
        reason = response.reason if response.HasField("reason") else None
        return FireResult(cast("Decision", response.decision), reason, json.loads(response.result))
