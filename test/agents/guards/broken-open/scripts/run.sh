#!/usr/bin/env bash
echo 'GUARD-BROKEN-OPEN: this guard is out of order' >&2
exit 1
