/** The end of the demo: one guard, called by several agents in their own formats. */

import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { paths } from '../config/paths.ts'
import { knownAgents } from '../install/known.ts'
import { callOf, openJudge } from '../install/try-call.ts'
import { galleryFolder } from './gallery.ts'
import type { Painter } from './paint.ts'
import { visible } from './visible.ts'

const GUARD = 'block-destruction'
const CALL = { name: 'Shell', input: { command: 'rm -rf "$HOME"' } }

export interface SameGuard {
  agent: string
  title: string
  event: string
  /** What the agent sends, and what it gets back. */
  payload: unknown
  reply: { stdout: string; stderr: string; exit_code: number }
}

export async function sameGuard(place: { workDir: string; env: NodeJS.ProcessEnv }): Promise<SameGuard[]> {
  cpSync(join(galleryFolder(), GUARD), join(paths(place.env).userHooks, GUARD), { recursive: true })
  const judge = openJudge(place.env, place.workDir)
  const asked: SameGuard[] = []
  try {
    for (const agent of (await knownAgents()).filter((known) => known.agent.isShown)) {
      const call = callOf(agent, CALL, place.workDir)
      if (!call) continue
      const { reply } = await judge.ask(agent, call.event, call.payload)
      asked.push({
        agent: agent.id,
        title: agent.title,
        event: call.event,
        payload: JSON.parse(call.payload),
        reply,
      })
    }
    return asked
  } finally {
    await judge.close()
  }
}

export function sameGuardWords(asked: readonly SameGuard[], paint: Painter): string {
  const parts = asked.map(({ title, payload, reply }) => {
    const said = [reply.stdout, reply.stderr].map((text) => text.trim()).filter((text) => text !== '')
    return [
      '',
      paint.bold(title),
      `  ${paint.dim('sends')}    ${briefJson(payload)}`,
      `  ${paint.dim('is told')}  ${said.map(toldWords).join('\n           ')}  ${paint.dim(`(exit code ${reply.exit_code})`)}`,
    ].join('\n')
  })
  return `\nThe same guard, ${paint.bold(GUARD)}, unchanged, asked by ${asked.length} agents in their own words:\n${parts.join('\n')}\n`
}

function toldWords(text: string): string {
  try {
    return briefJson(JSON.parse(text))
  } catch {
    return visible(text) // some agents get plain text
  }
}

/** Longest text shown. */
const MAX_TEXT_CHARS = 48
/** Fields that every payload has. */
const DULL = new Set([
  'session_id',
  'transcript_path',
  'cwd',
  'timestamp',
  'systemMessage',
  'turn_id',
  'tool_use_id',
])

function briefJson(value: unknown): string {
  return visible(
    JSON.stringify(value, (key, each: unknown) => {
      if (DULL.has(key)) return undefined
      return typeof each === 'string' && each.length > MAX_TEXT_CHARS
        ? `${each.slice(0, MAX_TEXT_CHARS)}…`
        : each
    }),
  )
}
