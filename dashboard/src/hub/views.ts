/** The views of the hub's page. */

import type { ViewRow } from '../frame.tsx'

export const VIEWS: readonly ViewRow[] = [
  { name: '', title: 'Fleet', key: 'f', load: () => import('./fleet.tsx') },
  { name: 'machine', title: 'Machine', key: '', isHidden: true, load: () => import('./machine.tsx') },
  { name: 'rollouts', title: 'Roll-outs', key: 'r', load: () => import('./rollouts.tsx') },
  { name: 'journal', title: 'Journal', key: 'j', load: () => import('./journal.tsx') },
  { name: 'approvals', title: 'Approvals', key: 'p', load: () => import('./approvals.tsx') },
  { name: 'people', title: 'People', key: 'e', load: () => import('./people.tsx') },
]
