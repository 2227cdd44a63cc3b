/** The page of a hub: its views in the frame of every page. */

import { useEffect } from 'preact/hooks'
import { connection, me } from '../api.ts'
import { Frame } from '../frame.tsx'
import { asks, lookAtAsks } from './asks.ts'
import { VIEWS } from './views.ts'

export function App() {
  useEffect(lookAtAsks, [])
  return (
    <Frame
      views={VIEWS}
      waiting={({ name }) => (name === 'approvals' ? (asks.value?.length ?? 0) : 0)}
      side={
        me.value && (
          <span class="who soft" title={`${me.value.role} of ${me.value.tenant}`}>
            {me.value.id}
          </span>
        )
      }
      banner={
        <>
          <strong>The hub does not answer.</strong> What you see is from before. Machines decide by themselves
          all the same, and keep their records; this page reconnects by itself.
        </>
      }
      signedOut={<SignedOut />}
    />
  )
}

function SignedOut() {
  const hasProvider =
    document.querySelector<HTMLMetaElement>('meta[name=crosshook-sign-in]')?.content === 'provider'
  return (
    <>
      <h1>Sign in to the fleet</h1>
      {hasProvider && (
        <p>
          <button type="button" class="main" onClick={() => location.assign('/sign-in')}>
            Sign in with your organisation
          </button>
        </p>
      )}
      <p>
        {hasProvider ? 'Or run' : 'Run'} <code>crosshook fleet ui</code> in a terminal where you have signed
        in to this hub: it opens this page with a link that signs you in once. An admin can make one for you
        with <code>crosshook fleet ui YOUR-NAME</code>.
      </p>
      <p class="soft">
        {connection.value === 'signed-out' &&
          'A session lasts twelve hours. Signing out ends it in every browser.'}
      </p>
    </>
  )
}
