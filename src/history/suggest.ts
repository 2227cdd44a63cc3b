/**
 * Suggests guards from history: for what ran without one, and for guards that ask although the person always says yes.
 * Based only on the acts of the calls; no model is used.
 */

import { loadActsOf } from '../engine/act-checks.ts'
import type { Act, Does, Place } from '../spec/act.ts'
import type { Decision } from '../spec/outcome.ts'
import type { PastCall } from './call.ts'
import type { Judge } from './judge-call.ts'
import { likenessOf, shownLikeness } from './likeness.ts'
import { summaryOf } from './replay.ts'
import { caseLine, type SavedCase, savedCase } from './saved-case.ts'

export interface Suggestion {
  kind: 'not covered' | 'too strict'
  /** Name of the suggested hook, or of the one that is too strict. */
  name: string
  /** Why, in one sentence. */
  why: string
  /** A HOOK.md; for a hook that is too strict, the condition to add to its matcher. */
  text: string
  /** Cases for it, from what was seen. */
  cases: string
  /** The guard of the gallery that covers it. */
  gallery: string | null
  evidence: Evidence
}

export interface Evidence {
  calls: number
  agents: string[]
  last: string
  /** Without secrets. */
  examples: string[]
}

interface Danger {
  id: string
  does: readonly Does[]
  places?: readonly Place[]
  words: string
  decision: 'ask' | 'deny'
}

/** What is worth a guard. The first matching row counts. */
const DANGERS: readonly Danger[] = [
  {
    id: 'remote-code',
    does: ['run'],
    places: ['remote', 'decoded'],
    words: 'runs code that came over the network or was hidden',
    decision: 'deny',
  },
  {
    id: 'secrets-out',
    does: ['reveal_secret', 'send'],
    places: ['secret', 'text', 'environment'],
    words: 'shows or sends secrets',
    decision: 'deny',
  },
  { id: 'secrets', does: ['reveal_secret'], words: 'shows secrets', decision: 'deny' },
  {
    id: 'read-secrets',
    does: ['read'],
    places: ['secret'],
    words: 'reads files with secrets',
    decision: 'ask',
  },
  {
    id: 'history',
    does: ['rewrite_history'],
    words: 'rewrites history that others may have',
    decision: 'deny',
  },
  { id: 'work', does: ['discard_work'], words: 'throws away work that is not committed', decision: 'ask' },
  {
    id: 'delete',
    does: ['delete'],
    places: ['root', 'home', 'system', 'device', 'database', 'cloud', 'cluster', 'registry'],
    words: 'deletes what is not part of the project',
    decision: 'ask',
  },
  {
    id: 'startup',
    does: ['write'],
    places: ['startup', 'system', 'device'],
    words: 'changes the system, or what runs by itself later',
    decision: 'ask',
  },
  { id: 'publish', does: ['publish'], words: 'publishes', decision: 'ask' },
  { id: 'escalate', does: ['escalate'], words: 'takes more rights', decision: 'ask' },
]

const MAX_EXAMPLES = 3
const MAX_GROUPS = 500
/** Fewest yes answers, without a no, for a guard to count as too strict. */
const MIN_OVERRIDES = 2

export interface SuggestOptions {
  /** The hooks of today. */
  judge: Judge
  /** The gallery, to name a guard that would cover it. */
  gallery?: Judge
}

export async function suggestions(
  calls: AsyncIterable<PastCall> | Iterable<PastCall>,
  { judge, gallery }: SuggestOptions,
): Promise<Suggestion[]> {
  const actsOf = await loadActsOf()
  const uncovered = new Map<string, Found>()
  const asked = new Map<string, Found & { yes: number; no: number; acts: Act[]; like: string }>()
  for await (const call of calls) {
    if (call.isBare) continue
    const { event, became } = call
    if (became.decision !== 'allow') {
      if (became.hook === undefined || uncovered.size + asked.size >= MAX_GROUPS) continue
      const like = likenessOf(event)
      const key = `${became.hook}\0${like}`
      const known = asked.get(key) ?? {
        ...found(call, became.hook),
        yes: 0,
        no: 0,
        acts: actsOf(event),
        like: shownLikeness(event),
      }
      asked.set(key, known)
      // Asked, and it ran: the person said yes.
      if (became.decision === 'ask' && became.ended === 'ran') known.yes++
      else known.no++
      note(known, call, 'allow')
      continue
    }
    if (became.ended === 'refused') continue
    const { decision } = await judge.judge(call)
    if (decision !== 'allow') continue
    const danger = dangerOf(actsOf(event))
    if (!danger) continue
    const key = `${danger.id}\0${danger.program ?? String(event.tool_name)}`
    let known = uncovered.get(key)
    if (!known) {
      if (uncovered.size >= MAX_GROUPS) continue
      known = { ...found(call, key), danger, gallery: gallery ? (await gallery.judge(call)).hook : null }
      uncovered.set(key, known)
    }
    note(known, call, danger.decision)
  }
  return [
    ...[...uncovered.values()].map(asHook),
    ...[...asked.values()].filter(({ yes, no }) => yes >= MIN_OVERRIDES && no === 0).map(asCondition),
  ].sort((a, b) => b.evidence.calls - a.evidence.calls)
}

interface Found {
  name: string
  tool: string
  danger?: Danger & { program?: string; places?: readonly Place[] }
  gallery: string | null
  cases: SavedCase[]
  evidence: Evidence
}

function found({ event }: PastCall, name: string): Found {
  return {
    name,
    tool: String(event.tool_name ?? ''),
    gallery: null,
    cases: [],
    evidence: { calls: 0, agents: [], last: '', examples: [] },
  }
}

function note({ evidence, cases }: Found, call: PastCall, decision: Decision): void {
  const { event } = call
  const summary = summaryOf(call)
  evidence.calls++
  if (event.timestamp > evidence.last) evidence.last = event.timestamp
  if (event.agent !== undefined && !evidence.agents.includes(event.agent)) evidence.agents.push(event.agent)
  if (evidence.examples.length >= MAX_EXAMPLES || evidence.examples.includes(summary)) return
  evidence.examples.push(summary)
  const saved = savedCase(call, decision, summary)
  if (saved) cases.push(saved)
}

/** The most serious act, by the order of the table. A guess is no evidence. */
function dangerOf(acts: readonly Act[]): Found['danger'] | undefined {
  const sure = acts.filter(({ certain }) => certain)
  for (const danger of DANGERS) {
    const { does, places } = danger
    const act = sure.find(
      (each) => does.includes(each.does) && (!places || places.some((place) => each.places?.includes(place))),
    )
    if (act) return { ...danger, ...(act.program === undefined ? {} : { program: act.program }) }
  }
  return undefined
}

function asHook({ danger, tool, gallery, cases, evidence }: Found): Suggestion {
  const { id, does, places, words, decision, program } = danger!
  const name = `${decision === 'deny' ? 'block' : 'ask-before'}-${id}${program === undefined ? '' : `-${slug(program)}`}`
  const who = program === undefined ? tool : `\`${program}\``
  const reason =
    decision === 'deny'
      ? `This ${words}. Say what you need it for, and let the person do it.`
      : `This ${words}: may it go on?`
  const text = `---
name: ${name}
description: ${JSON.stringify(`${decision === 'deny' ? 'Blocks' : 'Asks about'} what ${words}, by ${who}.`)}
trigger: before_tool
on_failure: closed
matcher:
  does: [${does.join(', ')}]
${places ? `  place: [${places.join(', ')}]\n` : ''}${program === undefined ? '' : `  program: ${JSON.stringify(program)}\n`}outcome:
  decision: ${decision}
  reason: ${JSON.stringify(reason)}
---
`
  return {
    kind: 'not covered',
    name,
    why: `${who} ${words}, and no guard said anything`,
    text,
    cases: cases.map(caseLine).join(''),
    gallery,
    evidence,
  }
}

function asCondition({
  name,
  acts,
  like,
  cases,
  evidence,
  yes,
}: Found & { yes: number; acts: Act[]; like: string }): Suggestion {
  const hosts = [...new Set(acts.flatMap(({ host }) => host ?? []))]
  const programs = [...new Set(acts.flatMap(({ program }) => program ?? []))]
  const condition =
    hosts.length > 0
      ? `host: [${hosts.map((host) => JSON.stringify(host)).join(', ')}]`
      : programs.length > 0
        ? `program: [${programs.map((program) => JSON.stringify(program)).join(', ')}]`
        : `tool: ${JSON.stringify(cases[0]?.tool_name ?? '')}`
  return {
    kind: 'too strict',
    name,
    why: `${name} asked about \`${like}\` ${yes} times, and each time the person said yes`,
    text: `matcher:\n  not: { ${condition} }\n`,
    cases: cases.map(caseLine).join(''),
    gallery: null,
    evidence,
  }
}

function slug(program: string): string {
  return (
    program
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 30) || 'program'
  )
}
