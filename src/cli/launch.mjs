#!/usr/bin/env node
// Becomes dist/cli/main.cjs. Agents start the program at every step, and V8 spends a third of such a call on reading
// functions that it has read at every call before. What it made of them is kept after the first call and used by the
// next ones; Node's own compile cache keeps only what is compiled before anything has run. V8 runs what it is given there,
// whatever the text says: it is given only what carries a MAC made with the key of the state folder.
import * as hashModule from '../fast/hash-module.ts'
import * as nh from '../fast/nh.ts'

// By require(): an import would copy every field of the module.
const fs = require('node:fs')
const { dirname, join } = require('node:path')
const { pathToFileURL } = require('node:url')
const { Script } = require('node:vm')

/** The bytes that were built: V8 itself would tell another program only by its length. */
const BUILD = '%BUILD%'
/** Every file of the build ends with it. */
const END = `\n// ${BUILD}\n`
/** Before V8's data. */
const MAC_BYTES = 32
const KEY_BYTES = 32
/** What is kept has a megabyte or less: a larger file is not one of ours. */
const MAX_BYTES = 16 * 1024 * 1024
/** Each kind of call uses other functions. */
const KINDS = ['hook', 'fire', 'engine', 'daemon']

const kind = KINDS.includes(process.argv[2]) ? process.argv[2] : 'other'
const cache = placeOf(process.env.XDG_CACHE_HOME, '.cache')
const state = placeOf(process.env.XDG_STATE_HOME, '.local/state')
const folder = cache && state && `${cache}/code/${process.version}-${BUILD}-${kind}${flagsMark()}`
/** What was loaded, by the name of the file without its folder and ending: no two have the same. */
const loaded = new Map()
const scripts = []
/** Loaded when something of them is used: many files name them, few calls need them, and Node's snapshot is without them. */
const LATE = ['node:child_process', 'node:net', 'node:os']
const builtins = Object.fromEntries(
  LATE.map((id) => [id, new Proxy({}, { get: (_, name) => require(id)[name] })]),
)
/** Something was compiled in this call that is not kept yet: it is at the end, and only then has 'exit' a listener. */
let isNew = false

/** Made of the key at the first use; null where there is no key that may be used. */
let mac

const door = doorOf(process.argv)
load(`${__dirname}/${door}.cjs`, door)

/** The file of the build for this kind of call: each holds only what such a call needs, and runs all of it at once. */
function doorOf([, , name, ...rest]) {
  if (name === 'hook' && !rest.includes('--help') && !rest.includes('-h')) return 'hot'
  return name === 'fire' ? 'fire' : 'commands'
}

/** As src/config/paths.ts says. */
function placeOf(variable, usual) {
  if (variable?.startsWith('/')) return `${variable}/crosshook`
  return process.env.HOME?.startsWith('/') ? `${process.env.HOME}/${usual}/crosshook` : undefined
}

/** What was compiled under other flags is refused: whoever runs with some has a place of their own. */
function flagsMark() {
  const flags = [...process.execArgv, process.env.NODE_OPTIONS ?? ''].join(' ')
  let hash = 0
  for (const letter of flags) hash = (Math.imul(hash, 31) + letter.codePointAt(0)) >>> 0
  return hash === 0 ? '' : `-${hash.toString(16)}`
}

/** A CommonJS file, as require() would load it; the build has put its function around it. */
function load(filename, name) {
  const known = loaded.get(name)
  if (known) return known.exports
  // Built files are ASCII, and this way they are not searched for other characters.
  const text = fs.readFileSync(filename, 'latin1')
  // Cut off, or of another build: a program in the middle of an upgrade. Nothing of it may run.
  if (!text.endsWith(END)) throw new Error(`${filename} is damaged, or of another version than its launcher`)
  const cachedData = folder ? read(name, text.length) : undefined
  const script = new Script(text, { filename, cachedData })
  if (cachedData === undefined || script.cachedDataRejected) willKeep()
  scripts.push({ name, script, length: text.length })
  const module = { exports: {} }
  // Before it runs: its parts ask for it.
  loaded.set(name, module)
  const at = dirname(filename)
  const find = (id) => {
    if (id === 'launcher:hash-module') return hashModule
    if (id === 'launcher:nh') return nh
    if (!id.endsWith('.cjs')) return builtin(id)
    // Not by path.join(), which Node compiles at its first use.
    const path = `${at}/${id.startsWith('./') ? id.slice(2) : id}`
    const inner = id.slice(id.lastIndexOf('/') + 1, -4)
    return inner.startsWith(`${door}-`) ? loadPart(path, inner) : load(path, inner)
  }
  const importFrom = (id) => import(id.startsWith('.') ? pathToFileURL(join(at, id)).href : id)
  try {
    script.runInThisContext()(module, module.exports, find, importFrom, filename)
  } catch (error) {
    // Half of it must not pass for the whole at the next call.
    loaded.delete(name)
    throw error
  }
  return module.exports
}

/**
 * A part that cannot be loaded must not pass for the failure of a hook, which may let a call pass: the program ends, as it
 * does without the file that this is a part of.
 */
function loadPart(filename, name) {
  try {
    return load(filename, name)
  } catch (error) {
    fs.writeSync(2, `${error.stack}\n`)
    process.exit(1)
  }
}

/** The folder is made now, not at the end: where it has been removed meanwhile, nothing is left behind. */
function willKeep() {
  if (isNew || !folder) return
  isNew = true
  process.once('exit', keep)
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch {
    // see keep()
  }
}

/** Each of a hundred modules asks for its own: Node's require() takes longer for each than most of them take to start. */
function builtin(id) {
  return (builtins[id] ??= require(id))
}

/** Undefined where nothing is kept, or nothing that was kept by us, whole, for this text. */
function read(name, length) {
  const bytes = readFile(`${folder}/${name}`, MAX_BYTES)
  if (!bytes || bytes.length <= MAC_BYTES) return undefined
  const data = bytes.subarray(MAC_BYTES)
  mac ??= macOfState()
  const right = mac?.(label(name, length), data)
  return right && isEqual(right, bytes) ? data : undefined
}

/** Does not tell by its duration how much of the MAC was right. */
function isEqual(right, bytes) {
  let difference = 0
  for (let i = 0; i < MAC_BYTES; i++) difference |= right[i] ^ bytes[i]
  return difference === 0
}

/** What is kept for one file, kind of call and build proves nothing for another. */
function label(name, length) {
  return `code ${folder.slice(folder.lastIndexOf('/') + 1)} ${name} ${length}`
}

/** The key that src/config/state-key.ts makes, and only in the state in which it takes it. */
function macOfState() {
  const key = readFile(`${state}/state.key`, KEY_BYTES, true)
  return key?.length === KEY_BYTES ? (nh.macWith(key) ?? null) : null
}

/** Undefined unless it is a regular file of at most so many bytes: a pipe or a device would keep us waiting. */
function readFile(path, largest, isSecret = false) {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants
  let descriptor
  try {
    descriptor = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch {
    return undefined // not there yet, or not for us
  }
  try {
    const stat = fs.fstatSync(descriptor)
    if (!stat.isFile() || stat.size > largest) return undefined
    if (isSecret && (stat.uid !== process.getuid() || (stat.mode & 0o077) !== 0)) return undefined
    const bytes = Buffer.allocUnsafeSlow(stat.size)
    return fs.readSync(descriptor, bytes, 0, stat.size, 0) === stat.size ? bytes : undefined
  } catch {
    return undefined
  } finally {
    fs.closeSync(descriptor)
  }
}

/** Of programs that were replaced long ago. */
function removeOld(all) {
  const longAgo = Date.now() - 30 * 24 * 3_600_000
  for (const name of fs.readdirSync(all))
    if (fs.statSync(join(all, name)).mtimeMs < longAgo)
      fs.rmSync(join(all, name), { recursive: true, force: true })
}

/**
 * At the end, when everything that such a call needs has been compiled. A chunk that is new comes with a new kind of call:
 * what that needs of the other files is kept with it.
 */
function keep() {
  try {
    // The first call of all has made the key meanwhile.
    mac ??= macOfState()
    if (!mac) return
    for (const { name, script, length } of scripts) {
      const temporary = `${folder}/${name}.${process.pid}.tmp`
      const data = script.createCachedData()
      const bytes = Buffer.concat([mac(label(name, length), data), data])
      fs.rmSync(temporary, { force: true })
      fs.writeFileSync(temporary, bytes, { mode: 0o600, flag: 'wx', flush: true })
      fs.renameSync(temporary, `${folder}/${name}`)
    }
    removeOld(dirname(folder))
  } catch {
    // A cache that cannot be written costs time, nothing else; stdout and stderr belong to the agent.
  }
}
