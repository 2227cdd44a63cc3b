/** Starts the keeper where no relay has. */

import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import type { Socket } from 'node:net'
import { dirname, join } from 'node:path'
import type { Tell } from './program-keeper.ts'

/** `main` is dist/cli/main.cjs. Undefined where there is no native program. It keeps nobody from ending. */
export function startKeeper(main: string): Tell | undefined {
  const relay = process.platform === 'win32' ? undefined : findRelay(main)
  if (relay === undefined) return undefined
  const child = spawn(relay, ['keeper'], {
    cwd: '/',
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    detached: true,
  })
  const channel = child.stdio?.[3] as Socket | undefined
  let isThere = channel !== undefined
  const isGone = () => {
    isThere = false
  }
  child.on('error', isGone).on('exit', isGone).unref()
  channel?.on('error', isGone).unref()
  return (message) => {
    if (isThere) channel?.write(message)
    return isThere
  }
}

/** In this package, in one beside it, or in one below it. Never by `PATH`, which an agent may have from a project. */
function findRelay(main: string): string | undefined {
  const other = `@crosshook/relay-${process.platform}-${process.arch}/bin`
  const at = dirname(existsSync(main) ? realpathSync(main) : main)
  return ['../relay', `../../../${other}`, `../../node_modules/${other}`]
    .map((way) => join(at, way, 'crosshook-relay'))
    .find((file) => existsSync(file))
}
