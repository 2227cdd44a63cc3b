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
  // The chain (see chain.ts), what broke it, and hourly sums.
  `ALTER TABLE events ADD COLUMN counts TEXT NOT NULL DEFAULT '';
   ALTER TABLE events ADD COLUMN prev TEXT NOT NULL DEFAULT '';
   ALTER TABLE events ADD COLUMN chain TEXT NOT NULL DEFAULT '';
   CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
   INSERT INTO meta (name, value) VALUES ('epoch', lower(hex(randomblob(12))));
   CREATE TABLE breaks (
     segment TEXT NOT NULL,
     place INTEGER NOT NULL,
     at_ms INTEGER NOT NULL,
     what TEXT NOT NULL,
     message TEXT NOT NULL,
     PRIMARY KEY (segment, place)
   ) WITHOUT ROWID;
   CREATE TABLE segments_done (segment TEXT PRIMARY KEY, at_ms INTEGER NOT NULL) WITHOUT ROWID;
   CREATE TABLE event_hours (
     hour INTEGER NOT NULL,
     agent TEXT NOT NULL,
     tool TEXT NOT NULL,
     decision TEXT NOT NULL,
     project TEXT NOT NULL,
     event TEXT NOT NULL,
     events INTEGER NOT NULL,
     PRIMARY KEY (hour, agent, tool, decision, project, event)
   ) WITHOUT ROWID;
   CREATE TABLE hook_hours (
     hour INTEGER NOT NULL,
     hook TEXT NOT NULL,
     runs INTEGER NOT NULL,
     denies INTEGER NOT NULL,
     asks INTEGER NOT NULL,
     rewrites INTEGER NOT NULL,
     failures INTEGER NOT NULL,
     times TEXT NOT NULL,
     PRIMARY KEY (hour, hook)
   ) WITHOUT ROWID;`,
]
