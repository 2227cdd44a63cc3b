/**
 * `crosshook replay` over many calls of a transcript, against the gallery: `node bench/replay.ts [CALLS]`.
 * Time, memory at its highest, and what ten times the calls cost. Exits 1 when an aim is missed.
 */

import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')
const MAX_SECONDS = 60
const MAX_MEGABYTES = 300
/** Ten times the calls may take at most this many times as long. */
const MAX_GROWTH = 11

/** What agents do all day, with a number in each so that no two calls are the same. */
const CALLS: readonly ((n: number) => [tool: string, input: Record<string, unknown>])[] = [
  (n) => [
    'Bash',
    { command: `cd packages/p${n} && npm test -- --run src/file${n}.test.ts 2>&1 | tail -${(n % 40) + 5}` },
  ],
  (n) => ['Read', { file_path: `/home/dev/project/src/module${n % 97}/file${n}.ts`, limit: 200 }],
  (n) => [
    'Edit',
    {
      file_path: `/home/dev/project/src/file${n}.ts`,
      old_string: `const a = ${n}`,
      new_string: `const a = ${n + 1}`,
    },
  ],
  (n) => ['Grep', { pattern: `function name${n}`, path: '/home/dev/project', output_mode: 'content' }],
  (n) => [
    'Bash',
    {
      command: `git add -A && git commit -m "step ${n}: mend the parser" && git log --oneline -${(n % 9) + 1}`,
    },
  ],
  (n) => [
    'Bash',
    { command: `for f in $(rg -l "name${n}" src); do sed -n '1,40p' "$f"; done`, description: 'look' },
  ],
  (n) => [
    'Write',
    {
      file_path: `/home/dev/project/notes/n${n}.md`,
      content: `# Note ${n}\n\n${'some words of a text. '.repeat(40)}`,
    },
  ],
  (n) => ['Bash', { command: `curl -s https://example.com/api/items/${n} | jq '.items[] | .name'` }],
  (n) => ['Glob', { pattern: `**/*${n}*.ts` }],
  (n) => ['Bash', { command: `python3 -c "import json; print(json.load(open('data/${n}.json'))['a'])"` }],
  (n) => [
    'Bash',
    { command: `rm -rf build/out${n} && mkdir -p build/out${n} && cp -r src/assets build/out${n}/` },
  ],
  (n) => ['WebFetch', { url: `https://docs.example.org/page/${n}`, prompt: 'what does it say?' }],
  (n) => ['Bash', { command: `docker compose -f deploy/c${n}.yml up -d && docker ps --filter name=web${n}` }],
  (n) => ['Bash', { command: `git push --force origin feature/${n}` }],
  (n) => ['TodoWrite', { todos: [{ content: `step ${n}`, status: 'pending' }] }],
  (n) => [
    'Bash',
    { command: `cat > /tmp/x${n}.sh <<'END'\nset -e\necho ${n}\nls -la src/${n}\nEND\nbash /tmp/x${n}.sh` },
  ],
]

function writeTranscripts(folder: string, count: number): void {
  const per = 2000
  for (let file = 0; file * per < count; file++) {
    const project = join(folder, `-home-dev-project-${file % 10}`)
    mkdirSync(project, { recursive: true })
    const to = openSync(join(project, `session-${file}.jsonl`), 'w')
    for (let i = file * per; i < Math.min(count, (file + 1) * per); i++) {
      const [name, input] = CALLS[i % CALLS.length]!(i)
      const base = {
        sessionId: `session-${file}`,
        cwd: '/home/dev/project',
        timestamp: new Date(Date.now() - i * 10).toISOString(),
      }
      const use = { type: 'tool_use', id: `t${i}`, name, input }
      const result = {
        type: 'tool_result',
        tool_use_id: `t${i}`,
        content: `line of an output ${i}\n`.repeat(20),
      }
      writeSync(
        to,
        `${JSON.stringify({ ...base, type: 'assistant', message: { role: 'assistant', content: [use] } })}\n${JSON.stringify({ ...base, type: 'user', message: { role: 'user', content: [result] } })}\n`,
      )
    }
    closeSync(to)
  }
}

interface Measured {
  seconds: number
  megabytes: number
  calls: number
}

async function measure(transcripts: string, home: string): Promise<Measured> {
  const args = [
    join(ROOT, 'dist/cli/main.cjs'),
    'replay',
    '--json',
    '--transcripts',
    transcripts,
    '--hook',
    join(ROOT, 'gallery'),
  ]
  const output = join(home, 'report.json')
  const to = openSync(output, 'w')
  const start = performance.now()
  const child = spawn(process.execPath, args, {
    env: { HOME: home, PATH: process.env.PATH },
    stdio: ['ignore', to, 'inherit'],
  })
  let most = 0
  const timer = setInterval(() => {
    try {
      most = Math.max(
        most,
        Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0),
      )
    } catch {
      // it has just ended
    }
  }, 50)
  const code = await new Promise((done) => child.on('exit', done))
  clearInterval(timer)
  closeSync(to)
  if (code !== 0) throw new Error(`replay ended with ${code}`)
  const { coverage } = JSON.parse(readFileSync(output, 'utf8')) as { coverage: { calls: number } }
  return { seconds: (performance.now() - start) / 1000, megabytes: most / 1024, calls: coverage.calls }
}

const count = Number(process.argv[2] ?? 100_000)
const scratch = mkdtempSync(join(tmpdir(), 'bench-replay-'))
try {
  const results: Measured[] = []
  for (const size of [count / 10, count]) {
    const transcripts = join(scratch, String(size))
    writeTranscripts(transcripts, size)
    const measured = await measure(transcripts, scratch)
    results.push(measured)
    console.log(
      `${measured.calls} calls: ${measured.seconds.toFixed(1)} s, ${Math.round(measured.megabytes)} MB at most`,
    )
  }
  const [few, many] = results as [Measured, Measured]
  const growth = many.seconds / few.seconds
  console.log(`10 × the calls take ${growth.toFixed(1)} × the time`)
  const isFine =
    many.calls === count &&
    many.seconds < MAX_SECONDS &&
    many.megabytes < MAX_MEGABYTES &&
    growth <= MAX_GROWTH
  process.exitCode = isFine ? 0 : 1
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
