from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]


def test_the_generated_messages_are_those_of_the_proto_file(tmp_path: Path) -> None:
    env = {**os.environ, "PYTHON": sys.executable}
    subprocess.run(["bash", str(PACKAGE / "generate.sh"), str(tmp_path)], env=env, check=True)
    for name in ("hooks_pb2.py", "hooks_pb2.pyi"):
        made = (tmp_path / "crosshook/_proto" / name).read_text()
        assert (PACKAGE / "src/crosshook/_proto" / name).read_text() == made, "run python/generate.sh"
