/** Characters by which a command shows something else than it does, to whoever is asked about it. */

import type { Act } from '../spec/act.ts'

/** Of the text: colors (`ESC [ … m`) hide nothing, a line may end with a carriage return. */
const CONTROLS = /\x1b(?!\[[\d;]*m)|\r(?!\n|$)|[\x07\x08\x7f\x80-\x9f]/
/** Turned around by force, or filled with what has no width: nothing that people type. */
const INVISIBLE =
  /[\u202d\u202e\u2060-\u2064\u180e\u115f\u1160\u3164\uffa0]|(?!^)\ufeff|(?<!\u{1f3f4}[\u{e0020}-\u{e007e}]*)[\u{e0000}-\u{e007f}]/u
/** Some scripts need these, latin letters do not. */
const BETWEEN_LETTERS = /[!-~][\u200b-\u200d\u00ad]|[\u200b\u00ad][!-~]/
const DIRECTIONS = /[\u202a-\u202c\u2066-\u2069\u200e\u200f]/
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

export function hiddenText(command: unknown): Act[] {
  if (typeof command !== 'string' || !/[^\n\t -~]/.test(command)) return []
  const hides =
    CONTROLS.test(command) ||
    INVISIBLE.test(command) ||
    BETWEEN_LETTERS.test(command) ||
    (DIRECTIONS.test(command) && !RIGHT_TO_LEFT.test(command))
  return hides
    ? [{ does: 'run', certain: true, places: ['decoded'], why: 'characters hide what the command is' }]
    : []
}
