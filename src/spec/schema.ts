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
