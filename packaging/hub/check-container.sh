#!/bin/bash
# Builds the Containerfile with buildah and starts the hub in it, without a registry: its base image is made here, of Debian
# (debootstrap) and this machine's Node. Needs root: apt-get install buildah debootstrap; the tarballs of npm run pack:release.
set -euo pipefail
cd "$(dirname "$0")"
release=$(realpath "${1:-../../dist.release}")
out=$(mktemp -d)
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
store=(--root "$out/images" --runroot "$out/run")
trap 'rm -rf "$out"' EXIT
say() { printf '== %s\n' "$*"; }

say 'a stand-in for the base image'
node=${NODE:-$(command -v node)}
npm=$(dirname "$(realpath "$(command -v npm)")")/..
mirror=${MIRROR:-$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2> /dev/null | sed -n 's/^URIs: *//p;s/^deb \(\[.*\] \)\{0,1\}\([^ ]*\) .*/\2/p' | head -1 || true)}
debootstrap --variant=minbase --include=ca-certificates bookworm "$out/root" "$mirror" > "$out/log" 2>&1 || { tail "$out/log"; exit 1; }
install -m 755 "$node" "$out/root/usr/local/bin/node"
mkdir -p "$out/root/usr/local/lib/node_modules"
cp -rL "$npm" "$out/root/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$out/root/usr/local/bin/npm"
# Only the tarball is available in there, so its optional package, the relay, is left out.
mkdir -p "$out/root/usr/local/etc"
printf 'omit=optional\naudit=false\nfund=false\nupdate-notifier=false\nfetch-retries=0\n' > "$out/root/usr/local/etc/npmrc"
base=$(buildah "${store[@]}" from scratch)
buildah "${store[@]}" add --quiet "$base" "$out/root" / > /dev/null
buildah "${store[@]}" config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$base"
buildah "${store[@]}" commit --quiet "$base" docker.io/library/node:24-bookworm-slim > /dev/null

say 'the Containerfile'
mkdir "$out/context"
cp Containerfile "$out/context"
cp "$release"/*.tgz "$out/context"
main=$(basename "$(ls "$out"/context/crosshook-[0-9]*.tgz)")
# With the tarballs in place of the registry.
buildah "${store[@]}" bud --pull-never --volume "$out/context:/release:ro" --build-arg "CROSSHOOK=/release/$main" \
  --tag hub -f "$out/context/Containerfile" "$out/context"

say 'a hub in it'
hub=$(buildah "${store[@]}" from --pull-never hub)
buildah "${store[@]}" run "$hub" -- sh -c '
  crosshook hub --listen 127.0.0.1:7226 --allow-plaintext > /tmp/said 2>&1 & hub=$!
  for _ in $(seq 100); do node -e "fetch(\"http://127.0.0.1:7226/readyz\").then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))" && break; sleep 0.2; done
  node -e "fetch(\"http://127.0.0.1:7226/readyz\").then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))" || { cat /tmp/said; exit 1; }
  [ "$(id -un)" = crosshook ] && kill "$hub"'
say 'all well'
