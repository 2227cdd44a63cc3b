/** The machine itself: services, processes, users, firewall, scheduled jobs. */

import type { Call, Done, Effect, Programs } from '../program.ts'
import { touchesOurs } from './terminals.ts'

const stops = (why: string): Done => ({ does: 'kill', place: 'machine', why })
const changes = (why: string): Done => ({ does: 'write', place: 'machine', why })
const later = (why: string): Done => ({ does: 'write', place: 'startup', why })

export const MACHINE = (): Programs => ({
  'shutdown reboot poweroff halt init telinit': {
    options: { value: '-t', flag: '-h -r -P -H -f -n -p -k' },
    inert: '-c -w --show',
    acts: ({ name, operands }) =>
      /init$/.test(name) && !/^[06s]$/i.test(operands[0]?.text ?? '')
        ? []
        : [{ does: 'kill', place: 'machine', why: 'stops the machine' }],
  },
  systemctl: {
    options: {
      value: '-t --type -n --lines -o --output -H --host -M --machine -p --property -s --signal',
      flag: '--user --now -q --no-pager --force -f --runtime',
    },
    commands: {
      'poweroff reboot halt kexec suspend hibernate emergency rescue isolate default': {
        does: stops('stops the machine'),
      },
      'enable reenable link preset edit revert add-wants add-requires set-default': {
        operands: 'value',
        does: later('a unit that starts by itself'),
        acts: (call) => [...ourService(call), ...unitFiles(call)],
      },
      'set-property set-environment import-environment freeze service-log-level clean bind mount-image': {
        operands: 'value',
        acts: ourService,
      },
      'disable mask': { operands: 'value', acts: securityServices },
      'stop kill': { operands: 'value', acts: securityServices },
      'start restart try-restart reload-or-restart': { operands: 'value', acts: unitFiles },
      'reload status show list-units list-unit-files is-active is-enabled cat daemon-reload': {},
    },
  },
  'service rc-service rcctl sv': {
    operands: ['value', 'value'],
    acts: ({ operands }) =>
      operands[1]?.text === 'stop'
        ? securityServices({ operands: operands.slice(0, 1) } as unknown as Call)
        : [],
  },
  loginctl: {
    commands: {
      'terminate-user kill-user terminate-session kill-session terminate-seat': {
        does: stops('ends every process of the person'),
      },
      'poweroff reboot halt suspend hibernate': { does: stops('stops the machine') },
      'list-sessions list-users show-user show-session user-status session-status lock-session': {},
      'enable-linger': { does: later('services of the person that go on without a session') },
    },
  },
  sc: {
    acts: ({ args }) =>
      args.some(({ text }) => /^(?:create|config)$/i.test(text))
        ? [{ does: 'write', place: 'startup', why: 'a service that starts by itself' }]
        : /^(?:stop|delete) (?:windefend|mpssvc|sense|wscsvc|eventlog|vss)$/i.test(
              args.map(({ text }) => text).join(' '),
            )
          ? [{ does: 'kill', place: 'machine', why: 'stops what protects the machine' }]
          : [],
  },
  setx: {
    operands: 'value',
    acts: ({ operands }) =>
      /^(?:path|pathext|comspec|node_options|psmodulepath)$/i.test(operands[0]?.text ?? '')
        ? [{ does: 'write', place: 'startup', why: 'changes what later programs find or load' }]
        : [],
  },
  defaults: {
    operands: 'value',
    acts: ({ args }) =>
      !args.some(({ text }) => text === 'write')
        ? []
        : args.some(({ text }) => /^Log(?:in|out)Hook$/.test(text))
          ? [{ does: 'write', place: 'startup', why: 'runs at every login' }]
          : args.some(({ text }) => /^(?:LSQuarantine|GKAutoRearm)$/.test(text))
            ? [{ does: 'write', place: 'machine', why: 'lets programs run that were not checked' }]
            : [],
  },
  'update-rc.d chkconfig rc-update sysv-rc-conf': { does: later('a service that starts by itself') },
  launchctl: {
    commands: {
      'load bootstrap enable': { operands: 'value', does: later('a job that starts by itself') },
      submit: {
        operands: 'value',
        does: later('a job that starts by itself'),
        acts: ({ args }) => {
          const end = args.findIndex(({ text }) => text === '--')
          return end === -1 ? [] : [{ argv: args.slice(end + 1) }]
        },
      },
      'unload bootout disable remove stop kill': { operands: 'value', acts: securityServices },
      reboot: { does: stops('stops the machine') },
      'list print': {},
    },
  },
  schtasks: {
    acts: ({ args }) =>
      args.some(({ text }) => /^\/(?:create|change)$/i.test(text))
        ? [{ does: 'write', place: 'startup', why: 'a job that runs by itself' }]
        : [],
  },
  crontab: {
    options: { value: '-u', flag: '-l -e -i' },
    operands: 'value',
    acts: crontab,
    // What is there already is no news; what is added to it is.
    prints: (call) => (call.given('-l') ? '' : undefined),
  },
  'at batch': {
    options: { input: '-f', value: '-q -t', flag: '-m -M -v -l -c' },
    inert: '-l -c -V',
    stdin: 'script',
    language: 'shell',
    operands: 'value',
    acts: (call) => [
      ...(call.input || call.given('-f')
        ? [{ does: 'write', place: 'startup', why: 'a job that runs by itself' } as const]
        : []),
      ...(call.given('-f') || isUntold(call) ? [UNTOLD_JOB] : []),
    ],
  },
  atrm: {},
  'renice xkill': { operands: 'value', acts: ({ operands }) => touchesOurs(operands, 'slows the engine') },
  fuser: {
    options: { flag: '-k --kill -m -v -i', value: '-n -s' },
    operands: 'value',
    hides: true,
    acts: ({ operands, given }) =>
      given('-k --kill')
        ? [
            { does: 'kill' },
            ...operands
              .filter(({ text }) => /[/~]/.test(text) && !/^\d+\/(?:tcp|udp)$/.test(text))
              .map((guards): Effect => ({ guards, why: 'ends what uses it' })),
          ]
        : [],
  },
  // `-KILL` is one option.
  kill: { options: { value: '-s --signal -n -q', flag: '-l -L' }, single: true, inert: '-l -L', acts: kill },
  'pkill killall killall5 skill': {
    options: {
      value:
        '-s --signal -u -U --user --euid --uid -g -G -P -t -F --pidfile --ns -o --older-than -y --younger-than',
      flag: '-f -x -n -i -e -v -w -q',
    },
    inert: '-l',
    operands: 'value',
    does: 'kill',
    acts: killNames,
  },
  ps: {
    operands: 'value',
    // `ps eww`, `ps auxe`; with a dash `e` means every process.
    acts: (call) => [
      ...journal(call),
      ...(call.args.some(({ text }) => /^[a-z]*e[a-z]*$/.test(text) && /^[aAceEfjlLmnrsSTuvwxX]+$/.test(text))
        ? [
            {
              does: 'reveal_secret',
              place: 'environment',
              why: 'prints the environment of processes',
            } as const,
          ]
        : []),
    ],
  },
  'top htop pgrep pidof lsof free vmstat iostat dmesg journalctl last w who lscpu lspci lsusb': {
    operands: 'value',
    acts: journal,
  },
  'useradd adduser userdel deluser usermod groupadd groupdel gpasswd passwd chpasswd chsh chfn visudo vipw vigr':
    {
      options: { value: '-s -g -G -d -u -c -p -aG --shell --home', flag: '-m -r -a -l -S' },
      inert: '-S --status',
      does: changes('changes users and what they may do'),
      acts: (call) =>
        call.name === 'usermod' && call.given('-d --home')
          ? [{ does: 'change_guards', why: 'gives a user another home folder, without these guards' }]
          : [],
    },
  'iptables ip6tables iptables-legacy iptables-nft': {
    options: {
      value: '-t --table -s -d -p -j -i -o -m --dport --sport --to-destination ',
      flag: '-n -v -w --line-numbers',
    },
    acts: ({ args }) =>
      args.some(
        ({ text }, at) =>
          /^(?:-F|--flush|-X|--delete-chain)$/.test(text) ||
          (/^(?:-P|--policy)$/.test(text) && args[at + 2] !== undefined),
      )
        ? [{ does: 'write', place: 'machine', why: 'changes what the firewall lets pass' }]
        : [],
  },
  nft: {
    acts: ({ operands }) =>
      operands[0]?.text === 'flush' && operands[1]?.text === 'ruleset'
        ? [{ does: 'write', place: 'machine', why: 'takes the firewall down' }]
        : [],
  },
  ufw: {
    inert: '--dry-run',
    commands: {
      disable: { does: changes('takes the firewall down') },
      'status enable allow deny reset delete reload': {},
    },
  },
  'firewall-cmd netsh pfctl': {
    acts: ({ args }) =>
      args.some(({ text }) => /^(?:--panic-on|-d|-F|--remove-\S+)$/.test(text)) ||
      / state off$| opmode disable$/.test(args.map(({ text }) => text.toLowerCase()).join(' '))
        ? [{ does: 'write', place: 'machine', why: 'takes the firewall down' }]
        : [],
  },
  'ip ifconfig route nmcli networksetup': {
    acts: ({ name, operands }) => {
      const words = operands.map(({ text }) => text).join(' ')
      const isDown =
        name === 'ip'
          ? /^(?:link set \S+ down|(?:route|r|addr|a|address) (?:flush|del(?:ete)? default)|link del)/.test(
              words,
            )
          : /\bdown$|^(?:del|delete) default|^flush/.test(words)
      return isDown ? [{ does: 'kill', place: 'machine', why: 'takes the network down' }] : []
    },
  },
  'modprobe insmod rmmod kmod': {
    inert: '-n --dry-run -l --show -D --show-depends -c --showconfig',
    does: changes('loads or removes a part of the kernel'),
  },
  sysctl: {
    acts: (call) =>
      call.given('-w --write') || call.operands.some(({ text }) => text.includes('='))
        ? [{ does: 'write', place: 'machine', why: 'changes the kernel' }]
        : [],
  },
  dscl: {
    acts: ({ args }) =>
      args.some(({ text }) => /^-?(?:create|append|delete|passwd|change|merge)$/.test(text))
        ? [{ does: 'escalate', place: 'machine', why: 'changes the users of the machine' }]
        : [],
  },
  xattr: {
    acts: ({ args }) =>
      args.some(({ text }) => /^-\w*[dc]/.test(text)) &&
      args.some(({ text }) => /quarantine/.test(text) || /^-\w*c/.test(text))
        ? [{ does: 'write', place: 'machine', why: 'lets a program run that was not checked' }]
        : [],
  },
  'setenforce spctl csrutil': {
    acts: ({ args }) =>
      args.some(({ text }) => /^(?:0|Permissive|--master-disable|--global-disable|disable)$/i.test(text))
        ? [{ does: 'write', place: 'machine', why: 'switches protection off' }]
        : [],
  },
  'auditctl apparmor_parser aa-disable aa-teardown': {
    options: { value: '-e' },
    acts: (call) =>
      call.given('-D') || call.values('-e').some(({ text }) => text === '0')
        ? [{ does: 'write', place: 'machine', why: 'switches protection off' }]
        : [],
  },
  'update-grub grub-install efibootmgr nvram update-initramfs dracut': {
    inert: '-v -p',
    does: changes('changes how the machine starts'),
  },
  'history fc': {
    options: { flag: '-c -w -r -a -n' },
    with: { '-c': { does: { does: 'delete', place: 'machine', why: 'clears the history of commands' } } },
  },
  'dbus-send gdbus busctl': { operands: 'value', acts: ourService },
  'logrotate journalctl-vacuum': { operands: 'value' },
  'wall mesg  notify-send say beep': { operands: 'value' },
  'xmrig xmr-stak minerd cpuminer cgminer bfgminer ethminer ccminer nbminer t-rex lolMiner phoenixminer nanominer srbminer-multi':
    { inert: '-V', does: { does: 'escalate', place: 'machine', why: 'mines money for somebody' } },
})

/**
 * What a job of the system starts is in no agent's process tree, so crosshook's own commands would take it for a person.
 */
const UNTOLD_JOB: Effect = {
  does: 'change_guards',
  certain: false,
  why: 'a job that runs outside of the agent, and the line does not tell what it does',
}

/** Is its input a file, or something else that the line does not tell? */
function isUntold({ input }: Call): boolean {
  return input !== null && input.text === undefined
}

/** Units by their files: one that is named without a folder is there already. */
function unitFiles({ operands }: Call): readonly Effect[] {
  return operands.some(({ text }) => text.includes('/')) ? [UNTOLD_JOB] : []
}

function ourService({ operands }: Call): readonly Effect[] {
  return operands.some(({ text }) => /crosshook/i.test(text))
    ? [{ does: 'change_guards', why: 'changes the service of the hooks' }]
    : []
}

/** Stopping what guards, backs up or lets people in. */
function securityServices({ operands }: Call): readonly Effect[] {
  if (operands.some(({ text }) => /crosshook/.test(text)))
    return [{ does: 'change_guards', why: 'stops the engine of the hooks' }]
  return operands.some(({ text }) =>
    /^(?:ssh|sshd|firewalld|ufw|iptables|nftables|auditd|apparmor|fail2ban|crowdsec|falco|osquery\w*|rsyslog|NetworkManager|networking|systemd-\w+|clamav\S*|docker|dbus)(?:\.service)?$/.test(
      text,
    ),
  )
    ? [{ does: 'kill', place: 'machine', why: 'stops a service that the machine needs' }]
    : []
}

/** A table of jobs, from a file or the input, or its removal. Each line runs by itself. */
function crontab(call: Call): readonly Effect[] {
  if (call.given('-r')) return [{ does: 'delete', place: 'startup', why: 'removes every scheduled job' }]
  if (call.given('-l')) return []
  const text = call.input?.text
  const [file] = call.operands
  if (!file && !call.input && !call.given('-e')) return []
  const effects: Effect[] = [{ does: 'write', place: 'startup', why: 'a job that runs by itself' }]
  if ((file && file.text !== '-') || isUntold(call)) effects.push(UNTOLD_JOB)
  for (const line of text?.split('\n') ?? []) {
    const [, command] = /^\s*(?:@\w+|(?:\S+\s+){4}\S+)\s+(.+)$/.exec(line) ?? []
    if (command && !/^\s*#/.test(line) && !/^\s*\w+\s*=/.test(line))
      effects.push({ script: { text: command } })
  }
  return effects
}

function kill({ args }: Call): readonly Effect[] {
  const words = args.filter(
    ({ text }, at) =>
      !/^(?:-s|--signal|-n)$/.test(text) && !/^(?:-s|--signal|-n)$/.test(args[at - 1]?.text ?? ''),
  )
  const targets = words.filter(
    ({ text }, at) => !(at === 0 && /^-(?:\d+|[A-Z]\w*)$/i.test(text) && words.length > 1) && text !== '--',
  )
  const ours = touchesOurs(targets, 'ends the engine')
  return targets.some(({ text }) => /^(?:-1|1)$/.test(text))
    ? [
        { does: 'kill', place: 'machine', why: 'ends every process of the person' },
        { does: 'change_guards', why: 'ends the engine of the hooks' },
      ]
    : [{ does: 'kill' }, ...ours]
}

function killNames(call: Call): readonly Effect[] {
  const ours = call.operands.map(({ text }) => namesEngine(text, call.given('-f')))
  if (ours.includes('certain')) return [{ does: 'change_guards', why: 'ends the engine of the hooks' }]
  if (ours.includes('likely'))
    return [{ does: 'change_guards', certain: false, why: 'the engine of the hooks may be among them' }]
  const everybody = call.values('-u -U --user --euid --uid').length > 0 && call.operands.length === 0
  const isAll = call.operands.some(
    ({ text }) =>
      /^\.?\*?$|^\^?\.[*+]\$?$/.test(text) || /^(?:init|systemd|launchd|sshd?|Xorg|gdm\d?)$/.test(text),
  )
  return everybody || isAll || call.name === 'killall5'
    ? [{ does: 'kill', place: 'machine', why: 'ends processes that the machine needs' }]
    : []
}

/** As the engine is listed: its program, and with -f its whole line. */
const ENGINE = { name: 'node', line: 'node /lib/node_modules/crosshook/dist/cli/main.cjs engine' }

/** Does this pattern of names fit the engine? Read by its letters alone: what else is in a pattern only widens it. */
function namesEngine(pattern: string, isLine: boolean): 'certain' | 'likely' | undefined {
  const parts = pattern.match(/[\w./@-]{2,}/g) ?? []
  if (parts.some((part) => /cross-?hook/i.test(part))) return 'certain'
  const text = isLine ? ENGINE.line : ENGINE.name
  let at = 0
  for (const part of parts) {
    const found = text.indexOf(part.replace(/\.$/, ''), at)
    if (found === -1) return undefined
    at = found + 1
  }
  if (parts.length === 0) return undefined
  return isLine && parts.some((part) => 'crosshook'.includes(part) && part.length > 3) ? 'certain' : 'likely'
}

function journal(call: Call): readonly Effect[] {
  return call.name === 'journalctl' && call.args.some(({ text }) => /^--(?:vacuum-\w+|rotate)/.test(text))
    ? [{ does: 'delete', place: 'machine', why: 'deletes logs' }]
    : []
}
