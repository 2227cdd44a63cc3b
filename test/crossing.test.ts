import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

// Without the relay, which needs a C compiler, nothing can be counted.
test.runIf(existsSync(join(root, 'dist/relay/crosshook-relay')))(
  'one PreToolUse crosses no more source files than ARCHITECTURE.md says',
  () => {
    const said = /crosses (\d+) source files/.exec(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8'))
    const out = execFileSync(process.execPath, [join(root, 'tools/crossing.ts'), '--json'], {
      encoding: 'utf8',
    })
    const files = Object.keys((JSON.parse(out) as { functions: Record<string, string[]> }).functions)
    expect(files).toContain('src/pipeline/decode.ts')
    expect(files).toContain('src/pipeline/encode.ts')
    expect(files.length, files.join('\n')).toBeLessThanOrEqual(Number(said?.[1]))
  },
)
