/** What the hub's API answers, as far as the page shows it. */

export interface AgentProof {
  agent: string
  agent_version: string
  obeyed: number
  cannot: number
  broken: number
  at: number
  detail?: { wired?: boolean; events?: { event: string; state: string }[] }
}

export interface Alarm {
  kind: 'heartbeat' | 'drift' | 'problem'
  agent?: string
  n: number
}

export interface Machine {
  id: string
  name: string
  labels: Record<string, string>
  enrolled_at: number
  expires_at: number | null
  revoked_at: number | null
  last_seen: number
  revision: number
  stage: number
  mode: string
  version: string
  problem: string | null
  alarms: Alarm[]
  agents: AgentProof[]
  findings?: Finding[]
}

export interface Finding {
  edge: string
  machine?: string
  seq: number
  what: string
  message: string
  at: number
}

export interface Status {
  tenant: string
  policies: {
    revision: number
    mode: string
    machines: number
    heard: number
    troubled: number
    alarmed: number
  }[]
  agents: { agent: string; agent_version: string; machines: number; obeyed: number; broken: number }[]
  findings: number
  asks: number
}

export interface Stage {
  mode: 'shadow' | 'enforce'
  percent: number
  minutes: number
}

export interface Revision {
  revision: number
  digest: string
  author: string
  created_at: number
  state: 'pending' | 'running' | 'done' | 'stopped' | 'superseded'
  stage: number
  stage_since: number
  why: string | null
  signed_by: string[]
  manifest: {
    author: string
    note?: string
    selector: string
    stages: Stage[]
    threshold: number
    keys: string[]
    stop: Record<string, number>
    max_age: { hours: number; after: string }
    journal: string
  }
  result?: { events: number; denies: number; failures: number }
}

export interface Row {
  edge: string
  machine: string
  seq: number
  at: number
  agent: string
  event: string
  tool: string
  decision: string
  hook: string
  status: string
  revision: number
  record: {
    session_id?: string
    subject?: string
    reason?: string | null
    work_dir?: string
    duration_ms?: number
    hooks?: {
      name: string
      status: string
      duration_ms: number
      reason?: string | null
      error?: string | null
    }[]
  }
}

export interface Ask {
  id: string
  edge: string
  machine: string
  agent: string
  agent_title?: string
  tool_name?: string | null
  summary: string
  why: string
  work_dir?: string
  session_id: string
  input?: unknown
  acts?: { does: string; path?: string; host?: string; program?: string; certain: boolean }[]
  hooks?: string[]
  input_digest: string
  created_at: number
  deadline: number
  state: 'open' | 'allow' | 'deny'
  scope: string | null
  reason: string | null
  decided_by: string | null
  decided_at: number | null
  approvers: string[]
  approvals: number
  votes: { person: string; at: number }[]
}

export interface Person {
  id: string
  role: 'viewer' | 'approver' | 'admin'
  subject: string | null
  created_at: number
  revoked_at: number | null
}

export interface AuditRow {
  seq: number
  at: number
  who: string
  what: string
  detail: Record<string, unknown>
}
