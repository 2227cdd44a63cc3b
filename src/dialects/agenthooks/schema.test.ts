import { expect, it } from 'vitest'
import * as z from 'zod'
import { frontmatterSchema } from './schema.ts'

it('becomes a JSON Schema that describes every field', () => {
  const schema = z.toJSONSchema(frontmatterSchema, { io: 'input', unrepresentable: 'any' })
  expect(schema.required).toEqual(['name', 'description', 'trigger'])
  expect(schema.properties?.name).toMatchObject({ type: 'string', minLength: 1, maxLength: 64 })
  expect(schema.properties?.timeout).toMatchObject({ type: 'integer', minimum: 100, maximum: 600_000 })
  for (const [field, value] of Object.entries(schema.properties ?? {}))
    expect(value, field).toHaveProperty('description')
})
