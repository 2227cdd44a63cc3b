/** What is allowed in a HOOK.md but probably not meant. Warnings only. */

import { didYouMean } from '../../spec/nearest.ts'
import { type FrontmatterFields, frontmatterSchema } from './schema.ts'

export interface Advice {
  field: string
  message: string
  fix: string
}

/** The specification's guides: about 100 tokens of metadata, below 1000 for the file; some four characters each. */
const METADATA_GUIDE = 400
const FILE_GUIDE = 4000

export function lint(fields: FrontmatterFields, fileSize: number): Advice[] {
  const advice = unknownKeys(fields, Object.keys(frontmatterSchema.shape))
  for (const [key, value] of Object.entries(fields.matcher ?? {}))
    if (typeof value === 'string' && value.includes('\b'))
      advice.push({
        field: `matcher.${key}`,
        message: 'The pattern contains a backspace character: between double quotes YAML reads `\\b` as one.',
        fix: 'Write the pattern between single quotes.',
      })
  if (/\p{Cc}/u.test(fields.name))
    advice.push({ field: 'name', message: 'The name contains control characters.', fix: 'Remove them.' })
  if (fields.name.length + fields.description.length + fields.trigger.length > METADATA_GUIDE)
    advice.push({
      field: 'description',
      message: 'Name, description and trigger are longer than the guide of about 100 tokens.',
      fix: 'Shorten the description; details go below the frontmatter.',
    })
  if (fileSize > FILE_GUIDE)
    advice.push({
      field: 'description',
      message: 'The file is longer than the guide of 1000 tokens.',
      fix: 'Move long text to another file.',
    })
  return advice
}

function unknownKeys(given: object, known: readonly string[]): Advice[] {
  return Object.keys(given)
    .filter((key) => !known.includes(key))
    .map((key) => ({
      field: key,
      message: `Unknown field \`${key}\`; it is ignored.${didYouMean(key.slice(0, 80), known)}`,
      fix: 'Remove it, or put it below `metadata`.',
    }))
}
