/** A JSON file with a MAC of the state's key: files written by other processes of the user do not count. */

import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { isMac, mac } from '../config/state-key.ts'
import { uniqueHex } from '../journal/unique.ts'
import { readText } from '../spec/read-file.ts'

export interface Sealing {
  key: Uint8Array
}

/** Undefined: no such file. Throws when unreadable; a file without a valid seal is `forged`. */
export function readSealed<T>(file: string, { key }: Sealing): T | 'forged' | undefined {
  let text: string
  try {
    text = readText(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const end = text.indexOf('\n')
  const body = text.slice(0, end)
  if (end < 0 || !isMac(text.slice(end + 1).trimEnd(), key, 'ask', sealedText(file, body))) return 'forged'
  return JSON.parse(body) as T
}

/** False when the file already existed: of several writers, one wins. */
export function createSealed(file: string, value: unknown, sealing: Sealing): boolean {
  return place(file, value, sealing, (temporary) => {
    try {
      linkSync(temporary, file)
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
      throw error
    }
  })
}

export function replaceSealed(file: string, value: unknown, sealing: Sealing): void {
  place(file, value, sealing, (temporary) => {
    renameSync(temporary, file)
    return true
  })
}

function place(file: string, value: unknown, { key }: Sealing, put: (temporary: string) => boolean): boolean {
  const body = JSON.stringify(value)
  const temporary = `${file}.${uniqueHex(16)}.tmp`
  try {
    writeFileSync(temporary, `${body}\n${mac(key, 'ask', sealedText(file, body))}\n`, {
      mode: 0o600,
      flag: 'wx',
    })
    return put(temporary)
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** Includes the name, so that a file cannot replace another. */
function sealedText(file: string, body: string): string {
  return `${basename(file)}\n${body}`
}
