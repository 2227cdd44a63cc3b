/** What the API answers, as far as the page reads it. */

export interface HookReport {
  name: string
  format: string
  scope: string
  status: string
  exit_code: number | null
  duration_ms: number
  attempts: number
  reason: string | null
  error: string | null
  skipped: string | null
  cached?: true
  background?: true
  asked?: true
  rewrote?: true
  confined?: true
  confines?: true
  log?: string
  warnings?: string[]
}

export interface JournalRecord {
  seq: number
  id: string
  at: string
  event: string
  agent?: string
  session_id: string
  work_dir: string
  tool_name?: string
  subject?: string
  detail?: string
  decision: string
  reason: string | null
  stop: string | null
  duration_ms: number
  source: string
  hooks: HookReport[]
  derived?: string
  dropped?: string[]
  reply?: { stdout: string; stderr: string; exit_code: number }
}

export interface SearchResult {
  records: JournalRecord[]
  next: number | null
  first: number
  last: number
}

export interface Act {
  does: string
  path?: string
  host?: string
  program?: string
  command?: string
  through?: string[]
  places?: string[]
  certain: boolean
  why?: string
  recursive?: boolean
}

export interface OneEvent {
  record: JournalRecord
  lacks: string[]
  acts: Act[]
  sent: { hook: string; text?: string; problem?: string }[]
  previous: number | null
  next: number | null
  fire: string
  case: string
}

export interface AttentionItem {
  id: string
  kind: string
  level: 'error' | 'warning' | 'note'
  title: string
  detail: string
  fix: string
  link: string | null
  at: string | null
}

export interface AgentEvent {
  event: string
  canonical: string
  state: string
  detail: string | null
  last_called: string | null
  slowest_ms: number | null
  limit_ms?: number
}

export interface Agent {
  id: string
  title: string
  wired: boolean | null
  events: AgentEvent[]
  problems: { level: string; message: string; fix: string }[]
  last_called: string | null
  limits?: { what: string; events: string[] }[]
  notes?: string[]
}

export interface HookProblem {
  level: string
  file: string
  line?: number
  message: string
  fix?: string
}

export interface HookItem {
  id: string
  name: string
  description: string | null
  format: string
  scope: string
  events: string[]
  matcher: Record<string, unknown>
  /** The matcher in words. */
  matches: string
  trust: string | null
  barred: string | null
  run: string
  runs: string
  may: string | null
  mode: string
  timeout: number
  file: string
  problems: HookProblem[]
  work_dir: string | null
  on_failure: string
  off_in_file: boolean
  shadow: boolean
  failures: number
  source?: string | null
  signer?: string | null
}

export interface HooksAnswer {
  hooks: HookItem[]
  broken: { name: string; file: string; problems: HookProblem[]; work_dir: string | null }[]
  problems: HookProblem[]
  projects: { work_dir: string; events: number }[]
}

export interface TrustAnswer {
  id: string
  state: string
  seen: string
  place: string
  hooks: { name: string; for: string; runs: string; may: string | null; description: string | null }[]
  replaces: { name: string; file: string }[]
  outside: string[]
  unpinned: string[]
  files: {
    path: string
    change: 'new' | 'changed' | 'removed' | 'same'
    bytes: number
    is_program: boolean
    text: string | null
    is_cut: boolean
    diff: string[] | null
  }[]
}

export interface DeadLetter {
  id: string
  at: string
  hook_name: string
  event: string
  target: string
  attempt_count: number
  failure_mode: string
  error: string
  resolved_at?: string
  resolution_reason?: string
}
