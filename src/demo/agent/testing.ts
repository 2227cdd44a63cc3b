/** A place for an agent under test: a scratch folder, hooks that are functions or scripts, and a record of events. */

import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Hooks, loadHooks } from 'crosshook'
import { type AgentOptions, createAgent } from './agent.ts'
import { type Line, type Request, scriptedModel } from './scripted-model.ts'
import type { Happening } from './session.ts'

export function makePlace() {
  const workDir = realpathSync(mkdtempSync(join(tmpdir(), 'crosshook-agent-')))
  return { workDir, remove: () => rmSync(workDir, { recursive: true, force: true }) }
}

/** An agent whose person says yes, and everything it fired, in order. */
export function makeAgent(
  workDir: string,
  hooks: Hooks,
  lines: readonly (Line | ((request: Request) => Line))[],
  options: Partial<AgentOptions> = {},
) {
  const happenings: Happening[] = []
  const agent = createAgent({
    hooks,
    workDir,
    model: scriptedModel(lines),
    ask: () => true,
    report: (happening) => happenings.push(happening),
    ...options,
  })
  const events = () => happenings.flatMap((one) => (one.kind === 'hooks' ? [one.result.event_type] : []))
  const contents = () => agent.session.messages.map(({ role, content }) => `${role}: ${content}`)
  return { agent, happenings, events, contents }
}

/** Hooks as the conformance list writes them: a HOOK.md with a script. */
export async function scriptHooks(
  workDir: string,
  hooks: Readonly<Record<string, { trigger: string; script: string }>>,
): Promise<Hooks> {
  const folder = join(workDir, 'hooks')
  for (const [name, { trigger, script }] of Object.entries(hooks)) {
    const file = join(folder, name, 'scripts/run.sh')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(
      join(folder, name, 'HOOK.md'),
      `---\nname: ${name}\ndescription: d\ntrigger: ${trigger}\n---\n`,
    )
    writeFileSync(file, `#!/bin/bash\n${script}\n`)
    chmodSync(file, 0o755)
  }
  return loadHooks({
    work_dir: workDir,
    sources: [folder],
    env: { ...process.env, XDG_STATE_HOME: join(workDir, 'state'), XDG_CACHE_HOME: join(workDir, 'cache') },
  })
}
