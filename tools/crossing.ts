/**
 * Counts the source files that one PreToolUse crosses: those in which at least one function runs between the
 * agent's payload and its answer. V8's coverage of the sources says which; loading a file does not count.
 *
 *   node tools/crossing.ts          the figure and the files
 *   node tools/crossing.ts --json   the same as JSON
 */

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = resolve(import.meta.dirname, '..')

export interface Crossing {
  files: string[]
  functions: number
}

/** One call of `crosshook hook` from the sources, with a guard of one script that denies. */
export function measureCrossing(): Crossing {
  const place = mkdtempSync(join(tmpdir(), 'crosshook-crossing-'))
  try {
    const env = makePlace(place)
    // The first call reads the hooks; later ones, which are all but one, find the compiled plan.
    call(place, env)
    const coverage = join(place, 'coverage')
    const answer = call(place, { ...env, NODE_V8_COVERAGE: coverage })
    if (!answer.includes('"permissionDecision":"deny"')) throw new Error(`the guard did not deny: ${answer}`)
    return read(coverage)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

function makePlace(place: string): NodeJS.ProcessEnv {
  const hook = join(place, 'config/agents/hooks/guard')
  mkdirSync(join(hook, 'scripts'), { recursive: true })
  mkdirSync(join(place, 'work'))
  writeFileSync(
    join(hook, 'HOOK.md'),
    '---\nname: guard\ndescription: Denies\ntrigger: before_tool\nmatcher:\n  tool: Shell\n---\n',
  )
  writeFileSync(join(hook, 'scripts/run.sh'), '#!/bin/sh\necho no >&2\nexit 2\n', { mode: 0o755 })
  return {
    PATH: process.env.PATH,
    HOME: place,
    XDG_CONFIG_HOME: join(place, 'config'),
    XDG_STATE_HOME: join(place, 'state'),
    XDG_CACHE_HOME: join(place, 'cache'),
    XDG_RUNTIME_DIR: join(place, 'run'),
    CROSSHOOK_MANAGED_DIR: join(place, 'managed'),
  }
}

function call(place: string, env: NodeJS.ProcessEnv): string {
  const payload = {
    session_id: 's1',
    transcript_path: '/t.jsonl',
    cwd: join(place, 'work'),
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
    tool_use_id: 'toolu_1',
  }
  return execFileSync(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      join(root, 'src/cli/main.ts'),
      'hook',
      'claude-code',
      'PreToolUse',
    ],
    { cwd: join(place, 'work'), env, input: JSON.stringify(payload), encoding: 'utf8' },
  )
}

interface Script {
  url: string
  functions: { functionName: string; ranges: { startOffset: number; endOffset: number; count: number }[] }[]
}

function read(folder: string): Crossing {
  const [file] = readdirSync(folder)
  const { result } = JSON.parse(readFileSync(join(folder, file!), 'utf8')) as { result: Script[] }
  const sources = pathToFileURL(join(root, 'src')).href
  const crossed = result
    .filter(({ url }) => url.startsWith(`${sources}/`))
    .map(({ url, functions }) => ({ url, ran: functions.filter(hasRun).length }))
    .filter(({ ran }) => ran > 0)
  return {
    files: crossed.map(({ url }) => relative(root, fileURLToPath(url))).sort(),
    functions: crossed.reduce((sum, { ran }) => sum + ran, 0),
  }
}

/** The first entry of each script is the module itself, which runs when it is loaded. */
function hasRun({ functionName, ranges: [first] }: Script['functions'][number]): boolean {
  const isModule = functionName === '' && first!.startOffset === 0
  return !isModule && first!.count > 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const crossing = measureCrossing()
  if (process.argv.includes('--json')) console.log(JSON.stringify(crossing))
  else
    console.log(
      `${crossing.files.join('\n')}\n\n${crossing.files.length} files, ${crossing.functions} functions`,
    )
}
