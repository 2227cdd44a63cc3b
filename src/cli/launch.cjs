#!/usr/bin/env node
// Becomes dist/cli/main.cjs. Agents start the program at every step, and V8 spends a third of such a call on reading
// functions that it has read at every call before. What it made of them is kept after the first call and used by the
// next ones; Node's own compile cache keeps only what is compiled before anything has run.
'use strict'
const { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } = require('node:fs')
const { dirname, join } = require('node:path')
const { pathToFileURL } = require('node:url')
const { Script } = require('node:vm')

/** The bytes that were built: V8 itself would tell another program only by its length. */
const BUILD = '%BUILD%'
/** Every file of the build ends with it. */
const END = `\n// ${BUILD}\n`
/** Before V8's data: the length of the text it was made from, and its own. It is kept twice: comparing is quicker than summing. */
const HEAD = 8
/** Each kind of call uses other functions. */
const KINDS = ['hook', 'fire', 'engine', 'daemon']

const { XDG_CACHE_HOME, HOME } = process.env
const home = XDG_CACHE_HOME || (HOME && `${HOME}/.cache`)
const kind = KINDS.includes(process.argv[2]) ? process.argv[2] : 'other'
const folder =
  home?.startsWith('/') && `${home}/crosshook/code/${process.version}-${BUILD}-${kind}${flagsMark()}`
/** What was loaded, by the name of the file without its folder and ending: no two have the same. */
const loaded = new Map()
const scripts = []
const builtins = {}
/** Something was compiled in this call that is not kept yet. */
let isNew = false

// The other commands have more files than these.
if (folder && kind === 'other') require('node:module').enableCompileCache?.(dirname(folder))
if (folder) process.once('exit', keep)
load(`${__dirname}/hot.cjs`, 'hot')

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
  if (known) return known
  // Built files are ASCII, and this way they are not searched for other characters.
  const text = readFileSync(filename, 'latin1')
  // Cut off, or of another build: a program in the middle of an upgrade. Nothing of it may run.
  if (!text.endsWith(END)) throw new Error(`${filename} is damaged, or of another version than its launcher`)
  const cachedData = folder ? read(`${folder}/${name}`, text.length) : undefined
  const script = new Script(text, { filename, cachedData })
  if (cachedData === undefined || script.cachedDataRejected) willKeep()
  scripts.push({ name, script, length: text.length })
  const module = { exports: {} }
  const at = dirname(filename)
  const find = (id) => {
    if (!id.endsWith('.cjs')) return builtin(id)
    // Not by path.join(), which Node compiles at its first use.
    return load(`${at}/${id.startsWith('./') ? id.slice(2) : id}`, id.slice(id.lastIndexOf('/') + 1, -4))
  }
  const importFrom = (id) => import(id.startsWith('.') ? pathToFileURL(join(at, id)).href : id)
  script.runInThisContext()(module, module.exports, find, importFrom, filename)
  loaded.set(name, module.exports)
  return module.exports
}

/** The folder is made now, not at the end: where it has been removed meanwhile, nothing is left behind. */
function willKeep() {
  if (isNew) return
  isNew = true
  try {
    if (folder) mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch {
    // see keep()
  }
}

/** Each of a hundred modules asks for its own: Node's require() takes longer for each than most of them take to start. */
function builtin(id) {
  return (builtins[id] ??= require(id))
}

/** V8 believes every bit of it: what was damaged, or made from another text, is made anew. */
function read(path, length) {
  try {
    const bytes = readFileSync(path)
    const size = bytes.readInt32LE(4)
    const data = bytes.subarray(HEAD, HEAD + size)
    const isWhole = bytes.readInt32LE(0) === length && bytes.length === HEAD + 2 * size
    return isWhole && data.equals(bytes.subarray(HEAD + size)) ? data : undefined
  } catch {
    return undefined // not kept yet
  }
}

/** Of programs that were replaced long ago. */
function removeOld(all) {
  const longAgo = Date.now() - 30 * 24 * 3_600_000
  for (const name of readdirSync(all))
    if (statSync(join(all, name)).mtimeMs < longAgo) rmSync(join(all, name), { recursive: true, force: true })
}

/**
 * At the end, when everything that such a call needs has been compiled. A chunk that is new comes with a new kind of call:
 * what that needs of the other files is kept with it.
 */
function keep() {
  if (!isNew) return
  try {
    for (const { name, script, length } of scripts) {
      const temporary = `${folder}/${name}.${process.pid}.tmp`
      const data = script.createCachedData()
      const head = Buffer.alloc(HEAD)
      head.writeInt32LE(length, 0)
      head.writeInt32LE(data.length, 4)
      writeFileSync(temporary, Buffer.concat([head, data, data]), { mode: 0o600, flush: true })
      renameSync(temporary, `${folder}/${name}`)
    }
    removeOld(dirname(folder))
  } catch {
    // A cache that cannot be written costs time, nothing else; stdout and stderr belong to the agent.
  }
}
