#!/bin/sh
# The relay under every check that this machine has: warnings as errors, sanitizers, valgrind, two fuzzers.
# FUZZ_SECONDS says how long libFuzzer and AFL++ may look, each (default 20).
set -eu
cd "$(dirname "$0")"
out=$(mktemp -d)
server=
trap '[ -n "$server" ] && kill "$server" 2>/dev/null; rm -rf "$out"' EXIT
cc=${CC:-cc}
strict="-std=c11 -g -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror"

say() { printf '== %s\n' "$*"; }

say "warnings"
# shellcheck disable=SC2086
$cc $strict -O2 -o "$out/plain" relay.c

say "parser: a million inputs under AddressSanitizer and UndefinedBehaviorSanitizer"
# shellcheck disable=SC2086
$cc $strict -O1 -DFUZZ_MAIN -fsanitize=address,undefined -fno-sanitize-recover=all -o "$out/fuzz" fuzz.c
"$out/fuzz" 1000000 "$(date +%s)"

# Every way through the program, against a server that behaves well or badly.
# shellcheck disable=SC2086
$cc $strict -O1 -DFIRST_BYTE_MS=400 -DNEXT_BYTE_MS=400 -fsanitize=address,undefined -fno-sanitize-recover=all -o "$out/relay" relay.c
for relay in "$out/relay" "$out/plain"; do
  printf '/bin/sh\n%s/cold.sh\n' "$out" > "$out/crosshook-relay.cold"
  printf 'wc -c\nexit 7\n' > "$out/cold.sh"
  wrap=
  if [ "$relay" = "$out/plain" ]; then
    command -v valgrind > /dev/null || { say "valgrind: not here"; continue; }
    wrap="valgrind -q --error-exitcode=99 --leak-check=no --child-silent-after-fork=yes"
    # shellcheck disable=SC2086
    $cc $strict -O1 -DFIRST_BYTE_MS=3000 -DNEXT_BYTE_MS=3000 -o "$out/plain" relay.c
  fi
  say "program: ${wrap:-sanitizers}"
  for way in whole bytes half junk close hang beat decline none; do
    home="$out/home-$way"
    mkdir -p "$home/.local/state/crosshook"
    rm -f "$home/.local/state/crosshook/engine.sock"
    server=
    if [ "$way" != none ]; then
      python3 - "$home/.local/state/crosshook/engine.sock" "$way" << 'SERVER' &
import os, socket, struct, sys, time
path, way = sys.argv[1:]
server = socket.socket(socket.AF_UNIX)
os.umask(0o177)
server.bind(path)
server.listen()
whole = b'XHAN\x01\x00\0\0' + struct.pack('<III', 3, 5, 4) + b'hello' + b'oops'
while True:
    connection, _ = server.accept()
    if way == 'close':
        connection.close()
        continue
    if way != 'hang':
        head = connection.recv(32, socket.MSG_WAITALL)
        left = sum(struct.unpack('<6I', head[8:]))
        while left > 0:
            left -= len(connection.recv(min(left, 65536)))
    if way == 'whole': connection.sendall(b'\x06' + whole)
    if way == 'bytes':
        for i in range(len(whole)): connection.sendall(whole[i:i + 1]); time.sleep(0.002)
    if way == 'half': connection.sendall(whole[:-1])
    if way == 'junk': connection.sendall(os.urandom(64))
    if way == 'beat': connection.sendall(b'\x06')
    if way == 'decline': connection.sendall(b'XHAN\x01\x01\0\0' + bytes(12))
    if way in ('hang', 'beat'): time.sleep(8)
    connection.close()
SERVER
      server=$!
      while [ ! -S "$home/.local/state/crosshook/engine.sock" ]; do sleep 0.05; done
    fi
    code=0
    # shellcheck disable=SC2086
    head -c 300000 /dev/zero | env -u XDG_RUNTIME_DIR -u XDG_STATE_HOME HOME="$home" $wrap "$relay" hook agent Event > "$out/stdout" 2> "$out/stderr" || code=$?
    [ -n "$server" ] && kill "$server" && wait "$server" 2> /dev/null || true
    server=
    case $way in
      whole | bytes) expected="3 hello oops" ;;
      *) expected="7 300000 " ;;
    esac
    got="$code $(tr -d ' \n' < "$out/stdout") $(cat "$out/stderr")"
    if [ "$got" != "$expected" ]; then
      say "$way: expected <$expected>, got <$got>"
      exit 1
    fi
  done
done

seconds=${FUZZ_SECONDS:-20}
sanitizers="fuzzer,address,undefined"
mkdir "$out/corpus"
printf 'XHAN\001\000\000\000\003\000\000\000\001\000\000\000\001\000\000\000ab' > "$out/corpus/whole"
clang=
for name in clang clang-19 clang-18 clang-17 clang-16 clang-15 clang-14; do
  [ -n "$clang" ] || clang=$(command -v "$name") || true
done
if [ -n "$clang" ] && "$clang" -fsanitize=$sanitizers -fno-sanitize-recover=all -g -O1 -o "$out/libfuzzer" fuzz.c 2> /dev/null; then
  say "libFuzzer for $seconds s"
  cp -r "$out/corpus" "$out/grown"
  if ! "$out/libfuzzer" -max_total_time="$seconds" -max_len=4096 -print_final_stats=1 \
    -artifact_prefix="$out/" "$out/grown" > "$out/libfuzzer.log" 2>&1; then
    cat "$out/libfuzzer.log"
    exit 1
  fi
  grep -E 'number_of_executed|cov: .*DONE' "$out/libfuzzer.log"
else
  say "libFuzzer: not here"
fi
if command -v afl-fuzz > /dev/null && command -v afl-clang-fast > /dev/null; then
  say "AFL++ for $seconds s"
  AFL_QUIET=1 afl-clang-fast -fsanitize=$sanitizers -fno-sanitize-recover=all -g -O1 -o "$out/afl" fuzz.c
  if ! AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_UI=1 AFL_NO_AFFINITY=1 \
    afl-fuzz -V "$seconds" -i "$out/corpus" -o "$out/found" -- "$out/afl" > "$out/afl.log" 2>&1; then
    cat "$out/afl.log"
    exit 1
  fi
  grep -E '^(execs_done|edges_found|saved_crashes|saved_hangs)' "$out/found/default/fuzzer_stats"
  for found in "$out"/found/default/crashes/id* "$out"/found/default/hangs/id*; do
    [ -e "$found" ] || continue
    od -c "$found" | head -20
    "$out/afl" "$found" || true
    exit 1
  done
else
  say "AFL++: not here"
fi
say "all well"
