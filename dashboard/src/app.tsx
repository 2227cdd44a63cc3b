/** The page of a machine: its views in their frame. */

import { approvals } from './approvals.ts'
import { Frame } from './frame.tsx'
import { VIEWS } from './views.ts'

export function App() {
  return (
    <Frame
      views={VIEWS}
      waiting={({ name }) => (name === 'approvals' ? (approvals.value?.length ?? 0) : 0)}
      banner={
        <>
          <strong>The host does not answer.</strong> What you see is from before; agents are guarded by their
          own entries all the same. Start it with <code>crosshook ui --no-open</code>; this page goes on by
          itself.
        </>
      }
      signedOut={
        <>
          <h1>You are signed out</h1>
          <p>
            Run <code>crosshook ui</code> in a terminal: it opens this page with a link that signs you in.
          </p>
          <p class="soft">
            A session ends an hour after its last use, and after a day at the latest. An agent cannot sign in
            for you.
          </p>
        </>
      }
    />
  )
}
