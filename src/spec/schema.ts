/** The part of JSON Schema that the tables of this folder are written in, and the TypeScript type each schema describes. */

export type Schema =
  | { readonly type: 'string'; readonly enum?: readonly string[]; readonly minLength?: number }
  | { readonly type: 'number'; readonly minimum?: number }
  | { readonly type: 'boolean' }
  | { readonly type: 'array'; readonly items: Schema }
  | {
      readonly type: 'object'
      readonly properties?: Readonly<Record<string, Schema>>
      readonly required?: readonly string[]
      readonly additionalProperties?: false
    }
  /** Any JSON value. */
  | { readonly type?: undefined }

/** The values that a schema accepts. */
export type Typed<S> = S extends { type: 'string'; enum: readonly (infer Value)[] }
  ? Value
  : S extends { type: 'string' }
    ? string
    : S extends { type: 'number' }
      ? number
      : S extends { type: 'boolean' }
        ? boolean
        : S extends { type: 'array'; items: infer Item }
          ? Typed<Item>[]
          : S extends { type: 'object'; properties: infer Fields; required: readonly (infer Required)[] }
            ? TypedFields<Fields, Required & keyof Fields>
            : S extends { type: 'object' }
              ? Record<string, unknown>
              : unknown

type TypedFields<Fields, Required extends keyof Fields> = {
  -readonly [Field in Required]: Typed<Fields[Field]>
} & { -readonly [Field in Exclude<keyof Fields, Required>]?: Typed<Fields[Field]> }

export const TEXT = { type: 'string' } as const
export const TEXTS = { type: 'array', items: TEXT } as const

/** What the schema expects instead of the value, in words; undefined when the value fits. */
export function mismatch(schema: Schema, value: unknown): string | undefined {
  return accepts(schema, value) ? undefined : wanted(schema)
}

function accepts(schema: Schema, value: unknown): boolean {
  switch (schema.type) {
    case undefined:
      return true
    case 'string':
      if (typeof value !== 'string' || value.length < (schema.minLength ?? 0)) return false
      return schema.enum?.includes(value) ?? true
    case 'number':
      return Number.isFinite(value) && (value as number) >= (schema.minimum ?? Number.NEGATIVE_INFINITY)
    case 'boolean':
      return typeof value === 'boolean'
    case 'array':
      return Array.isArray(value) && value.every((item) => accepts(schema.items, item))
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value) && fits(schema, value)
  }
}

type ObjectSchema = Extract<Schema, { type: 'object' }>

function fits({ properties, required, additionalProperties }: ObjectSchema, value: object): boolean {
  const given = value as Record<string, unknown>
  if (required?.some((name) => given[name] === undefined)) return false
  return Object.entries(given).every(([name, item]) => {
    const field = properties && Object.hasOwn(properties, name) ? properties[name] : undefined
    return field ? item === undefined || accepts(field, item) : additionalProperties !== false
  })
}

/** A schema in words: `a text`, `a list of texts`. */
export function wanted(schema: Schema): string {
  if (schema.type === 'string' && schema.enum) return schema.enum.join(' or ')
  if (schema.type === 'array')
    return `a list of ${ITEMS[schema.items.type ?? 'any']}${fieldsOf(schema.items)}`
  return `${WORDS[schema.type ?? 'any']}${fieldsOf(schema)}`
}

const WORDS = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  any: 'anything',
}
const ITEMS = {
  string: 'texts',
  number: 'numbers',
  boolean: 'true or false',
  array: 'lists',
  object: 'objects',
  any: 'anything',
}

function fieldsOf(schema: Schema): string {
  return schema.type === 'object' && schema.required ? ` with ${schema.required.join(', ')}` : ''
}
