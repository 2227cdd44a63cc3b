#!/bin/sh
# Before a commit: the hooks of this project validate, their cases pass, and they are what the lock file says.
# As a hook of git: ln -s ../../packaging/pre-commit/crosshook-check.sh .git/hooks/pre-commit, or see README.md beside it.
set -eu
cd "$(git rev-parse --show-toplevel)"
[ -d .agents/hooks ] || exit 0
command -v crosshook >/dev/null || {
  echo 'crosshook is not installed: npm install --global crosshook' >&2
  exit 1
}
[ ! -f .agents/hooks/hooks.lock.json ] || crosshook sync --frozen
crosshook validate
crosshook test .agents/hooks
