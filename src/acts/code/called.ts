/** A call in code: what it gives, and what it does. */

import { atMost } from '../cut.ts'
import type { Effect } from '../program.ts'
import { isSecretFile } from '../secret-files.ts'
import { CALLS, type Handler, type Value, walked } from './calls.ts'
import { MAX_DEPTH, type Scan } from './expression.ts'
import { module } from './imports.ts'
import { listed } from './loops.ts'
import { scanCode } from './scan.ts'
import { asPath, decoded, formatted, isPathValue, join, joined, MAX_ITEMS } from './values.ts'

export function called(
  scan: Scan,
  name: string,
  args: readonly Value[],
  receiver: Value,
): { value: Value; name: string } {
  const [first] = args
  if (receiver && 'items' in receiver && receiver.isOneOf && /^(?:\*|Path)\.(?!join$)/.test(name)) {
    for (const item of atMost(receiver.items, MAX_ITEMS, 'values of a loop'))
      called(scan, name.replace(/^\*/, isPathValue(item) ? 'Path' : '*'), args, item)
    return { value: null, name: '*' }
  }
  const many = args.findIndex((arg) => arg && 'items' in arg && arg.isOneOf && arg.items.length > 1)
  if (many !== -1) {
    const { items } = args[many] as { items: Value[] }
    for (const item of atMost(items, MAX_ITEMS, 'values of a loop'))
      called(scan, name, args.with(many, item), receiver)
    return { value: null, name: '*' }
  }
  // php: ("sys" . "tem")("…")
  if (
    name === '*' &&
    scan.language === 'php' &&
    receiver &&
    'text' in receiver &&
    /^\w+$/.test(receiver.text)
  )
    return called(scan, receiver.text, args, null)
  // cmd.append("/")
  if (ADDS_TO_LIST.test(name) && receiver && 'items' in receiver && !receiver.isOneOf) {
    const added = args.flatMap((arg) =>
      arg && 'items' in arg && !name.endsWith('append') ? arg.items : [arg],
    )
    receiver.items.push(...added.slice(0, Math.max(0, MAX_ITEMS - receiver.items.length)))
    return { value: receiver, name: '*' }
  }
  // Functions that only change a text.
  if (
    /^(?:require|__import__|importlib\.import_module|import|process\.(?:mainModule\.require|getBuiltinModule))$/.test(
      name,
    ) &&
    first &&
    'text' in first
  )
    return { value: null, name: module(first.text) }
  if (name === 'getattr' && args[1] && 'text' in args[1]) return { value: null, name: `os.${args[1].text}` }
  if (
    /^(?:os\.getenv|os\.environ\.get|getenv|ENV\.fetch|Deno\.env\.get|Sys\.getenv)$/.test(name) &&
    first &&
    'text' in first &&
    first.text === 'HOME'
  )
    return { value: { text: '~' }, name: '*' }
  // ruby: File.send(:unlink, path)
  if (/\.(?:send|public_send|__send__)$/.test(name) && first && 'text' in first)
    return called(scan, `${name.slice(0, name.lastIndexOf('.'))}.${first.text}`, args.slice(1), receiver)
  if (/^Buffer\.from$/.test(name) && args[1] && 'text' in args[1] && first && 'text' in first) {
    const encoding = /^(?:base64|base64url|hex)$/.exec(args[1].text)?.[0] as BufferEncoding | undefined
    if (encoding && !first.isUnknown)
      return { value: { text: Buffer.from(first.text, encoding).toString('utf8') }, name: '*' }
  }
  if (/^(?:chr|String\.fromCharCode)$/.test(name))
    return {
      value: {
        text: args
          .map((arg) => (arg && 'text' in arg ? String.fromCharCode(Number(arg.text)) : '?'))
          .join(''),
      },
      name: '*',
    }
  if (
    /^(?:os\.path\.(?:expanduser|abspath|realpath|normpath)|path\.(?:resolve|normalize)|File\.expand_path|str|String|Pathname|Pathname\.new|shlex\.split|bytes|Buffer\.from)$/.test(
      name,
    ) &&
    args.length === 1
  )
    return { value: first ?? null, name: '*' }
  if (/^os\.path\.expandvars$/.test(name) && first && 'text' in first)
    return { value: { ...first, text: first.text.replace(/^\$\{?HOME\}?(?=\/|$)/, '~') }, name: '*' }
  if (/^(?:Path|PurePath|pathlib\.Path|pathlib\.PurePath|PosixPath)$/.test(name))
    return { value: asPath(join(args)), name: 'Path' }
  if (/^(?:Path\.home|os\.homedir|homedir|pathlib\.Path\.home|Dir\.home)$/.test(name))
    return { value: { text: '~', isPath: true }, name: 'Path' }
  if (/^(?:os\.getcwd|process\.cwd|(?:pathlib\.)?Path\.cwd|Dir\.pwd)$/.test(name))
    return { value: { text: '.', isPath: true }, name: 'Path' }
  if (/^(?:Path\.(?:expanduser|resolve|absolute))$/.test(name)) return { value: receiver, name: 'Path' }
  if (/^(?:os\.path\.join|path\.join|path\.resolve|File\.join|(?:Path|\*)\.joinpath)$/.test(name))
    return { value: join(/joinpath$/.test(name) ? [receiver, ...args] : args), name: 'Path' }
  if (
    /^(?:glob\.glob|glob\.iglob|Dir\.glob|glob|Path\.glob|Path\.rglob|globSync|fs\.globSync)$/.test(name) &&
    first &&
    'text' in first
  ) {
    const text =
      name.startsWith('Path.') && receiver && 'text' in receiver
        ? `${receiver.text}/${first.text}`
        : first.text
    return { value: { items: [{ text, isGlob: true }] }, name: '*' }
  }
  if (/^\*\.(?:join)$/.test(name) && receiver && first && 'items' in first) {
    const separator = 'text' in receiver ? receiver.text : ''
    return {
      value: first.items.reduce<Value>((all, item, at) => (at === 0 ? item : joined(all, item, separator)), {
        text: '',
      }),
      name: '*',
    }
  }
  if (/^\*\.join$/.test(name) && receiver && 'items' in receiver) {
    const separator = first && 'text' in first ? first.text : ','
    return {
      value: receiver.items.reduce<Value>(
        (all, item, at) => (at === 0 ? item : joined(all, item, separator)),
        { text: '' },
      ),
      name: '*',
    }
  }
  if (/^(?:implode|join|paste)$/.test(name) && args.length > 1) {
    const separator = name === 'paste' ? { text: ' ' } : (first ?? null)
    const rest = name === 'paste' ? args : args.slice(1)
    const items = rest.flatMap((arg) => (arg && 'items' in arg ? arg.items : [arg]))
    return called(scan, '*.join', [{ items }], separator)
  }
  if (/^\*\.format$/.test(name) && receiver && 'text' in receiver)
    return { value: formatted(receiver, /\{\w*\}/g, { items: [...args] }), name: '*' }
  if (LISTS_NAMES.test(name) || LISTS_PATHS.test(name)) {
    const folder = name.startsWith('Path.') ? receiver : (args.find((arg) => arg !== null) ?? null)
    scan.effects.push(...walked(folder))
    return { value: scan.picks ? null : listed(folder, LISTS_PATHS.test(name)), name: '*' }
  }
  if (
    (/^(?:list|sorted|set|tuple|reversed|Array\.from|map|filter|i?pairs|enumerate)$/.test(name) &&
      args.length === 1) ||
    name === 'RecursiveIteratorIterator'
  )
    return { value: args.find((arg) => arg !== null) ?? null, name: '*' }
  if (/^\*\.(?:split)$/.test(name) && receiver && 'text' in receiver)
    return { value: { items: receiver.text.split(/\s+/).map((text) => ({ text })) }, name: '*' }
  if (/^\*\.(?:strip|trim|encode|decode|toString|rstrip|lstrip|as_posix|to_s)$/.test(name))
    return { value: receiver, name: '*' }
  if (
    /^(?:base64\.(?:b64decode|urlsafe_b64decode|standard_b64decode)|atob|base64_decode|Base64\.(?:decode64|strict_decode64|urlsafe_decode64)|decode_base64|bytes\.fromhex|binascii\.unhexlify|hex2bin|str_rot13|codecs\.decode|zlib\.decompress)$/.test(
      name,
    )
  )
    return {
      value:
        !first || !('text' in first) || first.isUnknown
          ? { text: '$decoded', isUnknown: true }
          : { text: decoded(name, first.text, args) },
      name: '*',
    }
  // php: $f = "system"; $f("…")
  const held = /^\$\w+$/.test(name) ? scan.values.get(name) : undefined
  if (held && 'text' in held && /^[\w.]+$/.test(held.text)) return called(scan, held.text, args, null)
  // php: array_map("unlink", …)
  if (/^(?:array_map|array_walk|call_user_func|call_user_func_array)$/.test(name) && first && 'text' in first)
    return called(scan, first.text, args.slice(1), null)
  const plain = name.replace(/^(?:pathlib\.)?Path\./, 'Path.')
  // In other languages `exec` starts a program.
  const said = plain === 'exec' && scan.language === 'python' ? 'eval' : plain
  const { short, handler } = known(said)
  if (GOES.test(short) && first && 'text' in first && !first.isUnknown) {
    scan.folder = below(scan.folder, first.text)
    return { value: null, name: '*' }
  }
  if (handler) {
    scan.effects.push(...inFolder(scan.folder, handler(args, receiver, short)))
    if (
      /^(?:eval|exec|compile|Function|instance_eval|class_eval|vm\.run\w+|loadstring|load|assert)$/.test(
        short,
      ) &&
      first &&
      'text' in first &&
      !first.isUnknown &&
      scan.depth < MAX_DEPTH &&
      scan.language !== 'shell'
    ) {
      const inner = scanCode(scan.language, first.text)
      scan.effects.push(...inner.effects)
    }
    return { value: null, name: '*' }
  }
  if (first && 'text' in first && !first.isUnknown) {
    scan.effects.push(...secretRead(short, first.text))
    // z.write('.env') of an archive
    if (scan.packs && /\.(?:write|add|addFile|addLocalFile|addLocalFolder|file|directory)$/.test(short))
      scan.effects.push(
        ...inFolder(scan.folder, [
          { does: 'read', path: { text: first.text } },
          { takes: { text: first.text } },
        ]),
      )
  }
  return { value: null, name: '*' }
}

const ADDS_TO_LIST = /^\*\.(?:append|push|extend|concat)$/
const GOES = /^(?:os|process|Dir)\.(?:chdir|fchdir)$|^(?:chdir|setwd|Deno\.chdir)$/

/** Methods that nothing else has, whatever they are called on: `f.promises.rm`, `this.fs.rmSync`, `ssh.exec_command`. */
function known(name: string): { short: string; handler: Handler | undefined } {
  const handlerOf = (each: string) => CALLS.find(([test]) => test.test(each))?.[1]
  const handler = handlerOf(name)
  if (handler) return { short: name, handler }
  const last = name.slice(name.lastIndexOf('.') + 1)
  const owner = /(?:^|\.)promises\.\w+$/.test(name)
    ? 'fs.promises'
    : OWNERS.find(([test]) => test.test(last))?.[1]
  const short = owner === undefined ? name : `${owner}.${last}`
  return { short, handler: owner === undefined ? undefined : handlerOf(short) }
}

const OWNERS: readonly (readonly [RegExp, string])[] = [
  [/^(?:rm|unlink|rmdir|readFile|writeFile|appendFile|truncate|cp|rename|copyFile|chmod|symlink)Sync$/, 'fs'],
  [/^(?:readTextFile|writeTextFile|readTextFileSync|writeTextFileSync)$/, 'Deno'],
  [/^(?:exec|spawn|execFile)Sync$/, 'child_process'],
  [/^(?:rmtree|copytree)$/, 'shutil'],
  [/^check_(?:output|call)$/, 'subprocess'],
  [/^(?:exec_command|exec_run|sudo)$/, 'os'],
]

/** Relative paths after `chdir`. */
function inFolder(folder: string | undefined, effects: readonly Effect[]): readonly Effect[] {
  if (folder === undefined) return effects
  return effects.map((effect): Effect => {
    if ('does' in effect && effect.path !== undefined)
      return typeof effect.path === 'string'
        ? { ...effect, path: below(folder, effect.path) }
        : { ...effect, path: { ...effect.path, text: below(folder, effect.path.text) } }
    if ('takes' in effect)
      return { ...effect, takes: { ...effect.takes, text: below(folder, effect.takes.text) } }
    if ('argv' in effect || 'script' in effect) return { ...effect, cwd: { text: folder } }
    return effect
  })
}

function below(folder: string | undefined, path: string): string {
  return folder === undefined || /^(?:[/~]|[A-Za-z]:)/.test(path)
    ? path
    : `${folder.replace(/\/$/, '')}/${path}`
}

/** A function that nobody knows, called as if it read a file, with a file of secrets. */
function secretRead(name: string, text: string): Effect[] {
  const last = name.slice(name.lastIndexOf('.') + 1)
  return /read|load|parse|values|open|slurp|lines|dump/i.test(last) &&
    !/^(?:load_dotenv|loadEnvFile|config|loadEnv)$/.test(last) &&
    !/\s/.test(text) &&
    isSecretFile(text)
    ? [{ does: 'read', path: text, certain: false, why: `${name} may show it` }]
    : []
}

/** Functions that give the names in a folder, and those that give whole paths. */
const LISTS_NAMES =
  /^(?:os\.listdir|(?:fs|fsp|promises|fs\.promises)\.readdir(?:Sync)?|readdirSync|Deno\.readDir(?:Sync)?|Dir\.(?:children|entries|each_child|foreach)|scandir)$/

const LISTS_PATHS =
  /^(?:os\.(?:scandir|walk|fwalk)|(?:Recursive)?DirectoryIterator|FilesystemIterator|Path\.(?:iterdir|walk)|list\.files|File\.ls!?)$/
