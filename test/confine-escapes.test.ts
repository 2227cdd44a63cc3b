/**
 * Attempts to get out of the confinement of hook programs. Each is run without it first and must succeed there, so that
 * what fails inside fails because of the confinement. As root where the tests run as root, and as another user.
 */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findHelper, helperArguments } from '../src/executors/confine/helper.ts'
import { systemFiles } from '../src/executors/confine/system-files.ts'

/** In what it runs: `$OUT` is a folder that it may not write to, `$HOME` one that it may not read, `$IN` its own. */
interface Attempt {
  name: string
  /** For bash, or for Python after `py:`. It prints ESCAPED when it got out. */
  code: string
  /** Needs rights that only root has. */
  root?: true
  /** The kernel does not count the processes of root. */
  user?: true
  /** Nothing to compare with: what it does would harm the machine without the confinement. */
  onlyConfined?: true
}

const SYSCALL = 'import ctypes,os,sys\nlibc=ctypes.CDLL(None,use_errno=True)\n'
/** The helper allows 512 processes more than are running. */
const MORE_THAN_ALLOWED = 512 + 400 + readdirSync('/proc').filter((name) => /^\d+$/.test(name)).length
const ESCAPE = 'print("ESCAPED")'
const call = (code: string) => `py:${SYSCALL}${code}`
const socketOf = (family: string, kind: string, then: string) =>
  `py:import socket,os\ns=socket.socket(socket.${family},socket.${kind})\n${then}\n${ESCAPE}`

const ATTEMPTS: Attempt[] = [
  // Writing outside.
  { name: 'writes a file outside', code: 'echo x > $OUT/new && echo ESCAPED' },
  { name: 'appends to a file outside', code: 'echo x >> $OUT/file && echo ESCAPED' },
  {
    name: 'empties a file by its path',
    code: `py:import os\nos.truncate(os.environ["OUT"]+"/file",0)\n${ESCAPE}`,
  },
  { name: 'removes a file outside', code: 'rm $OUT/gone && echo ESCAPED' },
  { name: 'removes a folder outside', code: 'rmdir $OUT/folder && echo ESCAPED' },
  { name: 'makes a folder outside', code: 'mkdir $OUT/made && echo ESCAPED' },
  { name: 'renames a file outside', code: 'mv $OUT/named $OUT/renamed && echo ESCAPED' },
  { name: 'moves its own file out', code: 'echo x > $IN/a && mv $IN/a $OUT/moved && echo ESCAPED' },
  { name: 'moves a file in from outside', code: 'mv $OUT/taken $IN/taken && echo ESCAPED' },
  {
    name: 'links to a file outside and writes through it',
    code: 'ln -s $OUT/file $IN/link && echo x > $IN/link && echo ESCAPED',
  },
  {
    name: 'makes a hard link into its folder and writes through it',
    code: 'ln $OUT/file $IN/hard && echo x > $IN/hard && echo ESCAPED',
  },
  { name: 'writes through a link that was there before', code: 'echo x > $IN/way-out && echo ESCAPED' },
  { name: 'writes through a folder that is a link', code: 'echo x > $IN/folder-out/new2 && echo ESCAPED' },
  { name: 'writes by way of ..', code: 'echo x > $IN/../out/dots && echo ESCAPED' },
  { name: 'writes by way of /proc/self/root', code: 'echo x > /proc/self/root$OUT/root && echo ESCAPED' },
  { name: 'writes by way of /proc/self/cwd', code: 'cd $OUT && echo x > /proc/self/cwd/cwd && echo ESCAPED' },
  { name: 'makes a pipe outside', code: 'mkfifo $OUT/pipe && echo ESCAPED' },
  { name: 'makes a link outside', code: 'ln -s /etc $OUT/symlink && echo ESCAPED' },
  {
    name: 'makes a program outside that may be run',
    code: 'cp /bin/true $OUT/program && chmod +x $OUT/program && echo ESCAPED',
  },
  { name: 'writes into /tmp', code: 'echo x > $TMP_OUT && echo ESCAPED' },
  { name: 'writes into /dev/shm', code: 'echo x > /dev/shm/$NAME && rm /dev/shm/$NAME && echo ESCAPED' },
  {
    name: 'makes a device',
    code: 'mknod $IN/device c 1 5 && head -c1 $IN/device | wc -c | grep -q 1 && echo ESCAPED',
    root: true,
  },
  // Reading.
  { name: 'reads a key in the home folder', code: 'grep -q key $HOME/.ssh/id_rsa && echo ESCAPED' },
  { name: 'lists the home folder', code: 'ls -A $HOME | grep -q . && echo ESCAPED' },
  { name: 'reads a token file', code: 'cat $OUT/daemon.token | grep -q token && echo ESCAPED' },
  { name: 'reads through a link', code: 'ln -s $HOME/.ssh/id_rsa $IN/k; grep -q key $IN/k && echo ESCAPED' },
  {
    name: 'reads a file with mmap',
    code:
      'py:import mmap,os\nf=os.open(os.environ["HOME"]+"/.ssh/id_rsa",os.O_RDONLY)\nmmap.mmap(f,3,prot=mmap.PROT_READ)[:3]\n' +
      ESCAPE,
  },
  {
    name: 'reads the hashes of passwords',
    code: 'head -1 /etc/shadow | grep -q : && echo ESCAPED',
    root: true,
  },
  { name: 'runs a program that it may not read', code: '$OUT/tool && echo ESCAPED' },
  // Other processes.
  {
    name: "reads another process's environment",
    code: 'tr "\\0" "\\n" < /proc/$VICTIM/environ | grep -q VICTIM_SECRET && echo ESCAPED',
  },
  {
    name: "reads another process's command line",
    code: 'tr "\\0" " " < /proc/$VICTIM/cmdline | grep -q . && echo ESCAPED',
  },
  { name: "reads another process's memory map", code: 'grep -q . /proc/$VICTIM/maps && echo ESCAPED' },
  {
    name: "opens another process's memory",
    code: `py:import os\nos.open("/proc/%s/mem"%os.environ["VICTIM"],os.O_RDONLY)\n${ESCAPE}`,
  },
  { name: "follows another process's folder", code: 'ls /proc/$VICTIM/cwd/ | grep -q . && echo ESCAPED' },
  {
    name: 'attaches to another process',
    code: call(
      'v=int(os.environ["VICTIM"])\nif libc.ptrace(16,v,0,0)==0:\n libc.ptrace(17,v,0,0); print("ESCAPED")',
    ),
  },
  {
    name: "reads another process's memory by call",
    code: call(
      'class V(ctypes.Structure):\n _fields_=[("b",ctypes.c_void_p),("l",ctypes.c_size_t)]\nv=os.environ["VICTIM"]\nimport re\ntry: a=int(open(f"/proc/{v}/maps").read().split("-")[0],16)\nexcept Exception: a=int(os.environ["VICTIM_ADDRESS"],16)\nb=ctypes.create_string_buffer(8)\nl=V(ctypes.addressof(b),8); r=V(a,8)\nif libc.process_vm_readv(int(v),ctypes.byref(l),1,ctypes.byref(r),1,0)==8: print("ESCAPED")',
    ),
  },
  { name: 'signals another process', code: 'kill -0 $VICTIM && echo ESCAPED' },
  {
    name: 'stops another process by a pidfd',
    code: call(
      'fd=libc.syscall(434,int(os.environ["VICTIM"]),0)\nif fd>=0 and libc.syscall(424,fd,0,0,0)==0: print("ESCAPED")',
    ),
  },
  {
    name: "takes another process's descriptor",
    code: call(
      'fd=libc.syscall(434,int(os.environ["VICTIM"]),0)\nif fd>=0 and libc.syscall(438,fd,0,0)>=0: print("ESCAPED")',
    ),
  },
  { name: "changes another process's limits", code: 'prlimit --pid $VICTIM --core=0:0 && echo ESCAPED' },
  // The network.
  { name: 'connects by TCP', code: 'exec 3<>/dev/tcp/127.0.0.1/$TCP && echo ESCAPED' },
  {
    name: 'connects by TCP over IPv6',
    code: socketOf('AF_INET6', 'SOCK_STREAM', 's.connect(("::1",int(os.environ["TCP"])))'),
  },
  { name: 'listens on TCP', code: socketOf('AF_INET', 'SOCK_STREAM', 's.bind(("127.0.0.1",0)); s.listen()') },
  { name: 'sends UDP', code: 'exec 3<>/dev/udp/127.0.0.1/9 && echo ESCAPED' },
  { name: 'asks a name server', code: socketOf('AF_INET', 'SOCK_DGRAM', 's.sendto(b"x",("127.0.0.1",53))') },
  {
    name: 'opens a raw socket',
    code: socketOf('AF_INET', 'SOCK_RAW', 'pass').replace('SOCK_RAW)', 'SOCK_RAW,1)'),
    root: true,
  },
  { name: 'talks to the kernel by netlink', code: socketOf('AF_NETLINK', 'SOCK_RAW', 's.bind((0,0))') },
  { name: 'opens a virtual machine socket', code: call('if libc.socket(40,1,0)>=0: print("ESCAPED")') },
  // Unix sockets.
  {
    name: 'connects to a Unix socket',
    code: socketOf('AF_UNIX', 'SOCK_STREAM', 's.connect(os.environ["SOCKETS"]+"/daemon.sock")'),
  },
  {
    name: 'connects to an abstract socket',
    code: socketOf('AF_UNIX', 'SOCK_STREAM', 's.connect("\\0"+os.environ["NAME"])'),
  },
  {
    name: 'sends to a datagram socket',
    code: socketOf('AF_UNIX', 'SOCK_DGRAM', 's.sendto(b"x",os.environ["SOCKETS"]+"/datagram.sock")'),
  },
  {
    name: 'turns one of a pair to another socket',
    code: `py:import socket,os\na,b=socket.socketpair(socket.AF_UNIX,socket.SOCK_DGRAM)\na.connect(os.environ["SOCKETS"]+"/datagram.sock")\na.send(b"x")\n${ESCAPE}`,
  },
  {
    name: 'makes a socket in its own folder',
    code: socketOf('AF_UNIX', 'SOCK_STREAM', 's.bind(os.environ["IN"]+"/own.sock")'),
  },
  {
    name: 'asks for sockets by io_uring',
    code: call('p=ctypes.create_string_buffer(120)\nif libc.syscall(425,4,p)>=0: print("ESCAPED")'),
  },
  // More rights.
  {
    name: 'mounts a file system',
    code: 'mount -t tmpfs none $MOUNT && umount $MOUNT && echo ESCAPED',
    root: true,
  },
  {
    name: 'remounts the root',
    code: 'mount -o remount,ro / && mount -o remount,rw / && echo ESCAPED',
    root: true,
    onlyConfined: true,
  },
  {
    name: 'binds a folder over another',
    code: 'mount --bind $IN $MOUNT && umount $MOUNT && echo ESCAPED',
    root: true,
  },
  {
    name: 'mounts by the new calls',
    code: call('fd=libc.syscall(430,b"tmpfs",0)\nif fd>=0: print("ESCAPED")'),
    root: true,
  },
  { name: 'enters a user namespace', code: 'unshare -Ur true && echo ESCAPED' },
  { name: 'enters a mount namespace', code: 'unshare -m true && echo ESCAPED', root: true },
  {
    name: 'makes a namespace by clone',
    code: call(
      'if os.fork()==0:\n r=libc.unshare(0x10000000); os._exit(0 if r==0 else 1)\nif os.waitpid(-1,0)[1]==0: print("ESCAPED")',
    ),
  },
  {
    name: "joins another process's namespace",
    code: 'nsenter -t $VICTIM -m true && echo ESCAPED',
    root: true,
  },
  { name: 'changes its root', code: 'chroot / true && echo ESCAPED', root: true },
  {
    name: 'becomes another user',
    code: 'setpriv --reuid 65534 --clear-groups id -u | grep -q 65534 && echo ESCAPED',
    root: true,
  },
  { name: 'gives a file away', code: 'touch $IN/f && chown 65534 $IN/f && echo ESCAPED', root: true },
  { name: "reads a file that is not its user's", code: 'cat $OUT/others && echo ESCAPED', root: true },
  {
    name: 'loads code into the kernel',
    code: call('if libc.syscall(321,0,None,0)!=-1 or ctypes.get_errno()!=1: print("ESCAPED")'),
    root: true,
  },
  {
    name: 'counts events of the machine',
    code: call('if libc.syscall(298,None,0,-1,-1,0)!=-1 or ctypes.get_errno()!=1: print("ESCAPED")'),
    root: true,
  },
  { name: 'uses keys of the kernel', code: call('if libc.syscall(250,0,-3,1)>0: print("ESCAPED")') },
  {
    name: 'opens a file by its handle',
    code: call('if libc.syscall(304,-100,None,0)!=-1 or ctypes.get_errno()!=1: print("ESCAPED")'),
  },
  {
    name: 'gets rights from a program that gives them',
    code: '$OUT/setuid-id -u | grep -qx 0 && [ "$(id -u)" != 0 ] && echo ESCAPED',
  },
  // Exhaustion.
  {
    name: 'starts processes without end',
    code: `py:import os,signal\nkids=[]\ntry:\n for i in range(${MORE_THAN_ALLOWED}):\n  k=os.fork()\n  if k==0: signal.pause()\n  kids.append(k)\n print("ESCAPED")\nfinally:\n for k in kids: os.kill(k,9)`,
    user: true,
  },
  { name: 'takes more memory than it may', code: `py:x=bytearray(600*1024*1024)\n${ESCAPE}` },
  { name: 'leaves its process group', code: 'setsid true && echo ESCAPED' },
  {
    name: 'leaves its process group from a child',
    code: 'py:import os\nif os.fork()==0:\n try: os.setpgid(0,0); os._exit(0)\n except OSError: os._exit(1)\nif os.waitpid(-1,0)[1]==0: print("ESCAPED")',
  },
]

const helper = findHelper()
const works = helper !== undefined && spawnSync(helper, ['--level']).status === 0
const isRoot = process.getuid?.() === 0

interface Stage {
  user: number
  env: Record<string, string>
  inside: string
}

describe
  .runIf(works)
  .each([
    ...(isRoot ? [{ who: 'root', user: 0 }] : []),
    { who: 'an ordinary user', user: isRoot ? 65534 : process.getuid!() },
  ])('as $who', ({ user }) => {
  let stage: Stage
  const started: ChildProcess[] = []
  let base: string
  beforeAll(async () => {
    base = mkdtempSync(join(tmpdir(), 'escape-'))
    stage = await setTheStage(base, user, started)
  })
  afterAll(() => {
    for (const child of started) child.kill('SIGKILL')
    rmSync(base, { recursive: true, force: true })
  })

  for (const attempt of ATTEMPTS) {
    if (user === 0 ? attempt.user : attempt.root) continue
    it(attempt.name, () => {
      const isVain = attempt.name.includes('program that gives them') && user === 0
      if (!attempt.onlyConfined && !isVain) expect(outputOf(attempt, stage, false)).toContain('ESCAPED')
      expect(outputOf(attempt, stage, true)).not.toContain('ESCAPED')
    })
  }
})

function outputOf({ code }: Attempt, { user, env, inside }: Stage, confined: boolean): string {
  // A fresh folder of its own each time; what is outside is made anew by its owner.
  restore(env, user)
  rmSync(inside, { recursive: true, force: true })
  mkdirSync(inside)
  symlinkSync(join(env.OUT!, 'file'), join(inside, 'way-out'))
  symlinkSync(env.OUT!, join(inside, 'folder-out'))
  if (isRoot) chownSync(inside, user, user)
  const program = code.startsWith('py:')
    ? ['/usr/bin/python3', '-c', code.slice(3)]
    : ['/bin/bash', '-c', code]
  const argv = confined
    ? [
        helper!,
        ...helperArguments({
          read: systemFiles(),
          write: [inside],
          hide: [],
          network: false,
          sockets: [],
          memory_mb: 512,
          stays_in_group: true,
        }),
        ...program,
      ]
    : program
  const { stdout, stderr, status } = spawnSync(argv[0]!, argv.slice(1), {
    env,
    encoding: 'utf8',
    timeout: 20_000,
    // A group of its own, which it would have to leave.
    ...(isRoot ? { uid: user, gid: user } : {}),
  })
  // The confinement itself must have worked: what was run is the attempt.
  expect(stderr).not.toContain('crosshook-confine:')
  return `${stdout}\n[${status}] ${stderr}`
}

function restore({ OUT, MOUNT, HOME }: Record<string, string>, user: number): void {
  rmSync(OUT!, { recursive: true, force: true, maxRetries: 3 })
  for (const folder of [OUT!, join(OUT!, 'folder'), MOUNT!, join(HOME!, '.ssh')])
    mkdirSync(folder, { recursive: true })
  for (const name of ['file', 'gone', 'named', 'taken', 'others']) writeFileSync(join(OUT!, name), name)
  writeFileSync(join(OUT!, 'daemon.token'), 'token')
  writeFileSync(join(HOME!, '.ssh/id_rsa'), 'key')
  cpSync('/bin/true', join(OUT!, 'tool'))
  cpSync('/usr/bin/id', join(OUT!, 'setuid-id'))
  if (isRoot) {
    for (const path of [
      OUT!,
      ...['file', 'gone', 'named', 'taken', 'folder', 'daemon.token', 'tool'].map((name) => join(OUT!, name)),
    ])
      chownSync(path, user, user)
    chownSync(join(HOME!, '.ssh/id_rsa'), user, user)
    chownSync(join(OUT!, 'others'), 12345, 12345)
    chmodSync(join(OUT!, 'others'), 0o600)
    chmodSync(join(OUT!, 'setuid-id'), 0o4755)
  }
}

async function setTheStage(base: string, user: number, started: ChildProcess[]): Promise<Stage> {
  chmodSync(base, 0o755)
  const name = `escape-${process.pid}-${user}`
  const env: Record<string, string> = {
    PATH: '/usr/bin:/bin:/usr/sbin:/sbin',
    OUT: join(base, 'out'),
    IN: join(base, 'in'),
    HOME: join(base, 'home'),
    MOUNT: join(base, 'mount'),
    SOCKETS: join(base, 'sockets'),
    TMP_OUT: join(tmpdir(), name),
    NAME: name,
  }
  restore(env, user)
  mkdirSync(env.SOCKETS!)
  if (isRoot) chownSync(env.SOCKETS!, user, user)
  const options = { env: { ...env, VICTIM_SECRET: 'x' }, ...(isRoot ? { uid: user, gid: user } : {}) }
  const victim = spawn('/usr/bin/python3', ['-c', VICTIM], { ...options, stdio: ['pipe', 'pipe', 'inherit'] })
  started.push(victim)
  const line = await new Promise<string>((resolve) =>
    victim.stdout!.once('data', (data) => resolve(String(data))),
  )
  const [port, address] = line.trim().split(' ') as [string, string]
  return {
    user,
    env: { ...env, VICTIM: String(victim.pid), TCP: port, VICTIM_ADDRESS: address, OUT: env.OUT! },
    inside: env.IN!,
  }
}

/** A process of the same user that has a secret, and listens wherever one can listen. */
const VICTIM = `
import ctypes, os, socket, sys
libc = ctypes.CDLL(None)
libc.prctl(0x59616d61, ctypes.c_ulong(-1), 0, 0, 0)
tcp = socket.socket(socket.AF_INET6); tcp.bind(("::", 0)); tcp.listen(64)
abstract = socket.socket(socket.AF_UNIX); abstract.bind("\\0" + os.environ["NAME"]); abstract.listen(64)
stream = socket.socket(socket.AF_UNIX); stream.bind(os.environ["SOCKETS"] + "/daemon.sock"); stream.listen(64)
datagram = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); datagram.bind(os.environ["SOCKETS"] + "/datagram.sock")
print(tcp.getsockname()[1], open("/proc/self/maps").read().split("-")[0], flush=True)
sys.stdin.read()
`

describe.runIf(works)('a kernel without Landlock', () => {
  // seccomp answers ENOSYS to the three calls of Landlock, as a kernel that was built without it does.
  const WITHOUT = `
import ctypes, os, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
code = [(0x20, 0, 0, 0)] + [(0x15, 0, 1, n) if i % 2 == 0 else (0x06, 0, 0, 0x50000 | 38) for n in (444, 445, 446) for i in (0, 1)] + [(0x06, 0, 0, 0x7fff0000)]
text = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *one) for one in code))
class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]
libc.prctl(38, 1, 0, 0, 0)
assert libc.prctl(22, 2, ctypes.byref(Program(len(code), ctypes.addressof(text))), 0, 0) == 0
os.execv(sys.argv[1], sys.argv[1:])
`
  const under = (...argv: string[]) =>
    spawnSync('/usr/bin/python3', ['-c', WITHOUT, ...argv], { encoding: 'utf8' })

  it('has a level that confines nothing, and runs no program', () => {
    expect(under('/bin/echo', 'ran').stdout).toBe('ran\n')
    expect(under(helper!, '--level')).toMatchObject({
      status: 125,
      stdout: expect.stringContaining('"landlock": 0'),
    })
    const { status, stdout, stderr } = under(helper!, '-r', '/', '--', '/bin/echo', 'ran')
    expect([status, stdout]).toEqual([125, ''])
    expect(stderr).toContain("crosshook-confine: this kernel's Landlock is missing")
  })

  it('fails a confined hook by its policy, with a sentence, and doctor and list say why', () => {
    const home = mkdtempSync(join(tmpdir(), 'no-landlock-'))
    const folder = join(home, '.config/agents/hooks/guard')
    mkdirSync(join(folder, 'scripts'), { recursive: true })
    writeFileSync(
      join(folder, 'HOOK.md'),
      '---\nname: guard\ndescription: d\ntrigger: before_tool\nsandbox: true\non_failure: closed\n---\n',
    )
    writeFileSync(join(folder, 'scripts/run.sh'), '#!/bin/sh\nexit 0\n', { mode: 0o755 })
    const main = join(import.meta.dirname, '../dist/cli/main.cjs')
    const env = {
      PATH: '/usr/bin:/bin',
      HOME: home,
      CROSSHOOK_NO_DAEMON: '1',
      CROSSHOOK_MANAGED_DIR: join(home, 'none'),
    }
    const crosshook = (...args: string[]) =>
      spawnSync('/usr/bin/python3', ['-c', WITHOUT, process.execPath, main, ...args], {
        env,
        cwd: home,
        encoding: 'utf8',
      })
    const fired = crosshook(
      'fire',
      'before_tool',
      '--tool',
      'Shell',
      '--input',
      '{"command":"npm test"}',
      '--json',
    )
    const { decision, hooks } = JSON.parse(fired.stdout)
    expect([fired.status, decision, hooks[0].status]).toEqual([2, 'deny', 'failed'])
    expect(hooks[0].error).toContain('Landlock is missing')
    expect(crosshook('doctor').stdout).toContain('hooks that ask to be confined are not run (guard)')
    expect(crosshook('list').stdout).toContain('guard would not run: it asks to be confined')
    rmSync(home, { recursive: true, force: true })
  })
})
