/** A hook's rights on this machine, in words for the person who is asked to trust it. */

import type { Hook } from '../../spec/hook.ts'

/** Undefined for hooks that start no program. */
export function rightsWords({ run, sandbox }: Hook): string | undefined {
  if (run.type === 'module') return 'everything that you may: it runs inside crosshook'
  if (run.type !== 'command') return undefined
  if (!sandbox) return 'everything that you may: it is not confined'
  const { read = [], write = [], connect = [], env = [] } = sandbox === true ? {} : sandbox
  const more = (what: string, list: readonly string[]) =>
    list.length > 0 ? [`${what} ${list.join(', ')}`] : []
  const beyond = [
    ...more('reads', read),
    ...more('writes', write),
    ...more(
      'reaches',
      connect.map((one) => (one === '*' ? 'the network' : one)),
    ),
    ...more('gets the variables', env),
  ]
  return `confined to its own folder and the files that the event names${beyond.length > 0 ? `; also ${beyond.join('; ')}` : ', no network'}`
}
