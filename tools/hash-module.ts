/**
 * The compression function of SHA-256 (FIPS 180-4) and the universal hash NH (UMAC, RFC 4418, 5.2.2) as a WebAssembly module,
 * assembled by hand: what V8's interpreter takes milliseconds for in a new process, this does in microseconds. Generated into
 * src/fast/gen by tools/generate.ts.
 *
 * Memory: 0 the round constants, 256 the eight words of the state, 288 the message schedule, 576 the blocks of either
 * function; of NH 33792 the key and 34320 the sums.
 */

const K = 0
const STATE = 256
const W = 288
const BLOCKS = 576
const NH_KEY = 33_792
const NH_SUMS = 34_320
/** Bytes per sum of NH. */
const NH_BLOCK = 512

type Code = readonly number[]

const I32 = 0x7f
const get = (at: number): Code => [0x20, ...unsigned(at)]
const set = (at: number): Code => [0x21, ...unsigned(at)]
const tee = (at: number): Code => [0x22, ...unsigned(at)]
const constant = (value: number): Code => [0x41, ...signed(value)]
const ADD: Code = [0x6a]
const AND: Code = [0x71]
const XOR: Code = [0x73]
const SHIFT_RIGHT: Code = [0x76]
const ROTATE_RIGHT: Code = [0x78]
const LESS: Code = [0x49]
const load = (offset: number): Code => [0x28, 2, ...unsigned(offset)]
const store = (offset: number): Code => [0x36, 2, ...unsigned(offset)]

// Locals: the parameter first.
const [END, AT, I, T1, T2, A] = [0, 1, 2, 3, 4, 5]
const [B, C, D, E, F, G, H] = [6, 7, 8, 9, 10, 11, 12]
const LETTERS = [A, B, C, D, E, F, G, H]

function rotated(local: number, ...bits: [number, number, number]): Code {
  const [x, y, z] = bits.map((each) => [...get(local), ...constant(each), ...ROTATE_RIGHT])
  return [...x!, ...y!, ...XOR, ...z!, ...XOR]
}

function mixed(local: number, first: number, second: number, shift: number): Code {
  const rotations = [first, second].flatMap((bits) => [...get(local), ...constant(bits), ...ROTATE_RIGHT])
  return [...rotations, ...XOR, ...get(local), ...constant(shift), ...SHIFT_RIGHT, ...XOR]
}

/** Runs the body until `local` reaches `end`; it starts with what is in `local`. */
function loop(local: number, step: number, end: Code, body: Code): Code {
  const next = [...get(local), ...constant(step), ...ADD, ...tee(local), ...end, ...LESS]
  return [0x03, 0x40, ...body, ...next, 0x0d, 0, 0x0b]
}

/** A word of big-endian bytes: WebAssembly reads little-endian ones. */
function bigEndian(local: number): Code {
  const part = (bits: number, mask: number) => [
    ...get(local),
    ...constant(bits),
    ...ROTATE_RIGHT,
    ...constant(mask),
    ...AND,
  ]
  return [...part(8, 0xff00ff00 | 0), ...part(24, 0x00ff00ff), 0x72]
}

const schedule: Code = [
  ...constant(0),
  ...set(I),
  ...loop(I, 4, constant(64), [
    ...[...get(AT), ...get(I), ...ADD, ...load(BLOCKS), ...set(T1)],
    ...[...get(I), ...bigEndian(T1), ...store(W)],
  ]),
  ...loop(I, 4, constant(256), [
    ...[...get(I), ...load(W - 60), ...set(T1), ...get(I), ...load(W - 8), ...set(T2)],
    ...get(I),
    ...[...get(I), ...load(W - 64), ...mixed(T1, 7, 18, 3), ...ADD],
    ...[...get(I), ...load(W - 28), ...ADD, ...mixed(T2, 17, 19, 10), ...ADD],
    ...store(W),
  ]),
]

/** Eight rounds stand one after another: instead of moving the eight letters on, each takes the next ones. */
function round(turn: number): Code {
  const [a, b, c, d, e, f, g, h] = LETTERS.map((_, i) => LETTERS[(i - turn + 8) % 8]!) as Eight
  const choice = [...get(f), ...get(g), ...XOR, ...get(e), ...AND, ...get(g), ...XOR]
  const majority = [
    ...[...get(a), ...get(b), ...AND, ...get(a), ...get(c), ...AND, ...XOR],
    ...[...get(b), ...get(c), ...AND, ...XOR],
  ]
  return [
    ...[...get(h), ...rotated(e, 6, 11, 25), ...ADD, ...choice, ...ADD],
    ...[...get(I), ...load(K + turn * 4), ...ADD, ...get(I), ...load(W + turn * 4), ...ADD, ...set(T1)],
    ...[...get(d), ...get(T1), ...ADD, ...set(d)],
    ...[...get(T1), ...rotated(a, 2, 13, 22), ...ADD, ...majority, ...ADD, ...set(h)],
  ]
}

type Eight = [number, number, number, number, number, number, number, number]

const rounds: Code = [
  ...LETTERS.flatMap((local, i) => [...constant(0), ...load(STATE + i * 4), ...set(local)]),
  ...constant(0),
  ...set(I),
  ...loop(
    I,
    32,
    constant(256),
    LETTERS.flatMap((_, turn) => round(turn)),
  ),
  ...LETTERS.flatMap((local, i) => [
    ...constant(0),
    ...[...constant(0), ...load(STATE + i * 4), ...get(local), ...ADD],
    ...store(STATE + i * 4),
  ]),
]

// Locals of NH: the parameter first, then where it is, and as vectors the two sums and the words of a step.
const [NH_END, NH_AT, NH_I, SUM, SUM_SHIFTED] = [0, 1, 2, 3, 4]
const [FIRST, SECOND, KEY_1, KEY_2] = [5, 6, 7, 8]
const vectorCode = (code: number): Code => [0xfd, ...unsigned(code)]
const loadVector = (offset: number): Code => [...vectorCode(0), 4, ...unsigned(offset)]
const ADD_WORDS = vectorCode(0xae)
const ADD_PRODUCTS = vectorCode(0xce)
const LOW_PRODUCTS = vectorCode(0xde)
const HIGH_PRODUCTS = vectorCode(0xdf)

/** Adds the four products of (message + key) of two times four words to a sum. */
function addProducts(sum: number, first: Code, second: Code): Code {
  const factors = [...get(FIRST), ...first, ...ADD_WORDS, ...get(SECOND), ...second, ...ADD_WORDS]
  const products = (which: Code) => [...factors, ...which, ...ADD_PRODUCTS]
  return [...get(sum), ...products(LOW_PRODUCTS), ...products(HIGH_PRODUCTS), ...set(sum)]
}

function storeSum(sum: number, offset: number): Code {
  const half = (lane: number) => [...get(sum), ...vectorCode(0x1d), lane]
  // A block has 512 bytes and its two sums have 16.
  const place = [...get(NH_AT), ...constant(5), ...SHIFT_RIGHT]
  return [...place, ...half(0), ...half(1), 0x7c, 0x37, 3, ...unsigned(NH_SUMS + offset)]
}

const zeroVector: Code = [...vectorCode(12), ...Array<number>(16).fill(0)]
const nh: Code = loop(NH_AT, NH_BLOCK, get(NH_END), [
  ...[...zeroVector, ...set(SUM), ...zeroVector, ...set(SUM_SHIFTED), ...constant(0), ...set(NH_I)],
  ...loop(NH_I, 32, constant(NH_BLOCK), [
    ...[...get(NH_AT), ...get(NH_I), ...ADD, ...loadVector(BLOCKS), ...set(FIRST)],
    ...[...get(NH_AT), ...get(NH_I), ...ADD, ...loadVector(BLOCKS + 16), ...set(SECOND)],
    ...[...get(NH_I), ...loadVector(NH_KEY), ...set(KEY_1)],
    ...[...get(NH_I), ...loadVector(NH_KEY + 16), ...set(KEY_2)],
    ...addProducts(SUM, get(KEY_1), get(KEY_2)),
    ...addProducts(SUM_SHIFTED, get(KEY_2), [...get(NH_I), ...loadVector(NH_KEY + 32)]),
  ]),
  ...storeSum(SUM, 0),
  ...storeSum(SUM_SHIFTED, 8),
])

/** `memory`; `run(length)` and `nh(length)` take so many bytes of blocks, at least one block. */
export function hashModule(constants: Iterable<number>): Uint8Array {
  const body = [...loop(AT, 64, get(END), [...schedule, ...rounds]), 0x0b]
  const code = [...vector([[...unsigned(12), I32]]), ...body]
  const nhCode = [
    ...vector([
      [2, I32],
      [6, 0x7b],
    ]),
    ...nh,
    0x0b,
  ]
  const words = [...constants].flatMap((word) =>
    [word, word >> 8, word >> 16, word >> 24].map((byte) => byte & 255),
  )
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, vector([[0x60, ...vector([[I32]]), ...vector([])]])),
    ...section(3, vector([[0], [0]])),
    ...section(5, vector([[0, 1]])),
    ...section(
      7,
      vector([
        [...name('memory'), 2, 0],
        [...name('run'), 0, 0],
        [...name('nh'), 0, 1],
      ]),
    ),
    ...section(
      10,
      vector([
        [...unsigned(code.length), ...code],
        [...unsigned(nhCode.length), ...nhCode],
      ]),
    ),
    ...section(11, vector([[0, ...constant(K), 0x0b, ...unsigned(words.length), ...words]])),
  ])
}

function section(id: number, bytes: Code): Code {
  return [id, ...unsigned(bytes.length), ...bytes]
}

function vector(items: readonly Code[]): Code {
  return [...unsigned(items.length), ...items.flat()]
}

function name(text: string): Code {
  return [...unsigned(text.length), ...Buffer.from(text)]
}

/** LEB128. */
function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)]
}

function signed(value: number): number[] {
  const rest = value >> 7
  const isLast = (rest === 0 && (value & 64) === 0) || (rest === -1 && (value & 64) !== 0)
  return isLast ? [value & 127] : [(value & 127) | 128, ...signed(rest)]
}
