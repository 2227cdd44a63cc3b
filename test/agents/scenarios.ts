/** What every agent is tried on: what its model does, and what must be true afterwards. */

import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { JournalRecord } from '../../src/journal/port.ts'
import type { Agent, Place } from './agents/agent.ts'
import type { Evidence } from './evidence.ts'
import { breakProgram, type Fault, mendProgram, refusalLog } from './program.ts'
import type { Call, Step, Turn } from './stand-in/turn.ts'

export interface Verdict {
  status: 'pass' | 'fail' | 'cannot'
  /** What was seen, or why the agent cannot do it. */
  seen: string
}

export interface Scenario {
  id: string
  title: string
  /** What the model does; nothing when the scenario only looks at what other steps left. */
  steps?(agent: Agent, place: Place): Step[]
  subSteps?(agent: Agent): Step[]
  /** Ends in a deny. */
  blocks?: true
  /** Has a conversation of its own, in which these files are there. */
  apart?: Record<string, string>
  /** Hooks of the gallery that are there beside the fixtures; only in a conversation of its own. */
  gallery?: readonly string[]
  /** Only where the daemon is called over HTTP; `false`: only where commands are called. */
  http?: boolean
  /** Shares its conversation with the others in which crosshook is broken. */
  broken?: true
  /** It does not run when the conversation begins; `impossible`: nor can it be started. */
  daemon?: 'stopped' | 'impossible'
  check(evidence: Evidence): Verdict
}

export const MAIN = 'MAIN-TASK'
export const SUB = 'SUB-TASK'
const MEGABYTE = 1_000_000
/** How every sentence of an entry that cannot ask crosshook begins. */
const REFUSAL = 'crosshook cannot check this'
const SECRET = 'KEY=1\n'

/** The files that every conversation finds in the project. */
export function projectFiles(agent: Agent): Record<string, string> {
  return {
    'README.md': '# A project\n',
    'victim/keep.txt': 'keep me\n',
    'sub-victim/keep.txt': 'keep me\n',
    [secretFile(agent)]: SECRET,
  }
}

function secretFile(agent: Agent): string {
  return agent.secretFile ?? '.env'
}

function shell(id: string, agent: Agent, command: string): Step {
  return { id, turn: { call: agent.tools.shell(command) } }
}

export const SCENARIOS: readonly Scenario[] = [
  {
    id: 'block',
    blocks: true,
    title: 'a blocked shell command does not run',
    steps: (agent) => [shell('block', agent, 'rm -rf victim')],
    check: (evidence) => {
      if (!existsSync(join(evidence.project, 'victim/keep.txt'))) return fail('the folder was deleted')
      return evidence.blockedBy('no-delete') ? pass('the folder is still there') : fail('no hook was asked')
    },
  },
  {
    id: 'told',
    title: 'the model is told why it was blocked',
    check: (evidence) =>
      evidence.agent.cannot?.told
        ? cannotSay(evidence, 'block', 'GUARD-NO-DELETE', evidence.agent.cannot.told)
        : tells(evidence, 'block', 'GUARD-NO-DELETE'),
  },
  {
    id: 'harmless',
    title: 'a harmless shell command runs',
    steps: (agent) => [shell('harmless', agent, 'echo hello > harmless.txt')],
    check: (evidence) => holds(evidence, 'harmless.txt', 'hello'),
  },
  {
    id: 'rewrite',
    title: 'the input of a tool is rewritten',
    steps: (agent) => [shell('rewrite', agent, 'echo original > rewrite.txt')],
    check: (evidence) => {
      if (evidence.can('before_tool', 'updated_input')) return holds(evidence, 'rewrite.txt', 'rewritten')
      if (existsSync(join(evidence.project, 'rewrite.txt')))
        return fail('it can not be rewritten, and was not refused')
      const told = tells(evidence, 'rewrite', 'rewrote the input')
      return told.status === 'pass' ? cannot(`refused instead: ${told.seen}`) : told
    },
  },
  {
    id: 'session-context',
    title: 'context of session_start reaches the model',
    check: (evidence) => context(evidence, 'session_start', 'GUARD-HOUSE-RULES'),
  },
  {
    id: 'prompt-context',
    title: 'context of before_agent reaches the model',
    check: (evidence) => context(evidence, 'before_agent', 'GUARD-PROMPT-NOTE'),
  },
  {
    id: 'context-warning',
    title: 'context of context_warning, derived from the transcript, reaches the model once',
    check: nearlyFull,
  },
  {
    id: 'edit-env',
    blocks: true,
    title: 'the edit tool cannot change .env',
    steps: (agent, { project }) => {
      const path = join(project, secretFile(agent))
      return [
        { id: 'read-env', turn: { call: agent.tools.read(path) } },
        { id: 'edit-env', turn: { call: agent.tools.edit(path, 'KEY=1', 'KEY=2') } },
      ]
    },
    check: (evidence) => envIsKept(evidence, 'edit-env'),
  },
  {
    id: 'write-env',
    blocks: true,
    title: 'the write tool cannot change .env',
    steps: (agent, { project }) => {
      const path = join(project, secretFile(agent))
      return [{ id: 'write-env', turn: { call: agent.tools.write(path, 'KEY=3\n') } }]
    },
    check: (evidence) => envIsKept(evidence, 'write-env'),
  },
  {
    id: 'failing-closed',
    blocks: true,
    title: 'a failing hook with on_failure closed blocks',
    steps: (agent) => [shell('failing-closed', agent, 'echo closed > closed.txt')],
    check: (evidence) => {
      if (existsSync(join(evidence.project, 'closed.txt'))) return fail('the command ran')
      const how = evidence.statusOf('broken-closed')
      if (how !== 'failed') return fail(`the journal says ${how}`)
      return refused(evidence, 'failing-closed', 'broken-closed')
    },
  },
  {
    id: 'failing-open',
    title: 'a failing hook with on_failure open lets pass, and is reported',
    steps: (agent) => [shell('failing-open', agent, 'echo open > open.txt')],
    check: (evidence) => {
      const ran = holds(evidence, 'open.txt', 'open')
      const how = evidence.statusOf('broken-open')
      if (ran.status !== 'pass') return ran
      return how === 'failed' ? pass('ran; the journal says failed') : fail(`the journal says ${how}`)
    },
  },
  {
    id: 'slow-open',
    title: 'a hook past its time limit is ended and lets pass',
    steps: (agent) => [shell('slow-open', agent, 'echo slow > slow.txt')],
    check: (evidence) => {
      const ran = holds(evidence, 'slow.txt', 'slow')
      const how = evidence.statusOf('slow-open')
      if (ran.status !== 'pass') return ran
      return how === 'timed_out' ? pass('ran; the journal says timed_out') : fail(`the journal says ${how}`)
    },
  },
  {
    id: 'slow-closed',
    blocks: true,
    title: 'a hook past its time limit with on_failure closed blocks',
    steps: (agent) => [shell('slow-closed', agent, 'echo late > late.txt')],
    check: (evidence) => {
      if (existsSync(join(evidence.project, 'late.txt'))) return fail('the command ran')
      const how = evidence.statusOf('slow-closed')
      if (how !== 'timed_out') return fail(`the journal says ${how}`)
      return refused(evidence, 'slow-closed', 'slow-closed')
    },
  },
  {
    id: 'subagent',
    blocks: true,
    title: 'a tool call inside a subagent is guarded',
    steps: (agent) =>
      (agent.subagent?.(`${SUB}: delete the folder sub-victim and report.`) ?? []).map((turn, i) => ({
        id: `subagent-${i}`,
        turn,
      })),
    subSteps: (agent) => [
      shell('sub-block', agent, 'rm -rf sub-victim'),
      { id: 'sub-end', turn: agent.subagentEnd?.(REPORT) ?? { text: REPORT } },
    ],
    check: (evidence) => {
      const why = evidence.agent.cannot?.subagent
      if (why !== undefined) return cannot(why)
      if (!existsSync(join(evidence.project, 'sub-victim/keep.txt')))
        return fail('the subagent deleted the folder')
      if (evidence.asked('sub').length === 0) return fail('no subagent ever asked the model')
      return evidence.agent.cannot?.told
        ? pass('the folder is still there')
        : tells(evidence, 'sub-block', 'GUARD-NO-DELETE')
    },
  },
  {
    id: 'large-output',
    title: 'a command with 1 MB of output',
    steps: (agent) => [shell('large-output', agent, `head -c ${MEGABYTE} /dev/zero | tr '\\0' x`)],
    check: (evidence) => {
      const told = evidence.told('large-output')
      if (told === undefined || !told.includes('xxxxxxxx')) return fail('the model never saw the output')
      if (!evidence.can('after_tool', 'additional_context')) return dropped(evidence, 'after_tool')
      return tells(evidence, 'large-output', 'GUARD-READ-OUTPUT')
    },
  },
  {
    id: 'large-input',
    title: 'a tool call with 1 MB of input',
    steps: (agent, { project }) => [
      {
        id: 'large-input',
        turn: { call: agent.tools.write(join(project, 'large.txt'), `${'y'.repeat(MEGABYTE - 1)}\n`) },
      },
    ],
    check: (evidence) => {
      const why = evidence.agent.cannot?.['large-input']
      const path = join(evidence.project, 'large.txt')
      const size = existsSync(path) ? statSync(path).size : 0
      if (why !== undefined && size === 0) return cannot(why)
      return size === MEGABYTE ? pass('the file has 1000000 bytes') : fail(`the file has ${size} bytes`)
    },
  },
  {
    id: 'before-stop',
    title: 'before_stop sends the agent back to work once',
    steps: (agent) => [
      { id: 'stop', turn: { text: 'I am done.' } },
      shell('after-stop', agent, 'echo finished > finished.txt'),
      { id: 'end', turn: { text: 'Now I am done.' } },
    ],
    check: (evidence) => {
      const silent = evidence.agent.silent?.before_stop
      if (silent !== undefined || !evidence.denies('before_stop')) {
        if (existsSync(join(evidence.project, 'finished.txt')))
          return fail('its table says it cannot, and it did')
        return cannot(silent ?? evidence.note('before_stop') ?? 'it has no such event')
      }
      const told = tells(evidence, 'stop', 'GUARD-FINISH-FIRST')
      return told.status === 'pass' ? holds(evidence, 'finished.txt', 'finished') : told
    },
  },
  {
    id: 'daemon-stopped',
    http: true,
    title: 'a daemon that is not there is started with the session',
    daemon: 'stopped',
    apart: { 'finished.txt': '' },
    steps: (agent) => [shell('daemon-stopped', agent, 'rm -rf victim')],
    check: (evidence) => {
      if (!existsSync(join(evidence.project, 'victim/keep.txt'))) return fail('the folder was deleted')
      if (!evidence.journal.some(({ event, source }) => event === 'before_tool' && source === 'daemon'))
        return fail('the daemon was not asked')
      return tells(evidence, 'daemon-stopped', 'GUARD-NO-DELETE')
    },
  },
  {
    id: 'daemon-killed',
    http: true,
    title: 'a call that a killed daemon cannot answer is refused',
    apart: { 'finished.txt': '' },
    steps: (agent, place) => [
      { id: 'daemon-killed', turn: () => killDaemon(place, agent.tools.shell('echo alone > alone.txt')) },
      shell('daemon-back', agent, 'rm -rf victim'),
    ],
    check: (evidence) => {
      if (!existsSync(join(evidence.project, 'victim/keep.txt'))) return fail('the next call was not guarded')
      const why = evidence.agent.cannot?.['daemon-killed']
      if (!existsSync(join(evidence.project, 'alone.txt')))
        return why
          ? fail('its table says it goes on, and it did not')
          : tells(evidence, 'daemon-killed', 'onFailure')
      if (why === undefined) return fail('the command ran')
      const next = tells(evidence, 'daemon-back', 'GUARD-NO-DELETE')
      return next.status === 'pass' ? cannot(why) : next
    },
  },
  {
    id: 'daemon-impossible',
    http: true,
    title: 'where no daemon can be started, no prompt is taken',
    daemon: 'impossible',
    apart: { 'finished.txt': '' },
    steps: (agent) => [shell('daemon-impossible', agent, 'echo unguarded > unguarded.txt')],
    check: (evidence) => {
      if (existsSync(join(evidence.project, 'unguarded.txt'))) return fail('the command ran')
      if (evidence.asked('main').length > 0) return fail('the model was asked')
      const reason = evidence.journal.find(({ event }) => event === 'before_agent')?.reason ?? ''
      return reason.includes('cannot guard this session')
        ? pass(reason.slice(0, 200))
        : fail(`the journal says ${reason}`)
    },
  },
  {
    id: 'confine',
    title: 'a confined command writes only in the project, has no network, and the model is told',
    apart: { 'finished.txt': '' },
    gallery: ['confine-shell'],
    steps: (agent, { url }) => {
      const { hostname, port } = new URL(url)
      return [
        shell('confine-inside', agent, 'echo in > inside.txt'),
        shell('confine-outside', agent, 'echo out > ~/outside.txt'),
        // The stand-in for the model is a server that can be reached: the agent itself talks to it.
        shell(
          'confine-network',
          agent,
          `bash -c 'echo x > /dev/tcp/${hostname}/${port}' && echo > reached.txt`,
        ),
      ]
    },
    check: (evidence) => {
      const outside = join(evidence.home, 'outside.txt')
      if (existsSync(outside)) return fail('it wrote outside of the project')
      if (existsSync(join(evidence.project, 'reached.txt'))) return fail('it reached the network')
      if (!evidence.can('before_tool', 'updated_input')) {
        if (existsSync(join(evidence.project, 'inside.txt')))
          return fail('it cannot be confined, and was not refused')
        if (evidence.agent.cannot?.told) return cannot('refused instead')
        const refusal = tells(evidence, 'confine-inside', 'to run confined')
        return refusal.status === 'pass' ? cannot(`refused instead: ${refusal.seen}`) : refusal
      }
      const inside = holds(evidence, 'inside.txt', 'in')
      if (inside.status !== 'pass') return inside
      const network = tells(evidence, 'confine-network', 'no network')
      return network.status === 'pass'
        ? tells(evidence, 'confine-outside', 'this command ran confined')
        : network
    },
  },
  {
    id: 'engine-killed',
    title: 'with the engine killed and its socket replaced, the guard still blocks',
    http: false,
    broken: true,
    apart: { 'finished.txt': '' },
    steps: (agent, place) => [brokenStep('engine-killed', agent, place, 'rm -rf victim')],
    check: (evidence) => {
      if (!existsSync(join(evidence.project, 'victim/keep.txt'))) return fail('the folder was deleted')
      if (!evidence.blockedBy('no-delete')) return fail('no hook was asked')
      return refused(evidence, 'engine-killed', 'GUARD-NO-DELETE')
    },
  },
  unanswered('node-removed', 'without its Node, a call is refused'),
  unanswered('main-damaged', 'with its program emptied, a call is refused'),
  unanswered('hot-damaged', 'with its program cut in half, a call is refused'),
  {
    id: 'mended',
    title: 'once crosshook is mended, calls are judged again',
    http: false,
    broken: true,
    apart: { 'finished.txt': '' },
    steps: (agent, place) => [
      {
        id: 'mended',
        turn: () => {
          mendProgram(place)
          return { call: agent.tools.shell('echo back > mended.txt') }
        },
      },
    ],
    check: (evidence) => holds(evidence, 'mended.txt', 'back'),
  },
  {
    id: 'untrusted',
    title: 'the model is told that hooks of the project do not run, because nobody has trusted them',
    apart: {
      'finished.txt': '',
      '.agents/hooks/waiting/HOOK.md':
        '---\nname: waiting\ndescription: Not trusted.\ntrigger: before_tool\noutcome: { decision: deny, reason: never }\n---\n',
    },
    steps: (agent) => [shell('untrusted', agent, 'echo on > untrusted.txt')],
    check: (evidence) => {
      const ran = holds(evidence, 'untrusted.txt', 'on')
      if (ran.status !== 'pass') return ran
      const all = [...evidence.asked('main').map(({ told }) => told), evidence.stdout, evidence.stderr].join(
        '\n',
      )
      const found = /crosshook: 1 project hook does not run[^\n"]*/.exec(all)?.[0]
      if (found) return pass(found)
      const takes = (['session_start', 'before_tool'] as const).some(
        (event) => evidence.agent.silent?.[event] === undefined && evidence.can(event, 'additional_context'),
      )
      return takes
        ? fail('nobody was told')
        : cannot('it takes no context on these events, and shows no message when headless')
    },
  },
  {
    id: 'never-done',
    title: 'a hook that never lets it stop is overruled in the end',
    apart: { 'never.txt': '', 'finished.txt': '' },
    check: (evidence) => {
      const silent = evidence.agent.silent?.before_stop
      const count = evidence.asked('main').length
      if (evidence.exit !== 0) return fail(`it went on without end: ${count} requests`)
      const never = silent ?? evidence.agent.cannot?.['never-done']
      if (never !== undefined || !evidence.denies('before_stop'))
        return count === 1 ? cannot(never ?? 'it is never sent back') : fail(`${count} requests`)
      return count > 1 ? pass(`the model was asked ${count} times`) : fail('it was not sent back to work')
    },
  },
]

/** A harmless call that crosshook cannot judge. */
function unanswered(fault: Fault, title: string): Scenario {
  const file = `${fault}.txt`
  return {
    id: fault,
    title,
    http: false,
    broken: true,
    apart: { 'finished.txt': '' },
    steps: (agent, place) => [brokenStep(fault, agent, place, `echo unjudged > ${file}`)],
    check: (evidence) => {
      if (existsSync(join(evidence.project, file))) return fail('the command ran')
      const { cannot, asksBeforeModel } = evidence.agent
      return cannot?.told || asksBeforeModel
        ? endsWithRefusal(evidence, fault)
        : tells(evidence, fault, REFUSAL)
    },
  }
}

function brokenStep(fault: Fault, agent: Agent, place: Place, command: string): Step {
  return {
    id: fault,
    turn: () => {
      breakProgram(place, fault)
      return { call: agent.tools.shell(command) }
    },
  }
}

/** The model is asked nothing more, and the entry's own log says that it refused. */
function endsWithRefusal({ home, agent, told, asked }: Evidence, fault: Fault): Verdict {
  if (!asked('main').some(({ step }) => step === fault)) return fail('the model was never asked')
  if (told(fault) !== undefined) return fail('the model was asked again')
  const first = readFileSync(refusalLog(home), 'utf8').split('\n')[0]!
  return first.includes(` ${agent.id} `) && first.includes(REFUSAL)
    ? cannot(`the run ends there: ${first.slice(0, 200)}`)
    : fail(`its first entry is: ${first}`)
}

/** Between the prompt and the call of a tool. */
function killDaemon({ home }: Place, call: Call): Turn {
  const file = join(home, '.local/state/crosshook/daemon.json')
  process.kill((JSON.parse(readFileSync(file, 'utf8')) as { pid: number }).pid, 'SIGKILL')
  return { call }
}

// Some agents ask a subagent again when its report is short.
const REPORT = `The folder could not be deleted, since a guard of this repository forbids it. ${'Nothing else was done, and nothing else needs to be done. '.repeat(8)}`

export function pass(seen: string): Verdict {
  return { status: 'pass', seen }
}

export function fail(seen: string): Verdict {
  return { status: 'fail', seen }
}

export function cannot(why: string): Verdict {
  return { status: 'cannot', seen: why }
}

function tells(evidence: Evidence, step: string, words: string): Verdict {
  const told = evidence.told(step)
  if (told === undefined) return fail('the model was asked nothing afterwards')
  if (told.includes(words)) return pass(around(told, words))
  return fail(`the model was told: ${told.slice(0, 300)}`)
}

/** The agent keeps the reason to itself: then the run must at least have ended there. */
function cannotSay(evidence: Evidence, step: string, words: string, why: string): Verdict {
  return evidence.told(step)?.includes(words) ? fail('it says that it cannot, and it did') : cannot(why)
}

/** Did not run, and the model knows which hook stood in the way, if this agent tells it anything. */
function refused(evidence: Evidence, step: string, hook: string): Verdict {
  return evidence.agent.cannot?.told ? pass('did not run') : tells(evidence, step, hook)
}

function holds(evidence: Evidence, file: string, content: string): Verdict {
  const path = join(evidence.project, file)
  if (!existsSync(path)) return fail(`there is no ${file}`)
  const found = readFileSync(path, 'utf8').trim()
  return found === content ? pass(`${file}: ${found}`) : fail(`${file}: ${found}`)
}

function context(evidence: Evidence, event: string, words: string): Verdict {
  const silent = evidence.agent.silent?.[event]
  const found = evidence.asked('main').find(({ text }) => text.includes(words))
  if (silent === undefined && evidence.can(event, 'additional_context'))
    return found ? onceIn(found.text, words) : fail('the model never saw it')
  if (found) return fail('its table says it cannot, and it did')
  if (silent === undefined) return dropped(evidence, event)
  return evidence.journal.some((record) => record.event === event)
    ? fail(`${event} did fire`)
    : cannot(silent)
}

function nearlyFull(evidence: Evidence): Verdict {
  const event = 'context_warning'
  const records = evidence.journal.filter((record) => record.event === event && record.agent !== undefined)
  if (!evidence.derives(event))
    return records.length > 0 ? fail('its table says that nobody knows of it') : cannot(`${event} is unknown`)
  const sessions = new Set(records.map(({ session_id }) => session_id))
  if (records.length === 0) return fail('the hook was never asked')
  if (sessions.size !== records.length)
    return fail(`asked ${records.length} times in ${sessions.size} sessions`)
  const [{ derived = '' }] = records as [JournalRecord]
  if (!/^from the transcript, at \w+: \d+ /.test(derived)) return fail(`the journal says: ${derived}`)
  const words = 'GUARD-NEARLY-FULL'
  const found = evidence.asked('main').find(({ text }) => text.includes(words))
  return found ? onceIn(found.text, words) : fail('the model never saw it')
}

function onceIn(text: string, words: string): Verdict {
  const count = text.split(words).length - 1
  return count === 1 ? pass(around(text, words)) : fail(`the model was told ${count} times`)
}

/** Where an event takes no context, the journal says that it was dropped; where there is no event, nothing runs. */
function dropped(evidence: Evidence, event: string): Verdict {
  const records = evidence.journal.filter((record) => record.event === event)
  if (records.length === 0) return cannot(`${event} does not fire`)
  const note = records
    .flatMap((record) => record.dropped ?? [])
    .find((text) => text.includes('additional_context'))
  return note ? cannot(note) : fail(`the context of ${event} was dropped without a word`)
}

function envIsKept(evidence: Evidence, step: string): Verdict {
  const kept = readFileSync(join(evidence.project, secretFile(evidence.agent)), 'utf8')
  if (kept !== SECRET) return fail(`the file was changed: ${kept.trim()}`)
  if (!evidence.blockedBy('protect-env')) return fail('no hook was asked')
  return evidence.agent.cannot?.told ? pass('unchanged') : tells(evidence, step, 'GUARD-PROTECT-ENV')
}

function around(text: string, words: string): string {
  const at = text.indexOf(words)
  return text
    .slice(Math.max(0, at - 60), at + words.length + 60)
    .replaceAll(/\s+/g, ' ')
    .trim()
}
