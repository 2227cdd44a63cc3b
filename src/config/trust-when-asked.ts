/** The trust store of a process that may see no hook of a project: opened when one of them is asked about. */

import { openTrust, type TrustStore } from './trust.ts'

export function trustWhenAsked(stateDir: string, all: boolean): TrustStore {
  let opened: TrustStore | undefined
  const store = () => (opened ??= openTrust(stateDir, all))
  return {
    get file() {
      return store().file
    },
    state: (hook) => store().state(hook),
    wrong: () => store().wrong(),
    reach: (hooks) => store().reach(hooks),
    trust: (hooks, options) => store().trust(hooks, options),
    untrust: (hook) => store().untrust(hook),
    pinned: (hook) => store().pinned(hook),
    runnable: (hook, workDir) => (hook.scope === 'project' ? store().runnable(hook, workDir) : hook),
  }
}
