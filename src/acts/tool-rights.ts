/**
 * Tools that take nothing away, but that a person wants to be asked about: money that moves, doors that are opened, rights
 * that are given, what protects a branch.
 */

import type { Place } from '../spec/act.ts'
import { onlyLooks, singular, wordsOf } from './name-words.ts'
import type { Effect } from './program.ts'
import { namesNoService, operationOf, serviceOf } from './tool-services.ts'

type Input = Readonly<Record<string, unknown>>

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '))

interface Row {
  verbs: ReadonlySet<string>
  /** Without them the verb says enough. */
  things?: ReadonlySet<string>
  /** Only tools of these. */
  of?: ReadonlySet<string>
  services?: readonly Place[]
  act: Effect
}

const pays: Effect = { does: 'write', place: 'cloud', why: 'moves money' }
const gives: Effect = { does: 'escalate', place: 'cloud', why: 'gives it to somebody else' }
const bares: Effect = { does: 'escalate', place: 'cloud', why: 'removes a protection' }
const opens: Effect = { does: 'escalate', place: 'cloud', why: 'opens it to everybody' }
const admits: Effect = { does: 'escalate', place: 'cloud', why: 'gives every right' }

const BROKERS = set(
  'alpaca binance kraken coinbase robinhood zerodha kite saxo ibkr bybit okx ccxt metatrader mt5 broker trading',
)
const PAYMENTS = set(
  'mercadopago xero quickbooks shopify woocommerce stripe paypal square adyen plaid razorpay wise mercury ramp brex coinbase binance kraken alpaca robinhood zerodha kite broker solana ethereum evm web3 wallet bank bitcoin lightning',
)

const ROWS: readonly Row[] = [
  { verbs: set('refund payout'), act: pays },
  { verbs: set('pay charge capture transfer withdraw swap buy sell'), of: PAYMENTS, act: pays },
  {
    verbs: set('create issue make process send initiate'),
    things: set('refund payout transfer charge'),
    of: PAYMENTS,
    act: pays,
  },
  {
    verbs: set('create make send initiate execute'),
    things: set('payment settlement'),
    of: PAYMENTS,
    act: pays,
  },
  { verbs: set('place create submit execute'), things: set('order trade'), of: BROKERS, act: pays },
  { verbs: set('close'), things: set('position'), of: BROKERS, act: pays },
  { verbs: set('finalize send pay void'), things: set('invoice'), act: pays },
  { verbs: set('cancel'), things: set('subscription'), of: PAYMENTS, act: pays },
  { verbs: set('pay'), things: set('order bill'), act: pays },
  {
    verbs: set('transfer send withdraw'),
    things: set('money fund token coin sol eth btc usdc erc20 transaction'),
    act: pays,
  },
  { verbs: set('place submit execute'), things: set('order trade swap'), of: PAYMENTS, act: pays },
  {
    verbs: set('transfer'),
    things: set('repository repo app project domain ownership site organization'),
    act: gives,
  },
  { verbs: set('unprotect'), act: bares },
  {
    verbs: set('delete remove disable'),
    things: set('protection ruleset firewall'),
    act: bares,
  },
  {
    verbs: set('deactivate suspend disable'),
    things: set('user account'),
    act: { does: 'write', place: 'cloud', why: 'locks an account' },
  },
  {
    verbs: set('empty'),
    things: set('trash bin'),
    act: { does: 'delete', place: 'cloud', why: 'empties the trash' },
  },
  {
    verbs: set('reset'),
    things: set('branch database db'),
    services: ['database', 'cloud'],
    act: { does: 'delete', place: 'database', why: 'resets the database' },
  },
  {
    verbs: set('drain cleanup evict'),
    services: ['cluster'],
    act: { does: 'delete', place: 'cluster', why: 'takes it out of the cluster' },
  },
  {
    verbs: set('kill terminate'),
    services: ['database'],
    of: set('pg postgres postgresql mysql database db'),
    act: { does: 'kill', place: 'database', why: 'ends what the database does' },
  },
  {
    verbs: set('install'),
    things: set('mcp plugin extension addon'),
    act: { does: 'install', place: 'remote', why: 'gives an agent or a program more that runs' },
  },
  { verbs: set('unlock disarm'), things: set('door lock alarm gate garage'), act: opens },
]

export function rightsEffects(server: string, tool: string, input: Input): Effect[] {
  const words = [...wordsOf(tool.slice(0, MAX_NAME_CHARS)), ...operationOf(input), ...homeService(input)]
  const all = [...wordsOf(server.slice(0, MAX_NAME_CHARS)), ...words]
  if (onlyLooks(words) || namesNoService(all)) return []
  const things = words.map(singular)
  const service = serviceOf(all)
  const isTalk = things.some((word) => TALK.has(word))
  const acts = ROWS.filter(
    ({ verbs, things: about, of, services }) =>
      words.some((word) => verbs.has(word)) &&
      !(isTalk && PAYS.has(words.find((word) => verbs.has(word)) ?? '')) &&
      (about === undefined || things.some((word) => about.has(word))) &&
      (of === undefined || all.some((word) => of.has(word))) &&
      (services === undefined || (service !== undefined && services.includes(service))),
  ).map(({ act }) => act)
  return [...acts.slice(0, 1), ...byValues(things, input)]
}

/** `create_payment_link`, `create_payment_method`: nothing moves yet. */
const TALK = set('link method intent message draft template')
const PAYS = set('create make send initiate')

/** Home Assistant: `{ domain: "lock", service: "unlock" }`. */
function homeService({ domain, service, entity_id, command }: Input): string[] {
  if (typeof entity_id === 'string' && typeof command === 'string' && entity_id.length + command.length < 100)
    return wordsOf(`${entity_id.split('.')[0]} ${command}`)
  return typeof domain === 'string' && typeof service === 'string' && domain.length + service.length < 100
    ? wordsOf(`${domain} ${service}`)
    : []
}

const CHANGES = set(
  'share update set change edit make modify put add grant enable manage attach assign invite bind',
)
/** What can be opened after it was made. */
const OPENED = set(
  'permission sharing share acl policy visibility access link repository repo project bucket file document drive dashboard function',
)
const RIGHTS = set(
  'permission sharing share acl policy access link role binding grant member collaborator team user admin',
)
const WHO =
  /^(?:(?:requested_?)?visibility|access|acl|type|share_?with|who|grantee|principal|member|scope|general_?access|link_?(?:sharing|access))$/i
const EVERYBODY =
  /^(?:public(?:-read(?:-write)?)?|anyone(?:_?with_?(?:the_?)?link)?|open|anonymous|everyone|all_?users|world|\*)$/i
const LINK = /^link_?(?:sharing|access)$/i
const ROLE = /role|permission|policy|access_?level/i
const EVERY_RIGHT = /^(?:admin(?:istrator)?|owner|roles\/(?:owner|editor))$|AdministratorAccess/i

/** `{ visibility: "public" }`, `{ role: "owner" }`, `{ is_destroy: true }`, `{ action: { forward: "…" } }`. */
function byValues(things: readonly string[], input: Input): Effect[] {
  const isAbout = (known: ReadonlySet<string>) => things.some((word) => known.has(word))
  const changes = isAbout(CHANGES)
  const isRight = things.includes('create') && isAbout(RIGHTS)
  const effects: Effect[] = []
  for (const [field, value] of fieldsOf(input)) {
    if (value === true && /^(?:is_?)?destroy$/i.test(field))
      effects.push({ does: 'delete', place: 'cloud', why: 'destroys what was made' })
    if (
      /^(?:auto_?)?forward(?:_?to|ing_?(?:email|address))?$/i.test(field) &&
      (typeof value === 'string' || Array.isArray(value))
    )
      if (isAbout(FORWARDS)) effects.push({ ...gives, why: 'forwards mail to somebody else' })
    if (value === true && /^(?:with_?)?(?:refund|purge)$/i.test(field))
      effects.push(/refund/i.test(field) ? pays : { does: 'delete', place: 'cloud', why: 'purges it' })
    if (!changes && !isRight) continue
    if (typeof value === 'string' && ROLE.test(field) && FOR_ALL.test(value.slice(0, MAX_POLICY_CHARS)))
      effects.push(opens)
    const isOpen =
      (typeof value === 'string' && WHO.test(field) && EVERYBODY.test(value)) ||
      (typeof value === 'string' &&
        LINK.test(field) &&
        /^(?:reader|writer|commenter|view|edit)/i.test(value)) ||
      (value === true && /^(?:is_?)?public$/i.test(field)) ||
      (value === false && /^(?:is_?)?private$/i.test(field))
    if (isOpen && (isAbout(OPENED) || isRight)) effects.push(opens)
    if (typeof value === 'string' && ROLE.test(field) && EVERY_RIGHT.test(value) && isAbout(RIGHTS))
      effects.push(admits)
  }
  return effects.slice(0, 3)
}

/** A policy that names nobody. */
const FOR_ALL = /"Principal"\s*:\s*(?:"\*"|\{\s*"AWS"\s*:\s*"\*")/
const MAX_POLICY_CHARS = 20_000
const FORWARDS = set('filter rule forwarding mailbox delegate setting')

const MAX_FIELDS = 100
const MAX_NAME_CHARS = 300

/** Those of the input, and of the objects in it. */
function fieldsOf(input: Input): [string, unknown][] {
  return Object.entries(input)
    .slice(0, MAX_FIELDS)
    .flatMap(([field, value]): [string, unknown][] =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(value).slice(0, MAX_FIELDS)
        : [[field, value]],
    )
}
