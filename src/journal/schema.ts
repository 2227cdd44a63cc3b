/** The tables of the journal. Row n takes a database from version n to n + 1; rows are only ever added. */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE events (
     seq INTEGER PRIMARY KEY,
     id TEXT NOT NULL,
     at_ms INTEGER NOT NULL,
     event TEXT NOT NULL,
     session_id TEXT NOT NULL,
     decision TEXT NOT NULL,
     hooks TEXT NOT NULL,
     bytes INTEGER NOT NULL,
     body TEXT NOT NULL
   );
   CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
   CREATE TABLE cache (
     key TEXT PRIMARY KEY,
     expires_at INTEGER NOT NULL,
     value TEXT NOT NULL
   );`,
  'CREATE TABLE intake (segment TEXT PRIMARY KEY, position INTEGER NOT NULL) WITHOUT ROWID;',
]
