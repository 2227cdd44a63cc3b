/** What a program file is, from its own head: for which platform, and which libraries it loads when it starts. */

export interface Program {
  os: string
  cpu: string
  /** What the system has to bring. */
  libraries: string[]
  /** macOS ends an unsigned program of its own processors at once. */
  isSigned?: boolean
}

export function inspect(file: Buffer): Program {
  if (file.length > 64) {
    if (file.toString('latin1', 0, 6) === '\x7fELF\x02\x01') return inspectElf(file)
    if (file.readUInt32LE(0) === 0xfeedfacf) return inspectMachO(file)
    if (file.toString('latin1', 0, 2) === 'MZ') return inspectPe(file)
  }
  throw new Error(`not a program that can be inspected: it begins with ${file.toString('hex', 0, 8)}`)
}

const ELF_MACHINES: Readonly<Record<number, string>> = { 62: 'x64', 183: 'arm64' }
const PT_INTERP = 3
const DT_NEEDED = 1
const PT_DYNAMIC = 2

/** Only the loader that it asks for is named: a static program asks for none. */
function inspectElf(file: Buffer): Program {
  const libraries: string[] = []
  const size = file.readUInt16LE(54)
  for (let i = 0; i < file.readUInt16LE(56); i++) {
    const at = Number(file.readBigUInt64LE(32)) + i * size
    const start = Number(file.readBigUInt64LE(at + 8))
    const end = start + Number(file.readBigUInt64LE(at + 32))
    const type = file.readUInt32LE(at)
    if (type === PT_INTERP) libraries.push(text(file.subarray(start, end)))
    for (let entry = start; type === PT_DYNAMIC && entry < end; entry += 16)
      if (Number(file.readBigUInt64LE(entry)) === DT_NEEDED) libraries.push('a shared library')
  }
  return { os: 'linux', cpu: ELF_MACHINES[file.readUInt16LE(18)] ?? 'unknown', libraries }
}

const MACH_MACHINES: Readonly<Record<number, string>> = { 16777223: 'x64', 16777228: 'arm64' }
const LC_LOAD_DYLIB = 0xc
const LC_CODE_SIGNATURE = 0x1d

function inspectMachO(file: Buffer): Program {
  const libraries: string[] = []
  let isSigned = false
  let at = 32
  for (let i = 0; i < file.readUInt32LE(16); i++) {
    const command = file.readUInt32LE(at)
    const end = at + file.readUInt32LE(at + 4)
    if (command === LC_LOAD_DYLIB) libraries.push(text(file.subarray(at + file.readUInt32LE(at + 8), end)))
    if (command === LC_CODE_SIGNATURE) isSigned = true
    at = end
  }
  return { os: 'darwin', cpu: MACH_MACHINES[file.readUInt32LE(4)] ?? 'unknown', libraries, isSigned }
}

const PE_MACHINES: Readonly<Record<number, string>> = { 34404: 'x64', 43620: 'arm64' }

function inspectPe(file: Buffer): Program {
  const head = file.readUInt32LE(60)
  const optional = head + 24
  const sections = optional + file.readUInt16LE(head + 20)
  /** Where in the file lies what is at this address in memory? */
  const offsetOf = (address: number): number => {
    for (let at = sections; at < sections + 40 * file.readUInt16LE(head + 6); at += 40) {
      const within = address - file.readUInt32LE(at + 12)
      if (within >= 0 && within < file.readUInt32LE(at + 16)) return file.readUInt32LE(at + 20) + within
    }
    throw new Error(`not a whole program: nothing is at address ${address}`)
  }
  const libraries: string[] = []
  const imports = file.readUInt32LE(optional + 120)
  if (imports > 0) {
    const nameAt = (row: number) => file.readUInt32LE(offsetOf(imports) + 20 * row + 12)
    for (let row = 0; nameAt(row) > 0; row++) libraries.push(text(file.subarray(offsetOf(nameAt(row)))))
  }
  return { os: 'win32', cpu: PE_MACHINES[file.readUInt16LE(head + 4)] ?? 'unknown', libraries }
}

function text(bytes: Buffer): string {
  const zero = bytes.indexOf(0)
  return bytes.toString('utf8', 0, zero < 0 ? bytes.length : zero)
}
