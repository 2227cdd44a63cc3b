#!/usr/bin/env bash
# Writes src/crosshook/_proto from proto/hooks.proto, or below the folder that is given.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
out=${1:-src}
python=${PYTHON:-.venv/bin/python}
mkdir -p "$out"
"$python" -m grpc_tools.protoc -Icrosshook/_proto=../proto --python_out="$out" --pyi_out="$out" crosshook/_proto/hooks.proto
