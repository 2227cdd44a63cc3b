/** The body of a request, within its size and its time. */

import type { IncomingMessage } from 'node:http'
import { messageOf } from '../../spec/errors.ts'
import { Refusal } from './problem.ts'

export interface BodyLimits {
  bytes: number
  timeout: number
}

export function readBody(request: IncomingMessage, { bytes, timeout }: BodyLimits): Promise<string> {
  return new Promise((resolve, reject) => {
    const refuse = (status: number, code: string, detail: string) => {
      stop()
      reject(new Refusal({ status, code, detail }))
    }
    const tooLarge = () => refuse(413, 'too_large', `The body is larger than ${bytes} bytes.`)
    if (Number(request.headers['content-length'] ?? 0) > bytes) {
      reject(
        new Refusal({ status: 413, code: 'too_large', detail: `The body is larger than ${bytes} bytes.` }),
      )
      return
    }
    const chunks: Buffer[] = []
    let size = 0
    // Most bodies are there at once and need no timer.
    let timer: NodeJS.Timeout | undefined
    const waiting = setImmediate(() => {
      const late = () => refuse(408, 'too_slow', `The body had not arrived after ${timeout} ms.`)
      timer = setTimeout(late, timeout)
    })
    const data = (chunk: Buffer) => {
      size += chunk.length
      if (size > bytes) tooLarge()
      else chunks.push(chunk)
    }
    const end = () => {
      stop()
      resolve((chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString('utf8'))
    }
    const broken = () => refuse(400, 'incomplete', 'The body ended before it was complete.')
    const stop = () => {
      clearImmediate(waiting)
      clearTimeout(timer)
      request.off('data', data).off('end', end).off('aborted', broken).off('error', broken)
      request.on('error', () => {})
    }
    request.on('data', data).once('end', end).once('aborted', broken).once('error', broken)
  })
}

export function parseObject(text: string, fix: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Refusal({
      status: 400,
      code: 'bad_input',
      detail: `The body is not JSON: ${messageOf(error)}`,
      fix,
    })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refusal({ status: 400, code: 'bad_input', detail: 'The body is JSON, but not an object.', fix })
  return value as Record<string, unknown>
}
