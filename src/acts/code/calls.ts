/** Known functions of languages, and what they do to their arguments. One row each. */

import type { Effect } from '../program.ts'
import type { Word } from '../word.ts'

/** What is known of an argument. */
export type Value =
  | {
      text: string
      isUnknown?: boolean
      isGlob?: boolean /** It was made by pathlib and the like. */
      isPath?: boolean
    }
  | { items: Value[]; isOneOf?: boolean }
  | null

export type Handler = (args: readonly Value[], receiver: Value, name?: string) => Effect[]

/** Functions that ask another machine for something. */
export const REQUESTS =
  /^(?:requests|httpx|aiohttp|session|urllib3)\.(?:get|head|options|request)$|^urllib\.request\.(?:urlopen|urlretrieve|Request)$|^urlopen$|^(?:axios|got|ky|superagent|needle)(?:\.(?:get|head|request))?$|^fetch$|^https?\.(?:get|request)$|^Net::HTTP\.(?:get|get_response|start)$|^(?:URI\.open|curl_init|fsockopen|LWP::Simple::get|file_get_contents)$|^socket\.(?:create_connection|connect)$|^\*\.connect$|^net\.(?:connect|createConnection)$/

/** The name as it is written, with aliases of imports resolved; `*` stands for whatever the function is called on. */
export const CALLS: readonly (readonly [RegExp, Handler])[] = [
  // Deleting.
  [/^(?:os|posix)\.(?:remove|unlink|rmdir|removedirs)$/, paths('delete')],
  [/^(?:shutil\.)?rmtree$|^send2trash$|^(?:File::Path::)?(?:rmtree|remove_tree)$/, paths('delete', true)],
  [
    /^(?:fs|fsp|promises|fs\.promises|Deno|fse|node:fs|fs\/promises)\.(?:rm|rmSync|remove|removeSync|emptyDir|emptyDirSync)$|^rimraf(?:\.sync)?$|^(?:rmSync|del\.sync)$/,
    paths('delete', true),
  ],
  [
    /^(?:fs|fsp|promises|fs\.promises|node:fs|fs\/promises)\.(?:unlink|unlinkSync|rmdir|rmdirSync)$|^(?:unlinkSync|rmdirSync)$/,
    paths('delete'),
  ],
  [
    /^(?:File|Dir|Pathname|FileUtils|IO)\.(?:delete|unlink|rmdir|rm|rm_r|rm_f|rm_rf|rmtree|remove|remove_dir|remove_entry|remove_entry_secure|safe_unlink)$/,
    paths('delete', true),
  ],
  [/^(?:unlink|rmdir|os\.remove)$/, paths('delete')],
  // perl: it goes through a folder from the bottom to the top to delete it.
  [
    /^(?:File::Find::)?finddepth$/,
    (args) => args.flatMap((arg) => (arg && 'text' in arg ? path('delete', arg, true) : [])),
  ],
  [/^(?:Path|\*)\.(?:unlink|rmdir|rmtree|delete)$/, receiverPath('delete')],
  // A socket of this machine.
  [
    /(?:^|\.)(?:connect|connect_ex|createConnection|create_unix_connection|open_unix_connection)$|^UNIXSocket\.(?:new|open)$/,
    (args, receiver) => {
      const [first] = args
      if (first && 'text' in first && /^[/~]/.test(first.text)) return path('connect', first)
      return first && 'items' in first && first.items.length >= 2 ? connected(args, receiver) : []
    },
  ],
  // Reading and writing.
  [
    /^(?:open|io\.open|codecs\.open|fopen|File\.open|File\.new|(?:Path|\*)\.open|os\.open|aiofiles\.open|fs\.open|fs\.openSync)$/,
    opened,
  ],
  [
    /^(?:fs|fsp|promises|fs\.promises|node:fs|fs\/promises|Deno|Bun)\.(?:readFile|readFileSync|createReadStream|readTextFile|readTextFileSync|file)$|^readFileSync$|^(?:File|IO)\.(?:read|readlines|foreach|binread)$|^(?:file_get_contents|readfile|file|highlight_file|show_source|parse_ini_file|io\.lines|slurp)$|^(?:linecache\.getlines|fileinput\.input|runpy\.run_path)$/,
    paths('read'),
  ],
  [/^(?:Path|\*)\.(?:read_text|read_bytes|read|readlines)$/, receiverPath('read')],
  [/^(?:Path|\*)\.(?:write_text|write_bytes|touch|mkdir|chmod)$/, receiverPath('write')],
  [
    /^(?:fs|fsp|promises|fs\.promises|node:fs|fs\/promises|Deno)\.(?:writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream|writeTextFile|writeTextFileSync|truncate|truncateSync|chmod|chmodSync|mkdir|mkdirSync|chown|chownSync)$|^(?:writeFileSync|appendFileSync|Bun\.write)$|^(?:File|IO)\.(?:write|binwrite|truncate|chmod)$|^(?:file_put_contents|touch|chmod|mkdir)$|^os\.(?:chmod|chown|mkdir|makedirs|truncate|mknod|mkfifo)$|^FileUtils\.(?:touch|mkdir|mkdir_p|chmod|chmod_R|chown)$|^os\.(?:utime|setxattr|removexattr|lchown)$/,
    firstPath('write'),
  ],
  [
    /^shutil\.(?:copytree|make_archive)$|^(?:fs|fsp|promises|fs\.promises|node:fs)\.(?:cp|cpSync|copy|copySync)$|^FileUtils\.cp_r$/,
    ([from, to, root]) =>
      taken(to && 'text' in to && /^(?:zip|tar|gztar|bztar|xztar|zstdtar)$/.test(to.text) ? root : from),
  ],
  [/^glob\.(?:glob|iglob)$|^(?:Find\.find|Dir\.glob)$/, ([first]) => walked(first)],
  [/^Path\.(?:rglob|glob)$/, (_args, receiver) => walked(receiver)],
  [
    /^shutil\.(?:copy|copy2|copyfile|copytree)$|^(?:fs|fsp|promises|fs\.promises|node:fs)\.(?:copyFile|copyFileSync|cp|cpSync|copy|copySync)$|^FileUtils\.(?:cp|cp_r|copy)$|^copy$/,
    ([from, to]) => [...path('read', from), ...path('write', to)],
  ],
  [
    /^shutil\.move$|^os\.(?:rename|replace|renames)$|^(?:fs|fsp|promises|fs\.promises|node:fs)\.(?:rename|renameSync|move|moveSync)$|^(?:FileUtils\.(?:mv|move)|File\.rename|rename)$/,
    ([from, to]) => [...path('delete', from), ...path('write', to)],
  ],
  [
    /^(?:os\.link|(?:fs|node:fs)\.link(?:Sync)?|File\.link|link)$/,
    // A hard link is the same file under another name: whoever holds it can change the file.
    ([from, to]) => [...path('write', from), ...path('write', to), ...link(from, to)],
  ],
  [
    /^os\.(?:symlink|link)$|^(?:fs|node:fs)\.(?:symlink|symlinkSync|link|linkSync)$|^(?:FileUtils\.ln_sf?|File\.symlink|symlink)$/,
    ([from, to]) => [...path('write', to), ...link(from, to)],
  ],
  [
    /^sysopen$/,
    (args) =>
      path(
        'write',
        args.find((arg) => arg && 'text' in arg),
      ),
  ],
  // Starting programs.
  [
    /^(?:os|\*)\.(?:system|popen|exec_command|exec_run|sudo)$|^(?:subprocess|commands)\.(?:getoutput|getstatusoutput)$|^asyncio\.create_subprocess_shell$|^(?:child_process|cp|node:child_process)\.(?:exec|execSync)$|^(?:execSync|shell_exec|passthru|popen|proc_open|os\.execute|io\.popen|Kernel\.system|shell\.exec|shelljs\.exec|execa\.command|execaCommand(?:Sync)?)$/,
    started,
  ],
  [
    /^(?:shelljs|shell|sh)\.(?:rm|cp|mv|cat|chmod|mkdir|ln|sed|git|curl|dd)$|(?:^|\.)git\.(?:push|reset|clean|checkout|restore|branch|rebase|commit)$/,
    (args, _receiver, name = '') =>
      argvOf([
        ...(/(?:^|\.)git\.\w+$/.test(name) ? [{ text: 'git' }] : []),
        { text: name.slice(name.lastIndexOf('.') + 1) },
        ...args,
      ]),
  ],
  [
    /^urllib\.request\.urlretrieve$|^wget\.download$/,
    (args, receiver) => {
      const [from, to] = [word(args[0]), word(args[1])]
      const host = from && /^[a-z]+:\/\/([^/]+)/i.exec(from.text)?.[1]
      return [
        ...connected(args, receiver),
        ...(from && to && host ? [{ does: 'write', path: to } as const, { from, to, host }] : []),
      ]
    },
  ],
  [
    /^(?:system|exec|IO\.popen|Open3\.\w+|Process\.(?:spawn|exec)|Kernel\.exec|spawn|pcntl_exec|Kernel\.spawn|syscall)$/,
    started,
  ],
  [
    /^subprocess\.(?:run|call|check_call|check_output|Popen)$|^asyncio\.create_subprocess_exec$|^(?:pty|pexpect|node-pty|PTY)\.(?:spawn|spawnu|run|getpty)$|^sh\.Command$|^(?:child_process|cp|node:child_process)\.(?:spawn|spawnSync|execFile|execFileSync|fork)$|^(?:spawnSync|execFileSync|execFile|execa(?:Sync)?|Bun\.spawn(?:Sync)?|Deno\.Command)$/,
    started,
  ],
  [/^os\.(?:execl|execle|execlp|execlpe|spawnl|spawnle|spawnlp|spawnlpe)$/, (args) => argvOf(args.slice(1))],
  [
    /^os\.(?:execv|execve|execvp|execvpe|spawnv|spawnve|spawnvp|spawnvpe|posix_spawn|posix_spawnp)$/,
    (args) => started([args.find((arg) => arg && 'items' in arg) ?? null], null),
  ],
  [
    /^os\.(?:kill|killpg)$|^process\.kill$|^Process\.kill$|^posix_kill$/,
    () => [{ does: 'kill', why: 'ends a process' }],
  ],
  // The network.
  [
    /(?:^|\.)(?:goto|navigate)$/,
    ([first]) =>
      first && 'text' in first && /^(?:view-source:)?file:/i.test(first.text) ? path('read', first) : [],
  ],
  [REQUESTS, connected],
  [
    /^(?:requests|httpx|aiohttp|session)\.(?:post|put|patch|delete)$|^(?:axios|got|ky|superagent|needle)\.(?:post|put|patch)$|^Net::HTTP\.post(?:_form)?$|^smtplib\.SMTP$|^ftplib\.FTP$/,
    (args, receiver) => [
      ...connected(args, receiver),
      ...connected(args, receiver).flatMap((effect): Effect[] =>
        'does' in effect && effect.host !== undefined
          ? [{ does: 'send', host: effect.host, certain: false }]
          : [],
      ),
    ],
  ],
  [
    /(?:^|\.)(?:HTTPServer|ThreadingHTTPServer|TCPServer|SimpleHTTPServer)$|^http\.server\.test$/,
    () => [{ takes: { text: '.' } }],
  ],
  [
    /^keyring\.get_(?:password|credential)$/,
    () => [{ does: 'reveal_secret', place: 'secret', why: 'shows a stored secret' }],
  ],
  [
    /(?:^|\.)CronTab$/,
    () => [{ does: 'write', place: 'startup', certain: false, why: 'may set up a job that runs by itself' }],
  ],
  // Code that is made while it runs.
  [
    /^(?:eval|exec|compile|Function|instance_eval|class_eval|vm\.runInThisContext|vm\.runInNewContext|vm\.runInContext|create_function|assert|loadstring|load)$/,
    ([text]) =>
      text && 'text' in text && !text.isUnknown
        ? []
        : [{ does: 'run', place: 'decoded', why: 'code that is made while it runs' }],
  ],
  [
    /^(?:pickle\.loads|marshal\.loads|ctypes\.CDLL|ctypes\.cdll\.LoadLibrary)$/,
    () => [{ does: 'unknown', why: 'loads code that cannot be read' }],
  ],
]

function word(value: Value | undefined): Word | undefined {
  if (!value || 'items' in value) return undefined
  return { text: value.text, ...(value.isUnknown && { unknown: true }), ...(value.isGlob && { glob: true }) }
}

function path(
  does: 'read' | 'write' | 'delete' | 'connect',
  value: Value | undefined,
  recursive = false,
): Effect[] {
  if (value && 'items' in value) return value.items.flatMap((item) => path(does, item, recursive))
  const found = word(value)
  if (!found) return [{ does, place: 'unknown', certain: false }]
  if (does !== 'write' && /^https?:/.test(found.text)) return [{ does: 'connect', host: found }]
  return [{ does, path: found, ...(recursive && { recursive }) }]
}

/** Walking through a folder reads what is in it where the code opens files: see scan.ts. */
export function walked(value: Value | undefined): Effect[] {
  return taken(value).map((each) => ({ ...each, walked: true }))
}

/** A pattern stands for the folder before it. */
function taken(value: Value | undefined): Extract<Effect, { takes: Word }>[] {
  const found = word(value)
  return found
    ? [{ takes: { ...found, text: found.text.replace(/\/[^/]*\*.*$/, '') || '/', glob: false } }]
    : []
}

function paths(does: 'read' | 'write' | 'delete', recursive = false): Handler {
  return (args) => (args.length === 0 ? [] : path(does, args[0], recursive))
}

function firstPath(does: 'write'): Handler {
  return ([first]) => path(does, first)
}

function receiverPath(does: 'read' | 'write' | 'delete'): Handler {
  // Of a value that is not known nothing is said: `x.read()`.
  return (_args, receiver) => (receiver && 'text' in receiver ? path(does, receiver) : [])
}

function link(from: Value | undefined, to: Value | undefined): Effect[] {
  const [source, target] = [word(from), word(to)]
  return source && target ? [{ from: source, to: target, link: true }] : []
}

/** `open(path, mode)`, and perl's `open(F, '>', path)` and `open(F, '>path')`. */
function opened(args: readonly Value[], receiver: Value): Effect[] {
  const texts = args.map(word)
  const perl = texts.findIndex(
    (each) => each !== undefined && /^[+]?(?:<|>|>>|\||-\|)/.test(each.text.trim()),
  )
  // perl: open(P, "command |")
  const piped = texts.find((each) => each !== undefined && /^[^<>|].*\|\s*$/s.test(each.text))
  if (piped) return [{ script: { ...piped, text: piped.text.replace(/\|\s*$/, '') } }]
  if (perl !== -1) {
    const mode = texts[perl]!.text.trim()
    const sign = /^(?:\+?>{1,2}|\+?<|\|-?|-\|)/.exec(mode)![0]
    const rest = mode.slice(sign.length).trim()
    const target = rest === '' ? texts[perl + 1] : { ...texts[perl]!, text: rest }
    if (!target) return []
    if (sign.includes('|')) return [{ script: target }]
    return [{ does: sign.includes('>') ? 'write' : 'read', path: target }]
  }
  // perl: open F, ".env"
  const isHandle = args.length > 1 && args[0] === null && texts[1] !== undefined
  const target = receiver && 'text' in receiver ? receiver : isHandle ? args[1] : args[0]
  const mode = word(receiver && 'text' in receiver ? args[0] : isHandle ? undefined : args[1])?.text ?? 'r'
  if (/^(?:r?b?t?|rb|rt|O_RDONLY)$/.test(mode) || !/[wax+]|O_(?:WRONLY|RDWR|CREAT|TRUNC)/.test(mode))
    return path('read', target)
  return path('write', target)
}

/** A line for a shell, or a program and its arguments. */
function started(args: readonly Value[], _receiver: Value): Effect[] {
  const [first, second] = args
  if (first && 'items' in first) return argvOf(first.items)
  const program = word(first)
  if (program?.text === '$decoded') return [{ does: 'run', place: 'decoded', why: 'decoded text is run' }]
  if (!program) return [{ does: 'unknown', why: 'what it starts is not known' }]
  // Deno.Command('rm', { args: ['-rf', '/'] })
  const list = second && 'items' in second ? second : args.slice(1).find((arg) => arg && 'items' in arg)
  if (list && 'items' in list && !/\s/.test(program.text)) return argvOf([first!, ...list.items])
  const more = args.slice(1).filter((arg): arg is { text: string } => arg !== null && 'text' in arg)
  if (more.length > 0 && more.length === args.length - 1 && !/\s/.test(program.text)) return argvOf(args)
  return [{ script: program }]
}

function argvOf(values: readonly (Value | undefined)[]): Effect[] {
  const argv = values.map((value) => word(value) ?? { text: '$argument', unknown: true })
  return argv.length === 0 ? [] : [{ argv }]
}

function connected(args: readonly Value[], _receiver: Value): Effect[] {
  for (const arg of args) {
    const first = arg && 'items' in arg ? arg.items[0] : arg
    const host = word(first)
    if (host && /^[\w.-]+$|:\/\//.test(host.text)) return [{ does: 'connect', host }]
  }
  return [{ does: 'connect', certain: false, why: 'to a host that is not known' }]
}
