/**
 * Somebody who reads `crosshook help` and nothing else writes, tests, trusts and installs a guard, in a real terminal.
 * docs/help-session.md is what was seen there; UPDATE_SESSION=1 writes it anew.
 */

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makePlace } from './session-file.ts'
import { openTerminal, ownProcesses } from './terminal.ts'

const DOCUMENT = join(import.meta.dirname, '../docs/help-session.md')

const CASES = `- name: a deploy is refused
  event: before_tool
  tool_name: Shell
  tool_input: { command: cd app && make deploy }
  expect: { decision: deny }
- name: a build is not its business
  event: before_tool
  tool_name: Shell
  tool_input: { command: make build }
  expect: { status: skipped }`

interface Step {
  type: string
  /** A question that is answered with y. */
  asks?: RegExp
  /** It must end with this. */
  exit?: number
  shows: RegExp
}

const STEPS: readonly Step[] = [
  { type: 'crosshook help', shows: /Write: crosshook new NAME/ },
  { type: 'crosshook help new', shows: /--trigger EVENT/ },
  { type: 'crosshook new no-deploy', shows: /no-deploy\/HOOK\.md/ },
  { type: 'crosshook help hook-md', shows: /matcher\.command/ },
  { type: 'crosshook help edit', shows: /--set FIELD=VALUE/ },
  {
    type: `crosshook edit no-deploy --set description="People deploy." --set matcher.command="^make deploy" --set outcome.decision=deny --set outcome.reason="Ask a person to deploy." --unset sandbox`,
    shows: /\+ {2}reason: Ask a person to deploy\./,
  },
  { type: 'crosshook help cases', shows: /expect: \{ decision: allow \}/ },
  { type: `cat > .agents/hooks/no-deploy/cases.yaml <<END\n${CASES}\nEND`, shows: /END/ },
  { type: 'crosshook validate', shows: /1 hook loads, no problems/ },
  { type: 'crosshook test no-deploy', shows: /2 cases passed/ },
  { type: 'crosshook help trust', shows: /let them run/ },
  { type: 'crosshook trust no-deploy', asks: /\[y\/N\]/, shows: /trusted no-deploy/ },
  { type: 'crosshook help install', shows: /add crosshook to the agents' own settings/ },
  { type: 'crosshook install', asks: /\[y\/N\]/, shows: /wired +~\/\.claude\/settings\.json/ },
  { type: `crosshook check 'cd app && make deploy'`, exit: 2, shows: /denied by no-deploy: Ask a person/ },
  { type: 'crosshook doctor', shows: /obeyed .*PreToolUse[\s\S]*All is well\./ },
]

describe.skipIf(spawnSync('tmux', ['-V']).error !== undefined)('who reads only the help', () => {
  it('writes, tests, trusts and installs a guard, also while an agent works elsewhere', async () => {
    const place = makePlace()
    onTestFinished(place.remove)
    mkdirSync(join(place.home, '.claude'))
    writeFileSync(join(place.home, '.claude/settings.json'), '{}\n')
    if (ownProcesses().length > 0) await agentElsewhere(place.home)
    const terminal = await openTerminal({ cwd: place.project, env: place.env })
    const seen: string[] = []
    try {
      for (const step of STEPS) {
        expect(unknownWords(step.type, seen.join('\n'))).toEqual([])
        const atEnd = (printed: string) => printed.endsWith('\n$')
        let printed = await terminal.type(
          step.type,
          step.asks ? (text) => step.asks!.test(text) || atEnd(text) : atEnd,
        )
        if (step.asks?.test(printed)) printed += await terminal.type('y')
        const shown = tame(printed, place)
        expect(shown).toMatch(step.shows)
        expect([step.type, await terminal.type('echo $?')]).toEqual([
          step.type,
          expect.stringContaining(`\n${step.exit ?? 0}\n`),
        ])
        seen.push(shown)
      }
    } finally {
      await terminal.close()
    }
    expect(callAsInstalled(place, 'cd app && make deploy')).toContain('Ask a person to deploy.')
    expect(callAsInstalled(place, 'make build')).not.toContain('Ask a person')
    if (process.env.UPDATE_SESSION === '1') writeFileSync(DOCUMENT, pageOf(seen))
    // What help prints grows with each command; what is typed stays the same.
    expect(typedIn(readFileSync(DOCUMENT, 'utf8'))).toEqual(typedIn(pageOf(seen)))
  }, 400_000)
})

/** Commands, flags and fields that were on no screen before they are typed. */
function unknownWords(typed: string, screen: string): string[] {
  if (typed === 'crosshook help') return []
  const words = [
    ...[...typed.matchAll(/^crosshook (?:help )?([\w-]+)/gm)].map((found) => found[1]!),
    ...(typed.match(/--[\w-]+/g) ?? []),
    ...[...typed.matchAll(/--(?:un)?set ([\w.]+)/g)].map((found) => found[1]!),
    ...[...typed.matchAll(/^[- ] (\w+):/gm)].map((found) => found[1]!),
    ...[...typed.matchAll(/> (\S+)\/\S+ <</g)].map((found) => found[1]!),
  ]
  return words.filter(
    (word) => !new RegExp(`(?<![\\w.-])${word.replace(/[.]/g, '\\.')}(?![\\w-])`).test(screen),
  )
}

/** A process that is called as an agent, older than the terminal. */
async function agentElsewhere(home: string): Promise<void> {
  const file = join(home, 'codex')
  writeFileSync(file, '#!/bin/sh\nread line\n')
  chmodSync(file, 0o755)
  const agent = spawn(file, { stdio: ['pipe', 'ignore', 'ignore'] })
  await once(agent, 'spawn')
  onTestFinished(async () => {
    agent.stdin.end()
    if (agent.exitCode === null) await once(agent, 'exit')
  })
}

/** What the agent gets from the very command that was put into its settings. */
function callAsInstalled({ home, project, env }: ReturnType<typeof makePlace>, command: string): string {
  const settings = JSON.parse(readFileSync(join(home, '.claude/settings.json'), 'utf8')) as {
    hooks: Record<string, { hooks: { command: string }[] }[]>
  }
  const payload = {
    hook_event_name: 'PreToolUse',
    session_id: 's',
    cwd: project,
    tool_name: 'Bash',
    tool_input: { command },
  }
  const { stdout, stderr } = spawnSync('sh', ['-c', settings.hooks.PreToolUse![0]!.hooks[0]!.command], {
    cwd: project,
    env,
    input: JSON.stringify(payload),
    encoding: 'utf8',
  })
  return stdout + stderr
}

/** Without what differs from run to run. */
function tame(printed: string, { project, home }: { project: string; home: string }): string {
  return printed
    .replace(/\n\$$/, '')
    .replaceAll(project, '~/project')
    .replaceAll(home, '~')
    .replace(/\b[\d.]+ ms\b/g, '… ms')
    .replace(/^( +node +)\S+$/m, '$1…')
    .replace(/^( +confines ).*$/m, '$1 …')
    .replace(/(the real program, )[\d.]+/, '$1…')
    .replace(/\d+ events$/m, '… events')
}

function typedIn(page: string): string[] {
  return page.split('\n').filter((line) => /^[$>] /.test(line))
}

const MAX_LINES = 40
const KEPT = 12

function pageOf(screens: readonly string[]): string {
  const blocks = screens.map((screen) => {
    const lines = `$${screen}`.split('\n')
    const shown = lines.length > MAX_LINES ? [...lines.slice(0, KEPT), '…'] : lines
    return `\`\`\`text\n${shown.join('\n')}\n\`\`\`\n`
  })
  return `# With the help alone

Somebody who has \`crosshook help\` and no other page writes a guard, tests it, trusts it and installs it. This is what
stood in a terminal of 80 columns. \`test/help-session.test.ts\` types it there, refuses to type a command, flag or field
that was not on the screen before, and then asks the command that was put into the agent's settings. Long screens are
cut here.

${blocks.join('\n')}`
}
