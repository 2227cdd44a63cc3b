/** Opens a URL in the person's browser. */

import { spawn } from 'node:child_process'

const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  linux: ['xdg-open'],
}

/** True if a program took the URL. Not tried without a screen: a text browser would take over the terminal. */
export async function open(url: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const [program, ...args] = OPENERS[process.platform] ?? []
  const hasScreen = process.platform !== 'linux' || env.DISPLAY || env.WAYLAND_DISPLAY
  if (program === undefined || !hasScreen) return false
  const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore', env })
  return new Promise((resolve) => {
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
