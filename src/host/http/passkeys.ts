/** Passkeys of approvers over HTTP: who has one, and registering a new one made on the page. */

import { addApprover } from '../../ask/add-approver.ts'
import {
  approverLines,
  checkApproverName,
  newPasskey,
  passkeyParty,
  registrationChallenge,
} from '../../ask/passkeys.ts'
import type { Core } from '../core.ts'
import { readStatus } from '../status-file.ts'
import { parseObject, readBody } from './body.ts'
import type { RouteContext } from './routes.ts'

const LIMITS = { bytes: 64 * 1024, timeout: 10_000 }
const FIX = 'Send {"name": "…", "response": what the browser made}.'

export async function getPasskeys(core: Core, c: RouteContext): Promise<Response> {
  const { approvers = [] } = await (await core.frontDesk.get()).settings()
  const rows = approvers.flatMap(({ name, passkey }) =>
    passkey === undefined ? [] : [{ name, credential: passkey.split('.')[0] }],
  )
  return c.json({ approvers: rows })
}

/** By a person who is signed in on the page, who could also edit the settings. */
export async function postPasskey(core: Core, c: RouteContext): Promise<Response> {
  const { name, response } = parseObject(await readBody(c.env.incoming, LIMITS), FIX)
  const settings = await (await core.frontDesk.get()).settings()
  const approver = checkApproverName(name, settings)
  const { csrf } = core.people.sessionOf(c.env.incoming)!
  const { paths } = core.runtime
  const party = passkeyParty(settings, readStatus(paths.state)?.http)
  const passkey = await newPasskey(response, registrationChallenge(csrf), party)
  addApprover(paths.settings, approverLines(approver, passkey))
  core.log.info('a passkey was added to the approvers', { name: approver })
  return c.json({ name: approver })
}
