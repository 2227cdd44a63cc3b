/**
 * Tools that are not files and not commands: what they take away for good, by the verb and the thing in their names
 * (`delete_repository`, `drop-collection`, `s3_delete_bucket`). The act is the one that the service's own program gives.
 */

import type { Place } from '../spec/act.ts'
import { onlyLooks, singular, wordsOf } from './name-words.ts'
import type { Effect } from './program.ts'
import { mongoEffects } from './programs/sql.ts'

type Input = Readonly<Record<string, unknown>>

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '))

const GONE = set(
  'delete destroy drop purge wipe truncate terminate uninstall unpublish erase nuke deprovision decommission deletes dropall yank',
)
/** As often "take it off the list" as "delete it": they count where the thing or the service is no other. */
const PERHAPS_GONE = set('remove rm del clear empty reset flush prune')
const FLUSHED = /^flush(?:all|db)$/

/** Whose tools these are, by a word of the server or of the tool. */
const SERVICES: readonly (readonly [Place, ReadonlySet<string>])[] = [
  ['cluster', set('kubernetes k8s kubectl openshift helm argocd rancher eks gke aks flux nomad')],
  [
    'registry',
    set('azuredevops github gitlab gitea bitbucket forgejo codeberg npm pypi rubygems dockerhub huggingface'),
  ],
  [
    'database',
    set(
      'mongo mongodb postgres postgresql pg mysql mariadb sqlite redis valkey clickhouse snowflake bigquery elasticsearch elastic opensearch pinecone qdrant weaviate milvus chroma chromadb neo4j cassandra duckdb mssql sqlserver oracle airtable dynamodb prisma cockroachdb memcached influxdb couchbase couchdb firestore database db sql databricks redshift meilisearch typesense',
    ),
  ],
  [
    'cloud',
    set(
      'aws amazon s3 ec2 rds lambda iam route53 cloudfront cloudformation sqs sns ecs ecr kms elasticache cognito gcp gcloud azure az cloudflare r2 d1 kv vercel netlify heroku digitalocean doctl flyio fly railway render linode hetzner vultr scaleway oci firebase supabase neon planetscale terraform tofu pulumi stripe auth0 okta clerk appwrite upstash confluent datadog cloud minio gcs backblaze notion confluence linear jira gmail outlook gdrive dropbox onedrive sharepoint asana trello clickup hubspot salesforce zendesk intercom shopify pagerduty launchdarkly posthog webflow contentful sanity sendgrid mailchimp keycloak entra rabbitmq kafka nats pulsar m365 office365 exchange proton protonmail imap fastmail wordpress ghost woocommerce magento quickbooks xero monday basecamp godaddy namecheap porkbun tailscale ovh portainer jenkins circleci teamcity grafana elevenlabs openai twilio nextcloud synology',
    ),
  ],
  ['container', set('docker podman')],
]

/** What is gone with everything in it, whoever keeps it. */
const THINGS: readonly (readonly [Place, ReadonlySet<string>])[] = [
  ['registry', set('repository repo release package')],
  ['database', set('database db collection table schema index keyspace dataset')],
  ['cluster', set('cluster namespace pod deployment statefulset daemonset pvc chart')],
  ['cloud', set('bucket vm droplet stack hosting infrastructure tenant customer')],
]
/** Other words for these are too common: `remove_project` of an editor only forgets it. */
const THINGS_IF_DELETED = set(
  'project user account organization org workspace secret instance realm tenant gateway firewall queue topic stream policy device server machine vps zone domain certificate site space board mailbox mailing invoice customer payment pipeline environment dashboard backup snapshot network vpc subnet kustomization job cron application role team queue broker store',
)

/** What a service keeps beside what it is for: nothing is lost with it. */
const SMALL = set(
  'comment message label link reaction review notification draft star subscription subscriber assignee reviewer milestone filter view session cache kv tag task event invitation webhook hook log alert annotation container image document record row item entry key point entity observation relation block',
)
/** Notes of the agent itself; documents whose tables and collections are none of a database. */
const NO_SERVICE = set(
  'memory memories todo todos note notes thought thoughts plan scratchpad excel word docx xlsx docs sheets slides powerpoint pptx pdf markdown spreadsheet document obsidian',
)
/** They say how, or what kind of thing it is stays open. */
const NO_THING = set(
  'id all item one many version permanently force recursive batch bulk multiple resource object by tool data',
)
const ENDS = set('from in by for with to of on at')

export function serviceEffects(server: string, tool: string, input: Input): Effect[] {
  const named = wordsOf(tool)
  const words = onlyLooks(named) || named.some(isTaking) ? named : [...named, ...operationOf(input)]
  const all = [...wordsOf(server), ...words]
  const service = serviceOf(all)
  if (namesNoService(all)) return []
  if (onlyLooks(words)) return secretEffects(all, words)
  if (words.some((word) => FLUSHED.test(word)) || (words.includes('flush') && service === 'database'))
    return [gone('database', 'deletes every key')]
  if (words.includes('migrate') && words.includes('reset')) return [gone('database', 'resets the database')]
  if (service === 'database' && emptiesStore(input)) return [gone('database', 'deletes all of it')]
  const at = words.findIndex(isTaking)
  const branch = branchOf(input)
  if (words.includes('ref') && input.force === true && branch !== undefined)
    return [{ does: 'rewrite_history', why: 'replaces what the remote has' }]
  if (service === 'registry' && branch !== undefined && isOnFiles(words))
    return [{ argv: ['git', 'push', 'origin', `HEAD:${branch}`].map((text) => ({ text })) }]
  if (words.includes('update') && words.includes('many') && service === 'database')
    return isEmpty(input.filter ?? input.query ?? input.where)
      ? [{ does: 'write', place: 'database', why: 'changes every document' }]
      : []
  if (at < 0) return secretEffects(all, words)
  const isSure = GONE.has(words[at]!)
  const thing = thingOf(words, at, input)
  const why = `${words[at]}s ${thing ?? 'what the service holds'}`
  if (thing === 'branch' && service === 'registry')
    return [{ argv: ['git', 'push', 'origin', '--delete', branch ?? 'main'].map((text) => ({ text })) }]
  if (thing === 'tag' && service === 'registry' && isSure)
    return [{ argv: ['git', 'push', 'origin', '--delete', 'tag'].map((text) => ({ text })) }]
  if (/^(?:clear|empty|reset|flush)$/.test(words[at]!))
    return /^(?:database|db|pg|postgres|bucket|table|collection)$/.test(thing ?? '')
      ? [gone(thing === 'bucket' ? 'cloud' : 'database', why)]
      : []
  if (isSure && words.includes('all') && service === 'database' && thing !== undefined && SMALL.has(thing))
    return [gone('database', why)]
  if (isSure && all.includes('dns')) return [gone('cloud', why)]
  if (isSure && words.includes('many') && service === 'database')
    return isEmpty(input.filter ?? input.query ?? input.where)
      ? [gone('database', 'deletes every document')]
      : []
  if (words.join(' ').endsWith('delete by query'))
    return isEmpty(input.query) || /match_all/.test(JSON.stringify(input.query))
      ? [gone('database', 'deletes every document')]
      : []
  if (
    service === 'registry' &&
    isSure &&
    (isRequest(input) || /^(?:group|environment|team|issue)$/.test(thing ?? ''))
  )
    return [gone('registry', why)]
  if (service === 'database' && isSure && isRequest(input))
    return /\/_doc\//.test(JSON.stringify(input)) ? [] : [gone('database', why)]
  if (thing !== undefined && service !== 'cluster') {
    const place = placeOf(THINGS, [thing])
    if (place === 'registry' && !isSure && service === undefined) return []
    if (place) return [gone(place, why)]
    if ((isSure || service !== undefined) && THINGS_IF_DELETED.has(thing))
      return [gone(service ?? 'cloud', why)]
    if (thing === 'volume' && service === 'container') return [gone('container', why)]
  }
  if (service === 'cluster') return [gone('cluster', why)]
  if (service === 'database' && (words[at] === 'drop' || (isSure && thing === 'base')))
    return [gone('database', why)]
  if (service === 'cloud' && isSure && !(thing !== undefined && SMALL.has(thing))) return [gone('cloud', why)]
  return []
}

/** A commit made by the forge itself: `push_files`, `create_or_update_file`, `delete_file`. */
function isOnFiles(words: readonly string[]): boolean {
  return /(?:push|create|update|edit|delete|commit)\b.*\b(?:files?|commit)$/.test(words.slice(-12).join(' '))
}

/** `{ command: { dropDatabase: 1 } }`, `MATCH (n) DETACH DELETE n`. */
function emptiesStore(input: Input): boolean {
  return Object.values(input).some((value) =>
    typeof value === 'string'
      ? mongoEffects(value).length > 0 ||
        (/\bmatch\b/i.test(value) && /\bdelete\b/i.test(value) && !/\bwhere\b|[{}]/i.test(value))
      : typeof value === 'object' &&
        value !== null &&
        Object.keys(value).some((key) => /^drop(?:Database|Indexes|AllUsersFromDatabase)?$/.test(key)),
  )
}

/** The values of secrets, as `aws secretsmanager get-secret-value` shows them. */
function secretEffects(all: readonly string[], words: readonly string[]): Effect[] {
  const said = words.join(' ')
  if (
    CONNECTIONS.test(said) ||
    (all.some((word) => HOSTS.has(word)) &&
      /\b(?:variables?|env|envs|vars)\b/.test(said) &&
      !/\bnames\b/.test(said))
  )
    return [{ does: 'reveal_secret', place: 'environment', why: 'shows settings with secrets in them' }]
  const shows = /^(?:get|read|fetch|show|view|reveal|retrieve|access|decrypt|export)$/
  if (
    words.some((word) => shows.test(word)) &&
    all.some((word) => KEEPERS.has(word)) &&
    /\b(?:item|login|note|totp|secret)$/.test(said)
  )
    return [{ does: 'reveal_secret', place: 'secret', why: 'shows a stored secret' }]
  if (
    !words.some((word) => shows.test(word)) ||
    !/ (?:secrets?|passwords?|credentials?|kv)(?: value| version| get| read| show)*$/.test(
      ` ${words.join(' ')}`,
    )
  )
    return []
  return all.some((word) => SECRET_STORES.has(word) || KEEPERS.has(word))
    ? [{ does: 'reveal_secret', place: 'secret', why: 'shows the value of a secret' }]
    : []
}

/** Of people. */
const KEEPERS = set('bitwarden 1password onepassword lastpass dashlane keepass keepassxc protonpass keychain')
/** Where applications run: what they keep of the environment is secrets. */
const HOSTS = set('heroku vercel netlify railway render fly flyio digitalocean koyeb dokku coolify')
const CONNECTIONS =
  /\b(?:connection (?:string|uri|url)|(?:pg|db|database) (?:credentials|password|uri|url)|service role key)\b/

const SECRET_STORES = set(
  'vault aws secretsmanager gcp gcloud azure keyvault 1password onepassword op bitwarden doppler infisical hashicorp secrets kubernetes k8s',
)

function isTaking(word: string): boolean {
  return GONE.has(word) || PERHAPS_GONE.has(word)
}

export function namesNoService(words: readonly string[]): boolean {
  return words.some((word) => NO_SERVICE.has(word))
}

/** One tool for all operations says in a field which one: `{ operation_name: 'delete_bucket' }`. */
export function operationOf(input: Input): string[] {
  const fields = ['operation_name', 'operationName', 'operation', 'action', 'method', 'api_name', 'api']
  const said = fields.map((field) => input[field]).find((value) => typeof value === 'string')
  return typeof said === 'string' && said.length < 100 && /^[\w.:-]+$/.test(said) ? wordsOf(said) : []
}

/** A request to the service itself. */
function isRequest(input: Input): boolean {
  return (
    typeof input.method === 'string' &&
    Object.keys(input).some(
      (field) => /(?:path|endpoint|route)$/i.test(field) && typeof input[field] === 'string',
    )
  )
}

function gone(place: Place, why: string): Effect {
  return { does: 'delete', place, why }
}

export function serviceOf(words: readonly string[]): Place | undefined {
  return placeOf(SERVICES, words)
}

function placeOf(
  table: readonly (readonly [Place, ReadonlySet<string>])[],
  words: readonly string[],
): Place | undefined {
  return table.find(([, known]) => words.some((word) => known.has(word) || known.has(singular(word))))?.[0]
}

/** The last word of what the verb is done to: of `delete_project_label` the label; or a field that says the kind. */
function thingOf(words: readonly string[], at: number, input: Input): string | undefined {
  const after = words.slice(at + 1)
  const end = after.findIndex((word) => ENDS.has(word))
  for (const phrase of [end < 0 ? after : after.slice(0, end), words.slice(0, at)]) {
    const thing = phrase.map(singular).findLast((word) => !NO_THING.has(word))
    if (thing !== undefined) return thing
  }
  for (const field of ['kind', 'resourceType', 'resource_type', 'resource', 'type', 'object_type', 'entity'])
    if (typeof input[field] === 'string') return singular(input[field].toLowerCase())
  return undefined
}

function branchOf(input: Input): string | undefined {
  for (const field of ['branch', 'branch_name', 'branchName', 'ref', 'name'])
    if (typeof input[field] === 'string') return input[field].replace(/^(?:refs\/)?heads\//, '')
  return undefined
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (typeof value === 'string') return /^\s*(?:\{\s*\})?\s*$/.test(value)
  return typeof value === 'object' && Object.keys(value).length === 0
}
