/** The frame of every view: navigation, and whether the server answers. */

import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { connection, hostVersion, post } from './api.ts'
import { followLinks, go, link, viewName } from './router.ts'
import { Empty } from './ui/empty.tsx'
import { Keys, useShortcuts } from './ui/shortcuts.tsx'

export interface ViewRow {
  /** The first word of its address. */
  name: string
  title: string
  /** One letter: pressed after `g`, it leads there. */
  key: string
  /** One thing of another view: links lead there. */
  isHidden?: boolean
  load: () => Promise<{ View: ComponentType }>
}

export interface FrameProps {
  views: readonly ViewRow[]
  /** Beside the name of a view: how many things wait there. */
  waiting: (view: ViewRow) => number
  /** What stands before "Sign out". */
  side?: ComponentChildren
  banner: ComponentChildren
  /** Shown instead of the page when nobody is signed in. */
  signedOut: ComponentChildren
}

export function Frame({ views, waiting, side, banner, signedOut }: FrameProps) {
  useEffect(() => {
    document.addEventListener('click', followLinks)
    return () => document.removeEventListener('click', followLinks)
  }, [])
  const shown = views.filter(({ isHidden }) => !isHidden)
  useShortcuts(shown)
  const row = views.find(({ name }) => name === viewName.value)
  useEffect(() => {
    document.title = row ? `${row.title} · crosshook` : 'crosshook'
  }, [row])
  if (connection.value === 'signed-out') return <main class="signed-out">{signedOut}</main>
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
          {shown.map((view) => (
            <a
              key={view.name}
              href={link(view.name)}
              aria-current={view === row ? 'page' : undefined}
              title={`g ${view.key}`}
            >
              {view.title}
              {waiting(view) > 0 && <span class="count"> {waiting(view)}</span>}
            </a>
          ))}
        </nav>
        <div class="side">
          {side}
          <Connection />
          <button type="button" class="quiet" onClick={signOut}>
            Sign out
          </button>
        </div>
      </header>
      {connection.value === 'lost' && (
        <div class="banner" role="alert">
          {banner}
        </div>
      )}
      <main id="view" tabIndex={-1}>
        {row ? <Slot key={row.name} row={row} /> : <NoView first={views[0]!} />}
      </main>
      <Keys views={shown} />
    </div>
  )
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

function NoView({ first }: { first: ViewRow }) {
  return (
    <Empty title="There is no such view">
      <p>
        Start at <a href={link(first.name)}>{first.title}</a>.
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
