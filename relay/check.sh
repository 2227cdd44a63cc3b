#!/bin/sh
# The relay under every check that this machine has: warnings as errors, sanitizers, valgrind, two fuzzers.
# FUZZ_SECONDS says how long libFuzzer and AFL++ may look, each (default 20).
set -eu
cd "$(dirname "$0")"
out=$(mktemp -d)
server=
trap '[ -n "$server" ] && kill "$server" 2>/dev/null; rm -rf "$out"' EXIT
cc=${CC:-cc}
sources="relay.c engine.c cold.c program.c refuse.c spawner.c keeper.c"
strict="-std=c11 -g -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror"

say() { printf '== %s\n' "$*"; }

say "warnings"
# shellcheck disable=SC2086
$cc $strict -O2 -o "$out/plain" $sources early.c
if [ "$(uname)" = Linux ]; then
  # shellcheck disable=SC2086
  $cc $strict -O2 -o "$out/gate" gate.c spawner.c
fi

say "parsers: a million inputs under AddressSanitizer and UndefinedBehaviorSanitizer"
# shellcheck disable=SC2086
$cc $strict -O1 -DFUZZ_MAIN -fsanitize=address,undefined -fno-sanitize-recover=all -o "$out/fuzz" fuzz.c
"$out/fuzz" 1000000 "$(date +%s)"

# Every way through the program, against a server that behaves well or badly.
# shellcheck disable=SC2086
$cc $strict -O1 -DFIRST_BYTE_MS=400 -DNEXT_BYTE_MS=400 -fsanitize=address,undefined -fno-sanitize-recover=all -o "$out/relay" $sources early.c
early=
case $(uname -sm) in "Linux x86_64" | "Linux aarch64")
  say "before the C library has begun, nothing of it is called"
  # shellcheck disable=SC2086
  $cc $strict -O2 -DEARLY -ffreestanding -fno-stack-protector -U_FORTIFY_SOURCE -fno-tree-loop-distribute-patterns -DCROSSHOOK_VERSION='"0"' -c -o "$out/early.o" early.c
  [ "$(nm -u "$out/early.o" | tr -d ' \n')" = U_start ] || { nm -u "$out/early.o"; exit 1; }
  early=$out/early
  # shellcheck disable=SC2086
  $cc $strict -O2 -DFIRST_BYTE_MS=400 -DNEXT_BYTE_MS=400 -static -no-pie -Wl,-e,early_start -o "$early" $sources "$out/early.o"
  ;;
esac
for relay in "$out/relay" $early "$out/plain"; do
  printf '/bin/sh\n%s/cold.sh\n' "$out" > "$out/crosshook-relay.cold"
  cat > "$out/cold.sh" << 'COLD'
count=$(wc -c | tr -d ' ')
printf 'XHAN\002\000\000\000\007\000\000\000'
printf "\\$(printf %03o ${#count})\000\000\000"
head -c 36 /dev/zero
printf %s "$count"
COLD
  wrap=
  if [ "$relay" = "$out/plain" ]; then
    command -v valgrind > /dev/null || { say "valgrind: not here"; continue; }
    wrap="valgrind -q --error-exitcode=99 --leak-check=no --child-silent-after-fork=yes"
    # shellcheck disable=SC2086
    $cc $strict -O1 -DFIRST_BYTE_MS=3000 -DNEXT_BYTE_MS=3000 -o "$out/plain" $sources early.c
  fi
  size=300000
  # As much as is read before the C library has begun.
  if [ "$relay" = "$early" ]; then size=300; fi
  say "program: ${wrap:-$(basename "$relay")}, $size bytes"
  for way in whole bytes half forged junk close hang beat decline none; do
    home="$out/home-$way"
    mkdir -p "$home/.local/state/crosshook"
    rm -f "$home/.local/state/crosshook/engine.sock" "$home/.local/state/crosshook/state.key"
    server=
    if [ "$way" != none ]; then
      python3 - "$home/.local/state/crosshook/engine.sock" "$way" << 'SERVER' &
import hashlib, hmac, os, socket, struct, sys, time
path, way = sys.argv[1:]
server = socket.socket(socket.AF_UNIX)
os.umask(0o177)
key = os.urandom(32)
with open(os.path.join(os.path.dirname(path), 'state.key'), 'wb') as file: file.write(key)
server.bind(path)
server.listen()
def answer(status, out, err, code, challenge):
    start = b'XHAN\x02' + bytes([status]) + b'\0\0' + struct.pack('<III', code, len(out), len(err))
    proven = b'engine\0' + challenge + struct.pack('<I', os.getpid()) + start + out + err
    return start + hmac.new(key, proven, hashlib.sha256).digest() + out + err
while True:
    connection, _ = server.accept()
    if way == 'close':
        connection.close()
        continue
    if way != 'hang':
        head = connection.recv(52, socket.MSG_WAITALL)
        sizes = struct.unpack('<6I', head[8:32])
        whole = answer(0, b'hello', b'oops', 3, head[32:48])
        # A payload of unknown size ends with our side's end.
        left = None if sizes[5] == 0xffffffff else sum(sizes)
        while left is None or left > 0:
            piece = connection.recv(65536 if left is None else min(left, 65536))
            if piece == b'': break
            if left is not None: left -= len(piece)
    if way == 'whole': connection.sendall(b'\x06' + whole)
    if way == 'bytes':
        for i in range(len(whole)): connection.sendall(whole[i:i + 1]); time.sleep(0.002)
    if way == 'half': connection.sendall(whole[:-1])
    if way == 'forged': connection.sendall(answer(0, b'', b'', 0, bytes(16)))
    if way == 'junk': connection.sendall(os.urandom(64))
    if way == 'beat': connection.sendall(b'\x06')
    if way == 'decline': connection.sendall(answer(1, b'', b'', 0, head[32:48]))
    if way in ('hang', 'beat'): time.sleep(8)
    connection.close()
SERVER
      server=$!
      while [ ! -S "$home/.local/state/crosshook/engine.sock" ]; do sleep 0.05; done
    fi
    code=0
    # shellcheck disable=SC2086
    head -c $size /dev/zero | env -u XDG_RUNTIME_DIR -u XDG_STATE_HOME HOME="$home" $wrap "$relay" hook agent Event > "$out/stdout" 2> "$out/stderr" || code=$?
    [ -n "$server" ] && kill "$server" && wait "$server" 2> /dev/null || true
    server=
    case $way in
      whole | bytes) expected="3 hello oops" ;;
      *) expected="7 $size " ;;
    esac
    got="$code $(tr -d ' \n' < "$out/stdout") $(cat "$out/stderr")"
    if [ "$got" != "$expected" ]; then
      say "$way: expected <$expected>, got <$got>"
      exit 1
    fi
  done
done

# The spawner, asked for all that it can be asked for, by an engine that then goes away.
for wrap in "$out/relay" "valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite --child-silent-after-fork=yes $out/plain"; do
  if [ "$wrap" != "$out/relay" ] && ! command -v valgrind > /dev/null; then continue; fi
  case $wrap in valgrind*) say "spawner: valgrind" ;; *) say "spawner: sanitizers" ;; esac
  python3 - "$wrap" << 'ENGINE'
import os, signal, socket, struct, subprocess, sys, time
ours, theirs = socket.socketpair()
command = sys.argv[1].split()
spawner = subprocess.Popen(command + ['spawner'], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=[3],
                           preexec_fn=lambda: os.dup2(theirs.fileno(), 3))
theirs.close()
ours.settimeout(30)

def start(number, command, text=b'', flags=0, limit=1 << 20, folder=b'/', args=None):
    args = args or [b'/bin/sh', b'-c', command]
    texts = b'\0'.join([folder, *args, b'PATH=/usr/bin:/bin']) + b'\0'
    frame = struct.pack('<IBBHIIII', number, 1, flags, 0, limit, len(args), 1, len(texts)) + texts + text
    return struct.pack('<I', len(frame) + 4) + frame

def end(number):
    return struct.pack('<IIBBH', 12, number, 2, 0, 0)

def exactly(size):
    data = b''
    while len(data) < size:
        piece = ours.recv(size - len(data))
        assert piece, 'the spawner has gone'
        data += piece
    return data

def reply():
    size, number, kind, flags, _, code, out = struct.unpack('<IIBBHII', exactly(20))
    rest = exactly(size - 20)
    return number, (kind, flags, code, rest[:out], rest[out:])

def expect(*wanted):
    got = dict(reply() for _ in wanted)
    assert got == dict(wanted), f'{got} instead of {dict(wanted)}'

expect((0, (0, 0, 1, b'', b'')))
ours.sendall(start(1, b'cat; echo no >&2; exit 3', b'text'))
expect((1, (1, 0, 3, b'text', b'no\n')))
whole = start(2, b'pwd', folder=b'/usr') + start(3, b'kill -9 $$')
for i in range(len(whole)):
    ours.sendall(whole[i:i + 1])
expect((2, (1, 0, 0, b'/usr\n', b'')), (3, (2, 0, 9, b'', b'')))
ours.sendall(start(4, b'', args=[b'no-such-program']) + start(5, b'true', folder=b'/no/such/folder'))
expect((4, (3, 0, 2, b'', b'')), (5, (3, 0, 2, b'', b'')))
ours.sendall(start(6, b'printf abcdef', limit=3) + start(7, b'yes', limit=100, flags=2))
expect((6, (1, 1, 0, b'abc', b'')), (7, (4, 0, 0, b'', b'')))
ours.sendall(start(8, b'sleep 30 & echo first') + start(9, b'(sleep 0.1; echo late) & echo first', flags=1))
expect((8, (1, 0, 0, b'first\n', b'')), (9, (1, 0, 0, b'first\nlate\n', b'')))
ours.sendall(start(10, b'trap "" TERM; sleep 30') + end(10) + start(11, b'exec sleep 30') + end(11) + end(12))
expect((10, (5, 0, 0, b'', b'')), (11, (5, 0, 0, b'', b'')))
ours.sendall(start(13, b'head -c 5000000 /dev/zero', limit=6000000))
time.sleep(0.5)
expect((13, (1, 0, 0, bytes(5000000), b'')))
ours.sendall(b''.join(start(n, b'read -r x; exit $x', b'%d\n' % (n % 200)) for n in range(100, 200)))
expect(*((n, (1, 0, n % 200, b'', b'')) for n in range(100, 200)))
ours.sendall(start(20, b'trap "" TERM; echo $$ >&2; sleep 30') + start(21, b'exec sleep 30', flags=1))
time.sleep(0.3)
if len(command) > 1: ours.close()
else: ours.sendall(b'Who speaks like this is no engine')
assert spawner.wait(20) == 0, spawner.returncode
ENGINE
done

seconds=${FUZZ_SECONDS:-20}
sanitizers="fuzzer,address,undefined"
mkdir "$out/corpus"
{ printf 'XHAN\002\000\000\000\003\000\000\000\001\000\000\000\001\000\000\000'; head -c 32 /dev/zero; printf ab; } > "$out/corpus/whole"
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
