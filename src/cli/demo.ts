/** `crosshook demo`: a small agent with real tools, a scripted model and the gallery's guards, in a scratch folder. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAgent } from '../demo/agent/agent.ts'
import { scriptedModel } from '../demo/agent/scripted-model.ts'
import type { Happening } from '../demo/agent/session.ts'
import { TOOLS } from '../demo/agent/tools.ts'
import { now } from '../fast/clock.ts'
import { loadHooks } from '../sdk/hooks.ts'
import type { FireResult } from '../spec/outcome.ts'
import { type SameGuard, sameGuard, sameGuardWords } from './demo-agents.ts'
import { FILES, HOOKS, NEVER_RUN, PROMPT, SCRIPT, SCRIPT_HOOKS } from './demo-story.ts'
import { demoWords } from './demo-words.ts'
import { galleryFolder } from './gallery.ts'
import type { Arguments } from './options.ts'
import { ownName } from './own-name.ts'
import { painter } from './paint.ts'
import { duration, plural, print, printJson } from './print.ts'

export async function run(args: Arguments): Promise<number> {
  const started = now()
  const scratch = makeScratch(args.env)
  const names = hasProgram('python3') ? [...HOOKS, ...SCRIPT_HOOKS] : HOOKS
  const json = args.flag('json')
  const happenings: Happening[] = []
  let asked: SameGuard[] = []
  const show = stage(json)
  if (!json) print(opening(names))
  const hooks = await loadHooks({
    work_dir: scratch.workDir,
    sources: names.map((name) => join(galleryFolder(), name)),
    env: scratch.env,
  })
  try {
    const agent = createAgent({
      hooks,
      workDir: scratch.workDir,
      model: scriptedModel(SCRIPT),
      tools: { ...TOOLS, Shell: { changes: true, run: safeShell } },
      rules: [{ pattern: '*', behavior: 'allow' }],
      ask: () => true,
      report(happening) {
        happenings.push(happening)
        show.add(happening)
      },
    })
    await agent.start()
    await agent.prompt(PROMPT)
    await agent.end()
    await show.ended()
    asked = await sameGuard(scratch)
    if (!json) print(sameGuardWords(asked, painter(1)))
  } finally {
    hooks.close()
    scratch.remove()
  }
  const results = happenings.flatMap((one) => (one.kind === 'hooks' ? [one.result] : []))
  if (json) printJson({ ...summary(results, now() - started), same_guard: asked })
  else print(closing(results, now() - started))
  return 0
}

function makeScratch(own: NodeJS.ProcessEnv) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'crosshook-demo-')))
  const workDir = join(root, 'project')
  for (const [path, text] of Object.entries(FILES)) {
    const file = join(workDir, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  if (hasProgram('git')) execFileSync('git', ['init', '-q', workDir], { stdio: 'ignore' })
  const env: NodeJS.ProcessEnv = {
    ...own,
    QUALITY_GATE_COMMAND: 'bash test.sh',
    ADD_TIMEOUT_SECONDS: '10',
    CROSSHOOK_MANAGED_DIR: join(root, 'managed'),
  }
  for (const name of ['CONFIG', 'STATE', 'CACHE']) env[`XDG_${name}_HOME`] = join(root, name.toLowerCase())
  return { workDir, env, remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 3 }) }
}

function safeShell(input: Record<string, unknown>, workDir: string) {
  if (NEVER_RUN.some((part) => String(input.command).includes(part)))
    throw new Error('the guard did not hold, and the demo does not run this')
  return TOOLS.Shell!.run(input, workDir)
}

const PAUSE_MS = 250

/** On a terminal the lines appear at reading speed; elsewhere at once. */
function stage(quiet: boolean) {
  const paint = painter(1)
  const pause = process.stdout.isTTY === true ? PAUSE_MS : 0
  let shown = Promise.resolve()
  return {
    add(happening: Happening): void {
      const lines = quiet ? [] : demoWords(happening, paint)
      if (lines.length === 0) return
      shown = shown.then(async () => {
        if (lines[0] === '') await sleep(pause)
        print(`${lines.join('\n')}\n`)
      })
    },
    ended: () => shown,
  }
}

function opening(names: readonly string[]): string {
  return `An agent with real tools in a scratch folder, a scripted model, and ${plural(names.length, 'hook')} of the gallery:\n${names.join(', ')}.\n`
}

function closing(results: readonly FireResult[], ms: number): string {
  const paint = painter(1)
  const { events, hook_runs: runs, blocked, asked, rewritten } = summary(results, ms)
  const name = ownName()
  const steps = [
    [`${name} setup`, 'guard the agents on this machine'],
    [`${name} check 'git push -f'`, 'see what would happen to a command'],
    [`${name} new my-guard`, 'write a guard of your own'],
  ] as const
  const width = Math.max(...steps.map(([command]) => command.length))
  return [
    '',
    `${plural(events, 'event')}, ${plural(runs, 'hook run')}: ${blocked} blocked, ${asked} asked, ${rewritten} rewritten, in ${duration(ms)}. The scratch folder is gone.`,
    '',
    'Next:',
    ...steps.map(([command, what]) => `  ${paint.bold(command.padEnd(width))}  ${what}`),
    '',
  ].join('\n')
}

function summary(results: readonly FireResult[], ms: number) {
  const count = (test: (result: FireResult) => boolean) => results.filter(test).length
  return {
    events: results.length,
    hook_runs: results.flatMap(({ hooks }) => hooks).length,
    blocked: count(({ decision }) => decision === 'deny'),
    asked: count(({ decision }) => decision === 'ask'),
    rewritten: count((result) => result.updated_input !== null),
    duration_ms: Math.round(ms),
    decisions: results
      .filter(({ hooks }) => hooks.length > 0)
      .map(({ event_type, decision, reason, hooks }) => ({
        event_type,
        decision,
        reason,
        hooks: hooks.map(({ name, status }) => ({ name, status })),
      })),
  }
}

function hasProgram(name: string): boolean {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false // not installed: what needs it is left out
  }
}
