/**
 * The tables of the hub. Row n takes a database from version n to n + 1; rows are only ever added. The tenant comes first in
 * every key. Every table that has one is under row-level security on PostgreSQL.
 */

import type { Database } from './port.ts'

/** Tables of the first version; later versions list theirs. */
const TENANT_TABLES = [
  'people',
  'keys',
  'enroll_tokens',
  'edges',
  'blobs',
  'revisions',
  'signatures',
  'journal_heads',
  'journal_batches',
  'journal_rows',
  'journal_findings',
  'rollups',
  'proofs',
  'asks',
  'audit',
]

/** Upper bounds of duration buckets, in milliseconds; the last bucket has none. */
export const DURATION_BOUNDS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] as const
export const DURATION_COLUMNS = [...DURATION_BOUNDS, 'more'].map((_, i) => `c${i}`)

export function migrations(kind: Database['kind']): string[] {
  const byDay = kind === 'postgres' ? ' PARTITION BY RANGE (day)' : ''
  return [
    `CREATE TABLE tenants (id TEXT PRIMARY KEY, created_at BIGINT NOT NULL, settings TEXT NOT NULL DEFAULT '{}');
     CREATE TABLE pulse (tenant TEXT PRIMARY KEY, policy BIGINT NOT NULL, asks BIGINT NOT NULL, edges BIGINT NOT NULL);
     CREATE TABLE people (
       tenant TEXT NOT NULL, id TEXT NOT NULL, role TEXT NOT NULL, token_hash TEXT, subject TEXT,
       created_at BIGINT NOT NULL, revoked_at BIGINT, PRIMARY KEY (tenant, id));
     CREATE UNIQUE INDEX people_by_token ON people (tenant, token_hash);
     CREATE TABLE keys (
       tenant TEXT NOT NULL, public TEXT NOT NULL, added_by TEXT NOT NULL, added_at BIGINT NOT NULL,
       PRIMARY KEY (tenant, public));
     CREATE TABLE enroll_tokens (
       tenant TEXT NOT NULL, hash TEXT NOT NULL, name TEXT NOT NULL, labels TEXT NOT NULL, uses_left BIGINT NOT NULL,
       expires_at BIGINT NOT NULL, created_by TEXT NOT NULL, created_at BIGINT NOT NULL, PRIMARY KEY (tenant, hash));
     CREATE TABLE edges (
       tenant TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, public TEXT NOT NULL, labels TEXT NOT NULL,
       enrolled_at BIGINT NOT NULL, enrolled_by TEXT NOT NULL, expires_at BIGINT, revoked_at BIGINT, last_seen BIGINT NOT NULL,
       revision BIGINT NOT NULL DEFAULT 0, stage BIGINT NOT NULL DEFAULT 0, mode TEXT NOT NULL DEFAULT '',
       version TEXT NOT NULL DEFAULT '', problem TEXT, PRIMARY KEY (tenant, id));
     CREATE UNIQUE INDEX edges_by_key ON edges (tenant, public);
     CREATE TABLE blobs (tenant TEXT NOT NULL, digest TEXT NOT NULL, bytes BYTEA NOT NULL, PRIMARY KEY (tenant, digest));
     CREATE TABLE revisions (
       tenant TEXT NOT NULL, revision BIGINT NOT NULL, digest TEXT NOT NULL, manifest TEXT NOT NULL, author TEXT NOT NULL,
       created_at BIGINT NOT NULL, state TEXT NOT NULL, stage BIGINT NOT NULL, stage_since BIGINT NOT NULL, why TEXT,
       PRIMARY KEY (tenant, revision));
     CREATE TABLE signatures (
       tenant TEXT NOT NULL, revision BIGINT NOT NULL, public TEXT NOT NULL, signature TEXT NOT NULL, person TEXT NOT NULL,
       at BIGINT NOT NULL, PRIMARY KEY (tenant, revision, public));
     CREATE TABLE journal_heads (
       tenant TEXT NOT NULL, edge TEXT NOT NULL, epoch TEXT NOT NULL, seq BIGINT NOT NULL, chain TEXT NOT NULL,
       began_at BIGINT NOT NULL, at BIGINT NOT NULL, PRIMARY KEY (tenant, edge, epoch));
     CREATE TABLE journal_batches (
       tenant TEXT NOT NULL, day BIGINT NOT NULL, edge TEXT NOT NULL, epoch TEXT NOT NULL, first_seq BIGINT NOT NULL,
       last_seq BIGINT NOT NULL, chain TEXT NOT NULL, revision BIGINT NOT NULL, received_at BIGINT NOT NULL, bytes BYTEA NOT NULL,
       PRIMARY KEY (tenant, day, edge, epoch, first_seq))${byDay};
     CREATE TABLE journal_rows (
       tenant TEXT NOT NULL, day BIGINT NOT NULL, edge TEXT NOT NULL, epoch TEXT NOT NULL, seq BIGINT NOT NULL, at BIGINT NOT NULL,
       agent TEXT NOT NULL, event TEXT NOT NULL, tool TEXT NOT NULL, decision TEXT NOT NULL, hook TEXT NOT NULL,
       status TEXT NOT NULL, revision BIGINT NOT NULL, body TEXT NOT NULL,
       PRIMARY KEY (tenant, day, edge, epoch, seq))${byDay};
     CREATE INDEX journal_rows_by_time ON journal_rows (tenant, at);
     CREATE INDEX journal_rows_by_hook ON journal_rows (tenant, hook, at);
     CREATE INDEX journal_rows_by_edge ON journal_rows (tenant, edge, at);
     CREATE INDEX journal_rows_by_decision ON journal_rows (tenant, decision, at);
     CREATE TABLE journal_findings (
       tenant TEXT NOT NULL, edge TEXT NOT NULL, epoch TEXT NOT NULL, seq BIGINT NOT NULL, what TEXT NOT NULL,
       message TEXT NOT NULL, at BIGINT NOT NULL, PRIMARY KEY (tenant, edge, epoch, seq, what));
     CREATE TABLE rollups (
       tenant TEXT NOT NULL, hour BIGINT NOT NULL, shard TEXT NOT NULL, revision BIGINT NOT NULL, hook TEXT NOT NULL,
       agent TEXT NOT NULL, decision TEXT NOT NULL, n BIGINT NOT NULL, failures BIGINT NOT NULL,
       ms_sum DOUBLE PRECISION NOT NULL, ms_max DOUBLE PRECISION NOT NULL,
       ${DURATION_COLUMNS.map((name) => `${name} BIGINT NOT NULL`).join(', ')},
       PRIMARY KEY (tenant, hour, shard, revision, hook, agent, decision));
     CREATE TABLE proofs (
       tenant TEXT NOT NULL, edge TEXT NOT NULL, agent TEXT NOT NULL, agent_version TEXT NOT NULL, obeyed BIGINT NOT NULL,
       cannot BIGINT NOT NULL, broken BIGINT NOT NULL, body TEXT NOT NULL, at BIGINT NOT NULL,
       PRIMARY KEY (tenant, edge, agent));
     CREATE TABLE asks (
       tenant TEXT NOT NULL, id TEXT NOT NULL, edge TEXT NOT NULL, body TEXT NOT NULL, input_digest TEXT NOT NULL,
       created_at BIGINT NOT NULL, deadline BIGINT NOT NULL, state TEXT NOT NULL, scope TEXT, reason TEXT, decided_by TEXT,
       decided_at BIGINT, PRIMARY KEY (tenant, id));
     CREATE INDEX asks_by_state ON asks (tenant, state, deadline);
     CREATE TABLE audit (
       tenant TEXT NOT NULL, seq BIGINT NOT NULL, at BIGINT NOT NULL, who TEXT NOT NULL, what TEXT NOT NULL,
       detail TEXT NOT NULL, prev TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (tenant, seq));
     ${kind === 'postgres' ? partitions() + security(TENANT_TABLES) : ''}`,
    // Answers signed with a person's own key.
    'ALTER TABLE asks ADD COLUMN signer TEXT; ALTER TABLE asks ADD COLUMN signature TEXT;',
    // Questions for several people; links that sign in once; alarms of machines; exports in the order of arrival.
    `ALTER TABLE asks ADD COLUMN approvers TEXT NOT NULL DEFAULT '[]';
     ALTER TABLE asks ADD COLUMN approvals BIGINT NOT NULL DEFAULT 1;
     CREATE INDEX asks_by_answer ON asks (tenant, decided_at);
     CREATE TABLE ask_votes (
       tenant TEXT NOT NULL, ask TEXT NOT NULL, person TEXT NOT NULL, scope TEXT NOT NULL, reason TEXT NOT NULL,
       at BIGINT NOT NULL, signer TEXT, signature TEXT, PRIMARY KEY (tenant, ask, person));
     CREATE TABLE links (
       tenant TEXT NOT NULL, hash TEXT NOT NULL, person TEXT NOT NULL, expires_at BIGINT NOT NULL, PRIMARY KEY (tenant, hash));
     ALTER TABLE people ADD COLUMN signed_out_at BIGINT NOT NULL DEFAULT 0;
     ALTER TABLE edges ADD COLUMN alarms TEXT NOT NULL DEFAULT '[]';
     CREATE INDEX journal_batches_by_arrival ON journal_batches (tenant, received_at, edge, first_seq);
     ${kind === 'postgres' ? security(['ask_votes', 'links']) : ''}`,
    // A query that names a partition directly is not bound by its table's policy.
    kind === 'postgres' ? securePartitions() : '',
  ]
}

function securePartitions(): string {
  return `DO $do$ DECLARE name text; BEGIN
     FOR name IN SELECT relname FROM pg_class
       WHERE relispartition AND relkind = 'r' AND NOT relrowsecurity AND relname ~ '^journal_(batches|rows)_'
     LOOP EXECUTE replace($sql$${security(['PARTITION'])}$sql$, 'PARTITION', quote_ident(name)); END LOOP; END $do$;`
}

/** Default partition for days without one. `keepPartitions` creates one per day ahead of time. */
function partitions(): string {
  return ['journal_batches', 'journal_rows']
    .map((table) => `CREATE TABLE ${table}_other PARTITION OF ${table} DEFAULT;`)
    .join('\n')
}

/**
 * Binds owners, too. A superuser is bound by nothing, so the hub then works as the role `crosshook_hub` (see
 * postgres.ts).
 */
export function security(tables: readonly string[]): string {
  return tables
    .map(
      (table) => `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
     ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
     CREATE POLICY tenant ON ${table}
       USING (tenant = current_setting('crosshook.tenant', true))
       WITH CHECK (tenant = current_setting('crosshook.tenant', true));`,
    )
    .join('\n')
}
