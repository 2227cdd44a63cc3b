/** How people reach a hub: its page, sign-in, and the channels for notifications. */

import { createChannels } from './channels.ts'
import type { Database } from './database/port.ts'
import type { HubOptions } from './hub.ts'
import { pageRoutes } from './page.ts'
import { createSessions, sessionKey } from './sessions.ts'
import type { SignInOptions } from './sign-in.ts'

export interface PeopleOptions {
  /** Where people and services reach this hub. */
  publicUrl: string | undefined
  /** The hub speaks TLS itself. */
  isSecure: boolean
  /** The identity provider for sign-in. */
  provider: SignInOptions | undefined
  trouble(sentence: string): void
}

export async function peopleParts(
  db: Database,
  { publicUrl, isSecure, provider, trouble }: PeopleOptions,
): Promise<Pick<HubOptions, 'channels' | 'personOfSession' | 'extend'>> {
  const key = await sessionKey(db)
  const sessions = createSessions(db, key, isSecure || publicUrl?.startsWith('https:') === true)
  const signIn = provider && (await import('./sign-in.ts'))
  return {
    channels: createChannels({ db, key, publicUrl, trouble }),
    personOfSession: sessions.personOf,
    extend(app) {
      pageRoutes(app, { db, sessions, hasProvider: provider !== undefined })
      if (signIn && provider) signIn.signInRoutes(app, { db, key, sessions }, provider)
    },
  }
}
