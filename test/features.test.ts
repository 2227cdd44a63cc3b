/** Every feature of the five documents is in the table, with what proves it. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assemble } from '../src/host/assemble.ts'
import { deadLetters } from '../src/journal/dead-letters.ts'
import type { EventName } from '../src/spec/event.ts'

const root = join(import.meta.dirname, '..')
const text = (file: string) => readFileSync(join(root, file), 'utf8')

describe('docs/features.md', () => {
  const rows = [...text('docs/features.md').matchAll(/^\| (\d+) \|(.*)\|$/gm)].map(([, number, cells]) => ({
    number: Number(number),
    cells: cells!.split(/(?<!\\)\|/).map((cell) => cell.trim()),
  }))

  it('has all 203 rows, each with five cells', () => {
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 203 }, (_, i) => i + 1))
    expect(rows.filter(({ cells }) => cells.length !== 4 || cells.includes(''))).toEqual([])
  })

  it('names the tests of each row, which test/proof-reporter.ts looks for among those that passed', () => {
    const lists = { AH: 'agenthooks', X: 'agenthooks', K: 'kheish', Q: 'amazon-q', A: 'a3s' }
    const wrong: string[] = []
    for (const { number, cells } of rows) {
      const proof = cells[3]!
      if (/^not yet: .{10,}/.test(proof)) continue
      const tests = [...proof.matchAll(/`([\w./-]+) — "([^`]+)"`/g)]
      const ids = [...proof.replace(/`[^`]*`/g, '').matchAll(/\b(AH|[AKQX])(\d+)\b/g)]
      if (tests.length + ids.length === 0) wrong.push(`${number}: proves nothing`)
      for (const [id, list] of ids)
        if (
          !new RegExp(`\\bid: ${id}\\b`).test(
            text(`test/conformance/${lists[list as keyof typeof lists]}.yaml`),
          )
        )
          wrong.push(`${number}: ${id}`)
    }
    expect(wrong).toEqual([])
  })
})

/** The event in the words of each document that has it. */
const EVENTS: [EventName | 'a3s/SkillLoad' | 'a3s/SkillUnload', Names][] = [
  ['setup', { kheish: 'setup' }],
  [
    'session_start',
    { agenthooks: 'session_start', kheish: 'session_start', q: 'agentSpawn', a3s: 'SessionStart' },
  ],
  ['session_end', { agenthooks: 'session_end', kheish: 'session_end', a3s: 'SessionEnd' }],
  ['before_agent', { agenthooks: 'before_agent', kheish: 'user_prompt_submit', q: 'userPromptSubmit' }],
  ['after_agent', { agenthooks: 'after_agent' }],
  ['before_stop', { agenthooks: 'before_stop', kheish: 'stop', q: 'stop' }],
  ['stop_failure', { kheish: 'stop_failure' }],
  ['before_model', { a3s: 'GenerateStart' }],
  ['after_model', { a3s: 'GenerateEnd' }],
  ['before_tool', { agenthooks: 'before_tool', kheish: 'pre_tool_use', q: 'preToolUse', a3s: 'PreToolUse' }],
  ['after_tool', { agenthooks: 'after_tool', kheish: 'post_tool_use', q: 'postToolUse', a3s: 'PostToolUse' }],
  [
    'after_tool_failure',
    { agenthooks: 'after_tool_failure', kheish: 'post_tool_use_failure', q: 'postToolUse', a3s: 'ToolError' },
  ],
  ['permission_request', { kheish: 'permission_request', a3s: 'PermissionRequest' }],
  ['permission_granted', { a3s: 'PermissionGranted' }],
  ['permission_denied', { kheish: 'permission_denied', a3s: 'PermissionDenied' }],
  ['subagent_start', { agenthooks: 'subagent_start', kheish: 'subagent_start' }],
  ['subagent_stop', { agenthooks: 'subagent_stop', kheish: 'subagent_stop' }],
  ['teammate_idle', { kheish: 'teammate_idle' }],
  ['task_created', { kheish: 'task_created' }],
  ['task_completed', { kheish: 'task_completed' }],
  ['pre_compact', { agenthooks: 'pre_compact', kheish: 'pre_compact', a3s: 'PreCompact' }],
  ['post_compact', { kheish: 'post_compact', a3s: 'PostCompact' }],
  ['context_warning', { a3s: 'ContextWarning' }],
  ['file_changed', { kheish: 'file_changed' }],
  ['cwd_changed', { kheish: 'cwd_changed' }],
  ['instructions_loaded', { kheish: 'instructions_loaded' }],
  ['config_change', { kheish: 'config_change' }],
  ['elicitation', { kheish: 'elicitation' }],
  ['elicitation_result', { kheish: 'elicitation_result' }],
  ['notification', { kheish: 'notification' }],
  ['worktree_create', { kheish: 'worktree_create' }],
  ['worktree_remove', { kheish: 'worktree_remove' }],
  ['a3s/SkillLoad', { a3s: 'SkillLoad' }],
  ['a3s/SkillUnload', { a3s: 'SkillUnload' }],
]

interface Names {
  agenthooks?: string
  kheish?: string
  q?: string
  a3s?: string
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'crosshook-features-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('events', () => {
  it.each(EVENTS)('the event %s reaches the hooks of every document that has it', async (event, names) => {
    const { agenthooks, kheish, q, a3s } = names
    const sources: object[] = [
      ...(kheish
        ? [{ hooks: { [kheish]: [{ name: 'kheish', executor: { type: 'callback', name: 'called' } }] } }]
        : []),
      ...(q ? [{ hooks: { [q]: [{ command: 'true' }] } }] : []),
      ...(a3s ? [{ hooks: [{ id: 'a3s', event: a3s, response: { action: 'continue' } }] }] : []),
    ]
    const { hooks } = await fire(
      event,
      sources,
      agenthooks && `trigger: ${agenthooks}\noutcome: {log: called}\n`,
    )
    expect(hooks.map(({ format, status }) => `${format} ${status}`).sort()).toEqual(
      [agenthooks && 'agenthooks', kheish && 'kheish', q && 'amazon-q', a3s && 'a3s']
        .filter((format) => format !== undefined)
        .map((format) => `${format} allowed`)
        .sort(),
    )
  })
})

describe('switches', () => {
  it('the settings block switches every hook of its file off', async () => {
    const handlers = [{ id: 'guard', event: 'PreToolUse', response: { action: 'block' } }]
    const limits = { maxHooksPerEvent: 10 }
    const off = await fire('before_tool', [{ hooks: { ...limits, enabled: false }, handlers }])
    expect(off).toMatchObject({ decision: 'allow', hooks: [{ status: 'skipped', skipped: 'disabled' }] })
    expect(await fire('before_tool', [{ hooks: { ...limits, enabled: true }, handlers }])).toMatchObject({
      decision: 'deny',
    })
  })
})

describe('conditions', () => {
  it.each([
    ['tool_input.command.startsWith("ls")', 'deny'],
    ['tool_input.command.startsWith("rm")', 'allow'],
    ['session_id == "" && size(tool_input) == 1', 'deny'],
  ])('a hook runs only when its condition holds: %s', async (when, decision) => {
    const frontmatter = `trigger: before_tool\nwhen: '${when}'\noutcome: {decision: deny, reason: no}\n`
    const { decision: came, hooks } = await fire('before_tool', [], frontmatter)
    expect([came, hooks.length]).toEqual([decision, decision === 'deny' ? 1 : 0])
  })
})

describe('project hooks', () => {
  it('a project hook runs once it is trusted, and only then takes the place of a user hook of its name', async () => {
    const place = mkdtempSync(join(folder, 'p-'))
    const hook = (at: string, reason: string) => {
      mkdirSync(join(place, at, 'guard'), { recursive: true })
      const outcome = `outcome: {decision: deny, reason: ${reason}}`
      writeFileSync(
        join(place, at, 'guard/HOOK.md'),
        `---\nname: guard\ndescription: d\ntrigger: before_tool\n${outcome}\n---\n`,
      )
    }
    hook('.config/agents/hooks', 'user')
    hook('work/.agents/hooks', 'project')
    const runtime = assemble({ env: env(place), source: 'library' })
    const judged = async () => {
      const work_dir = join(place, 'work')
      const given = { work_dir, tool_name: 'Shell', tool_input: { command: 'ls' } }
      const { reason, hooks } = await runtime.fire('before_tool', given)
      return [reason, hooks.map(({ scope, skipped }) => `${scope} ${skipped}`).sort()]
    }
    expect(await judged()).toEqual(['user', ['project untrusted', 'user null']])
    const { hooks } = await runtime.hookSet(join(place, 'work'))
    runtime.trust.trust(hooks.find(({ scope }) => scope === 'project')!)
    expect(await judged()).toEqual(['project', ['project null', 'user overridden']])
    await runtime.close()
  })
})

describe('dead letters', () => {
  it('a dead letter is read, shown and resolved without the hook running again', async () => {
    const ran = join(folder, 'ran')
    const executor = { type: 'command', command: `echo once >> ${ran}; exit 1` }
    const place = mkdtempSync(join(folder, 'd-'))
    writeFileSync(
      join(place, 'hooks.json'),
      JSON.stringify({ schema_version: 1, hooks: { notification: [{ name: 'n', executor }] } }),
    )
    const runtime = assemble({
      env: env(place),
      source: 'library',
      sources: [{ path: join(place, 'hooks.json') }],
    })
    await runtime.fire('notification', { work_dir: place })
    const letters = deadLetters(runtime.paths.state)
    const [record] = letters.list()
    expect(letters.resolve(record!.id, 'done')).toMatchObject({ hook_name: 'n', resolution_reason: 'done' })
    await runtime.fire('session_end', { work_dir: place })
    runtime.close()
    expect(readFileSync(ran, 'utf8')).toBe('once\n')
  })
})

async function fire(event: string, sources: readonly object[], frontmatter?: string) {
  const place = mkdtempSync(join(folder, 'f-'))
  const paths = sources.map((source, index) => {
    writeFileSync(join(place, `${index}.json`), JSON.stringify(source))
    return { path: join(place, `${index}.json`) }
  })
  if (frontmatter !== undefined) {
    mkdirSync(join(place, 'hooks/h'), { recursive: true })
    writeFileSync(join(place, 'hooks/h/HOOK.md'), `---\nname: h\ndescription: d\n${frontmatter}---\n`)
    paths.push({ path: join(place, 'hooks') })
  }
  const runtime = assemble({
    env: env(place),
    source: 'library',
    sources: paths,
    callbacks: new Map([['called', () => ({})]]),
  })
  try {
    return await runtime.fire(event, { work_dir: place, tool_name: 'Shell', tool_input: { command: 'ls' } })
  } finally {
    runtime.close()
  }
}

function env(place: string): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: place, CROSSHOOK_MANAGED_DIR: join(place, 'managed') }
}
