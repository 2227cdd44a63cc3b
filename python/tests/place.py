"""A daemon of the tests' own, with its own home, on loopback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import urllib.request
from pathlib import Path
from typing import Any

from crosshook import CrosshookClient

REPOSITORY = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("CROSSHOOK_PROGRAM") or str(REPOSITORY / "bin" / "crosshook")


class Place:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.status: dict[str, Any] = {}
        self.clients: list[CrosshookClient] = []
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(root / "home"),
            "XDG_CONFIG_HOME": str(root / "config"),
            "XDG_STATE_HOME": str(root / "state"),
            "XDG_CACHE_HOME": str(root / "cache"),
            "XDG_RUNTIME_DIR": str(root / "run"),
            "CROSSHOOK_MANAGED_DIR": str(root / "managed"),
        }
        (root / "home").mkdir(parents=True)

    def configure(self, file: str, content: str) -> None:
        path = self.root / "config" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)

    def start(self, grpc: str = "127.0.0.1:0") -> None:
        self.status = json.loads(self._crosshook("daemon", "start", "--http", "127.0.0.1:0", "--grpc", grpc, "--json"))

    def stop(self) -> None:
        self._crosshook("daemon", "stop")

    def kill(self) -> None:
        os.kill(self.status["pid"], signal.SIGKILL)

    @property
    def token(self) -> str:
        return Path(self.status["token_file"]).read_text()

    def client(self, **more: Any) -> CrosshookClient:
        client = CrosshookClient(self.status["grpc"], self.token, **more)
        self.clients.append(client)
        return client

    def fire(self, event: str, **fields: Any) -> dict[str, Any]:
        """As another program would: by HTTP."""
        request = urllib.request.Request(
            f"{self.status['http']}/v1/events",
            json.dumps({"event_type": event, **fields}).encode(),
            {"authorization": f"Bearer {self.token.strip()}", "content-type": "application/json"},
        )
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with direct.open(request, timeout=30) as response:
            result: dict[str, Any] = json.load(response)
            return result

    def shell(self, command: str, **more: Any) -> dict[str, Any]:
        return self.fire("before_tool", session_id="s1", tool_name="Shell", tool_input={"command": command}, **more)

    def close(self) -> None:
        for client in self.clients:
            client.close()
        self.clients.clear()

    def command(self, *args: str) -> subprocess.CompletedProcess[str]:
        """The command line, whatever it says to it."""
        return subprocess.run([PROGRAM, *args], env=self.env, capture_output=True, text=True, timeout=60)

    def _crosshook(self, *args: str) -> str:
        done = subprocess.run([PROGRAM, *args], env=self.env, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        return done.stdout
