/** The table of commands, from which help, completions and suggestions are made. */

import { CrosshookError } from '../spec/errors.ts'
import { didYouMean } from '../spec/nearest.ts'
import type { Arguments } from './options.ts'

export interface Option {
  /** Name of the value; left out for a flag. */
  value?: string
  text: string
  multiple?: boolean
  short?: string
}

export interface Command {
  name: string
  summary: string
  /** Names of its arguments; in brackets when optional, with … when there may be many. */
  words: readonly string[]
  options: Readonly<Record<string, Option>>
  load: () => Promise<{ run(args: Arguments): Promise<number> | number }>
  hidden?: boolean
  /** What follows is another command with its own options. */
  passesOn?: boolean
}

/** After these commands agents are wired for the events that hooks now listen to: see rewire.ts. */
export const CHANGES_HOOKS: ReadonlySet<string> = new Set([
  ...['add', 'disable', 'edit', 'enable', 'enforce', 'import', 'new', 'remove', 'shadow', 'sync', 'trust'],
  ...['untrust', 'update'],
])

/** After these as well, because people run them on a hook that they wrote by hand. Their own exit status counts. */
export const LOOKS_AT_HOOKS: ReadonlySet<string> = new Set(['test', 'validate'])

export const COMMON_OPTIONS: Readonly<Record<string, Option>> = {
  json: { text: 'print JSON for programs' },
  debug: { text: 'show on stderr what each hook does' },
  help: { text: 'show this help', short: 'h' },
}

const SOURCE: Option = { value: 'PATH', text: 'use only the hooks of this file or folder', multiple: true }
const FORMAT: Option = { value: 'ID', text: 'format of the file or folder, where its content does not tell' }

const EVENT_OPTIONS: Readonly<Record<string, Option>> = {
  tool: { value: 'NAME', text: 'the tool, such as Shell or WriteFile' },
  input: { value: 'JSON', text: "the tool's input" },
  field: { value: 'NAME=VALUE', text: 'any other field of the event (JSON or text)', multiple: true },
  session: { value: 'ID', text: 'session id' },
  'work-dir': { value: 'DIR', text: 'the project (default: this folder)' },
  source: SOURCE,
  format: FORMAT,
}

function command(
  name: string,
  words: readonly string[],
  summary: string,
  options: Readonly<Record<string, Option>>,
  load: Command['load'],
  hidden = false,
): Command {
  return { name, words, summary, options, load, hidden }
}

const TABLE: readonly Command[] = [
  command(
    'setup',
    [],
    'find the agents, take starter guards, install, and prove it: the place to begin',
    {
      agent: { value: 'ID', text: 'only this agent', multiple: true },
      guards: { value: 'daily|strict|none', text: 'which starter guards (default: daily)' },
      'dry-run': { text: 'write nothing, show what would be written' },
      undo: { text: 'revert what setup did' },
      yes: { text: 'ask nothing' },
    },
    () => import('./setup.ts'),
  ),
  command(
    'fire',
    ['EVENT'],
    'fire an event and show what the hooks decide',
    {
      ...EVENT_OPTIONS,
      'dry-run': { text: 'run nothing, show the plan' },
      all: { text: 'also list hooks that did not match' },
      via: { value: 'daemon', text: 'send the event to the running daemon' },
    },
    () => import('./fire.ts'),
  ),
  command('hook', ['AGENT', '[EVENT]'], "answer an agent's hook call (payload on stdin)", {}, () =>
    import('./hook.ts').then((m) => ({ run: (a: Arguments) => m.run(['hook', ...a.words], a.env) })),
  ),
  command(
    'list',
    [],
    'show every hook that was found, and whether it may run',
    { source: SOURCE, format: FORMAT },
    () => import('./list.ts'),
  ),
  command(
    'validate',
    ['[PATH]'],
    'check hooks: what is wrong, where, and how to fix it',
    { format: FORMAT },
    () => import('./validate.ts'),
  ),
  command(
    'explain',
    ['EVENT'],
    'say why each hook would or would not run; runs nothing',
    EVENT_OPTIONS,
    () => import('./explain.ts'),
  ),
  command(
    'acts',
    ['[COMMAND…]'],
    'say what a tool call does, and what could not be followed; runs nothing',
    {
      tool: { value: 'NAME', text: 'the tool (default: Shell)' },
      input: { value: 'JSON', text: "the tool's input" },
      'work-dir': { value: 'DIR', text: 'the project (default: this folder)' },
    },
    () => import('./acts.ts'),
  ),
  command(
    'check',
    ['[COMMAND|PATH|PAYLOAD…]'],
    'say what a call does, which hook decides, and what each agent would do about it',
    {
      agent: {
        value: 'ID',
        text: 'as this agent would ask (default: those that crosshook is installed in)',
        multiple: true,
      },
      tool: {
        value: 'NAME',
        text: 'the tool (default: Shell for a command, ReadFile and WriteFile for a path)',
      },
      input: { value: 'JSON', text: "the tool's input" },
      why: { text: 'also every hook that was asked, and what each agent is told' },
      'work-dir': { value: 'DIR', text: 'the project (default: this folder)' },
    },
    () => import('./check.ts'),
  ),
  command(
    'new',
    ['[NAME]'],
    'make a hook to start from',
    {
      trigger: { value: 'EVENT', text: 'when it runs (default: before_tool)' },
      lang: { value: 'sh|py|ts', text: 'language of its script (default: sh)' },
      template: { value: 'NAME', text: 'start from this template' },
      templates: { text: 'show the templates' },
      project: { text: 'for this project (the default)' },
      user: { text: 'for you, in every project' },
    },
    () => import('./new.ts'),
  ),
  command(
    'edit',
    ['NAME'],
    'change fields of a hook and keep every other byte of its HOOK.md',
    {
      set: {
        value: 'FIELD=VALUE',
        text: 'such as matcher.tool=Shell or after=[a,b]; JSON or text',
        multiple: true,
      },
      unset: { value: 'FIELD', text: 'remove this field', multiple: true },
      user: { text: 'your own hook' },
      project: { text: "the project's hook" },
      'dry-run': { text: 'write nothing, show the diff and what it would have changed' },
    },
    () => import('./edit.ts'),
  ),
  command(
    'gallery',
    ['[NAME]'],
    'show the ready hooks, or one of them with its rights and its files',
    { try: { text: 'also say what it would have done on your newest events' } },
    () => import('./show-gallery.ts'),
  ),
  command(
    'add',
    ['SOURCE…'],
    'take hooks from the gallery, an index, a folder, git, npm or the web, pinned in a lock file',
    {
      project: { text: 'for this project, instead of for you everywhere' },
      only: { value: 'NAME', text: 'only this hook of the source', multiple: true },
      rename: { value: 'OLD=NEW', text: 'give this hook another name here', multiple: true },
      downgrade: { text: 'also when a newer version of the pack is here' },
      yes: { text: 'ask nothing' },
    },
    () => import('./add.ts'),
  ),
  command(
    'remove',
    ['NAME'],
    'remove a hook that was added, or all hooks of a pack',
    {
      user: { text: 'your own hook' },
      project: { text: "the project's hook" },
      'forget-key': { text: "also forget the pack's key, so that another may sign it later" },
      yes: { text: 'also when it was changed' },
    },
    () => import('./remove.ts'),
  ),
  command(
    'update',
    ['[NAME]…'],
    'take newer versions of what was added, after showing what changes',
    {
      project: { text: "the project's hooks, instead of yours" },
      check: { text: 'change nothing, fail when something is outdated' },
      cooldown: { value: 'DAYS', text: 'only versions that are older (default: 3)' },
      'more-rights': { text: 'with --yes: also when a hook gets more rights' },
      'no-replay': { text: 'do not compare what it would have decided about your last 30 days' },
      freeze: { text: 'leave these packs as they are from now on' },
      unfreeze: { text: 'update these packs again' },
      undo: { text: 'revert the last update' },
      yes: { text: 'ask nothing' },
    },
    () => import('./update.ts'),
  ),
  command(
    'outdated',
    ['[NAME]…'],
    'show what is newer, yanked, moved or gone of what was added',
    {
      project: { text: "the project's hooks, instead of yours" },
      cooldown: { value: 'DAYS', text: 'only versions that are older (default: 3)' },
    },
    () => import('./outdated.ts'),
  ),
  command(
    'sync',
    [],
    "make the project's hooks what its lock file says, to the byte",
    {
      user: { text: 'your own hooks instead' },
      frozen: { text: 'write nothing, fail on any difference' },
      yes: { text: 'also replace edited hooks' },
    },
    () => import('./sync.ts'),
  ),
  command(
    'search',
    ['WORD…'],
    'look for packs in your indexes and the gallery',
    { offline: { text: 'use the cached indexes only' } },
    () => import('./search.ts'),
  ),
  command(
    'info',
    ['NAME'],
    'show what is known about a pack: versions, keys, rights',
    { offline: { text: 'use the cached indexes only' } },
    () => import('./info.ts'),
  ),
  command(
    'index',
    ['list|add|remove|refresh|build|sign|serve', '[URL]'],
    'indexes of packs: those that you use, and one of your own',
    {
      key: { value: 'KEY', text: 'the key that must have signed it (add)' },
      mirror: { value: 'URL', text: 'URL of a mirror (add, build)', multiple: true },
      'token-env': { value: 'NAME', text: 'variable that holds the token of a private index (add)' },
      'token-file': { value: 'FILE', text: 'file that holds it (add)' },
      ca: { value: 'FILE', text: 'certificate of its authority, PEM (add)' },
      unsigned: { text: 'also without a signature (add, build)' },
      name: { value: 'NAME', text: 'what it is called (build)' },
      description: { value: 'TEXT', text: 'what it holds (build)' },
      yank: {
        value: 'PACK@VERSION=REASON',
        text: 'mark this version as not to be used (build)',
        multiple: true,
      },
      revoke: {
        value: 'KEY=REASON',
        text: 'mark this key as revoked (build)',
        multiple: true,
      },
      with: { value: 'NAME', text: 'key of yours that signs (build, sign)' },
      port: { value: 'PORT', text: 'where to serve it (default: a free one)' },
    },
    () => import('./index-command.ts'),
  ),
  command(
    'publish',
    ['[PATH]'],
    'check a pack, sign it, and make or bring its archive',
    {
      check: { text: 'only check' },
      key: { value: 'NAME', text: 'key of yours that signs (default: default)' },
      unsigned: { text: 'without a signature' },
      statement: { text: 'print the text that is signed, for minisign and ssh-keygen' },
      signature: { value: 'FILE', text: 'signature that such a tool has made of it' },
      signer: { value: 'KEY', text: 'its public key, or the .pub file' },
      to: { value: 'FOLDER', text: 'into a folder that a web server serves' },
      git: { text: 'commit the signature, tag the version and push both' },
      remote: { value: 'NAME', text: 'where to push (default: origin)' },
      npm: { text: 'as a package, with your npm' },
      unconfined: { text: 'also programs that run without a sandbox' },
      unused: { text: 'also with rights that no case needs' },
    },
    () => import('./publish.ts'),
  ),
  command(
    'key',
    ['new|show|trust|revoke', '[KEY]'],
    'keys that packs are signed with: yours, and those of others',
    {
      name: { value: 'NAME', text: 'whose key it is (trust)' },
      pack: { value: 'NAME', text: 'from now on this pack is signed with it and no other (trust)' },
      replaces: {
        value: 'NAME',
        text: 'your key that the new one replaces; it signs the new one (new)',
      },
      reason: { value: 'TEXT', text: 'why it is not to be trusted any more (revoke)' },
      yes: { text: 'ask nothing' },
    },
    () => import('./key.ts'),
  ),
  command('disable', ['NAME'], 'switch a hook off, in config.toml', {}, () =>
    import('./disable.ts').then((m) => ({ run: (args: Arguments) => m.run(args, true) })),
  ),
  command('enable', ['NAME'], 'switch a hook on again', {}, () =>
    import('./disable.ts').then((m) => ({ run: (args: Arguments) => m.run(args, false) })),
  ),
  command('test', ['[NAME]'], 'run the cases written beside each hook', {}, () => import('./test.ts')),
  command(
    'trust',
    ['[NAME]'],
    "look at the project's hooks and let them run",
    {
      everywhere: { text: 'also the same bytes in other clones and worktrees of this repository' },
      yes: { text: 'ask nothing' },
    },
    () => import('./trust.ts'),
  ),
  command('untrust', ['[NAME]'], "withdraw trust from the project's hooks", {}, () => import('./untrust.ts')),
  command(
    'shadow',
    ['NAME'],
    'let a hook run and record what it would have decided, and decide nothing',
    {},
    () => import('./shadow.ts'),
  ),
  command('enforce', ['NAME'], 'let a hook that was in shadow decide again', {}, () => import('./shadow.ts')),
  command(
    'log',
    ['[NUMBER]'],
    'show what ran, how long, what it decided, and why; one event in full by its number',
    {
      follow: { text: 'keep showing new events', short: 'f' },
      limit: { value: 'N', text: 'number of newest events (default: 20)' },
      session: { value: 'ID', text: 'only this session' },
      hook: { value: 'NAME', text: 'only events on which this hook was asked' },
      agent: { value: 'ID', text: 'only calls of this agent' },
      tool: { value: 'NAME', text: 'only calls of this tool' },
      text: { value: 'TEXT', text: 'only records with this text anywhere in them' },
      failed: { text: 'only events on which a hook failed' },
      decision: { value: 'allow|ask|deny', text: 'only this decision' },
      event: { value: 'EVENT', text: 'only this event' },
      since: { value: 'TIME', text: 'not older: 90s, 10m, 1h, 7d, or a date' },
    },
    () => import('./log.ts'),
  ),
  command(
    'stats',
    [],
    'show how often each hook ran, what it decided and how long it took',
    {
      since: { value: 'TIME', text: 'not older: 24h, 7d (default), 4w, or a date' },
      by: { value: 'hook|agent|tool|project|day|hour', text: 'group runs of hooks by this' },
      hook: { value: 'NAME', text: 'only this hook' },
      agent: { value: 'ID', text: 'only this agent' },
      tool: { value: 'NAME', text: 'only this tool' },
      project: { value: 'DIR', text: 'only this project' },
    },
    () => import('./stats.ts'),
  ),
  command(
    'replay',
    [],
    "say what today's hooks would have decided about past calls; runs no tool",
    {
      since: { value: 'TIME', text: 'not older: 24h, 7d, 30d (default), or a date' },
      agent: { value: 'ID', text: 'only calls of this agent', multiple: true },
      hook: {
        value: 'PATH',
        text: 'by the hooks of this file or folder, instead of those of today',
        multiple: true,
      },
      transcripts: {
        value: 'PATH',
        text: "the transcripts of this file or folder, instead of the agents' own and the journal",
        multiple: true,
      },
      against: {
        value: 'REV|FOLDER',
        text: 'compare with the hooks of a folder, or of the project at a commit, instead of with what happened',
      },
      run: { text: 'also run hooks that are programs: confined, in an empty folder, without network' },
      budget: { value: 'SECONDS', text: 'for all programs together, with --run (default: 60)' },
      sarif: { text: 'print SARIF, for viewers and code scanning' },
      html: { text: 'print one HTML file' },
      cases: { text: 'print each kind of change as a line for cases.yaml, without secrets' },
    },
    () => import('./replay.ts'),
  ),
  command(
    'approvals',
    ['[list|show|allow|deny|sign|key]', '[ID]', '[allow|deny]'],
    'answer what agents wait for: a live list in a terminal, or one answer',
    {
      words: { value: 'TEXT', text: 'what the model is told' },
      scope: { value: 'once|session|project', text: 'scope of a yes (default: once)' },
      for: { value: '8h', text: 'how long a yes beyond once is valid (default: 8h)' },
      all: { text: 'also list what was answered or is too late' },
      digest: { value: 'HEX', text: 'with sign: the digest that you were shown' },
      as: { value: 'NAME', text: 'with sign: the name that the settings give to your key' },
      send: { value: 'URL', text: 'with sign: where the machine that asks takes answers' },
    },
    () => import('./approvals.ts'),
  ),
  command(
    'grants',
    ['[list|give|revoke]', '[ID]'],
    'permissions that are still valid, and suggestions for new ones',
    {
      scope: { value: 'once|session|project', text: 'with give: its scope (default: project)' },
      for: { value: '8h', text: 'with give: how long it is valid (default: 8h)' },
    },
    () => import('./grants.ts'),
  ),
  command(
    'suggest',
    [],
    'suggest guards for what ran without one, and conditions for guards that ask in vain; changes nothing',
    {
      since: { value: 'TIME', text: 'not older: 24h, 7d, 30d (default), or a date' },
      agent: { value: 'ID', text: 'only calls of this agent', multiple: true },
      transcripts: {
        value: 'PATH',
        text: "the transcripts of this file or folder, instead of the agents' own",
        multiple: true,
      },
    },
    () => import('./suggest.ts'),
  ),
  command(
    'dead-letter',
    ['[list|show|resolve]', '[ID]'],
    'show hooks that failed after all attempts, and resolve them',
    { reason: { value: 'TEXT', text: 'what was done about it (resolve)' } },
    () => import('./dead-letter.ts'),
  ),
  command(
    'status',
    [],
    'show totals, failures, and whether the daemon runs',
    {},
    () => import('./status.ts'),
  ),
  command(
    'install',
    ['[AGENT]…'],
    "add crosshook to the agents' own settings",
    {
      project: { text: "into this project's settings instead of yours" },
      managed: {
        text: 'as root, for every user of this machine: nobody but root can change or switch it off',
      },
      portable: {
        text: 'files to commit with this repository, for hosted agents: crosshook is found where they run',
      },
      npx: { text: 'with --portable: where it is not found, npx may fetch this version' },
      http: { text: 'as URLs of the daemon where the agent has HTTP hooks, as commands elsewhere' },
      fail: {
        value: 'open',
        text: 'when crosshook cannot run, let calls pass with a notice (default: they are refused)',
      },
      'all-events': { text: 'also for events that no hook listens to yet' },
      'dry-run': { text: 'write nothing, show the diff' },
      yes: { text: 'ask nothing, and agree to what needs your consent' },
    },
    () => import('./install.ts'),
  ),
  command(
    'uninstall',
    ['[AGENT]…'],
    "remove crosshook from the agents' settings",
    {
      project: { text: "from this project's settings instead of yours" },
      managed: { text: 'as root: the installation for every user of this machine' },
      portable: { text: 'what --portable has put into this repository' },
      purge: {
        text: 'also guards that were added and not changed, the journal, trust, caches: everything but what you wrote',
      },
      'dry-run': { text: 'write nothing, show the diff' },
      yes: { text: 'ask nothing' },
    },
    () => import('./uninstall.ts'),
  ),
  {
    ...command(
      'managed',
      ['COMMAND…'],
      'as root: a command with the journal, policy and settings of the managed installation',
      {},
      () => import('./managed.ts'),
    ),
    passesOn: true,
  },
  command(
    'engine',
    [],
    "answer agents' calls from a warm process; the relay's first call starts it",
    { replace: { text: 'replace a running one' } },
    () => import('../host/relay/engine.ts'),
    true,
  ),
  command(
    'resident',
    [],
    'answer every user of this machine; the gate of a managed installation starts it',
    {},
    () => import('../host/relay/resident.ts'),
    true,
  ),
  command(
    'doctor',
    ['[AGENT]'],
    'prove that each agent calls crosshook and gets its answer',
    { managed: { text: 'check the managed installation of this machine instead' } },
    () => import('./doctor.ts'),
  ),
  command(
    'verify',
    [],
    "show hook entries in agents' settings that crosshook did not write",
    {
      accept: { value: 'FINGERPRINT', text: 'you know this entry', multiple: true },
      journal: { text: 'check the journal instead: records removed, altered, reordered or cut' },
    },
    () => import('./verify.ts'),
  ),
  command(
    'import',
    ['AGENT'],
    "run an agent's own hooks in every other agent",
    {
      copy: { text: 'copy them to hook folders of your own instead' },
      project: { text: "with --copy: the project's hooks, into the project" },
      'dry-run': { text: 'write nothing, show what would be written' },
    },
    () => import('./import.ts'),
  ),
  command(
    'export',
    ['AGENT'],
    "print crosshook's hooks as entries of an agent's own settings",
    { project: { text: "the project's hooks instead of yours" } },
    () => import('./export.ts'),
  ),
  command(
    'run-hook',
    ['AGENT', 'EVENT', 'NAME'],
    'answer an agent with one hook (payload on stdin)',
    {},
    () => import('./run-hook.ts'),
    true,
  ),
  command('agents', [], 'show the agents and hook formats that are known', {}, () => import('./agents.ts')),
  command(
    'completions',
    ['bash|zsh|fish'],
    'print completions for a shell',
    {},
    () => import('./completions.ts'),
  ),
  command(
    'daemon',
    ['start|stop|status|forget', '[ID]'],
    'the warm engine and its HTTP and gRPC APIs',
    {
      http: { value: 'HOST:PORT', text: 'where the HTTP API listens (port 0: a free one)' },
      grpc: { value: 'HOST:PORT', text: 'where the gRPC API listens (port 0: a free one)' },
      foreground: { text: 'run in the foreground until told to stop' },
    },
    () => import('./daemon.ts'),
  ),
  command(
    'ui',
    [],
    'open the page: what needs you, what happens, agents, events, hooks',
    {
      'no-open': { text: 'print the address, open no browser' },
      'sign-out': { text: 'end every session of the page instead' },
    },
    () => import('./ui.ts'),
  ),
  command(
    'hub',
    [],
    'serve a fleet: one policy, one journal and approvals for many machines',
    {
      database: { value: 'URL', text: 'postgres://… (default: SQLite in the state folder)' },
      listen: { value: 'HOST:PORT', text: 'where it answers (default: 127.0.0.1:7226; port 0: a free one)' },
      tenant: { value: 'NAME', text: 'made at the first start (default: default)' },
      'tls-cert': { value: 'FILE', text: 'certificate, PEM' },
      'tls-key': { value: 'FILE', text: 'its key, PEM' },
      'sign-in': { value: 'URL', text: 'identity provider (OpenID Connect) at which people sign in' },
      'public-url': { value: 'URL', text: 'where people reach this hub' },
      'allow-plaintext': {
        text: 'listen for other machines without a certificate, behind a proxy that has one',
      },
    },
    () => import('./hub.ts'),
  ),
  command(
    'enroll',
    ['[URL]'],
    'take the policy of this machine from a fleet',
    {
      token: {
        value: 'T',
        text: 'from `crosshook fleet token`, or from an identity provider that the hub trusts',
      },
      name: { value: 'NAME', text: "how the fleet lists it (default: the machine's name)" },
      'new-key': { text: 'with a new key, after the old one was revoked' },
      leave: { text: 'leave the fleet again' },
    },
    () => import('./enroll.ts'),
  ),
  command(
    'edge',
    [],
    "talk to the hub of this machine's fleet; the engine starts it",
    { 'upload-every': { value: 'MS', text: 'time between two uploads of the journal' } },
    () => import('./edge.ts'),
    true,
  ),
  command(
    'fleet',
    [
      '[login|publish|sign|rollout|rollback|status|journal|audit|revoke|token|approvals|channels|people|ui|export]',
      '[WORD]…',
    ],
    'publish policies to a fleet, and see that they are obeyed',
    {
      token: { value: 'T', text: 'of a person (login)' },
      key: { value: 'NAME', text: 'the key to sign with (default: fleet-publisher)' },
      selector: { value: 'CEL', text: 'for which machines, such as labels.team == "web" (publish)' },
      stages: { value: 'LIST', text: 'shadow:60,1%:60,10%:120,100%: each with its minutes (publish)' },
      'max-age': {
        value: 'AGE',
        text: 'when the hub is not reached for so long: 168h:keep or 24h:closed (publish)',
      },
      'full-journal': { text: 'machines also send commands, paths and reasons (publish)' },
      note: { value: 'TEXT', text: 'why (publish)' },
      signer: {
        value: 'KEY',
        text: 'who may sign the next revision, in place of those who may now (publish)',
        multiple: true,
      },
      threshold: { value: 'N', text: 'how many of them must (publish)' },
      'stop-failures': { value: 'SHARE', text: 'stop when hooks fail on more events (default: 5%)' },
      'stop-denies': { value: 'SHARE', text: 'stop when more events are denied' },
      'forecast-denies': {
        value: 'SHARE',
        text: 'stop at twice as many denies; `crosshook replay` forecasts them',
      },
      'stop-after': { value: 'N', text: 'fewest events before the rules apply (default: 20)' },
      advance: { text: 'to the next stage now (rollout)' },
      stop: { text: 'to no further machine (rollout)' },
      resume: { text: 'go on after a stop (rollout)' },
      reason: { value: 'TEXT', text: 'why (rollout, approvals)' },
      label: { value: 'NAME=VALUE', text: 'of machines that use the token (token)', multiple: true },
      uses: { value: 'N', text: 'machines that may use it (token; default: 1)' },
      hours: { value: 'N', text: 'how long it counts (token; default: 24)' },
      name: { value: 'NAME', text: 'what it is for (token)' },
      role: { value: 'viewer|approver|admin', text: 'what a person may do (people)' },
      subject: { value: 'ID', text: 'of the identity provider (people)' },
      scope: { value: 'once|session|project', text: 'scope of an answer (approvals)' },
      person: { value: 'MEMBER=PERSON', text: 'who a member of Slack is (channels)', multiple: true },
      answers: { value: 'TOPIC', text: 'where ntfy takes answers (channels; default: TOPIC-answers)' },
      'no-open': { text: 'print the address, open no browser (ui)' },
      state: { value: 'trouble|silent|revoked', text: 'only such machines (status)' },
      findings: { text: 'gaps and altered records (journal)' },
      edge: { value: 'ID', text: 'only this machine (journal)' },
      agent: { value: 'ID', text: 'only this agent (journal)' },
      hook: { value: 'NAME', text: 'only this hook (journal)' },
      decision: { value: 'allow|ask|deny', text: 'only this decision (journal)' },
      event: { value: 'EVENT', text: 'only this event (journal)' },
      since: { value: 'TIME', text: 'not older: 1h, 7d, or a date (journal, export)' },
      limit: { value: 'N', text: 'number of newest records (journal)' },
      format: { value: 'ndjson|parquet|otlp', text: 'lines, a file, or logs for a collector (export)' },
      out: { value: 'FILE', text: 'where they go; needed for parquet (export)' },
      endpoint: { value: 'URL', text: 'of the collector, such as http://127.0.0.1:4318 (export)' },
      bookmark: {
        value: 'FILE',
        text: 'stores the position, so that the next export continues there (export)',
      },
    },
    () => import('./fleet.ts'),
  ),
  command(
    'demo',
    [],
    "watch a small agent meet the gallery's guards, in a scratch folder",
    {},
    () => import('./demo.ts'),
  ),
  command(
    'help',
    ['[COMMAND|TOPIC]', '[PAGE]'],
    'show the commands, one of them, or a page of the reference',
    {},
    () => import('./help.ts'),
  ),
]

export const COMMANDS: Readonly<Record<string, Command>> = Object.fromEntries(
  TABLE.map((entry) => [entry.name, entry]),
)

export function findCommand(name: string): Command {
  const found = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (found) return found
  const names = TABLE.filter((entry) => !entry.hidden).map((entry) => entry.name)
  throw new CrosshookError('usage', `unknown command "${name}".${didYouMean(name, names)}`)
}
