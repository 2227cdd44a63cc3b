/** The JSON Schema of a HOOK.md's frontmatter, as `schemas/hook.schema.json` has it. */

import * as z from 'zod'
import { frontmatterSchema } from './schema.ts'

export function hookSchema(): unknown {
  return z.toJSONSchema(frontmatterSchema, { io: 'input', unrepresentable: 'any' })
}
