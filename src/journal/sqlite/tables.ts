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
  // Sums of hooks also by agent, tool and project (`by`), of each hour (span 1), each day (24), and since ever (0); see
  // LEVELS in rollups.ts. Sums of events also by the day.
  `CREATE TABLE hook_sums (
     level TEXT NOT NULL,
     span INTEGER NOT NULL,
     at INTEGER NOT NULL,
     hook TEXT NOT NULL,
     agent TEXT NOT NULL,
     tool TEXT NOT NULL,
     project TEXT NOT NULL,
     runs INTEGER NOT NULL,
     denies INTEGER NOT NULL,
     asks INTEGER NOT NULL,
     overrides INTEGER NOT NULL,
     rewrites INTEGER NOT NULL,
     failures INTEGER NOT NULL,
     cost REAL NOT NULL,
     total_ms REAL NOT NULL,
     times TEXT NOT NULL,
     PRIMARY KEY (level, span, at, hook, agent, tool, project)
   ) WITHOUT ROWID;
   WITH parts (span, at, hook, runs, denies, asks, rewrites, failures, times) AS (
     SELECT 1, hour, hook, runs, denies, asks, rewrites, failures, times FROM hook_hours
     UNION ALL SELECT 24, hour - hour % 24, hook, runs, denies, asks, rewrites, failures, times FROM hook_hours
     UNION ALL SELECT 0, 0, hook, runs, denies, asks, rewrites, failures, times FROM hook_hours
   ), slots (span, at, hook, slot, n) AS (
     SELECT span, at, hook, key, sum(value) FROM parts, json_each(parts.times) GROUP BY 1, 2, 3, 4
   ), levels (level) AS (VALUES ('hook'), ('agent'), ('tool'), ('project'), ('all'))
   INSERT INTO hook_sums
     SELECT level, span, at, hook, '', '', '', sum(runs), sum(denies), sum(asks), 0, sum(rewrites), sum(failures), 0, 0,
       (SELECT json_group_object(slot, n) FROM slots
          WHERE slots.span = parts.span AND slots.at = parts.at AND slots.hook = parts.hook)
     FROM parts, levels WHERE level = 'hook' OR (span > 0 AND (level != 'all' OR span = 24))
     GROUP BY level, span, at, hook;
   DROP TABLE hook_hours;
   CREATE TABLE event_days (
     hour INTEGER NOT NULL,
     agent TEXT NOT NULL,
     tool TEXT NOT NULL,
     decision TEXT NOT NULL,
     project TEXT NOT NULL,
     event TEXT NOT NULL,
     events INTEGER NOT NULL,
     PRIMARY KEY (hour, agent, tool, decision, project, event)
   ) WITHOUT ROWID;
   INSERT INTO event_days
     SELECT hour - hour % 24, agent, tool, decision, project, event, sum(events) FROM event_hours GROUP BY 1, 2, 3, 4, 5, 6;
   CREATE TABLE asked (
     session TEXT NOT NULL,
     tool TEXT NOT NULL,
     detail TEXT NOT NULL,
     at_ms INTEGER NOT NULL,
     agent TEXT NOT NULL,
     project TEXT NOT NULL,
     hooks TEXT NOT NULL,
     PRIMARY KEY (session, tool, detail)
   ) WITHOUT ROWID;`,
]
