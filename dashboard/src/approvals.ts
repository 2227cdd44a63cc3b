/** Open questions of agents: the count in the frame of every view, and a desktop notification while the page is hidden. */

import { signal } from '@preact/signals'
import { connection, stream } from './api.ts'

export interface Approval {
  id: string
  at: string
  deadline: string
  agent_title: string
  session_id: string
  work_dir: string
  tool_name: string
  summary: string
  input: unknown
  acts: { does: string; path?: string; host?: string; program?: string; certain: boolean }[]
  digest: string
  scripts: { path: string; digest: string | null }[]
  why: string
  hooks: string[]
  approvers: string[]
  approvals: number
  run_up: { at: string; tool_name: string; detail: string; decision: string }[]
  repeats?: string
  /** False: the process that asked was killed. */
  waits: boolean
}

/** Undefined until the first answer of the host. */
export const approvals = signal<Approval[] | undefined>(undefined)

export function followApprovals(): void {
  const stop = connection.subscribe((state) => {
    if (state !== 'connected') return
    queueMicrotask(() => stop())
    stream<Approval[]>('/v1/approvals/stream', 'approvals', (now) => {
      const known = new Set(approvals.value?.map(({ id }) => id))
      for (const approval of now) if (!known.has(approval.id)) notify(approval)
      approvals.value = now
    })
  })
}

/** On the desktop, where the person has allowed it. */
function notify({ id, agent_title, summary }: Approval): void {
  if (!('Notification' in window) || Notification.permission !== 'granted' || document.hasFocus()) return
  const note = new Notification(`${agent_title} asks`, { body: summary, tag: id, requireInteraction: true })
  note.onclick = () => {
    window.focus()
    location.assign('/approvals')
  }
}
