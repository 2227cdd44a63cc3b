/** Shared by the tests of asking: a home with a guard that asks, an agent's call, and the desk where it is answered. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Assembly, assemble } from '../host/assemble.ts'
import type { Desk } from './answer.ts'
import { openDesk } from './desk.ts'
import type { Question } from './question.ts'

export interface Asked {
  decision: 'allow' | 'deny'
  reason: string
  context: string
}

export interface Room {
  home: string
  project: string
  state: string
  env: NodeJS.ProcessEnv
  assembly: Assembly
  desk: Desk
  put(path: string, text: string): string
  /** A shell call of an agent that cannot ask by itself. */
  call(command: string, more?: Partial<Call>): Promise<Asked>
  /** Resolves when this many questions wait. */
  waiting(count?: number): Promise<Question[]>
  /** Another process's view, without shared memory. */
  another(): Assembly
}

interface Call {
  session: string
  assembly: Assembly
  cwd: string
  gone: AbortSignal
}

export interface RoomOptions {
  approvals?: string
  hook?: Record<string, unknown>
  hooks?: Record<string, Record<string, unknown>>
  env?: NodeJS.ProcessEnv
}

export const TERMINAL = 'via = ["terminal"]\nwait = 100'

export function room({
  approvals = TERMINAL,
  hook = {},
  hooks = {},
  env: more = {},
}: RoomOptions = {}): Room {
  const base = mkdtempSync(join(tmpdir(), 'ask-'))
  const [home, project] = [join(base, 'home'), join(base, 'project')]
  mkdirSync(project)
  const put = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return path
  }
  const head: Record<string, unknown> = {
    matcher: { command: 'deploy' },
    outcome: { decision: 'ask', reason: 'deploying needs a yes' },
    ...hook,
  }
  for (const [name, fields] of Object.entries<Record<string, unknown>>({ asks: head, ...hooks }))
    put(
      join(home, `.config/agents/hooks/${name}/HOOK.md`),
      `---\n${JSON.stringify({ name, description: 'x', trigger: 'before_tool', ...fields })}\n---\n`,
    )
  put(join(home, '.config/crosshook/config.toml'), `[approvals]\n${approvals}\n`)
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    CROSSHOOK_MANAGED_DIR: join(base, 'managed'),
    CROSSHOOK_NO_DAEMON: '1',
    ...more,
  }
  const another = () => {
    const made = assemble({ env, source: 'hook', trouble: () => {} })
    onTestFinished(async () => {
      await made.stopAsking()
      await made.close()
    })
    return made
  }
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  const assembly = another()
  const state = assembly.paths.state
  mkdirSync(state, { recursive: true })
  const desk = openDesk({
    where: assembly.paths,
    journal: () => assembly.journal(),
    source: 'cli',
    trouble: () => {},
  })
  onTestFinished(() => desk.questions.close())
  return {
    home,
    project,
    state,
    env,
    assembly,
    desk,
    put,
    another,
    async call(command, { session = 's1', assembly: by = assembly, cwd = project, gone } = {}) {
      const payload = {
        session_id: session,
        cwd,
        hook_event_name: 'PreToolUse',
        tool_name: 'Bash',
        tool_input: { command },
      }
      const { stdout } = await by.answer({
        agent: 'codex',
        event: 'PreToolUse',
        cwd,
        env,
        ...(gone ? { gone: () => gone } : {}),
        read: () => JSON.stringify(payload),
      })
      const said = (stdout === '' ? {} : JSON.parse(stdout)).hookSpecificOutput ?? {}
      return {
        decision: said.permissionDecision ?? 'allow',
        reason: said.permissionDecisionReason ?? '',
        context: said.additionalContext ?? '',
      }
    },
    waiting: (count = 1) =>
      new Promise((resolve) => {
        const look = () => {
          const open = desk.questions.open()
          if (open.length < count) return
          stop()
          resolve(open)
        }
        const stop = desk.questions.follow(look)
        look()
      }),
  }
}
