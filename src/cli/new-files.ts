/** The files of a new hook. */

import { eventRow } from '../spec/event.ts'

export interface Wanted {
  name: string
  event: string
  language: keyof typeof LANGUAGES
  /** This machine can confine programs: the script starts with minimal rights. */
  confined: boolean
}

export interface NewFile {
  path: string
  text: string
  executable?: boolean
}

/** The word that the sample rule looks for; to be replaced. */
const WORD = 'forbidden-word'
/** Placeholder in the sample for the event. */
const EVENT = 'before_tool'
const REASON = `it contains "${WORD}"`

/** Each reads the event on stdin, and blocks by exit 2 with the reason on stderr, or answers with JSON. */
export const LANGUAGES = {
  sh: {
    path: 'scripts/run.sh',
    executable: true,
    text: `#!/bin/sh
# The event comes on stdin as JSON. Exit 0 lets the operation go on; exit 2 blocks it, with the reason on stderr.
event=$(cat)

case $event in
  *${WORD}*)
    echo '${REASON}' >&2
    exit 2
    ;;
esac
`,
  },
  py: {
    path: 'scripts/run.py',
    executable: true,
    text: `#!/usr/bin/env python3
"""The event comes on stdin as JSON. Exit 0 lets the operation go on; exit 2 blocks it, with the reason on stderr."""

import json
import sys

event = json.load(sys.stdin)

if "${WORD}" in json.dumps(event):
    print('${REASON}', file=sys.stderr)
    sys.exit(2)
`,
  },
  ts: {
    path: 'scripts/run.ts',
    executable: undefined,
    text: `import type { Answer, HandledEvent } from 'crosshook'

/** Called with the event; what it returns is the outcome, and nothing lets the operation go on. */
export function run(event: HandledEvent<'${EVENT}'>): Answer {
  if (JSON.stringify(event).includes('${WORD}')) return { decision: 'deny', reason: '${REASON}' }
  return undefined
}
`,
  },
} as const

export function scaffold({ name, event, language, confined }: Wanted): NewFile[] {
  const { path, text, executable } = LANGUAGES[language]
  return [
    { path: 'HOOK.md', text: definition(name, event, language === 'ts' ? { module: path } : { confined }) },
    { path, text: text.replace(`'${EVENT}'`, `'${event}'`), ...(executable ? { executable } : {}) },
    { path: 'cases.yaml', text: cases(event) },
  ]
}

function definition(
  name: string,
  event: string,
  { module, confined = false }: { module?: string; confined?: boolean },
): string {
  const { tool, block } = eventRow(event)
  const closed = block === 'prevents' ? 'on_failure: closed\n' : ''
  const matcher = tool ? 'matcher:\n  tool: Shell\n' : ''
  const run = module === undefined ? '' : `run:\n  module: ${module}\n`
  // A module runs inside crosshook, which cannot be confined.
  const sandbox = confined ? 'sandbox: true\n' : ''
  return `---
name: ${name}
description: Say here in one sentence what this hook is for.
trigger: ${event}
${closed}${matcher}${run}${sandbox}---

# ${name}

Why it is there, and what to do when it blocks.
`
}

/** The first case expects what the event allows: where nothing can be stopped, the hook only reports. */
function cases(event: string): string {
  const row = eventRow(event)
  const input = (words: string) =>
    row.tool
      ? `  tool_name: Shell\n  tool_input: { command: echo ${words} }\n`
      : `  context: { note: ${words} }\n`
  return `# Run with \`crosshook test\`.
- name: blocks the forbidden word
  event: ${event}
${input(WORD)}  expect:
    decision: deny
    reason: ${WORD}

- name: lets anything else pass
  event: ${event}
${input('hello')}  expect:
    decision: allow
`
}
