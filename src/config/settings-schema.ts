/** The schema of `config.toml`. Loaded only when there is such a file. */

import { dirname, isAbsolute, join } from 'node:path'
import { parse } from 'smol-toml'
import * as z from 'zod'
import type { Problem } from '../spec/hook.ts'
import { didYouMean } from '../spec/nearest.ts'
import { CHANNELS, type Settings } from './settings.ts'

const sourceSchema = z.union([
  z.string().min(1),
  z
    .strictObject({
      path: z
        .string()
        .min(1)
        .optional()
        .describe(
          "File or folder; relative to the settings file, ~ is the home folder. Without it: the format's own files.",
        ),
      format: z.string().optional().describe('Id of its format where the content does not tell.'),
    })
    .refine(
      ({ path, format }) => path !== undefined || format !== undefined,
      'a source needs a path or a format',
    ),
])

export const settingsSchema = z.strictObject({
  sources: z.array(sourceSchema).optional().describe('Hook files of other formats that count as user hooks.'),
  allowed_hosts: z
    .array(z.string().min(1))
    .optional()
    .describe('Single hosts (host or host:port) that HTTP hooks may reach although they are not public.'),
  pass_env: z
    .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of a variable'))
    .optional()
    .describe(
      "Variables of the agent's environment that hooks get although they choose what an interpreter or a tool runs, such as JAVA_TOOL_OPTIONS. A project can set them: list only what your hooks need.",
    ),
  disabled: z.array(z.string().min(1)).optional().describe('Names of hooks that are switched off.'),
  shadow: z
    .array(z.string().min(1))
    .optional()
    .describe(
      'Names of hooks that run and decide nothing: `crosshook shadow NAME` and `enforce NAME` write it.',
    ),
  models: z
    .strictObject({
      default: z.string().optional().describe('provider/model for prompt and agent hooks.'),
      max_cost_usd: z.number().positive().optional().describe('Most that one model hook may cost.'),
      providers: z
        .record(
          z.string(),
          z.strictObject({
            type: z.enum(['anthropic', 'openai-compatible', 'google']),
            base_url: z.url().optional(),
            api_key_env: z
              .string()
              .optional()
              .describe('Name of the environment variable that holds the key.'),
            prices: z
              .record(z.string(), z.strictObject({ input: z.number(), output: z.number() }))
              .optional()
              .describe('US dollars per million tokens, by model.'),
          }),
        )
        .optional(),
    })
    .optional(),
  journal: z
    .strictObject({
      enabled: z.boolean().optional().describe('Keep a journal at all.'),
      max_records: z.int().positive().optional().describe('Most records to keep; 20000 unless set.'),
      max_bytes: z
        .int()
        .positive()
        .optional()
        .describe('Most bytes of records to keep; 67108864 (64 MiB) unless set.'),
      max_age: z
        .string()
        .regex(/^\d{1,6}[mhdw]$/, 'must be a number and m, h, d or w, such as "90d"')
        .optional()
        .describe('How long records are kept, such as "90d" or "12h". Unset: no limit on their age.'),
      stats_age: z
        .string()
        .regex(/^\d{1,6}[mhdw]$/, 'must be a number and m, h, d or w, such as "400d"')
        .optional()
        .describe(
          'How long sums for `crosshook stats` and the page are kept; "400d" unless set. Sums of single hours: 31 days at most.',
        ),
      detail: z
        .enum(['full', 'subject', 'none'])
        .optional()
        .describe(
          "What is kept of a tool's input, without secrets: the command, path or address (full, the default), only the path or address (subject), nothing (none).",
        ),
      durability: z
        .enum(['normal', 'full'])
        .optional()
        .describe(
          'full: a record is on the disk before its decision is answered, so that not even a power cut loses it. normal: a power cut may cost the records of the last seconds.',
        ),
    })
    .optional(),
  context: z
    .strictObject({
      warn_percent: z
        .int()
        .min(1)
        .max(100)
        .optional()
        .describe(
          'A hook for `context_warning` without a condition of its own runs when the context is so full, where the agent itself does not warn; 80 unless set.',
        ),
      limits: z
        .record(z.string().min(1), z.int().positive())
        .optional()
        .describe(
          'Tokens that fit into the context, by the name of the model (`*` stands for any characters), where the transcript does not say it: `{ "claude-*" = 200000 }`.',
        ),
    })
    .optional()
    .describe('How full the context of the model may be: for hooks on `context_warning`.'),
  daemon: z
    .strictObject({
      http: z.string().optional().describe('host:port of the HTTP API.'),
      grpc: z.string().optional().describe('host:port of the gRPC API.'),
      execute_tool: z.boolean().optional().describe('Let SDK hooks run tools through the daemon.'),
      tls_cert: z
        .string()
        .optional()
        .describe('PEM file; relative to the settings file, ~ is the home folder. Then both APIs speak TLS.'),
      tls_key: z.string().optional().describe('PEM file of its key, without a passphrase.'),
      allow_plaintext: z
        .boolean()
        .optional()
        .describe('Serve other machines without a certificate. Tokens then travel in the clear.'),
      max_concurrent: z.int().positive().optional().describe('Events that run at once.'),
      max_waiting: z.int().nonnegative().optional().describe('Events that wait; more are refused.'),
      max_event_bytes: z.int().positive().optional().describe('Largest event that is accepted.'),
      body_timeout_seconds: z
        .number()
        .positive()
        .optional()
        .describe('Time limit for receiving a whole request.'),
      otlp_endpoint: z
        .string()
        .optional()
        .describe('Where to send OpenTelemetry traces and metrics, such as http://127.0.0.1:4318.'),
      pass_env: z
        .array(z.string())
        .optional()
        .describe(
          "Variables of the daemon's own environment that hooks get for events that come by HTTP or gRPC, such as a model's key.",
        ),
      idle_minutes: z
        .number()
        .positive()
        .optional()
        .describe('The warm engine ends after this time without an event.'),
    })
    .optional(),
  approvals: z
    .strictObject({
      via: z
        .array(z.enum(CHANNELS))
        .min(1)
        .optional()
        .describe(
          'Where a person is asked, in this order: the first that can be reached counts, and all after `agent` are asked at once. Unset: agent, then page and terminal while somebody looks at them.',
        ),
      wait: z
        .number()
        .positive()
        .optional()
        .describe(
          'Seconds that a question waits, at most. It never waits longer than the agent does, less a margin.',
        ),
      per_minute: z
        .int()
        .positive()
        .optional()
        .describe('Questions of one session in a minute; more are refused without asking. 60 unless set.'),
      quiet: z
        .string()
        .regex(/^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/, 'must be such as "22:00-07:00"')
        .optional()
        .describe('Local time in which ntfy, Slack and the webhook are left alone.'),
      per_day: z
        .int()
        .positive()
        .optional()
        .describe(
          'Questions in a day that are thought to be enough: `crosshook stats` says when there were more. 20 unless set.',
        ),
      public_url: z
        .url()
        .optional()
        .describe('Where approvers and services reach the HTTP API from elsewhere.'),
      webhook: z
        .strictObject({ url: z.url() })
        .optional()
        .describe(
          'Questions are posted there, signed as Standard Webhooks: see `crosshook approvals key webhook`.',
        ),
      ntfy: z
        .strictObject({
          url: z.url().describe('Server and topic, such as https://ntfy.sh/my-topic.'),
          answers: z
            .string()
            .optional()
            .describe('Topic that the buttons write to; the topic with -answers unless set.'),
        })
        .optional(),
      slack: z.strictObject({ url: z.url().describe('An incoming webhook.') }).optional(),
      approvers: z
        .array(
          z.strictObject({
            name: z.string().min(1),
            key: z.string().min(1).optional().describe('Ed25519 public key, as `crosshook key` prints it.'),
            passkey: z
              .string()
              .regex(
                /^[\w-]+\.[\w-]+$/,
                'must be the credential id, a dot and the public key, each in base64url',
              )
              .optional()
              .describe(
                'Credential id and COSE public key of a passkey, each in base64url, with a dot between.',
              ),
            slack: z.string().min(1).optional().describe('Member id in Slack.'),
          }),
        )
        .optional()
        .describe('People who may answer from elsewhere, by name.'),
    })
    .optional()
    .describe('How people are asked.'),
  packs: z
    .record(z.string(), z.record(z.string(), z.unknown()))
    .optional()
    .describe('Settings of packs: a table for each, such as [packs."acme/guards"].'),
  updates: z
    .strictObject({
      cooldown_days: z
        .number()
        .nonnegative()
        .max(365)
        .optional()
        .describe(
          'Versions younger than this number of days are not taken by `crosshook update`; 3 unless set.',
        ),
    })
    .optional(),
  self_protection: z
    .boolean()
    .optional()
    .describe(
      'false: tools may change crosshook, its hooks and the places where agents keep theirs. Default true.',
    ),
  managed_only: z.boolean().optional().describe('Only managed hooks run (managed settings).'),
})

export function parseSettings(
  text: string,
  file: string,
  home: string,
): { settings: Partial<Settings>; problems: Problem[] } {
  const raw: unknown = parse(text)
  const result = settingsSchema.safeParse(raw)
  if (result.success)
    return { settings: withPaths(result.data as Partial<Settings>, file, home), problems: [] }
  const problems = result.error.issues.map((issue): Problem => {
    const field = issue.path.join('.')
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys : []
    return {
      level: 'error',
      file,
      ...(field ? { field } : {}),
      message: unknown.length > 0 ? `unknown setting ${unknown.join(', ')}` : `${field}: ${issue.message}`,
      fix: unknown[0] === undefined ? `Correct the value of ${field}.` : namesWords(field, unknown[0]),
    }
  })
  // Keep the valid settings: one bad setting, or one bad item of a list, does not disable the others.
  const good = Object.fromEntries(
    Object.entries(raw as Record<string, unknown>).flatMap(([key, value]) => {
      if (!(key in settingsSchema.shape)) return []
      const fits = (part: unknown) => settingsSchema.shape[key as 'sources'].safeParse(part).success
      if (fits(value)) return [[key, value]]
      return Array.isArray(value) ? [[key, value.filter((item) => fits([item]))]] : []
    }),
  )
  return { settings: withPaths(good as Partial<Settings>, file, home), problems }
}

/** The names allowed here, the nearest one first. */
function namesWords(table: string, unknown: string): string {
  const { daemon, journal, models, approvals } = settingsSchema.shape
  const tables: Record<string, { shape: object }> = {
    daemon: daemon.unwrap(),
    journal: journal.unwrap(),
    models: models.unwrap(),
    approvals: approvals.unwrap(),
  }
  const names = Object.keys((tables[table] ?? settingsSchema).shape)
  return `Settings${table in tables ? ` of [${table}]` : ''} are: ${names.join(', ')}.${didYouMean(unknown, names)}`
}

/** Paths are relative to the settings file; `~` is the home folder. */
function withPaths(settings: Partial<Settings>, file: string, home: string): Partial<Settings> {
  const whole = (given: string) => {
    const path = given.startsWith('~/') ? join(home, given.slice(2)) : given
    return isAbsolute(path) ? path : join(dirname(file), path)
  }
  const found = { ...settings }
  if (settings.sources)
    found.sources = (settings.sources as (string | { path?: string; format?: string })[]).map((source) => {
      const given: { path?: string; format?: string } = typeof source === 'string' ? { path: source } : source
      return given.path === undefined ? given : { ...given, path: whole(given.path) }
    })
  if (settings.daemon) {
    found.daemon = { ...settings.daemon }
    for (const name of ['tls_cert', 'tls_key']) {
      const path = found.daemon[name]
      if (typeof path === 'string') found.daemon[name] = whole(path)
    }
  }
  return found
}
