import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Dialect } from '../../spec/dialect.ts'

const folder = join(import.meta.dirname, '..')
const ids = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['lib', 'fixtures'].includes(entry.name))
  .map(({ name }) => name)
const dialects = await Promise.all(
  ids.map(async (id) => ((await import(`../${id}/index.ts`)) as { dialect: Dialect }).dialect),
)
const writers = dialects.filter(({ format }) => format?.write && format.files.project.length > 0)

describe.each(writers.map((dialect) => [dialect.id, dialect] as const))('what %s writes', (_, dialect) => {
  const { format, events, tools } = dialect
  const before = Object.keys(events).find((name) => [events[name]].flat().includes('before_tool'))!
  const shell = Object.keys(tools).find((name) => tools[name]!.name === 'Shell')!

  it('a written hook is read back as the same hook', async () => {
    const text = await format!.write!([
      { event: before, tools: [shell], command: 'guard --now', timeout: 5000 },
    ])
    const path = `/p/${format!.files.project[0]!.replaceAll('*', 'x')}`
    const { hooks, problems } = await format!.read({ path, text, scope: 'project' })
    expect(problems).toEqual([])
    expect(hooks).toMatchObject([
      { native_event: before, timeout: 5000, run: { type: 'command', command: 'guard --now' } },
    ])
    expect(hooks[0]!.events).toContain('before_tool')
    expect(JSON.stringify(hooks[0]!.matcher)).toContain(shell)
  })
})
