import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

// Without the relay, which needs a C compiler, nothing can be counted.
test.runIf(existsSync(join(root, 'dist/relay/crosshook-relay')))(
  'one PreToolUse crosses no more source files than ARCHITECTURE.md says',
  () => {
    const said =
      /crosses at most (\d+) source files .*? fixed answer.*? and at most (\d+) with a script/s.exec(
        readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8'),
      )
    const out = execFileSync(process.execPath, [join(root, 'tools/crossing.ts'), '--json'], {
      encoding: 'utf8',
    })
    const { outcome, script } = JSON.parse(out) as Record<'outcome' | 'script', Record<string, string[]>>
    for (const [crossing, most] of [
      [outcome, said?.[1]],
      [script, said?.[2]],
    ] as const) {
      const files = Object.keys(crossing)
      expect(files).toContain('src/pipeline/decode.ts')
      expect(files).toContain('src/pipeline/encode.ts')
      expect(files.length, files.join('\n')).toBeLessThanOrEqual(Number(most))
    }
    expect(Object.keys(script)).toContain('src/executors/command.ts')
    expect(Object.keys(outcome)).not.toContain('src/executors/command.ts')
  },
)
