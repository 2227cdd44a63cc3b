#!/usr/bin/env bash
# Types, style and tests of the integrations, against the library of this checkout. The first run needs a network or a
# cache; the tests themselves reach nothing but loopback.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
root=$(cd ../.. && pwd)
export PATH="$root/node_modules/.bin:$PATH"

wanted=$(cksum package-lock.json)
if [ "$(cat node_modules/.installed 2>/dev/null)" != "$wanted" ]; then
  # Without optional packages: among them is a program of 350 MB that test/agents has already.
  npm ci --ignore-scripts --omit=optional --no-fund --no-audit --loglevel=error
  printf '%s\n' "$wanted" > node_modules/.installed
fi
# What `npm install crosshook` would put there.
ln -sfn ../../.. node_modules/crosshook

if [ ! -f "$root/dist/lib/index.js" ]; then
  npm --prefix "$root" run --silent build
fi

tsc -p .
(cd "$root" && biome check --error-on-warnings examples/integrations)

mapfile -t isolated < <(node --input-type=module -e '
  const { isolation } = await import(process.argv[1])
  const { prefix, note } = isolation()
  if (note) console.error(note)
  console.log(prefix.join("\n"))
' "$root/test/agents/isolation.ts")
[ -n "${isolated[0]:-}" ] || isolated=()

report=$(mktemp)
trap 'rm -f "$report"' EXIT
status=0
"${isolated[@]}" node --test --test-concurrency=1 --test-timeout=120000 --test-reporter=spec "$@" ./*.test.ts |
  tee "$report" || status=$?

count() { sed -n "s/^ℹ $1 //p" "$report" | tail -1; }
failed=$(($(count fail) + $(count cancelled)))
[ "$(count skipped)" = 0 ] || echo "$(count skipped) skipped, for the reasons above"
echo "$(count pass) passed, $failed failed"
exit "$status"
