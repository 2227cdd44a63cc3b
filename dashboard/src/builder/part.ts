import type { Builder } from './state.ts'

export type Fields = Record<string, unknown>

/** What a part of the form is given: the fields as they are, and how they are changed. */
export interface Part {
  builder: Builder
  fields: Fields
  set: (path: string[], value: unknown) => void
  text: (...path: string[]) => string
}
