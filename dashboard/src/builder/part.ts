import type { Builder } from './state.ts'

export type Fields = Record<string, unknown>

/** Properties of a part of the form: the current fields and the functions that change them. */
export interface Part {
  builder: Builder
  fields: Fields
  set: (path: string[], value: unknown) => void
  text: (...path: string[]) => string
}
