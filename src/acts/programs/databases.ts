/** Clients of databases: the statements they are given. */

import type { Call, Effect, Program, Programs } from '../program.ts'
import { isSecretFile } from '../secret-files.ts'
import { mongoEffects, redisEffects, sqlEffects } from './sql.ts'

const dropped = { does: 'delete', place: 'database', why: 'drops a database' } as const

/** SQL by an option, as operands, or on the input. */
function client(statement: string, options: Program['options'], operandsAreSql = false): Program {
  return {
    options: { ...options, value: `${statement} ${options?.value ?? ''}` },
    inert: '-V',
    acts: (call) => {
      const texts = call.values(statement)
      if (operandsAreSql) texts.push(...call.operands.slice(1))
      const effects = [
        // Without quotes the statement goes on in the words that follow.
        ...texts.flatMap(({ text }) => sqlEffects(operandsAreSql ? text : withRest(text, call))),
        ...(call.input?.text === undefined ? [] : sqlEffects(call.input.text)),
        ...opaqueInput(call),
        ...(operandsAreSql ? ofFile(call) : []),
      ]
      return operandsAreSql && losesNothing(call)
        ? effects.filter((effect) => !('place' in effect && effect.place === 'database'))
        : effects
    },
  }
}

/** What is in memory only, or cannot be written, as long as no other file is opened. */
function losesNothing(call: Call): boolean {
  const texts = statementsOf(call)
  return (
    (call.given('-readonly') || call.operands[0]?.text === ':memory:') &&
    otherFiles(texts).length === 0 &&
    !texts.some((text) => /\battach\b/i.test(text))
  )
}

function withRest(text: string, { operands }: Call): string {
  return /^\w+$/.test(text) ? [text, ...operands.map((word) => word.text)].join(' ') : text
}

/** A file of statements is not looked at: what it does is in the file. */
function opaqueInput({ input }: Call): readonly Effect[] {
  return input && input.text === undefined && (input.hosts?.length || input.decoded)
    ? [{ does: 'unknown', why: 'statements that the line does not show' }]
    : []
}

const LOOKS = /^\s*(?:select|explain|pragma\s+\w+\s*;?$|\.(?:schema|tables|indexes|dump|headers|mode)\b)/i

/** A database that is a file: it is written, unless all that it is told is to show something. */
function ofFile(call: Call): readonly Effect[] {
  const [file] = call.operands
  const texts = statementsOf(call)
  const paths = otherFiles(texts)
  const onlyLooks = call.given('-readonly') || (texts.length > 0 && texts.every((text) => LOOKS.test(text)))
  const why = 'writes to it as a database'
  return [
    // What a browser or another program keeps there is shown.
    ...(file && isSecretFile(file.text) ? [{ does: 'read', path: file } as const] : []),
    ...[...(file && !onlyLooks ? [file] : []), ...paths].map((guards) => ({ guards, why })),
  ]
}

function statementsOf({ operands, values, input }: Call): string[] {
  const texts = [...operands.slice(1), ...values('-cmd -c -s')].map(({ text }) => text)
  return input ? [...texts, input.text ?? ''] : texts
}

/** Files that statements open beside the one that the program was given. */
function otherFiles(texts: readonly string[]): { text: string }[] {
  const found = texts.flatMap((text) => [
    ...text.matchAll(
      /\battach\s+(?:database\s+)?['"]([^'"]+)['"]|\b(?:writefile|edit)\(\s*['"]([^'"]+)['"]/gi,
    ),
    ...text.matchAll(
      /^\s*\.(?:open|output|once|backup|save|clone|log|excel)\s+(?:-\S+\s+|main\s+)*['"]?([^\s'"]+)/gim,
    ),
  ])
  return found.map(([, first, second]) => ({ text: (first ?? second)! }))
}

export const DATABASES = (): Programs => ({
  'psql pgcli cockroach yugabyte ysqlsh': client('-c --command -e --execute', {
    read: '-f --file',
    write: '-o --output -L --log-file',
    value: '-d --dbname -h --host -p --port -U --username -v --set --variable -F -P --pset -R -T --url',
    flag: '-a -A -b -E -l -q -s -S -t -w -W -x -X -z -0 -1',
  }),
  'mysql mariadb mycli': client('-e --execute', {
    value:
      '-h --host -P --port -u --user -D --database -S --socket --defaults-file --default-character-set --ssl-ca --protocol -r',
    attached: '-p --password',
    flag: '-N -B -s -v -t -f -A -q',
  }),
  'sqlite3 sqlite litecli duckdb': client(
    '-cmd -c -s',
    { value: '-separator -newline -init', flag: '-header -csv -json -line -readonly -batch' },
    true,
  ),
  'sqlcmd osql bcp': client('-Q -q', { value: '-S -U -P -d -i -o -h -s -W', flag: '-E -C' }),
  'clickhouse-client clickhouse': client('-q --query', {
    value: '-h --host -u --user --password -d --database --port',
    flag: '-m -n',
  }),
  'sqlplus snowsql bq-query trino presto cqlsh usql isql': client('-e --execute -q --query -c', {
    value: '-u -p -d -f -U -P',
  }),
  bq: {
    commands: {
      query: {
        options: { flag: '--use_legacy_sql --nouse_legacy_sql' },
        operands: 'value',
        acts: ({ operands }) => operands.flatMap(({ text }) => sqlEffects(text)),
      },
      rm: { does: dropped },
    },
  },
  'redis-cli valkey-cli keydb-cli iredis': {
    options: {
      value: '-h -p -a -n -u --user --pass --tls --cacert --cert --key -r -i -d ',
      read: '--eval --rdb',
    },
    stops: true,
    acts: ({ operands, input }) => [
      ...redisEffects(operands.map(({ text }) => text)),
      ...(input?.text?.split('\n').flatMap((line) => redisEffects(line.trim().split(/\s+/))) ?? []),
    ],
  },
  'mongo mongosh': {
    options: {
      value: '--eval --host --port -u --username -p --password --authenticationDatabase',
      flag: '--quiet --norc',
    },
    language: 'javascript',
    acts: (call) => [
      ...call
        .values('--eval')
        .flatMap((text): Effect[] => [...mongoEffects(text.text), { code: 'javascript', text }]),
      ...mongoEffects(call.input?.text ?? ''),
    ],
  },
  mongorestore: {
    with: { '--drop': { does: { does: 'delete', place: 'database', why: 'drops collections first' } } },
  },
  dropdb: { options: { value: '-h -p -U --host --port --username' }, does: dropped },
  dropuser: { does: { does: 'delete', place: 'database', why: 'drops a user' } },
  mysqladmin: {
    options: { value: '-h -u -P -S', attached: '-p' },
    acts: ({ operands }) =>
      operands.some(({ text }) => text === 'drop')
        ? [dropped]
        : operands.some(({ text }) => text === 'shutdown')
          ? [{ does: 'kill', place: 'database', why: 'stops the server' }]
          : [],
  },
  pg_restore: {
    with: { '-c --clean': { does: { does: 'delete', place: 'database', why: 'drops objects first' } } },
    options: { read: '', value: '-d -h -p -U -f -j' },
  },
  'pg_dump pg_dumpall mysqldump mongodump': {
    options: { write: '-f --file -o --out -r --result-file', value: '-h -p -U -u -d -t -n' },
  },
  prisma: {
    commands: {
      migrate: {
        commands: {
          reset: { does: { does: 'delete', place: 'database', why: 'resets the database' } },
          'dev deploy status diff resolve': {},
        },
      },
      db: {
        commands: {
          push: {
            with: {
              '--force-reset --accept-data-loss': {
                does: { does: 'delete', place: 'database', why: 'may lose data' },
              },
            },
          },
          execute: { with: { '--stdin': { acts: ({ input }) => sqlEffects(input?.text ?? '') } } },
          'pull seed': {},
        },
      },
      'generate format validate studio init': {},
    },
  },
  'rails rake': {
    commands: {
      'runner r': { language: 'ruby', operands: ['code', 'value*'] },
      'console c': { language: 'ruby', stdin: 'code', operands: 'value' },
    },
    acts: ({ operands, env }) =>
      env.get('RAILS_ENV')?.text !== 'test' &&
      operands.some(({ text }) =>
        /^db:(?:drop|reset|purge|truncate_all|schema:load|migrate:reset)/.test(text),
      )
        ? [dropped]
        : [],
  },
  'sequelize sequelize-cli drizzle-kit': {
    acts: ({ operands }) =>
      operands.some(({ text }) => /^(?:db:drop|schema:drop|db:migrate:undo:all|drop)$/.test(text))
        ? [dropped]
        : [],
  },
  'manage.py django-admin': {
    acts: ({ operands: [verb, ...rest], given }) =>
      (verb?.text === 'flush' && given('--no-input --noinput')) ||
      /^reset_db$/.test(verb?.text ?? '') ||
      (verb?.text === 'migrate' && rest.at(-1)?.text === 'zero' && !given('--plan'))
        ? [dropped]
        : [],
    commands: {
      'shell shell_plus': { options: { code: '-c --command' }, language: 'python', stdin: 'code' },
      dbshell: { acts: ({ input }) => sqlEffects(input?.text ?? '') },
    },
  },
  flask: {
    acts: ({ operands: [group, verb, to] }) =>
      group?.text === 'db' && verb?.text === 'downgrade' && to?.text === 'base' ? [dropped] : [],
  },
  hasura: {
    acts: ({ args }) =>
      args.some(({ text }, at) => text === '--down' && args[at + 1]?.text === 'all') ? [dropped] : [],
  },
  alembic: {
    acts: ({ operands: [verb, to] }) => (verb?.text === 'downgrade' && to?.text === 'base' ? [dropped] : []),
  },
  artisan: {
    commands: { tinker: { options: { code: '--execute' }, language: 'php', stdin: 'code' } },
    acts: ({ operands }) =>
      operands.some(({ text }) => /^(?:migrate:(?:fresh|reset|refresh)|db:wipe)$/.test(text))
        ? [dropped]
        : [],
  },
  'influx etcdctl consul': {
    acts: ({ operands, args, name }) =>
      operands.some(({ text }) => /^(?:delete|del)$/.test(text)) &&
      (name === 'influx' ||
        args.some(({ text }) => /^--(?:prefix|from-key|recurse|recursive)$|^-recurse$/.test(text)))
        ? [{ does: 'delete', place: 'database', why: 'deletes every key below' }]
        : [],
  },
  'kafka-topics kafka-topics.sh': {
    with: { '--delete': { does: { does: 'delete', place: 'database', why: 'deletes a topic' } } },
  },
  'kafka-consumer-groups kafka-consumer-groups.sh': {
    inert: '--dry-run',
    with: {
      '--delete --delete-offsets': {
        does: { does: 'delete', place: 'database', why: 'deletes a consumer group' },
      },
    },
  },
  'kafka-delete-records kafka-delete-records.sh': {
    does: { does: 'delete', place: 'database', why: 'deletes records' },
  },
  rabbitmqctl: {
    acts: ({ operands }) =>
      /^(?:delete_\w+|purge_queue|reset|force_reset|forget_cluster_node)$/.test(operands[0]?.text ?? '')
        ? [{ does: 'delete', place: 'database', why: 'deletes queues or resets the node' }]
        : [],
  },
  rabbitmqadmin: {
    commands: { 'delete purge': { does: { does: 'delete', place: 'database', why: 'deletes a queue' } } },
  },
  nats: {
    commands: {
      'stream consumer kv object': {
        with: {
          '=rm =delete =purge =del': { does: { does: 'delete', place: 'database', why: 'deletes a stream' } },
        },
      },
    },
  },
})
