/** The frame of every view: where one can go, and whether the host is there. */

import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { connection, hostVersion, post } from './api.ts'
import { approvals } from './approvals.ts'
import { followLinks, go, link, viewName } from './router.ts'
import { Banner } from './ui/banner.tsx'
import { Empty } from './ui/empty.tsx'
import { Keys, useShortcuts } from './ui/shortcuts.tsx'
import { VIEWS, type ViewRow } from './views.ts'

export function App() {
  useEffect(() => {
    document.addEventListener('click', followLinks)
    return () => document.removeEventListener('click', followLinks)
  }, [])
  useShortcuts()
  const row = VIEWS.find(({ name }) => name === viewName.value)
  useEffect(() => {
    document.title = row ? `${row.title} · crosshook` : 'crosshook'
  }, [row])
  if (connection.value === 'signed-out') return <SignedOut />
  return (
    <div class="frame">
      <a class="skip" href="#view">
        Skip to the view
      </a>
      <header class="top">
        <a class="brand" href="/">
          <img src="/assets/icon.svg" alt="" width="20" height="20" /> crosshook
        </a>
        <nav aria-label="Views">
          {VIEWS.map((view) => (
            <a
              key={view.name}
              href={link(view.name)}
              aria-current={view === row ? 'page' : undefined}
              title={`g ${view.key}`}
            >
              {view.title}
              <Waiting view={view} />
            </a>
          ))}
        </nav>
        <div class="side">
          <Connection />
          <button type="button" class="quiet" onClick={signOut}>
            Sign out
          </button>
        </div>
      </header>
      <Banner />
      <main id="view" tabIndex={-1}>
        {row ? <Slot key={row.name} row={row} /> : <NoView />}
      </main>
      <Keys />
    </div>
  )
}

/** How many questions wait, beside the name of their view. */
function Waiting({ view }: { view: ViewRow }) {
  const count = view.name === 'approvals' ? (approvals.value?.length ?? 0) : 0
  return count === 0 ? null : <span class="count"> {count}</span>
}

/** A view's code is fetched when it is first shown. */
function Slot({ row }: { row: ViewRow }) {
  const [found, setFound] = useState<{ View: ComponentType } | Error>()
  useEffect(() => {
    row.load().then(setFound, (error: Error) => setFound(error))
  }, [row])
  if (found === undefined) return <p class="loading">Loading…</p>
  if (!(found instanceof Error)) return <found.View />
  return (
    <Empty title="This view could not be loaded">
      <p>{found.message}</p>
      <button type="button" onClick={() => location.reload()}>
        Load the page again
      </button>
    </Empty>
  )
}

function NoView() {
  return (
    <Empty title="There is no such view">
      <p>
        Begin at <a href="/">Now</a>.
      </p>
    </Empty>
  )
}

const WORDS = { connecting: 'connecting', connected: 'live', lost: 'no host', 'signed-out': 'signed out' }

function Connection() {
  const state = connection.value
  return (
    <span class="connection" data-state={state} title={hostVersion.value && `crosshook ${hostVersion.value}`}>
      {WORDS[state]}
    </span>
  )
}

async function signOut(): Promise<void> {
  await post('/v1/page/sign-out')
  connection.value = 'signed-out'
  go('/')
}

function SignedOut() {
  return (
    <main class="signed-out">
      <h1>You are signed out</h1>
      <p>
        Run <code>crosshook ui</code> in a terminal: it opens this page with a link that signs you in.
      </p>
      <p class="soft">
        A session ends an hour after its last use, and after a day at the latest. An agent cannot sign in for
        you.
      </p>
    </main>
  )
}
