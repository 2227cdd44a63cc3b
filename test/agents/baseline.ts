/** An agent without crosshook is as it was before. */

import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { converse, type Visit } from './conversation.ts'
import { fail, pass, type Verdict } from './scenarios.ts'
import { unwire, wire } from './wire.ts'

/** In and out again: every file of home and project has its old bytes. */
export async function settingsAreRestored({ agent, place, env }: Visit): Promise<Verdict> {
  const before = [snapshot(place.home), snapshot(place.project)]
  await wire(agent, place, env)
  const wired = [snapshot(place.home), snapshot(place.project)]
  await unwire(agent.id, place, env)
  const after = [snapshot(place.home), snapshot(place.project)]
  if (differences(before, wired).length === 0) return fail('install changed nothing')
  const left = differences(before, after)
  return left.length === 0 ? pass('every byte is back') : fail(`uninstall left changes in ${left.join(', ')}`)
}

/** Without crosshook the same command runs, and no hook hears of it. */
export async function baseline(visit: Visit): Promise<Verdict> {
  const { agent, place } = visit
  rmSync(join(place.project, 'finished.txt'), { force: true })
  const command = agent.deleteFolder?.('victim') ?? 'rm -rf victim'
  const evidence = await converse(visit, [
    {
      id: 'uninstalled',
      title: 'uninstalled means untouched',
      steps: () => [{ id: 'delete', turn: { call: agent.tools.shell(command) } }],
      check: () => pass(''),
    },
  ])
  if (evidence.journal.length > 0) return fail('hooks were still asked')
  if (existsSync(join(place.project, 'victim')))
    return fail(`it did not run: ${evidence.told('delete')?.slice(0, 300)}`)
  if (evidence.asked('main').some(({ text }) => text.includes('GUARD-'))) return fail('a guard still spoke')
  return pass('every byte is back, and the command runs')
}

function snapshot(folder: string): Map<string, string> {
  const files = new Map<string, string>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = relative(folder, path)
    // What crosshook keeps for itself, in its own folders.
    if (!entry.isFile() || /(?:^|\/)crosshook\//.test(name) || name.startsWith('.git/')) continue
    files.set(
      name,
      statSync(path).size > 10_000_000 ? String(statSync(path).mtimeMs) : readFileSync(path, 'latin1'),
    )
  }
  return files
}

function differences(before: Map<string, string>[], after: Map<string, string>[]): string[] {
  return before.flatMap((files, i) =>
    [...new Set([...files.keys(), ...after[i]!.keys()])].filter(
      (name) => files.get(name) !== after[i]!.get(name),
    ),
  )
}
