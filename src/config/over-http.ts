/** Which agents call over HTTP, and where. Written by `install`, read at each call that comes by a command. */

import { existsSync } from 'node:fs'
import { sep } from 'node:path'
import { readText } from '../spec/read-file.ts'

export interface OverHttpEntry {
  /** Origin of its URLs, such as `http://127.0.0.1:24816`. */
  origin: string
  /** Digest of the token that they carry. */
  token: string
}

/** By agent. */
export type OverHttp = Readonly<Record<string, OverHttpEntry>>

const NONE: OverHttp = {}

export function overHttpFile(stateDir: string): string {
  return `${stateDir}${sep}install${sep}over-http.json`
}

export function overHttp(stateDir: string): OverHttp {
  const file = overHttpFile(stateDir)
  return existsSync(file) ? (JSON.parse(readText(file)) as OverHttp) : NONE
}

export function isOverHttp(stateDir: string, agent: string): boolean {
  return overHttp(stateDir)[agent] !== undefined
}
