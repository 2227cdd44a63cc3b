/** Code that empties databases or deletes what clouds hold: SQL in texts, and what clients and mappers call it. */

import type { Effect } from '../program.ts'
import { sqlEffects } from '../programs/sql.ts'

/** The text of a statement that is carried out: `.execute("…")`, `.query(`…`)`, `DB::statement('…')`. */
const STATEMENTS =
  /(?:\.|::|->)(?:execute\w*|query\w*|raw|statement|unprepared|exec|run|prepare|executescript|\$executeRaw\w*|sql)\s*\(\s*(?:text\(\s*)?[fru]?("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)/g
/** Every row of a model, a collection, a database. */
const EMPTIES =
  /\.objects\.all\(\)\.delete\(|(?<!\bwhere\([^()\n]{0,200}\))\.(?:delete_all|destroy_all)\b(?!\([^()\n]{0,200}\bwhere\b)|::(?:truncate\(|query\(\)->delete\()|\b(?:drop_all|drop_database|dropDatabase|dropCollection|flushall|flushdb|flushAll|flushDb)\s*\(|\.delete_?many\(\s*\{\s*\}\s*\)|\.deleteMany\(\s*(?:\{\s*\})?\s*\)|\.sync\(\s*\{\s*force:\s*true/i
const CLOUD =
  /\b(?:boto3|aws-sdk|google\.cloud|azure\.|kubernetes|@google-cloud|googleapiclient|digitalocean)/
const DELETES_IN_CLOUD =
  /\.(?:delete_(?:bucket|objects?|table|db_instance|db_cluster|cluster|stack|function|user|role|volume|snapshot|log_group|vpc|queue|topic|repository|secret|file_system|key|namespace\w*|collection\w*)|terminate_instances|terminate|purge_queue|schedule_key_deletion)\s*\(|new\s+(?:Delete|Terminate|Purge)\w+Command\s*\(|\.delete(?:Bucket|Object|Objects|Table|Stack|Function|Cluster|DBInstance|Queue|Topic|Namespace)\s*\(/

export function storeEffects(code: string): Effect[] {
  const effects: Effect[] = []
  for (const [, text] of code.matchAll(STATEMENTS)) effects.push(...sqlEffects(text!.slice(1, -1)))
  if (EMPTIES.test(code))
    effects.push({ does: 'delete', place: 'database', why: 'deletes every row of a table' })
  if (CLOUD.test(code) && DELETES_IN_CLOUD.test(code))
    effects.push({ does: 'delete', place: 'cloud', why: 'deletes what a cloud holds' })
  return effects
}
