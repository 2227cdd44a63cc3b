/** Commands of cmd and PowerShell, as far as a line of words tells. Names are looked up without regard to case. */

import type { Call, Effect, Program, Programs } from '../program.ts'
import { splitWords } from '../program-effects.ts'
import type { Word } from '../word.ts'

const deletes: Program = {
  acts: (call) =>
    cmdlet(call, (path, recursive) => ({ does: 'delete', path, ...(recursive ? { recursive } : {}) })),
}
const reads: Program = { acts: (call) => cmdlet(call, (path) => ({ does: 'read', path })) }
const writes: Program = { acts: (call) => cmdlet(call, (path) => ({ does: 'write', path })) }

export const WINDOWS = (): Programs => ({
  'remove-item ri rni clear-recyclebin del erase rd': deletes,
  'get-content gc': reads,
  'set-content add-content clear-content out-file sc ac clc new-item ni set-acl tee-object': writes,
  'copy-item cpi copy xcopy': { acts: (call) => moves(call, 'read') },
  robocopy: { acts: (call) => [...moves(call, 'read'), ...mirrored(call)] },
  'move-item mi move ren rename-item': { acts: (call) => moves(call, 'delete') },
  'invoke-webrequest iwr invoke-restmethod irm start-bitstransfer': {
    single: true,
    fetches: true,
    options: {
      host: '-uri -source',
      write: '-outfile -destination',
      value: '-method -headers -body ',
      send: '-infile',
    },
    operands: 'host',
  },
  'invoke-expression iex': { stdin: 'script', operands: 'script*' },
  'start-process saps': {
    acts: ({ args }) => {
      const words = args.filter(
        ({ text }, at) =>
          !/^-/.test(text) &&
          !/^-(?:verb|windowstyle|workingdirectory|credential|redirect\w+)$/i.test(args[at - 1]?.text ?? ''),
      )
      const asAdmin = args.some(
        ({ text }, at) => /^-verb$/i.test(args[at - 1]?.text ?? '') && /^runas$/i.test(text),
      )
      return words.length === 0
        ? []
        : [
            ...(asAdmin
              ? [
                  {
                    does: 'escalate',
                    place: 'machine',
                    why: 'runs with the rights of the administrator',
                  } as const,
                ]
              : []),
            {
              argv: words.flatMap((word, at) =>
                at === 0
                  ? [word]
                  : splitWords({ ...word, text: word.text.replaceAll('\\', '\\\\').replace(/,$/, '') }),
              ),
            },
          ]
    },
  },
  'format-volume clear-disk initialize-disk remove-partition': {
    does: { does: 'delete', place: 'device', why: 'erases a disk' },
  },
  'stop-computer restart-computer': { does: { does: 'kill', place: 'machine', why: 'stops the machine' } },
  'set-executionpolicy set-mppreference disable-windowsoptionalfeature': {
    does: { does: 'write', place: 'machine', why: 'switches protection off' },
  },
  'get-childitem gci dir.exe set-location sl write-output write-host test-path get-item select-string get-process':
    { operands: 'value', hides: true },
  reg: {
    acts: ({ operands }) =>
      /^(?:delete|add|import|restore|load|copy)$/i.test(operands[0]?.text ?? '')
        ? [{ does: 'write', place: 'machine', why: 'changes the registry of Windows' }]
        : /^(?:save|export)$/i.test(operands[0]?.text ?? '') &&
            /^(?:hklm|hkey_local_machine)[\\/]?(?:sam|system|security)\b/i.test(operands[1]?.text ?? '')
          ? [{ does: 'reveal_secret', place: 'secret', why: 'copies the passwords of Windows' }]
          : [],
  },
  'stop-process spps taskkill': {
    does: 'kill',
    acts: ({ args }) =>
      args.some(({ text }) => text === '*')
        ? [{ does: 'kill', place: 'machine', why: 'ends every process' }]
        : [],
  },
  'new-itemproperty set-itemproperty sp': {
    acts: ({ args }) =>
      args.some(({ text }) => REGISTRY.test(text))
        ? [{ does: 'write', place: 'machine', why: 'changes the registry of Windows' }]
        : [],
  },
  'register-scheduledtask new-scheduledtask set-scheduledtask new-service set-service register-wmievent': {
    does: { does: 'write', place: 'startup', why: 'sets up something that runs by itself' },
  },
  'clear-eventlog remove-eventlog limit-eventlog': {
    does: { does: 'delete', place: 'machine', why: 'deletes logs' },
  },
  wevtutil: {
    acts: ({ operands }) =>
      /^(?:cl|clear-log)$/i.test(operands[0]?.text ?? '')
        ? [{ does: 'delete', place: 'machine', why: 'deletes logs' }]
        : [],
  },
  'remove-computer reset-computermachinepassword remove-localuser new-localuser add-localgroupmember disable-localuser':
    { does: { does: 'escalate', place: 'machine', why: 'changes the users of the machine' } },
  'disable-netadapter new-netfirewallrule set-netfirewallprofile': {
    does: { does: 'write', place: 'machine', why: 'changes the network of the machine' },
  },
  net: {
    acts: ({ operands, args }) =>
      /^(?:user|localgroup)$/i.test(operands[0]?.text ?? '') &&
      args.some(({ text }) => /^\/(?:add|delete)$/i.test(text))
        ? [{ does: 'escalate', place: 'machine', why: 'changes the users of the machine' }]
        : [],
  },
  'icacls takeown': {
    acts: ({ args }) =>
      args
        .filter(({ text }) => /^[A-Za-z]:|^~/.test(text))
        .map(
          (path): Effect => ({
            does: 'write',
            path,
            recursive: args.some(({ text }) => /^\/[rt]$/i.test(text)),
          }),
        ),
  },
  attrib: { operands: 'value' },
  'stop-service': {
    operands: 'value',
    acts: ({ operands }) =>
      operands.some(({ text }) => PROTECTS.test(text))
        ? [{ does: 'kill', place: 'machine', why: 'stops what protects the machine' }]
        : [],
  },
  certutil: {
    acts: ({ args, operands }) =>
      args.some(({ text }) => /^[-/]urlcache$/i.test(text)) ? fetched(operands) : [],
  },
  'bitsadmin mshta regsvr32 rundll32 wmic cscript wscript': {
    acts: ({ name, args }) => [
      ...(name === 'wmic' &&
      /^shadowcopy delete\b/i.test(
        args
          .filter(({ text }) => !text.startsWith('/'))
          .map(({ text }) => text)
          .join(' '),
      )
        ? [{ does: 'delete', place: 'device', why: 'deletes the copies that a rescue needs' } as const]
        : []),
      ...args
        .filter(({ text }) => /^(?:\/i:)?(?:https?|ftp):|script:/i.test(text))
        .map((host): Effect => ({ does: 'run', place: 'remote', host, why: 'runs what it fetches' })),
    ],
  },
})

/** `certutil -urlcache -f http://… m.exe`. */
function fetched(operands: readonly Word[]): readonly Effect[] {
  const from = operands.find(({ text }) => /^[a-z]+:\/\//i.test(text))
  const to = operands.at(-1)
  if (!from || !to || to === from) return []
  const host = /^[a-z]+:\/\/([^/]+)/i.exec(from.text)?.[1] ?? from.text
  return [
    { does: 'connect', host: from },
    { does: 'write', path: to },
    { from, to, host },
  ]
}

/** Services that look for what harms. */
const PROTECTS = /^(?:windefend|wdnissvc|sense|mpssvc|securityhealthservice|wscsvc|eventlog|vss)$/i

const REGISTRY = /^(?:hklm|hkcu|hkcr|hku|registry):/i

/** Parameters such as -Path and -LiteralPath; -Recurse and /s mean everything below. */
function cmdlet(
  { args }: Call,
  effect: (path: Call['args'][number], recursive: boolean) => Effect,
): readonly Effect[] {
  if (args.some(({ text }) => /^-whatif$/i.test(text))) return []
  if (args.some(({ text }) => REGISTRY.test(text)))
    return [{ does: 'write', place: 'machine', why: 'changes the registry of Windows' }]
  const recursive = args.some(({ text }) => /^-r(?:ecurse)?$|^\/s$/i.test(text))
  const effects: Effect[] = []
  for (let at = 0; at < args.length; at++) {
    const { text } = args[at]!
    if (
      /^-(?:erroraction|ea|value|encoding|include|exclude|filter|stream|itemtype|name|credential)$/i.test(
        text,
      )
    )
      at++
    else if (/^-|^\/[a-z?](?::\S*)?$/i.test(text)) continue
    else effects.push(effect({ ...args[at]!, text: text.replace(/,$/, '') }, recursive))
  }
  return effects
}

function moves({ args }: Call, from: 'read' | 'delete'): readonly Effect[] {
  const paths = args.filter(
    ({ text }, at) =>
      !/^-|^\/[a-z]+$/i.test(text) && !/^-(?:filter|include|exclude)$/i.test(args[at - 1]?.text ?? ''),
  )
  const [source, target] = paths
  if (!source) return []
  return [
    { does: from, path: source, recursive: true },
    ...(target ? [{ does: 'write', path: target } as const, { from: source, to: target }] : []),
  ]
}

/** `robocopy empty target /MIR` deletes what the source does not have. */
function mirrored({ args }: Call): readonly Effect[] {
  const target = args.filter(({ text }) => !/^\/[a-z]+(?::\S*)?$/i.test(text))[1]
  return target && args.some(({ text }) => /^\/(?:mir|purge)$/i.test(text))
    ? [{ does: 'delete', path: target, recursive: true }]
    : []
}
