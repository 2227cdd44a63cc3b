/** Why URL entries are not answered: no daemon, another address, another token, a proxy. */

import { dirname } from 'node:path'
import { paths } from '../config/paths.ts'
import { eventsToken } from '../host/access-tokens.ts'
import { away, throughProxy } from '../host/required.ts'
import type { Entry, EntryProblem } from '../spec/installer.ts'
import type { Circumstances } from './checkup.ts'
import type { KnownAgent } from './known.ts'
import { isOpen } from './privacy.ts'
import { targetOf } from './settings-bytes.ts'

export function httpProblems(
  { id }: KnownAgent,
  path: string,
  entries: readonly Entry[],
  { daemon, places }: Pick<Circumstances, 'daemon' | 'places'>,
): EntryProblem[] {
  const urls = entries.filter(({ headers }) => headers !== undefined)
  if (urls.length === 0) return []
  const { env } = places[0]!
  const origins = [...new Set(urls.map(({ command }) => new URL(command).origin))]
  const found = origins
    .flatMap((origin) => [away(daemon, origin), throughProxy(env, origin)])
    .filter((each) => each !== undefined)
  const wanted = `Bearer ${eventsToken(paths(env).state)}`
  if (urls.some(({ headers }) => headers?.Authorization !== wanted))
    found.push({
      message: `The token in ${path} is not the one of the daemon, which refuses these calls.`,
      fix: `Write it again: crosshook install ${id} --http.`,
    })
  const target = targetOf(path)
  if (isOpen(target))
    found.push({
      message: `Other users of this machine can read ${path}, which holds the token of the daemon.`,
      fix: `Hide it: chmod go= ${dirname(target)}.`,
    })
  return found.map((problem) => ({ level: 'error', ...problem }))
}
