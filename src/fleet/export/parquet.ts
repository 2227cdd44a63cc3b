/** Records as a Parquet file, written group by group, so that memory does not grow with their number. */

import { renameSync, rmSync } from 'node:fs'
import type { BasicType } from 'hyparquet-writer'
import type { ExportedRecord } from './record-pages.ts'

/** Columns of the file. Hooks are JSON, since each event has another number of them. */
const COLUMNS: readonly { name: string; type: BasicType; of(record: ExportedRecord): unknown }[] = [
  { name: 'edge', type: 'STRING', of: ({ edge }) => edge },
  { name: 'machine', type: 'STRING', of: ({ machine }) => machine },
  { name: 'seq', type: 'INT64', of: ({ seq }) => BigInt(seq) },
  { name: 'id', type: 'STRING', of: ({ id }) => id },
  { name: 'at', type: 'TIMESTAMP', of: ({ at }) => new Date(at) },
  { name: 'event', type: 'STRING', of: ({ event }) => event },
  { name: 'agent', type: 'STRING', of: ({ agent }) => agent },
  { name: 'session_id', type: 'STRING', of: ({ session_id }) => session_id },
  { name: 'tool_name', type: 'STRING', of: ({ tool_name }) => tool_name },
  { name: 'decision', type: 'STRING', of: ({ decision }) => decision },
  { name: 'duration_ms', type: 'DOUBLE', of: ({ duration_ms }) => duration_ms },
  { name: 'source', type: 'STRING', of: ({ source }) => source },
  { name: 'input_digest', type: 'STRING', of: ({ input_digest }) => input_digest },
  { name: 'revision', type: 'INT64', of: ({ revision }) => BigInt(revision) },
  { name: 'hooks', type: 'STRING', of: ({ hooks }) => JSON.stringify(hooks) },
  { name: 'subject', type: 'STRING', of: ({ subject }) => subject },
  { name: 'detail', type: 'STRING', of: ({ detail }) => detail },
  { name: 'work_dir', type: 'STRING', of: ({ work_dir }) => work_dir },
  { name: 'reason', type: 'STRING', of: ({ reason }) => reason },
]

const GROUP_RECORDS = 20_000

/** The file appears when it is complete. Returns the number of records. */
export async function writeParquet(file: string, pages: AsyncIterable<readonly string[]>): Promise<number> {
  const { fileWriter, parquetWriteRows } = await import('hyparquet-writer')
  const temporary = `${file}.${process.pid}.tmp`
  let count = 0
  async function* rows() {
    for await (const lines of pages)
      for (const line of lines) {
        count++
        const record = JSON.parse(line) as ExportedRecord
        yield Object.fromEntries(COLUMNS.map(({ name, of }) => [name, of(record) ?? null]))
      }
  }
  try {
    await parquetWriteRows({
      writer: fileWriter(temporary),
      rows: rows(),
      columns: COLUMNS.map(({ name, type }) => ({ name, type, nullable: true })),
      rowGroupSize: GROUP_RECORDS,
    })
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  return count
}
