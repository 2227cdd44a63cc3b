/** Programs that reach over the network. */

import { LEAKED, leaksVariable } from '../leaked-variables.ts'
import type { Call, Effect, Programs } from '../program.ts'
import { isSecretFile } from '../secret-files.ts'
import type { Word } from '../word.ts'
import { sshOptions } from './archives.ts'
import { removedByRequest } from './services.ts'

const WAY_IN: Effect = { does: 'send', place: 'machine', why: 'opens a way in from outside', certain: false }

export const NETWORK = (): Programs => ({
  curl: {
    options: {
      data: '-d --data --data-ascii --data-binary --data-urlencode --json',
      send: '-T --upload-file',
      write:
        '-o --output -D --dump-header -c --cookie-jar --trace --trace-ascii --output-dir --etag-save --hsts --alt-svc --stderr',
      read: '-K --config',
      host: '--url',
      secret: '-u --user -U --proxy-user --oauth2-bearer',
      value:
        '-x --proxy --preproxy --socks5 --socks5-hostname --data-raw -b --cookie -H --header -X --request -A --user-agent -e --referer -m --max-time --connect-timeout -w --write-out --retry --retry-delay --retry-max-time -r --range -C --continue-at -F --form --form-string --cert -E --key --netrc-file --cacert --capath --resolve --connect-to --limit-rate -z --time-cond -y -Y --interface --ciphers --cert-type --key-type --max-redirs -Q --quote -P -t --tls-max --noproxy --unix-socket --abstract-unix-socket --pass --pinnedpubkey --proto --proto-default --max-filesize --dns-servers --aws-sigv4 --speed-limit --speed-time --keepalive-time --local-port --mail-from --mail-rcpt --variable --expand-data --engine --crlfile --parallel-max --rate',
      flag: '-s -S -L -f -k -i -I -v -O -J -g -G -a -N -n -q -R -Z -# -0 -1 -2 -3 -4 -6 -M -V -h --silent --show-error --location --fail --insecure --include --head --verbose --remote-name --remote-header-name --compressed --get --globoff --no-buffer --netrc --http2 --progress-bar --create-dirs --raw --tlsv1.2 --fail-with-body --remote-name-all',
    },
    operands: 'host',
    inert: '-V -h -M --manual',
    fetches: true,
    acts: curl,
  },
  'wget wget2': {
    options: {
      write: '-O --output-document -o --output-file -a --append-output -P --directory-prefix --save-cookies',
      read: '-i --input-file',
      send: '--post-file --body-file',
      data: '',
      program: '--use-askpass',
      value:
        '--post-data --body-data -e --execute -U --user-agent --header --user --password -t --tries -T --timeout -w --wait -Q --quota -l --level -A -R -D --domains --exclude-domains -I -X --referer --method --ca-certificate --certificate --private-key --load-cookies --limit-rate -B --base --bind-address --cut-dirs --default-page --dns-timeout --retry-on-http-error --progress',
      flag: '-q -nv -c -N -S -r -k -K -m -p -np -nc -nd -nH -b -d -v -4 -6 -H -L --quiet --continue --recursive --mirror --no-check-certificate --no-clobber --spider --content-disposition',
    },
    operands: 'host',
    inert: '-V -h',
    fetches: true,
    acts: wget,
  },
  // `python -m http.server`
  'http.server SimpleHTTPServer': {
    options: { value: '-d --directory -b --bind -p --protocol', flag: '--cgi' },
    acts: (call) => served(call.values('-d --directory')),
  },
  'serve http-server live-server': {
    options: {
      value:
        '-l --listen -p --port -c --config -C --cert -K --key -a --address --host --open --ignore --watch --mount',
      flag: '-s --single -d --debug -n --no-clipboard -L -u -S -o --cors --symlinks --no-open',
    },
    acts: (call) => served(call.operands.slice(0, 1)),
  },
  'http https httpie xh xhs': {
    options: {
      write: '-o --output',
      value:
        '-a --auth -A --auth-type --session --timeout --proxy --verify --cert -s --style --print -p --pretty --format-options',
      flag: '-j --json -f --form -b --body -h --headers -v --verbose -d --download -F --follow -c --continue --check-status --multipart --stream -I --ignore-stdin',
    },
    fetches: true,
    acts: httpie,
  },
  'aria2c axel lftp ncftp ncftpget youtube-dl yt-dlp gallery-dl': {
    options: {
      write: '-o --out -d --dir',
      value: '-x -s -j -k --header -u -p',
      read: '-i --input-file',
      script: '-c -e --exec',
    },
    operands: 'host',
    fetches: true,
  },
  'fetch lwp-request lwp-download GET POST lynx links w3m elinks': {
    options: { write: '-o', value: '-m -C' },
    operands: 'host',
    fetches: true,
  },
  'ftp tftp sftp telnet rlogin rsh rexec': {
    options: { value: '-P -o -i -F -l -B -c -S -b', flag: '-v -n -a -C -q' },
    operands: ['host', 'value*'],
    stdin: 'send',
    fetches: true,
    acts: ({ input, args }) => {
      // `tftp host -c put x`, `ftp -u ftp://host/ x`
      const [, given] =
        /(?:^|\s)(?:-c\s+put|-u\s+\S+)\s+(\S+)/.exec(args.map(({ text }) => text).join(' ')) ?? []
      return [
        ...puts(`${input?.text ?? ''}\n${given === undefined ? '' : `put ${given}`}`),
        ...[...(input?.text ?? '').matchAll(/^\s*!(.+)$/gm)].map(([, text]) => ({ script: { text: text! } })),
      ]
    },
  },
  ssh: {
    options: {
      // A key that is used is not revealed: no `read`.
      value: '-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -B',
      flag: '-A -a -f -N -n -T -t -v -q -4 -6 -C -g -K -k -M -s -X -x -Y -y',
    },
    inert: '-V -G -Q',
    stdin: 'script',
    operands: ['host', 'script*'],
    elsewhere: true,
    fetches: true,
    acts: (call) => [
      ...sshOptions(call),
      ...(call.given('-R') ? [WAY_IN] : []),
      ...(call.input && !call.given('-n -f') ? [{ does: 'send', why: 'what it reads' } as const] : []),
    ],
  },
  'mosh autossh sshpass': {
    options: { value: '-p -e -f -M', secret: '', flag: '' },
    operands: 'value',
    acts: ({ name, operands }) =>
      name === 'sshpass' ? [{ argv: operands }] : [{ argv: [{ text: 'ssh' }, ...operands] }],
  },
  'ssh-copy-id ssh-add ssh-agent ssh-keyscan': {
    options: { value: '-i -p -o -t -T -a' },
    operands: 'value',
    acts: (call) =>
      call.name === 'ssh-agent' && call.operands.length > 0
        ? [{ argv: call.operands }]
        : call.name === 'ssh-copy-id' && call.operands.length > 0
          ? [{ does: 'write', place: 'startup', why: 'lets a key in there from now on' }]
          : [],
  },
  'nc ncat netcat nc.openbsd nc.traditional': {
    options: {
      program: '-e --exec',
      script: '-c --sh-exec --lua-exec',
      value:
        '-p --source-port -s -w -i -o -x -X -q -I -O -T -V -m --max-conns --proxy --proxy-auth --proxy-type --ssl-cert --ssl-key -g -G',
      flag: '-l -n -u -v -z -k -L -d -h -r -t -U -4 -6 -N -C --listen --keep-open --udp --ssl --broker --chat --send-only --recv-only',
    },
    inert: '-h',
    operands: ['host', 'value*'],
    fetches: true,
    acts: netcat,
  },
  socat: {
    options: { value: '-b -t -T -l -L -W', flag: '-u -U -d -v -x -s' },
    inert: '-V -h',
    acts: socat,
    fetches: true,
  },
  'openssl-s_client cryptcat': { operands: 'host', fetches: true },
  'ping ping6 traceroute tracepath mtr nslookup host dig drill whois arp nmap masscan': {
    options: { value: '-c -i -W -w -s -p -t -m -x -f -n', write: '-oN -oX -oG -oA' },
    operands: 'value',
    acts: dnsLeak,
  },
  'mail mailx mutt sendmail msmtp swaks': {
    options: { send: '-a --attach -A', value: '-s -c -b -r -S -t -f --to --from --server', read: '' },
    operands: 'value',
    stdin: 'send',
  },
  'tailscale cloudflared ngrok localtunnel lt bore frpc chisel': {
    operands: 'value',
    acts: ({ operands, name }) => {
      const words = operands.map(({ text }) => text)
      if (words.includes('delete')) return [{ does: 'delete', place: 'cloud', why: 'deletes a tunnel' }]
      if (words.some((text) => /^(?:list|info|config|version|help|update|status|validate|login)$/.test(text)))
        return []
      const files = operands.filter(({ text }) => /^file:\/\//.test(text))
      if (files.length > 0)
        return files.map((path) => ({ does: 'send', path, why: 'serves it to other machines' }))
      const opens =
        /^(?:ngrok|lt|localtunnel)$/.test(name) ||
        words.some((text) => /^(?:tunnel|funnel|http|tcp)$/.test(text))
      return opens ? [WAY_IN] : []
    },
  },
  smbclient: {
    options: { value: '-c --command -U --user -I -p -W' },
    operands: 'value',
    acts: ({ values }) => values('-c --command').flatMap(({ text }) => puts(text.replaceAll(';', '\n'))),
  },
  'croc wormhole magic-wormhole transfer.sh ffsend': {
    commands: { 'send upload': { operands: 'send' }, 'receive download': {} },
  },
  'wscat websocat grpcurl': {
    options: { value: '-H -c -d -x --proto', flag: '-unix -plaintext' },
    operands: 'host',
    fetches: true,
    stdin: 'send',
    acts: (call) =>
      call.given('-unix')
        ? call.operands
            .slice(0, 1)
            .map((path): Effect => ({ does: 'connect', path, why: 'a socket of this machine' }))
        : [],
  },
})

function puts(text: string): Effect[] {
  return [...text.matchAll(/^\s*m?put\s+(?:-\w+\s+)*(\S+)/gm)].flatMap(([, path]): Effect[] => [
    { does: 'read', path: path! },
    { does: 'send', path: path! },
  ])
}

/** `-F name=@file` sends the file; `file://` reads it; `-O` names the file after the address. */
/** Everybody who reaches the machine can read that folder. */
function served(folders: readonly Word[]): Effect[] {
  const paths = folders.length > 0 ? folders : ['.']
  return paths.map((path) => ({ does: 'send', path, why: 'serves it to other machines' }))
}

function curl(call: Call): readonly Effect[] {
  const effects: Effect[] = call
    .values('--unix-socket --abstract-unix-socket')
    .map((path) => ({ does: 'connect', path, why: 'a socket of this machine' }))
  // Whoever may make containers may do anything as root.
  if (
    call.values('--unix-socket').some(({ text }) => /(?:docker|podman|containerd|crio)\.sock$/.test(text)) &&
    (call.given('-d --data --data-raw --data-binary --json -T --upload-file') ||
      call.values('-X --request').some(({ text }) => !/^(?:GET|HEAD)$/i.test(text)))
  )
    effects.push({ does: 'escalate', place: 'machine', why: 'gives orders to what runs containers' })
  for (const form of call.values('-F --form')) {
    const [, names] = /^[^=]*=[@<](.+)$/s.exec(form.text) ?? []
    for (const name of names?.split(',') ?? []) {
      const path = { ...form, text: name.split(';')[0]! }
      if (path.text !== '-' && path.text !== '') effects.push({ does: 'read', path }, { does: 'send', path })
    }
  }
  for (const header of call.values('-H --header --proxy-header'))
    if (/^@[^-]/.test(header.text)) {
      const path = { ...header, text: header.text.slice(1) }
      effects.push({ does: 'read', path }, { does: 'send', path })
    }
  for (const url of [...call.operands, ...call.values('--url')]) {
    const [, file] = /^file:\/\/(?:localhost)?(\/.*)$/i.exec(url.text) ?? []
    if (file !== undefined) {
      const path = { ...url, text: file }
      effects.push({ does: 'read', path })
      for (const to of call.values('-o --output')) effects.push({ from: path, to })
    } else if (call.given('-O --remote-name --remote-name-all') && !call.given('-J --remote-header-name')) {
      const path = { ...url, text: lastPart(url.text) }
      if (path.text !== '' && !isSecretFile(path.text)) effects.push({ does: 'write', path })
    }
  }
  for (const { text } of call.values('--data-urlencode'))
    if (/^[^=]*@/.test(text))
      effects.push(
        { does: 'read', path: text.replace(/^[^@]*@/, '') },
        { does: 'send', path: text.replace(/^[^@]*@/, '') },
      )
  const method = call.values('-X --request')[0]?.text ?? ''
  const body = call.values('-d --data --data-raw --data-binary --json').map(({ text }) => text)
  for (const { text } of [...call.operands, ...call.values('--url')])
    effects.push(...removedByRequest(method, text, body.join('')))
  return effects
}

function wget(call: Call): readonly Effect[] {
  const effects: Effect[] = []
  const folder = call.values('-P --directory-prefix')[0]
  if (!call.given('-O --output-document --spider'))
    for (const url of call.operands) {
      const name = lastPart(url.text) || 'index.html'
      const text = folder && !folder.unknown ? `${folder.text.replace(/\/+$/, '')}/${name}` : name
      if (!isSecretFile(text)) effects.push({ does: 'write', path: { ...url, text }, certain: false })
    }
  for (const data of call.values('--post-data --body-data')) {
    effects.push({ does: 'send', why: 'text of the command' })
    if (leaksVariable(data)) effects.push(LEAKED)
  }
  for (const { text } of call.values('-e --execute'))
    if (/use_askpass\s*=/i.test(text)) effects.push({ script: { text: text.replace(/^[^=]*=\s*/, '') } })
  return effects
}

function lastPart(url: string): string {
  return /^(?:[a-z]+:\/\/)?[^/?#]+\/(?:[^?#]*\/)?([^/?#]+)/i.exec(url)?.[1] ?? ''
}

/** `http [METHOD] URL [items]`: `name@file` and `name=@file` are files. */
function httpie({ operands, input, given }: Call): readonly Effect[] {
  const words =
    operands[0] && /^(?:[A-Z]+|get|post|put|patch|delete|head)$/.test(operands[0].text)
      ? operands.slice(1)
      : operands
  const [url, ...items] = words
  const effects: Effect[] = url ? [{ does: 'connect', host: url }] : []
  if (url && words !== operands) effects.push(...removedByRequest(operands[0]!.text, url.text))
  for (const item of items) {
    const [, file] = /^(?:[^@=:]+(?:=|:=)?)?@(.+)$/.exec(item.text) ?? []
    if (file !== undefined)
      effects.push(
        { does: 'read', path: { ...item, text: file } },
        { does: 'send', path: { ...item, text: file } },
      )
  }
  if (input && !given('-I --ignore-stdin')) effects.push({ does: 'send', why: 'what it reads' })
  return effects
}

/** With `-e sh` whoever is at the other end has a shell; otherwise it sends what it reads. */
function netcat(call: Call): readonly Effect[] {
  const isListening = call.given('-l --listen')
  const isComplete =
    isListening || call.operands.length >= 2 || (call.operands.length === 1 && call.given('-U'))
  if (!isComplete) return []
  const started = [...call.values('-e --exec'), ...call.values('-c --sh-exec --lua-exec')]
  const effects: Effect[] = isListening ? [{ does: 'connect', host: '0.0.0.0', why: 'listens' }] : []
  if (call.given('-U') && !isListening)
    for (const path of call.operands.slice(0, 1))
      effects.push({ does: 'connect', path, why: 'a socket of this machine' })
  for (const { text } of started)
    if (startsShell(text))
      effects.push({ does: 'run', place: 'remote', why: 'gives another machine a shell' })
  if (call.input && !call.given('-z -d --recv-only')) effects.push({ does: 'send', why: 'what it reads' })
  return effects
}

const SHELL =
  /(?:^|[\s/])(?:ba|da|z|k|c|tc|fi|a|mk)?sh(?:\.exe)?(?:\s|$)|(?:^|[\s/\\])(?:cmd|powershell|pwsh)(?:\.exe)?(?:\s|$)|(?:^|[\s/])(?:python|perl|ruby|node|php)[\d.]*(?:\s+-i)?\s*$/i

export function startsShell(text: string): boolean {
  const line = text.replace(
    /^(?:(?:exec|env|nice|nohup|setsid|stdbuf|sudo|command)(?:\s+-\S+(?:\s+[^-\s]\S*)?)*\s+)+/,
    '',
  )
  if (/(?:^|\s)-\w*c\s/.test(line)) return false
  return SHELL.test(line)
}

/** Addresses of socat: `TYPE:value,option`. */
function socat({ operands }: Call): readonly Effect[] {
  const effects: Effect[] = []
  const addresses = operands.map((word) => ({ word, ...addressOf(word) }))
  const isNetwork = addresses.some(({ type }) =>
    /^(?:TCP|UDP|SCTP|DCCP|VSOCK|OPENSSL|SSL|SOCKS|PROXY|UDPLITE|IP)/.test(type),
  )
  const to = addresses.find(({ type }) => /^(?:TCP|UDP|SCTP|DCCP|OPENSSL|SSL)/.test(type))
  const descriptor = addresses.some(({ type }) => /^FD$/.test(type))
  if (to && !/LISTEN|-L$/.test(to.type))
    effects.push({ does: 'connect', host: { text: to.value.split(':')[0] ?? '' } })
  for (const { type, value, folder, word } of addresses) {
    const path = { ...word, text: folder ? `${folder}/${value}` : value }
    if (/^(?:EXEC|SYSTEM|SHELL)$/.test(type)) {
      if (type === 'SHELL' && value === '')
        effects.push({ does: 'run', place: 'remote', why: 'gives another machine a shell' })
      else {
        if (isNetwork && startsShell(value))
          effects.push({ does: 'run', place: 'remote', why: 'gives another machine a shell' })
        const script = { ...word, text: value.replace(/\\(.)/g, '$1') }
        effects.push({ script })
        if (isNetwork) effects.push({ does: 'send', why: 'what it prints', certain: false })
      }
    } else if (/^(?:UNIX(?:-CONNECT|-CLIENT|-SENDTO)?|ABSTRACT(?:-CONNECT|-CLIENT|-SENDTO)?)$/.test(type))
      effects.push({ does: 'connect', path, why: 'a socket of this machine' })
    else if (/^(?:OPEN|FILE|GOPEN|CREATE)$/.test(type)) {
      effects.push({ does: type === 'CREATE' ? 'write' : 'read', path })
      if (isNetwork || descriptor || addresses.some((other) => /^(?:EXEC|SYSTEM)$/.test(other.type)))
        effects.push({ does: 'send', path })
    }
  }
  return effects
}

function addressOf({ text }: Word): { type: string; value: string; folder?: string } {
  const [, type = '', rest = ''] = /^([\w-]+)(?::([\s\S]*))?$/.exec(text) ?? []
  const isCommand = /^(?:EXEC|SYSTEM|SHELL)$/i.test(type)
  const folder = /,chdir=([^,]+)/.exec(rest)?.[1]
  const value = (
    isCommand
      ? rest.replace(/,(?:pty|stderr|setsid|sigint|sane|fdin|fdout|ctty|nofork|raw|echo)\b.*$/, '')
      : rest.split(',')[0]!
  ).replace(/^["']|["']$/g, '')
  return { type: type.toUpperCase(), value, ...(folder ? { folder } : {}) }
}

/** `dig $(cat key).example.com` carries data in a name: the shell model tells what is in the word. */
function dnsLeak({ operands }: Call): readonly Effect[] {
  return operands.filter(({ flow }) => flow).map((host) => ({ does: 'send', host, why: 'data in a name' }))
}
