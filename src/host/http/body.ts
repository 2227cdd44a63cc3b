/** Reads the body of a request, within its size and time limits. */

import { isAscii, isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { messageOf } from '../../spec/errors.ts'
import { parseJson } from '../../spec/json.ts'
import { Refusal } from '../problem.ts'

export interface BodyLimits {
  bytes: number
  timeout: number
}

/**
 * Returns a promise only when some of the body has yet to arrive. Most arrives together with the head: one turn of the
 * queue after the request it is there.
 */
export function readBody(request: IncomingMessage, limits: BodyLimits): string | Promise<string> {
  const length = Number(request.headers['content-length'] ?? Number.NaN)
  if (length > limits.bytes) throw tooLarge(limits)
  if (request.readableLength !== length) return collect(request, limits)
  const bytes = request.read() as Buffer | null
  return bytes === null ? '' : textOf(bytes)
}

function collect(request: IncomingMessage, limits: BodyLimits): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const refuse = (refusal: Refusal) => {
      stop()
      reject(refusal)
    }
    const data = (chunk: Buffer) => {
      size += chunk.length
      if (size > limits.bytes) refuse(tooLarge(limits))
      else chunks.push(chunk)
    }
    const end = () => {
      stop()
      try {
        resolve(textOf(Buffer.concat(chunks)))
      } catch (error) {
        reject(error)
      }
    }
    const broken = () =>
      refuse(
        new Refusal({ status: 400, code: 'incomplete', detail: 'The body ended before it was complete.' }),
      )
    const late = () =>
      refuse(
        new Refusal({
          status: 408,
          code: 'too_slow',
          detail: `The body had not arrived after ${limits.timeout} ms.`,
        }),
      )
    const timer = setTimeout(late, limits.timeout)
    const stop = () => {
      clearTimeout(timer)
      request.off('data', data).off('end', end).off('aborted', broken).off('error', broken)
      request.on('error', () => {})
    }
    request.on('data', data).once('end', end).once('aborted', broken).once('error', broken)
  })
}

/** Invalid UTF-8 is refused, so that it is not read as another text. */
function textOf(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString('latin1')
  if (isUtf8(bytes)) return bytes.toString('utf8')
  throw new Refusal({ status: 400, code: 'not_utf8', detail: 'The body is not UTF-8 text.' })
}

function tooLarge({ bytes }: BodyLimits): Refusal {
  return new Refusal({ status: 413, code: 'too_large', detail: `The body is larger than ${bytes} bytes.` })
}

export function parseObject(text: string, fix: string): Record<string, unknown> {
  let value: unknown
  try {
    value = parseJson(text)
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
