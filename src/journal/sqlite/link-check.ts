/** Checks the links between the lines of one file. Breaks are reported; the records are kept. */

import { fstatSync } from 'node:fs'
import type { Finding } from '../port.ts'
import { hashEndingAt, NO_CHAIN, parsePrev, tailOf } from './chain.ts'
import type { Line } from './intake-line.ts'

export interface Break {
  /** Offset in the file, in bytes. */
  place: number
  /** `torn`: a write truncated by a crash or a full disk, of a record that was never confirmed. */
  what: Finding['what'] | 'torn'
  message: string
}

interface Seen {
  start: number
  /** The byte after its newline. */
  end: number
  hash: string
  /** Undefined when unreadable; without `entry` for the first line of a file. */
  line: Line | { entry?: undefined } | undefined
}

export interface LinkCheck {
  next(seen: Seen): Break[]
  /** Call after the last line of a piece. */
  over(): Break[]
  close(): void
}

export function createLinkCheck(file: number, close: () => void): LinkCheck {
  const hashes = new Map<number, string>()
  let previous: { end: number; hash: string; id: string | undefined } | undefined
  /** Unreadable lines, until the next line shows whether they were ever complete. */
  let open: { start: number; end: number }[] = []
  const hashAt = (end: number) => hashes.get(end) ?? hashEndingAt(file, end, fstatSync(file).size)
  return {
    next({ start, end, hash, line }) {
      hashes.set(end, hash)
      if (line === undefined) {
        open.push({ start, end })
        previous = { end, hash, id: undefined }
        return []
      }
      const breaks = line.entry ? [...unreadable(line), ...linkBreaks(line, start)] : []
      open = line.entry ? [] : open
      previous = { end, hash, id: line.entry && line.id }
      return breaks
    },
    over() {
      const breaks = open.map(
        ({ start, end }): Break => ({ place: start, what: 'unreadable', message: garbage(start, end) }),
      )
      open = []
      return breaks
    },
    close,
  }

  /** The unreadable lines before it: torn, unless this line saw them complete. */
  function unreadable(line: Line): Break[] {
    const link = line.prev === undefined ? undefined : parsePrev(line.prev)
    return open.map(({ start, end }): Break => {
      const wasTorn = link?.end !== undefined && link.end <= start
      return wasTorn
        ? { place: start, what: 'torn', message: `bytes ${start} to ${end} hold a write that was cut off` }
        : { place: start, what: 'unreadable', message: garbage(start, end) }
    })
  }

  function linkBreaks(line: Line, start: number): Break[] {
    if (line.prev === undefined) return []
    const link = parsePrev(line.prev)
    if (!link)
      return [{ place: start, what: 'altered', message: `record ${line.id} has a link that cannot be read` }]
    const isFollowing = link.end === undefined
    const found = isFollowing
      ? (previous?.hash ?? tailOf(file, start)?.hash)
      : link.end === 0
        ? NO_CHAIN
        : hashAt(link.end!)
    if (link.end !== undefined && link.end > start)
      return [
        {
          place: start,
          what: 'removed',
          message: `before record ${line.id} at byte ${start}, ${link.end - start} bytes are missing or were moved`,
        },
      ]
    if (found === link.hash) return []
    // An unreadable line was reported already.
    if (open.some(({ end }) => end === (link.end ?? previous?.end))) return []
    const before =
      (isFollowing || previous?.end === link.end) && previous?.id ? `record ${previous.id}` : 'the record'
    return [
      {
        place: start,
        what: found === undefined ? 'removed' : 'altered',
        message:
          found === undefined
            ? `the record that came before ${line.id} is not where it was: removed or reordered`
            : `${before} before ${line.id} is not what it was when ${line.id} was written: altered, removed or reordered`,
      },
    ]
  }
}

function garbage(start: number, end: number): string {
  return `bytes ${start} to ${end} cannot be read: altered, or not written by crosshook`
}
