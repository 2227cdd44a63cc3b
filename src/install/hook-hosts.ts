/** Hosts of HTTP hooks that do not resolve, or that hooks may not call because they are local. */

import { isIP } from 'node:net'
import { type Lookup, systemLookup } from '../executors/http.ts'
import { hostOf, isAllowedHost, isGlobalAddress, originOf, validateTarget } from '../executors/http-target.ts'
import type { Hook } from '../spec/hook.ts'
import type { EntryProblem } from '../spec/installer.ts'

/** A name server that does not answer must not block everything else. */
const LOOKUP_LIMIT_MS = 5_000

export async function hookHostProblems(
  hooks: readonly Hook[],
  { allowedHosts, lookup = systemLookup }: { allowedHosts: readonly string[]; lookup?: Lookup },
): Promise<EntryProblem[]> {
  const callers = Map.groupBy(
    hooks.flatMap(({ name, run, disabled }) =>
      run.type === 'http' && !disabled ? [{ name, url: run.url }] : [],
    ),
    ({ url }) => originOf(url),
  )
  const found = await Promise.all(
    [...callers].map(async ([origin, calls]) => {
      const wrong = await wrongWith(calls[0]!.url, allowedHosts, lookup)
      if (wrong === undefined) return []
      const names = [...new Set(calls.map(({ name }) => `"${name}"`))].join(', ')
      return [{ ...wrong, message: `${origin}, which HTTP hooks call (${names}), ${wrong.message}` }]
    }),
  )
  return found.flat()
}

async function wrongWith(
  url: string,
  allowedHosts: readonly string[],
  lookup: Lookup,
): Promise<EntryProblem | undefined> {
  const local: EntryProblem = {
    level: 'error',
    message: 'is a private or local address, so that the call is refused',
    fix: 'Use a public address, or add its host and port to allowed_hosts in config.toml.',
  }
  // What may not be called at all is reported with its file.
  if (validateTarget(url, allowedHosts) !== null) return undefined
  const target = new URL(url)
  if (isIP(hostOf(target))) return undefined
  let found: readonly string[]
  try {
    found = await withinLimit(lookup(target.hostname))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return unresolved(code === undefined ? 'no answer from the name server' : code)
  }
  if (found.length === 0) return unresolved('it has no address')
  return isAllowedHost(target, allowedHosts) || found.every(isGlobalAddress) ? undefined : local
}

function unresolved(why: string): EntryProblem {
  return {
    level: 'warning',
    message: `does not resolve (${why})`,
    fix: 'Correct the host in the URL, or look at the name server: until it resolves, these hooks fail.',
  }
}

async function withinLimit<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), LOOKUP_LIMIT_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
