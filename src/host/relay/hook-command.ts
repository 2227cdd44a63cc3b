/** The command line that agents call on this machine: the relay if there is one, else the cold path. */

import { accessSync, constants, existsSync, realpathSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { messageOf } from '../../spec/errors.ts'
import { readText } from '../../spec/read-file.ts'
import { VERSION } from '../../version.ts'
import { ownEnvironment } from '../environment.ts'
import { coldFlags } from './cold-flags.ts'

export interface HookCommand {
  /** What precedes `hook AGENT [EVENT]`. */
  argv: string[]
  kind: 'relay' | 'cold'
  why: string
}

/** `main` is the running program: `dist/cli/main.cjs`. */
export function hookCommand(main = realpathSync(process.argv[1]!)): HookCommand {
  const cold: [string, string] = [process.execPath, main]
  if (ownEnvironment().CROSSHOOK_NO_DAEMON === '1')
    return { argv: cold, kind: 'cold', why: 'CROSSHOOK_NO_DAEMON=1 is set' }
  const found = lookForRelay(main)
  if ('why' in found) return { argv: cold, kind: 'cold', why: found.why }
  const { relay } = found
  try {
    accessSync(relay, constants.X_OK)
    rememberCold(relay, cold)
    return { argv: [relay], kind: 'relay', why: 'a relay for this machine is installed' }
  } catch (error) {
    return { argv: cold, kind: 'cold', why: `the relay cannot be used: ${messageOf(error)}` }
  }
}

/** The relay beside the running program. */
export function ownRelay(): string | undefined {
  const main = process.argv[1]
  return main !== undefined && existsSync(main) ? findRelay(realpathSync(main)) : undefined
}

export function findRelay(main: string): string | undefined {
  const found = lookForRelay(main)
  return 'relay' in found ? found.relay : undefined
}

/** Built in this package, or from the package for this platform. */
function lookForRelay(main: string): { relay: string } | { why: string } {
  const name = process.platform === 'win32' ? 'crosshook-relay.exe' : 'crosshook-relay'
  const built = join(dirname(main), '../relay', name)
  if (existsSync(built)) return { relay: built }
  const packageName = `@crosshook/relay-${process.platform}-${process.arch}`
  let manifest: string
  try {
    manifest = createRequire(main).resolve(`${packageName}/package.json`)
  } catch {
    // npm leaves optional packages out where they do not fit and where they could not be fetched.
    return {
      why: `there is no relay for ${process.platform} ${process.arch} (${packageName} is not installed)`,
    }
  }
  // The engine declines a relay of another version, so each call would ask it in vain.
  const { version } = JSON.parse(readText(manifest)) as { version?: string }
  if (version !== VERSION)
    return { why: `${packageName} is version ${version}, and crosshook is ${VERSION}. Install both again` }
  const relay = join(dirname(manifest), 'bin', name)
  return existsSync(relay) ? { relay } : { why: `${packageName} has lost its program. Install it again` }
}

/** Lets the relay find Node whatever `PATH` an agent has; without this file it uses `PATH`. */
function rememberCold(relay: string, [node, main]: readonly [string, string]): void {
  const file = join(dirname(relay), 'crosshook-relay.cold')
  const text = `${node}\n${main}\n`
  const found = existsSync(file) ? readText(file) : ''
  if (found.startsWith(text) && found.length > text.length) return
  try {
    writeFileSync(file, `${text}${coldFlags(node).join('\t')}\n`)
  } catch (error) {
    // Of a version without options: slower, and not wrong.
    if (found === text) return
    throw new Error(
      `${messageOf(error)}. Run \`crosshook doctor\` once as the owner of that folder, then \`crosshook install\``,
    )
  }
}
