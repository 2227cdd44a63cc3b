/** The whole story, by the built program: a hub, two machines, a policy, a call that it blocks, and the record on the hub. */

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, freshDatabase, startPostgres } from './postgres.ts'

const program = resolve(import.meta.dirname, '../../dist/cli/main.cjs')
const root = mkdtempSync(join(tmpdir(), 'crosshook-story-'))
const children: ChildProcess[] = []

/** A machine, or a person's: a home folder of its own. */
function machine(name: string) {
  const home = join(root, name)
  mkdirSync(join(home, 'work'), { recursive: true })
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    XDG_RUNTIME_DIR: join(home, 'run'),
    CROSSHOOK_MANAGED_DIR: join(home, 'managed'),
    // Nothing stays behind: what talks to the hub is started below.
    CROSSHOOK_NO_DAEMON: '1',
  }
  const run = (args: string[], input = '') =>
    new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
      const child = execFile(
        process.execPath,
        [program, ...args],
        { env, cwd: join(home, 'work') },
        (error, stdout, stderr) => done({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
      )
      child.stdin!.on('error', () => {}).end(input)
    })
  const json = async <T>(...args: string[]): Promise<T> => {
    const { code, stdout, stderr } = await run([...args, '--json'])
    if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}${stdout}`)
    return JSON.parse(stdout) as T
  }
  const start = (...args: string[]) => {
    const child = spawn(process.execPath, [program, ...args], {
      env,
      cwd: join(home, 'work'),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.push(child)
    return child
  }
  return { home, run, json, start }
}

async function startHub(args: string[]) {
  const server = machine(`hub-${args.length}-${Math.random().toString(36).slice(2)}`)
  const child = server.start('hub', '--listen', '127.0.0.1:0', '--json', ...args)
  const line = await new Promise<string>((done) =>
    child.stdout!.once('data', (bytes: Buffer) => done(bytes.toString())),
  )
  const said = JSON.parse(line) as { url: string; token_file: string | null }
  return { ...said, child }
}

function writePolicy(folder: string, word: string) {
  mkdirSync(join(folder, 'hooks', 'no-danger'), { recursive: true })
  writeFileSync(
    join(folder, 'hooks', 'no-danger', 'HOOK.md'),
    `---\nname: no-danger\ndescription: Refuses ${word}.\ntrigger: before_tool\nmatcher:\n  tool: Shell\n  command: ${word}\noutcome:\n  decision: deny\n  reason: The fleet does not allow ${word}.\n---\n`,
  )
  return folder
}

let cluster: Cluster
beforeAll(async () => {
  cluster = await startPostgres()
})
afterAll(async () => {
  for (const child of children) child.kill('SIGTERM')
  await Promise.all(
    children.map(
      (child) => child.exitCode ?? child.signalCode ?? new Promise((done) => child.once('exit', done)),
    ),
  )
  await cluster?.stop()
  rmSync(root, { recursive: true, force: true })
})

const call = (home: string, command: string) =>
  JSON.stringify({
    session_id: 's1',
    transcript_path: join(home, 't.jsonl'),
    cwd: join(home, 'work'),
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command },
  })

describe.each(['sqlite', 'postgres'])('a fleet on %s', (kind) => {
  it('gives one policy to two machines, blocks a call on one of them, and shows the record', async () => {
    const database = kind === 'postgres' ? ['--database', await freshDatabase(cluster, 'story')] : []
    const hub = await startHub(database)
    const person = machine(`person-${kind}`)
    await person.json('fleet', 'login', hub.url, '--token', readFileSync(hub.token_file!, 'utf8'))
    const policy = writePolicy(join(root, `policy-${kind}`), 'terraform')
    const first = await person.json<{ revision: number; state: string }>(
      'fleet',
      'publish',
      policy,
      '--stages',
      '100%',
    )
    expect(first).toMatchObject({ revision: 1, state: 'running' })
    const { token } = await person.json<{ token: string }>(
      'fleet',
      'token',
      '--uses',
      '2',
      '--label',
      'team=web',
    )
    const machines = [machine(`one-${kind}`), machine(`two-${kind}`)]
    for (const [i, each] of machines.entries()) {
      const answer = await each.json<{ labels: object }>(
        'enroll',
        hub.url,
        '--token',
        token,
        '--name',
        `m${i}`,
      )
      expect(answer.labels).toEqual({ team: 'web' })
      each.start('edge', '--upload-every', '200')
    }
    const [one, two] = machines as [ReturnType<typeof machine>, ReturnType<typeof machine>]
    const scope = async (each: typeof one) =>
      (await each.json<{ hooks?: { name: string; scope: string }[] } | { name: string; scope: string }[]>(
        'list',
      )) as { name: string; scope: string }[]
    for (const each of machines)
      await expect
        .poll(async () => (await scope(each)).find(({ name }) => name === 'no-danger')?.scope)
        .toBe('managed')
    const denied = await one.run(['hook', 'claude-code', 'PreToolUse'], call(one.home, 'terraform destroy'))
    expect(JSON.parse(denied.stdout)).toMatchObject({
      hookSpecificOutput: {
        permissionDecision: 'deny',
        permissionDecisionReason: expect.stringContaining('The fleet does not allow terraform'),
      },
    })
    await two.run(['hook', 'claude-code', 'PreToolUse'], call(two.home, 'ls'))
    type Row = {
      decision: string
      hook: string
      agent: string
      tool: string
      edge: string
      record: { reason?: string }
    }
    const rows = () => person.json<Row[]>('fleet', 'journal', '--hook', 'no-danger')
    await expect
      .poll(rows)
      .toMatchObject([{ decision: 'deny', hook: 'no-danger', agent: 'claude-code', tool: 'Shell' }])
    // Texts stay on the machine unless the policy says otherwise.
    expect(JSON.stringify(await rows())).not.toContain('terraform')
    type Status = { machines: { name: string; revision: number; mode: string; agents: object[] }[] }
    await expect
      .poll(async () =>
        (await person.json<Status>('fleet', 'status')).machines
          .map(({ name, revision, mode }) => ({ name, revision, mode }))
          .sort((a, b) => (a.name < b.name ? -1 : 1)),
      )
      .toEqual([
        { name: 'm0', revision: 1, mode: 'enforce' },
        { name: 'm1', revision: 1, mode: 'enforce' },
      ])
    // A new revision, then the hub goes: machines go on with what they have.
    await person.json(
      'fleet',
      'publish',
      writePolicy(join(root, `policy-${kind}`), 'kubectl'),
      '--stages',
      '100%',
    )
    const decide = async (command: string) =>
      (await one.run(['hook', 'claude-code', 'PreToolUse'], call(one.home, command))).stdout
    await expect.poll(() => decide('kubectl delete ns x')).toContain('does not allow kubectl')
    hub.child.kill('SIGKILL')
    expect(await decide('kubectl delete ns x')).toContain('does not allow kubectl')
    expect(await decide('terraform plan')).not.toContain('deny')
  })
})
