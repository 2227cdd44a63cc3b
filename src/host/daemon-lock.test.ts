import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isLocked, takeLock } from './daemon-lock.ts'
import { place } from './testing.ts'

test('looking at the lock from within the process that holds it does not let go of it', () => {
  const { root } = place()
  const lock = takeLock(root)!
  onTestFinished(() => lock.release())
  expect(isLocked(root)).toBe(true)
  const module = JSON.stringify(join(import.meta.dirname, 'daemon-lock.ts'))
  const script = `import(${module}).then(({ isLocked }) => console.log(isLocked(process.argv[1])))`
  const seen = execFileSync(process.execPath, ['--no-warnings', '-e', script, root], { encoding: 'utf8' })
  expect(seen.trim()).toBe('true')
})
