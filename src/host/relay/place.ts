/**
 * Where the engine listens and the relay connects: a socket in the runtime folder, or a pipe named after that folder.
 */

import { join } from 'node:path'

export function enginePlace(runtime: string, platform: NodeJS.Platform = process.platform): string {
  // A pipe's name is flat: any character but the backslash is allowed.
  if (platform === 'win32') return `${PIPES}crosshook:${runtime.replaceAll('\\', '/')}`
  return join(runtime, 'engine.sock')
}

export function isPipe(place: string): boolean {
  return place.startsWith(PIPES)
}

const PIPES = '\\\\.\\pipe\\'
