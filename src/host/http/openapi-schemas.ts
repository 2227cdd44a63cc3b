/** Schemas of the API's bodies and answers. */

import { SCOPES } from '../../ask/question.ts'
import { EFFECTS, type EffectRows } from '../../spec/effects.ts'
import { EVENT_NAMES } from '../../spec/event.ts'
import { DECISIONS, STATUSES } from '../../spec/outcome.ts'
import type { Schema } from '../../spec/schema.ts'

export function schema(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` }
}

const TEXT = { type: 'string' } as const
const MAYBE = (type: string) => ({ type: [type, 'null'] })
const OBJECT = { type: 'object' } as const

/** Schema of a `fire` result: the visible fields of the table of effects. */
export function resultSchema(rows: EffectRows): Record<string, unknown> {
  const fields = Object.entries(rows).flatMap(([field, { schema: type, about, result }]) =>
    result
      ? [[field, { ...(result.empty === null ? orNull(type) : type), description: about }] as const]
      : [],
  )
  const properties = {
    event_type: TEXT,
    ...Object.fromEntries(fields),
    hooks: { type: 'array', items: schema('HookReport') },
  }
  return { type: 'object', required: Object.keys(properties), properties }
}

function orNull(type: Schema): object {
  return type.type === undefined ? type : { ...type, type: [type.type, 'null'] }
}

export const SCHEMAS = {
  Any: {},
  Event: {
    type: 'object',
    required: ['event_type'],
    properties: {
      event_type: { ...TEXT, examples: EVENT_NAMES },
      timestamp: TEXT,
      session_id: TEXT,
      work_dir: TEXT,
      context: OBJECT,
      tool_name: TEXT,
      tool_input: OBJECT,
    },
  },
  FireResult: resultSchema(EFFECTS),
  HookReport: {
    type: 'object',
    required: ['name', 'status'],
    properties: {
      name: TEXT,
      format: TEXT,
      scope: TEXT,
      status: { enum: STATUSES },
      exit_code: MAYBE('integer'),
      duration_ms: { type: 'number' },
      attempts: { type: 'integer' },
      reason: MAYBE('string'),
      error: MAYBE('string'),
      skipped: MAYBE('string'),
      shadow: { enum: DECISIONS, description: 'It runs in shadow: what it would have decided.' },
    },
  },
  Replay: {
    type: 'object',
    required: ['coverage', 'decisions', 'changed'],
    properties: {
      coverage: {
        type: 'object',
        description: 'What was read, and what could not be seen.',
        properties: Object.fromEntries(
          [
            'calls',
            'replayed',
            'partial',
            'unjudged',
            'unreadable',
            'files',
            'bytes',
            'transcripts',
            'journal',
          ].map((name) => [name, { type: 'integer' }]),
        ),
      },
      decisions: OBJECT,
      changed: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            ...Object.fromEntries(
              ['agent', 'session', 'at', 'tool', 'summary', 'file'].map((name) => [name, TEXT]),
            ),
            before: { enum: DECISIONS },
            after: { enum: DECISIONS },
            hook: MAYBE('string'),
            reason: MAYBE('string'),
          },
        },
      },
      changed_left_out: { type: 'integer' },
      groups: { type: 'array', items: OBJECT },
      hooks: { type: 'array', items: OBJECT },
      friction: OBJECT,
    },
  },
  PastCalls: {
    type: 'object',
    properties: { agent: TEXT, file: TEXT, calls: { type: 'array', items: OBJECT } },
  },
  Heartbeats: {
    type: 'object',
    properties: {
      agents: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            agent: TEXT,
            sessions: { type: 'integer' },
            silent: { type: 'integer' },
            alarm: MAYBE('string'),
          },
        },
      },
    },
  },
  HookSum: {
    type: 'object',
    required: ['runs', 'denies', 'asks', 'overrides', 'rewrites', 'failures', 'cost_usd'],
    properties: {
      by: { type: 'object', additionalProperties: TEXT },
      hook: TEXT,
      ...Object.fromEntries(
        ['runs', 'denies', 'asks', 'overrides', 'rewrites', 'failures'].map((name) => [
          name,
          { type: 'integer' },
        ]),
      ),
      cost_usd: { type: 'number' },
      noise: {
        ...MAYBE('number'),
        description: 'The share of its questions that the person answered with yes.',
      },
      ...Object.fromEntries(['p50', 'p95', 'p99'].map((name) => [name, MAYBE('number')])),
      slices: { type: 'array', items: { type: 'integer' } },
    },
  },
  HookSums: {
    type: 'object',
    properties: {
      since: TEXT,
      by: { type: 'array', items: TEXT },
      rows: { type: 'array', items: schema('HookSum') },
    },
  },
  Stats: {
    type: 'object',
    properties: {
      since: TEXT,
      until: TEXT,
      events: { type: 'integer' },
      by: OBJECT,
      total: schema('HookSum'),
      hooks: { type: 'array', items: schema('HookSum') },
      never_matched: { type: 'array', items: TEXT },
    },
  },
  Draft: {
    type: 'object',
    required: ['text'],
    properties: {
      text: { ...TEXT, description: 'The whole HOOK.md.' },
      edits: {
        type: 'array',
        description: 'Fields to set, or to take away where there is no value. Every other byte stays.',
        items: {
          type: 'object',
          required: ['path'],
          properties: { path: { type: 'array', items: { type: ['string', 'integer'] } }, value: {} },
        },
      },
      files: { type: 'array', items: schema('HookFile') },
      work_dir: TEXT,
      replaces: { type: ['object', 'null'], properties: { name: TEXT, scope: TEXT } },
    },
  },
  HookFile: {
    type: 'object',
    required: ['path', 'text'],
    properties: { path: TEXT, text: TEXT, executable: { type: 'boolean' } },
  },
  DraftView: {
    type: 'object',
    properties: {
      text: TEXT,
      fields: { type: ['object', 'null'] },
      problems: { type: 'array', items: OBJECT },
      hook: { type: ['object', 'null'] },
      order: { type: 'array', items: OBJECT },
    },
  },
  HookSource: {
    type: 'object',
    properties: {
      name: TEXT,
      scope: TEXT,
      file: TEXT,
      text: TEXT,
      digest: TEXT,
      files: { type: 'array', items: schema('HookFile') },
      row: OBJECT,
    },
  },
  Tried: {
    type: 'object',
    properties: {
      history: {
        type: ['object', 'null'],
        properties: {
          ...Object.fromEntries(
            ['events', 'applies', 'not_run', 'partial', 'changes', 'took_ms'].map((name) => [
              name,
              { type: 'integer' },
            ]),
          ),
          says: OBJECT,
          changed: { type: 'array', items: OBJECT },
        },
      },
      cases: { type: 'array', items: OBJECT },
      cases_problem: MAYBE('string'),
      problems: { type: 'array', items: OBJECT },
    },
  },
  SaveHook: {
    type: 'object',
    required: ['text', 'scope'],
    properties: {
      text: TEXT,
      scope: { enum: ['user', 'project'] },
      work_dir: TEXT,
      files: { type: 'array', items: schema('HookFile') },
      replaces: { type: ['object', 'null'], properties: { name: TEXT, scope: TEXT } },
      opened: { ...TEXT, description: 'The digest of the HOOK.md that was opened.' },
    },
  },
  AddHook: {
    type: 'object',
    properties: { scope: { enum: ['user', 'project'] }, work_dir: TEXT },
  },
  HookSettings: { type: 'object', properties: { schema_version: { const: 1 }, hooks: OBJECT } },
  HookSettingsChange: {
    anyOf: [
      schema('HookSettings'),
      {
        type: 'object',
        required: ['settings'],
        properties: {
          settings: schema('HookSettings'),
          expected_revision: { type: 'integer', minimum: 0 },
          skip_hooks: { type: 'boolean', default: false },
        },
      },
    ],
  },
  Rollback: {
    type: 'object',
    properties: {
      target_revision: { type: 'integer', minimum: 0 },
      expected_revision: { type: 'integer', minimum: 0 },
      skip_hooks: { type: 'boolean', default: false },
    },
  },
  Runtime: { type: 'object', properties: { hooks: OBJECT, config: OBJECT } },
  Resolution: { type: 'object', properties: { reason: TEXT } },
  SearchResult: {
    type: 'object',
    required: ['records', 'next', 'first', 'last'],
    properties: {
      records: { type: 'array', items: schema('JournalRecord') },
      next: MAYBE('integer'),
      first: { type: 'integer' },
      last: { type: 'integer' },
    },
  },
  JournalRecord: {
    type: 'object',
    required: ['seq', 'id', 'at', 'event', 'session_id', 'work_dir', 'decision', 'duration_ms', 'hooks'],
    properties: {
      seq: { type: 'integer' },
      id: TEXT,
      at: TEXT,
      event: TEXT,
      agent: TEXT,
      session_id: TEXT,
      work_dir: TEXT,
      tool_name: TEXT,
      detail: TEXT,
      decision: TEXT,
      reason: MAYBE('string'),
      stop: MAYBE('string'),
      duration_ms: { type: 'number' },
      hooks: { type: 'array', items: schema('HookReport') },
      reply: {
        type: 'object',
        description: 'What the agent was told, where that is more than to go on',
        properties: { stdout: TEXT, stderr: TEXT, exit_code: { type: 'integer' } },
      },
    },
  },
  OneEvent: {
    type: 'object',
    required: ['record', 'event', 'lacks', 'acts', 'sent', 'fire', 'case'],
    properties: {
      record: schema('JournalRecord'),
      event: schema('Event'),
      lacks: { type: 'array', items: TEXT },
      acts: { type: 'array', items: OBJECT },
      sent: {
        type: 'array',
        items: { type: 'object', properties: { hook: TEXT, text: TEXT, problem: TEXT } },
      },
      previous: MAYBE('integer'),
      next: MAYBE('integer'),
      fire: TEXT,
      case: TEXT,
    },
  },
  Attention: {
    type: 'object',
    properties: {
      items: {
        type: 'array',
        items: {
          type: 'object',
          required: ['id', 'kind', 'level', 'title', 'detail', 'fix', 'link', 'at'],
          properties: {
            id: TEXT,
            kind: TEXT,
            level: { enum: ['error', 'warning', 'note'] },
            title: TEXT,
            detail: TEXT,
            fix: TEXT,
            link: MAYBE('string'),
            at: MAYBE('string'),
          },
        },
      },
    },
  },
  Agents: {
    type: 'object',
    required: ['checked_at', 'agents'],
    properties: { checked_at: MAYBE('string'), agents: { type: 'array', items: OBJECT } },
  },
  Hooks: {
    type: 'object',
    required: ['hooks', 'broken', 'problems', 'projects'],
    properties: {
      hooks: { type: 'array', items: OBJECT },
      broken: { type: 'array', items: OBJECT },
      problems: { type: 'array', items: OBJECT },
      projects: { type: 'array', items: OBJECT },
    },
  },
  TrustView: {
    type: 'object',
    required: ['id', 'state', 'seen', 'place', 'hooks', 'files'],
    properties: {
      id: TEXT,
      state: TEXT,
      seen: { ...TEXT, description: 'Send it back to trust exactly this' },
      place: TEXT,
      hooks: { type: 'array', items: OBJECT },
      replaces: { type: 'array', items: OBJECT },
      outside: { type: 'array', items: TEXT },
      unpinned: { type: 'array', items: TEXT },
      files: { type: 'array', items: OBJECT },
    },
  },
  TrustDecision: {
    type: 'object',
    required: ['seen'],
    properties: { seen: TEXT, everywhere: { type: 'boolean', default: false } },
  },
  HookSwitch: { type: 'object', required: ['to'], properties: { to: { enum: ['on', 'off'] } } },
  PageLink: {
    type: 'object',
    required: ['path', 'expires_at_ms'],
    properties: { path: TEXT, expires_at_ms: { type: 'integer' } },
  },
  PageSession: {
    type: 'object',
    required: ['csrf', 'ends_at_ms', 'version'],
    properties: { csrf: TEXT, ends_at_ms: { type: 'integer' }, version: TEXT },
  },
  Approval: {
    type: 'object',
    required: [
      'id',
      'at',
      'deadline',
      'agent',
      'session_id',
      'work_dir',
      'tool_name',
      'summary',
      'digest',
      'why',
    ],
    properties: {
      id: TEXT,
      at: TEXT,
      deadline: TEXT,
      agent: TEXT,
      agent_title: TEXT,
      session_id: TEXT,
      work_dir: TEXT,
      project: TEXT,
      event: TEXT,
      tool_name: TEXT,
      summary: TEXT,
      input: {},
      acts: { type: 'array', items: OBJECT },
      digest: TEXT,
      scripts: { type: 'array', items: OBJECT },
      why: TEXT,
      hooks: { type: 'array', items: TEXT },
      approvers: { type: 'array', items: TEXT },
      approvals: { type: 'integer' },
      run_up: { type: 'array', items: OBJECT },
      via: { type: 'array', items: TEXT },
    },
  },
  Approvals: { type: 'object', properties: { approvals: { type: 'array', items: schema('Approval') } } },
  ApprovalAnswer: {
    type: 'object',
    required: ['decision', 'digest'],
    properties: {
      decision: { enum: ['allow', 'deny'] },
      digest: TEXT,
      words: TEXT,
      scope: { enum: SCOPES },
      seconds: { type: 'number' },
    },
  },
  DeadLetters: { type: 'array', items: OBJECT },
  Problem: {
    type: 'object',
    required: ['type', 'title', 'status', 'code', 'detail'],
    properties: {
      type: TEXT,
      title: TEXT,
      status: { type: 'integer' },
      code: TEXT,
      domain: TEXT,
      detail: TEXT,
      fix: TEXT,
      problems: { type: 'array' },
    },
  },
}
