/** An agent's own tools call the commands that change its guards. */

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agentAbove } from '../../src/cli/person.ts'
import { CrosshookClient } from '../../src/client.ts'
import { DIALECTS, loadDialect } from '../../src/dialects/list.ts'
import { LINK_PROOF_HEADER, linkProof } from '../../src/host/people.ts'
import { calledBefore } from '../compile-cache.ts'

const main = fileURLToPath(new URL('../../dist/cli/main.cjs', import.meta.url))
let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'person-'))
  mkdirSync(join(root, 'project'))
})
afterEach(() => rmSync(root, { recursive: true, force: true, maxRetries: 10 }))

function put(path: string, text: string): string {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  chmodSync(file, 0o755)
  return file
}

const env = (more: NodeJS.ProcessEnv = {}) =>
  calledBefore({
    HOME: join(root, 'home'),
    PATH: process.env.PATH,
    CROSSHOOK_MANAGED_DIR: join(root, 'managed'),
    ...more,
  })

/** The command, started by these words, without a terminal on which somebody could type. */
async function call(words: readonly string[], command: readonly string[], more: NodeJS.ProcessEnv = {}) {
  const [program, ...args] = [...words, process.execPath, main, ...command]
  const child = spawn(program!, args, { cwd: join(root, 'project'), env: env(more), detached: true })
  // A command that is refused may end without reading.
  child.stdin.on('error', () => {}).end('y\ny\n')
  child.stdout.resume()
  const [stderr, [status]] = await Promise.all([child.stderr.toArray(), once(child, 'close')])
  return { status, stderr: stderr.join('') }
}

const REFUSED = { status: 1, stderr: expect.stringMatching(/was started by .+, and is for people alone/) }

describe('a command that changes the guards', () => {
  const commands = [
    ['uninstall', '--yes'],
    ['install', '--yes'],
    ['trust', '--yes'],
    ['untrust'],
    ['add', 'block-fork-bombs', '--yes'],
    ['remove', 'x', '--yes'],
    ['update', '--yes'],
    ['sync', '--yes'],
    ['publish', '.'],
    ['key', 'trust', 'x'],
    ['index', 'add', 'https://example.com/'],
    ['daemon', 'stop'],
    ['ui', '--json'],
    ['ui', '--no-open'],
    ['disable', 'x'],
    ['enable', 'x'],
    ['verify', '--accept', 'x'],
  ]

  it.each(commands)('is refused when an agent starts it: %s %s', async (...command) => {
    const agent = put('bin/codex', '#!/bin/sh\n"$@"\n')
    expect(await call([agent], command)).toMatchObject(REFUSED)
  })

  it('is refused through shells, other programs and a link between', async () => {
    const agent = put('bin/gemini', '#!/bin/sh\n"$@"\n')
    const between = [agent, 'sh', '-c', '"$@"; exit $?', 'x', 'env', 'bash', '-c', '"$0" "$@"; exit $?']
    expect(await call(between, ['uninstall', '--yes'])).toMatchObject(REFUSED)
  })

  it('is refused when the agent is a native program, or a script of its package', async () => {
    const native = join(root, 'opencode')
    copyFileSync('/bin/sh', native)
    chmodSync(native, 0o755)
    expect(await call([native, '-c', '"$@"; exit $?', 'x'], ['untrust'])).toMatchObject(REFUSED)
    const script = put(
      'lib/node_modules/@anything/claude-code/dist/index.js',
      "require('node:child_process').spawnSync(process.argv[2], process.argv.slice(3), { stdio: 'inherit' }).status && process.exit(1)",
    )
    expect(await call([process.execPath, script], ['untrust'])).toMatchObject(REFUSED)
    symlinkSync(script, join(root, 'qwen'))
    expect(await call([process.execPath, join(root, 'qwen')], ['untrust'])).toMatchObject(REFUSED)
  })

  it('is refused when it left the tree of an agent that runs, and not when no agent runs', async () => {
    const env = `env -i HOME=${join(root, 'home')} PATH=${process.env.PATH}`
    const command = `${process.execPath} ${main} untrust 2> err; echo $? > status.new; mv status.new status`
    // The process between ends first; the one that is left waits for that.
    const inner = put('leave.sh', `while kill -0 $1 2> /dev/null; do :; done\n${command}\n`)
    const script = `#!/bin/sh\nsh -c 'setsid ${env} sh ${inner} $$ > /dev/null 2>&1 &'\nuntil [ -f status ]; do sleep 0.05; done\n`
    for (const [name, status] of [
      ['codex', '1\n'],
      ['a-script-of-a-person', '0\n'],
    ] as const) {
      const starter = put(`bin/${name}`, script)
      spawnSync(starter, { cwd: join(root, 'project'), timeout: 30_000 })
      const [seen, words] = ['status', 'err'].map((file) => readFileSync(join(root, 'project', file), 'utf8'))
      expect(seen, words).toBe(status)
      rmSync(join(root, 'project/status'))
    }
  })

  it('is refused where a variable tells of an agent, or of a hook', async () => {
    for (const mark of [{ CLAUDECODE: '1' }, { GEMINI_CLI: '1' }, { CROSSHOOK_DEPTH: '1' }])
      expect(await call([], ['untrust'], mark)).toMatchObject(REFUSED)
  })

  it('is carried out for a script of a person, and what only looks for an agent too', async () => {
    const folder = put('code/ci/cursor-checks/run.sh', '#!/bin/sh\n"$@"\n')
    expect(await call([folder], ['untrust'])).toMatchObject({ status: 0 })
    const agent = put('bin/codex', '#!/bin/sh\n"$@"\n')
    for (const command of [
      ['list'],
      ['install', '--dry-run'],
      ['daemon', 'status'],
      ['verify'],
      ['update', '--check'],
      ['sync', '--frozen'],
      ['key', 'show'],
      ['search', 'git'],
    ])
      expect((await call([agent], command)).stderr).not.toMatch(/for people alone/)
  })
})

describe.skipIf(spawnSync('script', ['--version']).error !== undefined)('at a terminal', () => {
  /** The words that start the command, in a terminal whose other end types what it reads there. */
  const typedInto = async (words: readonly string[], answer: (word: string) => string) => {
    const [program, ...args] = words
    const child = spawn(program!, args, { cwd: join(root, 'project'), env: env() })
    let seen = ''
    child.stdin.on('error', () => {})
    child.stdout.on('data', (chunk: Buffer) => {
      seen += chunk
      const word = /type ([a-z]{5}): /.exec(seen)?.[1]
      if (word !== undefined && child.stdin.writable) child.stdin.end(`${answer(word)}\n`)
    })
    const [status] = await once(child, 'close')
    return { status, seen }
  }
  const agent = (name = 'codex') => put(`bin/${name}`, '#!/bin/sh\n"$@"\n')
  const untrust = [process.execPath, main, 'untrust']
  const terminal = (words: readonly string[]) => ['script', '-qec', words.join(' '), '/dev/null']
  const typed = (answer: (word: string) => string) => typedInto(terminal([agent(), ...untrust]), answer)

  it('a person types the word that is shown, and the command is carried out', async () => {
    expect(await typed((word) => word)).toMatchObject({ status: 0 })
  })

  it('anything else is no consent', async () => {
    const { status, seen } = await typed(() => 'yes')
    expect({ status, seen }).toMatchObject({ status: 1, seen: expect.stringContaining('for people alone') })
  })

  const NOBODY = {
    status: 1,
    seen: expect.stringMatching(/^(?![\s\S]*type [a-z]{5})[\s\S]*for people alone/),
  }

  it('that the agent has made itself, nobody is asked', async () => {
    expect(await typedInto([agent(), ...terminal(untrust)], (word) => word)).toMatchObject(NOBODY)
    // Inside one that a person has, and with something in it that calls itself an agent.
    const inner = terminal([agent('claude'), ...untrust])
    const quoted = inner.map((word) => `'${word}'`)
    expect(await typedInto(terminal([agent(), ...quoted]), (word) => word)).toMatchObject(NOBODY)
  })

  it('that an editor opened for the person, the person is asked', async () => {
    expect(await typedInto([agent('code'), ...terminal(untrust)], (word) => word)).toMatchObject(NOBODY)
    const editor = join(root, 'bin/code')
    rmSync(editor)
    copyFileSync('/usr/bin/script', editor)
    const [, ...rest] = terminal(untrust)
    expect(await typedInto([editor, ...rest], (word) => word)).toMatchObject({ status: 0 })
  })

  it.skipIf(spawnSync('tmux', ['-V']).error !== undefined)(
    'of a tmux that an agent started, nobody is asked',
    async () => {
      const out = join(root, 'project/out')
      const line = `${untrust.join(' ')} > ${out} 2>&1; echo \\$? >> ${out}; mv ${out} ${out}.done`
      const steal = put(
        'steal.sh',
        `#!/bin/sh
tmux -L t${process.pid} -f /dev/null new-session -d -x 200 "${line}"
i=0
while [ ! -f ${out}.done ] && [ $i -lt 300 ]; do
  word=$(tmux -L t${process.pid} capture-pane -p 2> /dev/null | sed -n 's/.*type \\([a-z]*\\): .*/\\1/p' | tail -1)
  [ -n "$word" ] && tmux -L t${process.pid} send-keys "$word" Enter
  i=$((i + 1)); sleep 0.1
done
`,
      )
      spawnSync(agent(), [steal], { cwd: join(root, 'project'), env: env(), timeout: 60_000 })
      expect(readFileSync(`${out}.done`, 'utf8')).toMatch(/for people alone[\s\S]*\n1\n$/)
    },
  )
})

describe('the processes of agents', () => {
  it('are declared by every agent', async () => {
    const all = await Promise.all(Object.keys(DIALECTS).map(loadDialect))
    // A provider that asks a hub runs nothing on this machine.
    const agents = all.filter(({ agent }) => agent !== undefined && agent.provider === undefined)
    expect(agents.length).toBeGreaterThan(20)
    for (const { id, agent } of agents) expect(agent!.process.names.length, id).toBeGreaterThan(0)
  })

  it('are looked for all the way up, and an end of the chain is no agent', () => {
    const agents = [{ title: 'An agent', names: ['agent'], marks: [] }]
    const tree: Record<number, { parent: number; argv: string[] }> = {
      9: { parent: 8, argv: ['sh', '-c', 'x'] },
      8: { parent: 7, argv: ['/usr/bin/tmux'] },
      7: { parent: 1, argv: ['/opt/Agent.exe', '--serve'] },
      5: { parent: 4, argv: ['sh', '/x/agent/run.sh'] },
      4: { parent: 3, argv: ['sh'] },
    }
    expect(agentAbove(agents, 9, (pid) => tree[pid])).toBe('An agent')
    expect(agentAbove(agents, 5, (pid) => tree[pid])).toBeUndefined()
  })
})

describe('hooks of programs, and settings of the daemon', () => {
  const LIBRARY = fileURLToPath(new URL('../../dist/lib/client.js', import.meta.url))

  it('are not changed by a program that an agent has started, whatever token it has', async () => {
    expect(await call([], ['daemon', 'start'])).toMatchObject({ status: 0 })
    const { http, grpc, socket, token_file } = JSON.parse(
      readFileSync(join(root, 'home/.local/state/crosshook/daemon.json'), 'utf8'),
    ) as { http: string; grpc: string; socket: string; token_file: string }
    const token = readFileSync(token_file, 'utf8').trim()
    const client = new CrosshookClient({ address: grpc, token })
    try {
      const id = await client.registerHook('PreToolUse', () => ({ action: 'block', reason: 'no' }))
      const agent = put('bin/claude', '#!/bin/sh\n"$@"\n')
      const script = put(
        'take.mjs',
        `import { CrosshookClient } from ${JSON.stringify(LIBRARY)}
const [own, id] = process.argv.slice(2)
const client = new CrosshookClient({ address: ${JSON.stringify(grpc)}, token: ${JSON.stringify(token)} })
const hook = own === 'own' ? await client.registerHook('PreToolUse', () => undefined) : id
console.log(await client.unregisterHook(hook).catch((error) => error.message))
client.close()
`,
      )
      const said = (words: readonly string[]) =>
        spawnSync(words[0]!, words.slice(1), { encoding: 'utf8', timeout: 30_000 }).stdout
      expect(said([agent, process.execPath, script, 'other', id])).toContain('for people alone')
      expect(said([agent, process.execPath, script, 'own'])).toBe('true\n')
      const curl = (...args: string[]) =>
        said([agent, 'curl', '-s', '-H', `Authorization: Bearer ${token}`, ...args])
      const change = ['-d', '{"settings": {"hooks": {}}}']
      for (const [path, ...more] of [
        [`/v1/registered-hooks/${id}`, '-X', 'DELETE'],
        ['/v1/runtime/hooks', ...change],
        ['/v1/runtime/rollback', '-d', '{"target_revision": 0}'],
      ] as string[][]) {
        expect(curl(...more, http + path!)).toContain('for people alone')
        expect(curl(...more, '--unix-socket', socket, `http://x${path}`)).toContain('the socket does not say')
      }
      expect((await client.listHooks()).map((hook) => hook.id)).toEqual([id])
      // The person's own command does it.
      expect(await call([agent], ['daemon', 'forget', id])).toMatchObject(REFUSED)
      expect(await call([], ['daemon', 'forget', id])).toMatchObject({ status: 0 })
    } finally {
      client.close()
      await call([], ['daemon', 'stop'])
    }
  })
})

describe('the page', () => {
  it('gives no link to a program that an agent has started, whichever way it asks', async () => {
    const start = await call([], ['daemon', 'start'])
    expect(start).toMatchObject({ status: 0 })
    const agent = put('bin/claude', '#!/bin/sh\n"$@"\n')
    const { http, socket, token_file } = JSON.parse(
      readFileSync(join(root, 'home/.local/state/crosshook/daemon.json'), 'utf8'),
    ) as { http: string; socket: string; token_file: string }
    // Even if it had read the key.
    const proof = linkProof(join(root, 'home/.local/state/crosshook'))
    const ask = put(
      'bin/ask.sh',
      `#!/bin/sh\ncurl -s -X POST -H "Authorization: Bearer $(cat ${token_file})" -H "${LINK_PROOF_HEADER}: ${proof}" "$@" -o ${root}/answer -w '%{http_code}' > ${root}/code\n`,
    )
    const answer = async (words: readonly string[]) => {
      const child = spawn(words[0]!, words.slice(1), { env: env(), stdio: 'ignore' })
      await once(child, 'close')
      return {
        code: readFileSync(join(root, 'code'), 'utf8'),
        body: readFileSync(join(root, 'answer'), 'utf8'),
      }
    }
    const byTcp = `${http}/v1/page/links`
    try {
      expect(await answer([ask, byTcp])).toMatchObject({
        code: '200',
        body: expect.stringContaining('/sign-in?code='),
      })
      expect(await answer([agent, ask, byTcp])).toMatchObject({
        code: '403',
        body: expect.stringContaining('Claude Code has started'),
      })
      for (const words of [[ask], [agent, ask]])
        expect(await answer([...words, '--unix-socket', socket, 'http://x/v1/page/links'])).toMatchObject({
          code: '403',
        })
    } finally {
      await call([], ['daemon', 'stop'])
    }
  })
})
