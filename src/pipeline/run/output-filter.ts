/** Path of the program that stores the output of background hooks: beside this file, built or not. */

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export function outputFilter(): string | undefined {
  return PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((file) =>
    existsSync(file),
  )
}

const PLACES = [
  './filter-output.ts',
  './filter-output.js',
  './pipeline-run-filter-output.js',
  '../../cli/lazy/pipeline-run-filter-output.js',
]
