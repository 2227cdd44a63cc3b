/** Plain lines are read without the parser wherever a pipeline runs. Programs that only register functions do without. */

import { plainCommands } from '../acts/plain-commands.ts'
import { readPlainLinesBy } from './input-facts.ts'

export function readPlainLines(): void {
  readPlainLinesBy(plainCommands)
}
