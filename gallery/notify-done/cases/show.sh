#!/bin/sh
# Stands for a notification on the desktop.
printf "%s: %s\n" "$1" "$2" >"$SHOWN"
