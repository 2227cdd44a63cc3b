#!/usr/bin/env bash
# Types, style and tests of the Python SDK, against the daemon of this checkout. Needs Python 3.10 and a network or cache
# for the first run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
started=$SECONDS
export PIP_ROOT_USER_ACTION=ignore

if [ ! -f ../dist/cli/main.cjs ] && [ -z "${CROSSHOOK_PROGRAM:-}" ]; then
  npm --prefix .. run --silent build
fi

base=$(command -v python3 || command -v python)
"$base" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || {
  echo "python/test.sh: $("$base" --version) is too old. Put Python 3.10 or later on PATH." >&2
  exit 1
}

wanted=$("$base" --version; cat requirements-dev.txt requirements-frameworks.txt)
if [ "$(cat .venv/installed 2>/dev/null)" != "$wanted" ]; then
  rm -rf .venv
  if "$base" -c 'import ensurepip' 2>/dev/null; then
    "$base" -m venv .venv
    .venv/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt -r requirements-frameworks.txt
  else
    # A system without ensurepip: no environment, but a folder of packages.
    "$base" -m pip install --quiet --disable-pip-version-check --target .venv/packages -r requirements-dev.txt -r requirements-frameworks.txt
  fi
  printf '%s\n' "$wanted" > .venv/installed
fi

if [ -x .venv/bin/python ]; then
  export PYTHON=$PWD/.venv/bin/python
else
  export PYTHON=$base PYTHONPATH=$PWD/.venv/packages
fi

"$PYTHON" -m mypy
"$PYTHON" -m ruff format --check --quiet .
"$PYTHON" -m ruff check --quiet .
"$PYTHON" -m pytest -q "$@"
bash check-package.sh
# The tests that the conformance lists name must be there: pytest fails on an unknown name.
named=$(grep -rhoE 'tests/[a-z_]+\.py::[a-z_]+' ../test/conformance | sort -u)
"$PYTHON" -m pytest -q --collect-only $named > /dev/null
echo "python: types, style and tests passed in $((SECONDS - started)) s"
