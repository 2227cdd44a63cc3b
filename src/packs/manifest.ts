/** `PACK.md`: the name of a folder of hooks, its version, and its settings. */

import { valid as validVersion } from 'semver'
import * as z from 'zod'
import { hookEditor } from '../config/edit-hook.ts'
import { misfit, type SettingRow } from '../config/pack-settings.ts'
import { HOOK_FOLDER } from '../dialects/lib/changing.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { didYouMean } from '../spec/nearest.ts'

export const PACK_FILE = 'PACK.md'
/** `owner/name`, in lower case: it becomes part of URLs and file names. */
export const PACK_NAME = /^[a-z0-9](?:[a-z0-9-]{0,37}[a-z0-9])?\/[a-z0-9][a-z0-9._-]{0,63}$/
const MAX_BYTES = 256 * 1024

const setting = z
  .strictObject({
    type: z.enum(['string', 'number', 'integer', 'boolean', 'list']),
    description: z.string().max(300).optional(),
    default: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).optional(),
    required: z.boolean().optional(),
    enum: z
      .array(z.union([z.string(), z.number()]))
      .min(1)
      .optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
  })
  .refine((row) => row.default === undefined || misfit(row as SettingRow, row.default) === undefined, {
    message: 'its default does not fit it',
  })

export const manifestSchema = z.strictObject({
  name: z.string().regex(PACK_NAME, 'must be owner/name in lower case letters, digits, dots and hyphens'),
  version: z.string().refine((text) => validVersion(text) === text, 'must be a version such as 1.2.0'),
  description: z.string().min(1).max(500),
  license: z.string().min(1).max(100),
  homepage: z.url({ protocol: /^https$/ }).optional(),
  hooks: z
    .array(z.string().regex(HOOK_FOLDER))
    .min(1)
    .optional()
    .describe('Folders below `hooks` that belong to it; all of them unless set.'),
  levels: z
    .record(z.string().regex(/^[a-z][a-z0-9-]*$/), z.array(z.string()).min(1))
    .optional()
    .describe('Sets of hooks by name: `crosshook add acme/guards:strict`.'),
  settings: z.record(z.string().regex(/^[a-z][a-z0-9_]{0,63}$/), setting).optional(),
  agents: z.array(z.string()).optional().describe('Agents with which it was proven to work.'),
  keywords: z.array(z.string().max(50)).max(20).optional(),
  renamed_from: z.array(z.string().regex(PACK_NAME)).optional(),
})

export type Manifest = z.infer<typeof manifestSchema>

export async function parseManifest(bytes: Uint8Array, where: string): Promise<Manifest> {
  if (bytes.length > MAX_BYTES) throw bad(where, 'it is too large', 'Move long text to another file.')
  let fields: unknown
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    fields = (await hookEditor()).readFields(text)
  } catch (error) {
    throw bad(where, messageOf(error), error instanceof CrosshookError ? error.fix : 'Save it as UTF-8 text.')
  }
  const result = manifestSchema.safeParse(fields)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = issue!.path.join('.')
  const unknown = issue!.code === 'unrecognized_keys' ? issue!.keys[0] : undefined
  const names = Object.keys(manifestSchema.shape)
  throw bad(
    where,
    unknown === undefined
      ? `${field}: ${issue!.message}`
      : `unknown field "${unknown}".${didYouMean(unknown, names)}`,
    unknown === undefined ? `Correct \`${field}\`.` : `Fields are: ${names.join(', ')}.`,
  )
}

function bad(where: string, message: string, fix: string): CrosshookError {
  return new CrosshookError('bad_source', `${where}: ${message}`, { fix })
}
