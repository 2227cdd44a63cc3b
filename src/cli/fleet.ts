/** `crosshook fleet …`: commands for the people who run a fleet. */

import { paths } from '../config/paths.ts'
import { type Admin, createAdmin, readLogin } from '../fleet/admin.ts'
import { CrosshookError } from '../spec/errors.ts'
import { didYouMean } from '../spec/nearest.ts'
import type { Arguments } from './options.ts'

export interface FleetCall {
  args: Arguments
  state: string
  /** The arguments after the verb. */
  words: string[]
  admin: () => Admin
}

type Verb = (call: FleetCall) => Promise<number>

/** Each in its own file, loaded on demand. */
const VERBS: Readonly<Record<string, () => Promise<Verb>>> = {
  login: () => import('./fleet/login.ts').then((m) => m.login),
  publish: () => import('./fleet/publish.ts').then((m) => m.publish),
  sign: () => import('./fleet/publish.ts').then((m) => m.sign),
  rollback: () => import('./fleet/publish.ts').then((m) => m.rollback),
  rollout: () => import('./fleet/rollout.ts').then((m) => m.rollout),
  status: () => import('./fleet/status.ts').then((m) => m.status),
  journal: () => import('./fleet/status.ts').then((m) => m.journal),
  audit: () => import('./fleet/status.ts').then((m) => m.audit),
  revoke: () => import('./fleet/machines.ts').then((m) => m.revoke),
  token: () => import('./fleet/machines.ts').then((m) => m.token),
  approvals: () => import('./fleet/approvals.ts').then((m) => m.approvals),
  people: () => import('./fleet/people.ts').then((m) => m.people),
  ui: () => import('./fleet/ui.ts').then((m) => m.ui),
  channels: () => import('./fleet/channels.ts').then((m) => m.channels),
  export: () => import('./fleet/export.ts').then((m) => m.exportRecords),
}

export async function run(args: Arguments): Promise<number> {
  const [verb = 'status', ...words] = args.words
  const load = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined
  if (!load)
    throw new CrosshookError(
      'usage',
      `\`crosshook fleet\` cannot ${verb}.${didYouMean(verb, Object.keys(VERBS))}`,
      {
        fix: `Use one of: ${Object.keys(VERBS).join(', ')}.`,
      },
    )
  const { state } = paths(args.env)
  const act = await load()
  return act({ args, state, words, admin: () => createAdmin(readLogin(state, args.env)) })
}
