/** `crosshook fleet export`: every record for other stores, as JSON lines, a Parquet file, or logs for a collector. */

import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs'
import { writeWhole } from '../../config/write-whole.ts'
import { sendLogs } from '../../fleet/export/otlp.ts'
import { writeParquet } from '../../fleet/export/parquet.ts'
import { type ExportPage, pagesOf } from '../../fleet/export/record-pages.ts'
import { createBound } from '../../host/bounded-memory.ts'
import { headersIn } from '../../host/telemetry-headers.ts'
import { CrosshookError } from '../../spec/errors.ts'
import { readText } from '../../spec/read-file.ts'
import { VERSION } from '../../version.ts'
import type { FleetCall } from '../fleet.ts'
import type { Arguments } from '../options.ts'
import { writeAll } from '../output.ts'
import { plural, warn } from '../print.ts'
import { sinceOf } from '../since.ts'

/** Number of exported records; undefined when the reader is gone. */
type Export = (pages: AsyncIterable<ExportPage>, args: Arguments) => Promise<number | undefined>

const FORMATS: Readonly<Record<string, Export>> = { ndjson, parquet, otlp }

export async function exportRecords({ args, admin }: FleetCall): Promise<number> {
  const format = args.value('format') ?? 'ndjson'
  const write = Object.hasOwn(FORMATS, format) ? FORMATS[format]! : undefined
  if (!write)
    throw new CrosshookError('usage', `--format ${format}: there is no such format`, {
      fix: `Use one of: ${Object.keys(FORMATS).join(', ')}.`,
    })
  const [since, bookmark] = [args.value('since'), args.value('bookmark')]
  const begun = bookmark !== undefined && existsSync(bookmark) ? readText(bookmark).trim() : undefined
  const after = begun ?? (since === undefined ? '0' : String(sinceOf(since).getTime()))
  let last = after
  const bound = createBound()
  async function* pages() {
    for await (const page of pagesOf(admin(), { after, isSettled: bookmark !== undefined })) {
      yield page
      bound()
      // The consumer is done with a page when it asks for the next.
      if (page.next !== null) last = page.next
    }
  }
  const count = await write(pages(), args)
  if (count === undefined) return 0
  if (bookmark !== undefined) writeWhole(bookmark, `${last}\n`)
  if (args.value('out') !== undefined || format === 'otlp') warn(`${plural(count, 'record')} exported`)
  return 0
}

async function ndjson(pages: AsyncIterable<ExportPage>, args: Arguments): Promise<number | undefined> {
  const file = args.value('out')
  if (file === undefined) return writeLines(1, pages)
  const temporary = `${file}.${process.pid}.tmp`
  const fd = openSync(temporary, 'w', 0o600)
  try {
    const count = await writeLines(fd, pages)
    renameSync(temporary, file)
    return count
  } finally {
    closeSync(fd)
    rmSync(temporary, { force: true })
  }
}

async function writeLines(fd: number, pages: AsyncIterable<ExportPage>): Promise<number | undefined> {
  let count = 0
  for await (const { lines } of pages) {
    if (!writeAll(fd, `${lines.join('\n')}\n`)) return undefined
    count += lines.length
  }
  return count
}

async function parquet(pages: AsyncIterable<ExportPage>, args: Arguments): Promise<number> {
  const file = args.value('out')
  if (file === undefined)
    throw new CrosshookError('usage', 'into which file?', { fix: 'Write --out FILE.parquet.' })
  async function* lines() {
    for await (const page of pages) yield page.lines
  }
  return writeParquet(file, lines())
}

async function otlp(pages: AsyncIterable<ExportPage>, args: Arguments): Promise<number> {
  const endpoint =
    args.value('endpoint') ??
    args.env.OTEL_EXPORTER_OTLP_LOGS_ENDPOINT ??
    args.env.OTEL_EXPORTER_OTLP_ENDPOINT
  if (!endpoint)
    throw new CrosshookError('usage', 'to which collector?', {
      fix: 'Write --endpoint http://HOST:4318, or set OTEL_EXPORTER_OTLP_ENDPOINT.',
    })
  let count = 0
  for await (const { lines } of pages) {
    await sendLogs({ endpoint, headers: headersIn(args.env), version: VERSION }, lines)
    count += lines.length
  }
  return count
}
