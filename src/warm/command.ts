/** Which command line an agent should call on this machine: the relay where there is one for it, else the cold path. */

import { accessSync, constants, existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export interface HookCommand {
  /** What comes before `hook AGENT [EVENT]`. */
  argv: string[]
  kind: 'relay' | 'cold'
  why: string
}

/** `main` is the program that runs: `dist/cli/main.cjs`. */
export function hookCommand(main = realpathSync(process.argv[1]!)): HookCommand {
  const cold = [process.execPath, main]
  if (process.env.CROSSHOOK_NO_DAEMON === '1')
    return { argv: cold, kind: 'cold', why: 'CROSSHOOK_NO_DAEMON=1 is set' }
  const relay = findRelay(main)
  if (relay === undefined)
    return { argv: cold, kind: 'cold', why: `there is no relay for ${process.platform} ${process.arch}` }
  try {
    accessSync(relay, constants.X_OK)
    rememberCold(relay, cold)
    return { argv: [relay], kind: 'relay', why: 'a relay for this machine is installed' }
  } catch (error) {
    return { argv: cold, kind: 'cold', why: `the relay cannot be used: ${(error as Error).message}` }
  }
}

/** Built in this package, or by the package for this platform. */
export function findRelay(main: string): string | undefined {
  const name = process.platform === 'win32' ? 'crosshook-relay.exe' : 'crosshook-relay'
  const built = join(dirname(main), '../relay', name)
  if (existsSync(built)) return built
  try {
    const packaged = createRequire(main).resolve(
      `@crosshook/relay-${process.platform}-${process.arch}/package.json`,
    )
    const file = join(dirname(packaged), 'bin', name)
    return existsSync(file) ? file : undefined
  } catch {
    return undefined // no such package: optional ones are left out where they do not fit
  }
}

/** The relay finds Node by this, whatever `PATH` an agent has; without it, by `PATH`. */
function rememberCold(relay: string, cold: readonly string[]): void {
  const file = join(dirname(relay), 'crosshook-relay.cold')
  const text = `${cold.join('\n')}\n`
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  writeFileSync(file, text)
}
