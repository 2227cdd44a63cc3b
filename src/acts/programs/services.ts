/** Command lines of services and their machinery: migrations, backups, CI, monitoring, flags, DNS, virtual machines. */

import type { Call, Done, Effect, Programs } from '../program.ts'
import { sqlEffects } from './sql.ts'

const dropped: Done = { does: 'delete', place: 'database', why: 'drops or empties a database' }
const backups: Done = { does: 'delete', place: 'cloud', why: 'deletes backups' }
const removed = (why: string): Done => ({ does: 'delete', place: 'cloud', why })

/** One of the first words is a verb that takes something away, before one that only shows. */
function verb({ operands, args }: Call): readonly Effect[] {
  if (args.some(({ text }) => /^--?(?:dry-?run|help|h)$/.test(text))) return []
  const words = operands.slice(0, 5).map(({ text }) => text)
  const at = words.findIndex((word) => TAKES.test(word) || SHOWS.test(word))
  return at === -1 || SHOWS.test(words[at]!)
    ? []
    : [{ does: 'delete', place: 'cloud', why: words.slice(0, at + 1).join(' ') }]
}

const TAKES =
  /^(?:[\w:-]*[:-])?(?:delete|destroy|remove|purge|wipe|terminate|revoke|rm|del|archive)(?:-\w+)?$/i
const SHOWS = /^(?:list|ls|get|show|describe|view|status|info|help|create|add|update|logs?|search)$/i

export const SERVICES = (): Programs => ({
  knex: {
    acts: ({ operands, given }) =>
      operands[0]?.text === 'migrate:rollback' && given('--all') ? [dropped as Effect] : [],
  },
  'typeorm typeorm-ts-node-commonjs typeorm-ts-node-esm mikro-orm': {
    commands: { 'schema:drop schema:fresh migration:fresh database:drop': { does: dropped } },
  },
  flyway: {
    acts: ({ operands }) => (operands.some(({ text }) => text === 'clean') ? [dropped as Effect] : []),
  },
  liquibase: {
    commands: { 'dropAll drop-all': { does: dropped }, 'status update diff validate history': {} },
  },
  atlas: {
    commands: {
      schema: { commands: { clean: { inert: '--dry-run', does: dropped }, 'inspect diff apply': {} } },
    },
  },
  'symfony console': {
    inert: '--dump-sql',
    acts: ({ operands }) =>
      operands.some(({ text }) => /^doctrine:(?:database|schema):drop$/.test(text))
        ? [dropped as Effect]
        : [],
  },
  diesel: { commands: { database: { commands: { reset: { does: dropped }, setup: {} } } } },
  sqlx: {
    commands: { 'database db': { commands: { 'drop reset': { does: dropped }, 'create setup': {} } } },
  },
  migrate: {
    options: { value: '-path -database -source -verbose' },
    single: true,
    commands: { drop: { does: dropped }, 'up version goto create': {} },
  },
  dbmate: {
    options: { value: '-u --url -e --env -d' },
    commands: { drop: { does: dropped }, 'up new status migrate': {} },
  },
  'pg_resetwal pg_dropcluster': { inert: '-n --dry-run', does: dropped },
  'cypher-shell neo4j-shell': {
    options: { value: '-u -p -a -d --format' },
    acts: ({ operands, input }) =>
      /\bdelete\b|\bdrop\b/i.test(`${operands.map(({ text }) => text).join(' ')} ${input?.text ?? ''}`)
        ? [dropped as Effect]
        : [],
  },
  'duplicity duply': {
    inert: '--dry-run',
    acts: ({ operands, given }) =>
      /^remove-|^purge/.test(operands[0]?.text ?? '') && given('--force') ? [backups as Effect] : [],
  },
  'wal-g wal-e': { commands: { delete: { does: backups } } },
  pgbackrest: {
    acts: ({ operands }) =>
      operands.some(({ text }) => /^(?:stanza-delete|expire)$/.test(text)) ? [backups as Effect] : [],
  },
  barman: { commands: { delete: { does: backups } } },
  kopia: { commands: { snapshot: { commands: { 'delete expire': { does: backups }, 'create list': {} } } } },
  tmutil: { commands: { 'delete deletelocalsnapshots deleteinprogress disable': { does: backups } } },
  'jenkins-cli stripe circleci launchdarkly ldcli sentry-cli newrelic fastly dog twilio pscale neonctl turso upstash planetscale confluent ccloud algolia pinecone auth0 okta ghost buildkite-agent bk travis drone tkn buf akamai flarectl dnscontrol qovery platform temporal tctl':
    { acts: verb },
  java: {
    options: { value: '-cp -classpath --class-path' },
    single: true,
    stops: true,
    // java -jar jenkins-cli.jar -s URL delete-job x
    acts: ({ args }) => {
      const at = args.findIndex(({ text }) => text === '-jar')
      const jar = /([\w-]+)\.jar$/.exec(args[at + 1]?.text ?? '')?.[1]
      if (at === -1 || jar === undefined)
        return args
          .filter(({ text }) => /\.java$/.test(text))
          .map((file) => ({ file, language: 'other', ifWritten: true }))
      const rest = args
        .slice(at + 2)
        .filter(
          ({ text }, index, all) => !/^-/.test(text) && !/^-(?:s|auth|i)$/.test(all[index - 1]?.text ?? ''),
        )
      return jar === 'jenkins-cli' ? [{ argv: [{ text: jar }, ...rest] }] : []
    },
  },
  ldapdelete: { inert: '-n', does: removed('deletes entries of the directory') },
  nsupdate: {
    acts: ({ input }) =>
      /^\s*(?:update\s+)?del(?:ete)?\b/m.test(input?.text ?? '')
        ? [removed('deletes DNS records') as Effect]
        : [],
  },
  'samba-tool ipa': { acts: verb },
  'qm pct': {
    commands: { destroy: { does: removed('deletes a virtual machine') }, 'list status config start': {} },
  },
  'VBoxManage vboxmanage': {
    commands: { unregistervm: { with: { '--delete': { does: removed('deletes a virtual machine') } } } },
  },
  'ceph rbd rados': {
    acts: ({ operands }) =>
      operands.some(({ text }) => /^(?:delete|rm|purge|rmpool|remove)$/.test(text))
        ? [{ does: 'delete', place: 'device', why: 'deletes a pool or an image' }]
        : [],
  },
  gluster: {
    acts: ({ operands }) =>
      operands[0]?.text === 'volume' && operands.some(({ text }) => text === 'delete')
        ? [{ does: 'delete', place: 'device', why: 'deletes a volume' }]
        : [],
  },
})

/** A request that deletes an index, a collection, or something that a service keeps. */
export function removedByRequest(method: string, url: string, body = ''): Effect[] {
  if (/\/_delete_by_query\b/.test(url) || (/\/purge_cache\b/.test(url) && /purge_everything/.test(body)))
    return [{ does: 'delete', place: 'database', why: 'deletes everything that fits' }]
  if (!/^delete$/i.test(method)) return []
  if (STORES.test(url))
    return [{ does: 'delete', place: 'database', why: 'deletes an index or a collection' }]
  return /^(?:https?:\/\/)?(?:api\.|gitlab\.com\/api|management\.|[\w.-]*\.(?:amazonaws|googleapis|azure|windows)\.(?:com|net))/i.test(
    url,
  )
    ? [{ does: 'delete', place: 'cloud', why: 'deletes it at the service' }]
    : []
}

const STORES =
  /:(?:9200|9201|6333|8983|5984|7700|8108|8500|19530)\b|\/_(?:all|search)|elastic|opensearch|algolia|meili|qdrant|typesense|weaviate|\/indexes\/|\/collections\//i

/** `wrangler d1 execute db --command "DROP …"`. */
export function commandOption({ args }: Call): Effect[] {
  return args.flatMap(({ text }, at) => {
    const value = text === '--command' ? args[at + 1]?.text : /^--command=([\s\S]*)$/.exec(text)?.[1]
    return value === undefined ? [] : sqlEffects(value)
  })
}
