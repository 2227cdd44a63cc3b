/** Guards that fail, each in its own way, open and closed. */

import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { base, crosshook, home, project } from './place.ts'

/** What a script does. */
const SCRIPTS: Record<string, string> = {
  crash: 'exit 7',
  signal: 'kill -9 $$',
  'time-out': 'exec sleep 30',
  'hang with children': 'sleep 30 & wait',
  // Plain text is not a failure of a script that fails open: its format allows it.
  garbage: `echo '{"decision": "DENY"}'`,
  'cut-off': `printf '{"decision": "deny", "rea'`,
  'too much output': `printf '{"decision": "deny", "reason": "'; head -c 3000000 /dev/zero | tr '\\0' x; printf '"}'`,
  'missing script': '',
  'missing interpreter': '#!/no/such/interpreter',
}
const MODULES: Record<string, string> = {
  crash: 'export default () => { throw new Error("broken") }',
  'time-out': 'export default () => new Promise(() => {})',
  hang: 'export default () => { for (;;); }',
  garbage: 'export default () => "DENY please"',
  'missing script': '',
}
const HTTP = ['crash', 'time-out', 'garbage', 'cut-off', 'too much output', 'nobody listens']
const POLICIES = ['closed', 'open'] as const

export interface Cell {
  fault: string
  kind: string
  policy: (typeof POLICIES)[number]
}

export function toolOf({ fault, kind, policy }: Cell): string {
  return `T-${kind}-${fault}-${policy}`.replaceAll(/[^A-Za-z0-9]+/g, '-')
}

/** Guards that must still decide during a system fault: a fixed answer, a script that fails closed, one that fails open. */
export const GUARDED = ['Fixed', 'Scripted', 'Opened'] as const
/** Created after the first kill; while it exists, the hook kills nothing. */
export const killed = join(base, 'killed')
/** The guard with a cache of one minute allows while this file is missing. */
export const turned = join(base, 'turned')

export function makeHooks(port: number): Cell[] {
  const cells: Cell[] = []
  write('fixed', 'Fixed', 'on_failure: closed\noutcome:\n  decision: deny\n  reason: fixed\n')
  const no = { 'scripts/run.sh': '#!/bin/sh\necho scripted >&2\nexit 2\n' }
  write('scripted', 'Scripted', 'on_failure: closed\n', { files: no })
  write('opened', 'Opened', 'on_failure: open\n', { files: no })
  write('kept', 'Kept', 'on_failure: closed\ncache: 60\n', {
    files: { 'scripts/run.sh': `#!/bin/sh\n[ ! -e '${turned}' ] || { echo turned >&2; exit 2; }\n` },
  })
  // Kills the engine that runs it, once: its parent is the spawner, whose parent is the engine. Without an engine it
  // would be the relay, whose end no relay can answer for.
  const kills = `if mkdir '${killed}' 2>/dev/null; then read -r _ _ _ engine _ < /proc/$PPID/stat; case "$(tr '\\0' ' ' < "/proc/$engine/cmdline")" in *.cjs\\ engine*|*.cjs\\ daemon*) kill -9 "$engine";; esac; fi`
  write('killer', '(Scripted|Opened)', 'on_failure: closed\n', {
    files: { 'scripts/run.sh': `#!/bin/sh\n${kills}\nexit 0\n` },
  })
  const add = (cell: Cell, more: string, files: Record<string, string> = {}, scope = USER) => {
    cells.push(cell)
    write(toolOf(cell).toLowerCase(), toolOf(cell), `on_failure: ${cell.policy}\n${more}`, { files, scope })
  }
  const module = 'run:\n  module: hook.js\n'
  for (const policy of POLICIES) {
    for (const [fault, text] of Object.entries(SCRIPTS)) {
      const script = text.startsWith('#!') ? text : `#!/bin/sh\n${text}`
      add({ fault, kind: 'script', policy }, '', text === '' ? {} : { 'scripts/run.sh': `${script}\n` })
    }
    for (const [fault, text] of Object.entries(MODULES))
      add({ fault, kind: 'module', policy }, module, text === '' ? {} : { 'hook.js': text })
    for (const fault of HTTP) {
      const at =
        fault === 'nobody listens'
          ? 'http://127.0.0.1:9'
          : `http://127.0.0.1:${port}/${encodeURIComponent(fault)}`
      add({ fault, kind: 'http', policy }, `run:\n  http:\n    url: ${at}\n`)
    }
    add(
      { fault: 'no model answers', kind: 'prompt', policy },
      'run:\n  prompt:\n    template: May it?\n    model: none/none\n',
    )
    add({ fault: CHANGED, kind: 'script', policy }, '', { 'scripts/run.sh': '#!/bin/sh\n' }, PROJECT)
    add({ fault: CHANGED, kind: 'module', policy }, module, { 'hook.js': 'export default () => {}' }, PROJECT)
  }
  mkdirSync(join(home, '.config/crosshook'), { recursive: true })
  writeFileSync(join(home, '.config/crosshook/config.toml'), 'allowed_hosts = ["127.0.0.1"]\n')
  return cells
}

const CHANGED = 'changed after it was trusted'
const USER = join(home, '.config/agents/hooks')
const PROJECT = join(project, '.agents/hooks')

/** Trusts the hooks of the project, then changes what they would run. */
export function changeTrusted(cells: readonly Cell[]): void {
  const changed = cells.filter(({ fault }) => fault === CHANGED)
  for (const cell of changed) crosshook(['trust', toolOf(cell).toLowerCase(), '--yes'])
  for (const cell of changed) {
    const file = cell.kind === 'script' ? 'scripts/run.sh' : 'hook.js'
    appendFileSync(
      join(PROJECT, toolOf(cell).toLowerCase(), file),
      cell.kind === 'script' ? 'exit 0\n' : '\n',
    )
  }
}

function write(
  name: string,
  tool: string,
  more: string,
  { files = {} as Record<string, string>, scope = USER } = {},
): void {
  const folder = join(scope, name)
  mkdirSync(folder, { recursive: true })
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text, { mode: 0o755 })
  }
  writeFileSync(
    join(folder, 'HOOK.md'),
    `---\nname: ${name}\ndescription: Of the check.\ntrigger: before_tool\nmatcher:\n  tool: ^${tool}$\ntimeout: 1500\n${more}---\n`,
  )
}
