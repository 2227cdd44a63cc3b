/** `crosshook edge`: the process that talks to the fleet's hub. Started by the engine and the daemon. */

import { openDesk } from '../ask/desk.ts'
import { paths } from '../config/paths.ts'
import { takeLock } from '../host/daemon-lock.ts'
import { logLines } from '../pipeline/hook-log.ts'
import { journalOf } from '../pipeline/journal.ts'
import { CrosshookError } from '../spec/errors.ts'
import { VERSION } from '../version.ts'
import { prove } from './edge-proof.ts'
import type { Arguments } from './options.ts'

export async function run(args: Arguments): Promise<number> {
  const where = paths(args.env)
  const { readEnrolment } = await import('../fleet/enrolment.ts')
  const enrolment = readEnrolment(where.fleet.folder)
  if (!enrolment)
    throw new CrosshookError('refused', 'This machine is in no fleet.', {
      fix: 'Enrol it: crosshook enroll URL --token T.',
    })
  const lock = takeLock(where.fleet.folder)
  if (!lock) return 0
  const stopping = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => stopping.abort())
  const journal = await journalOf(where)
  const trouble = (sentence: string) => logLines(where.state, [`fleet: ${sentence}`])
  const { runEdge } = await import('../fleet/edge.ts')
  const upload = Number(args.value('upload-every'))
  await runEdge({
    state: where.state,
    fleet: where.fleet.folder,
    settings: { own: [where.settings], above: [where.managedSettings, where.fleet.settings] },
    home: where.home,
    enrolment,
    journal,
    desk: openDesk({ where, journal: () => journal, source: 'daemon', trouble }),
    version: VERSION,
    prove: () => prove(args.env),
    trouble,
    signal: stopping.signal,
    ...(upload > 0 ? { times: { upload, reconnect: upload } } : {}),
  })
  journal.close()
  lock.release()
  return 0
}
