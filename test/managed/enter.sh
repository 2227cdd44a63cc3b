#!/bin/sh
# Runs a command as root where only loopback is there, /etc, /opt, /var/lib, /home and /run can be written and nothing of it is left:
# a managed installation is made in its real places, without any setting that moves them.
set -eu
if [ "$(id -u)" != 0 ]; then echo "test/managed needs root: it makes users and mounts" >&2; exit 1; fi
exec unshare --net --mount --pid --fork --kill-child --mount-proc --propagation private sh -euc '
  ip link set lo up
  scratch=$(mktemp -d)
  mount -t tmpfs -o mode=755 tmpfs "$scratch"
  for folder in etc opt var/lib; do
    own=$scratch/$(echo $folder | tr / -)
    mkdir -p "$own/new" "$own/work"
    mount -t overlay overlay -o "lowerdir=/$folder,upperdir=$own/new,workdir=$own/work" "/$folder"
  done
  mount -t tmpfs -o mode=755 tmpfs /run
  mount -t tmpfs -o mode=755 tmpfs /home
  exec "$@"
' sh "$@"
