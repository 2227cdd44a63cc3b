#!/usr/bin/env bash
# The package as a user gets it: sdist, the wheel out of the sdist, a fresh environment with the wheel, and
# programs of users type-checked against it. PYTHON is the interpreter of python/test.sh, with the tools.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

mkdir "$place/source"
cp -r src pyproject.toml README.md LICENSE "$place/source"
rm -rf "$place/source/src/crosshook.egg-info"
# Without isolation: the setuptools of requirements-dev.txt builds, not the newest one.
"$PYTHON" -m build --no-isolation --outdir "$place/dist" "$place/source" > "$place/log" 2>&1 || { cat "$place/log" >&2; exit 1; }
"$PYTHON" -m twine check --strict "$place"/dist/* > "$place/log" 2>&1 || { cat "$place/log" >&2; exit 1; }

"$PYTHON" -m venv --without-pip "$place/fresh"
env -u PYTHONPATH "$PYTHON" -m pip --python "$place/fresh/bin/python" install --quiet --disable-pip-version-check \
  --constraint requirements-dev.txt "$place"/dist/*.whl
(cd "$place" && env -u PYTHONPATH fresh/bin/python - "$OLDPWD/src/crosshook") << 'CHECK'
import importlib.metadata
import sys
from pathlib import Path

import crosshook
import crosshook.adapters

there = Path(crosshook.__file__).parent
assert there.is_relative_to(sys.prefix), f"{there} is not what was installed"
source = Path(sys.argv[1])
wanted = {file.relative_to(source) for file in source.rglob("*") if file.suffix in (".py", ".pyi") or file.name == "py.typed"}
found = {file.relative_to(there) for file in there.rglob("*") if file.is_file() and "__pycache__" not in file.parts}
assert wanted == found, f"the wheel lacks {sorted(map(str, wanted - found))} and has besides {sorted(map(str, found - wanted))}"
extras = set(importlib.metadata.metadata("crosshook").get_all("Provides-Extra") or [])
assert extras == {"openai-agents", "langchain", "claude-agent-sdk"}, extras
CHECK

# The frameworks are the ones of the tools' environment; crosshook is the wheel, not src.
cp tests/typed/user.py "$place/user.py"
sed -n '/^```python$/,/^```$/p' ../docs/agent-builders.md | sed '/^```/d' > "$place/page.py"
packages=$("$place/fresh/bin/python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')
tools=$("$PYTHON" -c 'import agents, pathlib; print(pathlib.Path(agents.__file__).parents[1])')
echo "$tools" > "$packages/tools.pth"
# What the types of the frameworks are is known there since `mypy` of test.sh.
cache=$PWD/.mypy_cache
cd "$place"
"$PYTHON" -m mypy --cache-dir "$cache" --strict --config-file= --python-version 3.10 --python-executable fresh/bin/python user.py page.py
PYRIGHT_PYTHON_IGNORE_WARNINGS=1 "$PYTHON" -m pyright --pythonpath fresh/bin/python user.py page.py
