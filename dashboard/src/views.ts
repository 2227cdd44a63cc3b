/** The table of views. A row is all that a new one needs, beside its file in views/. */

import type { ViewRow } from './frame.tsx'

export const VIEWS: readonly ViewRow[] = [
  { name: '', title: 'Now', key: 'n', load: () => import('./views/now.tsx') },
  { name: 'agents', title: 'Agents', key: 'a', load: () => import('./views/agents.tsx') },
  { name: 'events', title: 'Events', key: 'e', load: () => import('./views/events.tsx') },
  { name: 'hooks', title: 'Hooks', key: 'h', load: () => import('./views/hooks.tsx') },
  { name: 'approvals', title: 'Approvals', key: 'p', load: () => import('./views/approvals.tsx') },
  { name: 'analytics', title: 'Analytics', key: 's', load: () => import('./views/analytics.tsx') },
  { name: 'builder', title: 'Builder', key: 'b', load: () => import('./views/builder.tsx') },
  { name: 'gallery', title: 'Gallery', key: 'l', load: () => import('./views/gallery.tsx') },
  { name: 'templates', title: 'Templates', key: 't', load: () => import('./views/templates.tsx') },
  { name: 'replay', title: 'Replay', key: 'r', load: () => import('./views/replay.tsx') },
]
