#!/bin/bash
# Checks each file of this folder with the program it is written for: `npm run check:packaging`.
# Takes caddy and systemd from the system (apt-get install caddy systemd); builds helm and compose with Go where they are
# not on PATH (a few minutes, once, into ~/.cache/crosshook-packaging).
set -euo pipefail
cd "$(dirname "$0")"
HELM=v3.19.0 COMPOSE=v2.39.4
cache=${XDG_CACHE_HOME:-$HOME/.cache}/crosshook-packaging
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
say() { printf '== %s\n' "$*"; }
need() { command -v "$1" > /dev/null || { echo "$1 is needed: $2" >&2; exit 1; }; }

helm=$(command -v helm || echo "$cache/helm")
if [ ! -x "$helm" ]; then
  need go "or helm $HELM on PATH"
  GOBIN=$cache go install "helm.sh/helm/v3/cmd/helm@$HELM"
fi
compose=$(command -v docker-compose || echo "$cache/docker-compose")
if [ ! -x "$compose" ]; then
  need go "or docker-compose $COMPOSE on PATH"
  # Its go.mod cannot be installed from elsewhere, only built where it lies.
  source=$(go mod download -json "github.com/docker/compose/v2@$COMPOSE" | sed -n 's/.*"Dir": "\(.*\)",*/\1/p')
  (cd "$source" && go build -mod=mod -modfile="$out/go.mod" -o "$compose" ./cmd 2> /dev/null) ||
    { cp -r "$source" "$out/compose" && chmod -R u+w "$out/compose" && (cd "$out/compose" && go build -o "$compose" ./cmd); }
fi
need caddy 'apt-get install caddy'
need systemd-analyze 'apt-get install systemd'

say 'helm: lint, and the manifests with every value that changes them'
"$helm" lint --quiet helm/crosshook-hub
"$helm" template fleet helm/crosshook-hub > "$out/plain.yaml"
"$helm" template fleet helm/crosshook-hub --set replicas=5 --set tenant=acme > "$out/other.yaml"
grep -q 'kind: Deployment' "$out/plain.yaml"
grep -q 'replicas: 5' "$out/other.yaml"
grep -q acme "$out/other.yaml"

say 'compose'
HUB_NAME=hub.example.com POSTGRES_PASSWORD=x "$compose" -f hub/compose.yaml config --quiet
if HUB_NAME=hub.example.com POSTGRES_PASSWORD='' "$compose" -f hub/compose.yaml config --quiet 2> /dev/null; then
  echo 'compose goes on without a password for the database' >&2
  exit 1
fi

say 'caddy'
HUB_NAME=hub.example.com caddy validate --adapter caddyfile --config hub/Caddyfile > "$out/caddy" 2>&1 || { cat "$out/caddy"; exit 1; }

say 'systemd'
for unit in hub/*.service systemd/*.service; do
  systemd-analyze verify "./$unit" > "$out/unit" 2>&1 || { cat "$out/unit"; exit 1; }
  # Ignore messages about other units of this machine.
  if grep -F "$(basename "$unit")" "$out/unit"; then exit 1; fi
done

say 'all well'
