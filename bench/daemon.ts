/** `POST /v1/events` with 50 hooks of which one matches, side by side with a bare server that answers a constant. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MEMORY } from '../src/host/control.ts'
import { median, type Row } from './measure.ts'

const CONNECTIONS = 32
const ROUNDS = 7
const SECONDS = 1.5
/** Warm-up of both servers: a daemon runs for days, so the first seconds are not measured. */
const WARM_UP = 8
const EVENT = JSON.stringify({
  event_type: 'before_tool',
  session_id: 'bench',
  work_dir: '/',
  tool_name: 'Shell',
  tool_input: { command: 'ls -la' },
  tool_use_id: '1',
})

interface Server {
  child: ChildProcess
  request: string
  port: number
}

export async function daemon(): Promise<Row[]> {
  const servers = { bare: await start('bare'), daemon: await start('daemon') }
  const names = ['bare', 'daemon'] as const
  const rates = { bare: [] as number[], daemon: [] as number[] }
  const slowest = { bare: [] as number[], daemon: [] as number[] }
  try {
    for (const name of names) await load(servers[name], WARM_UP)
    for (let round = 0; round < ROUNDS; round++)
      for (const name of names) {
        const { rate, p99 } = await load(servers[name])
        rates[name].push(rate)
        slowest[name].push(p99)
      }
  } finally {
    for (const name of names) servers[name].child.kill()
  }
  if (process.env.BENCH_ABSOLUTE)
    for (const name of names)
      console.log(
        name,
        Math.round(median(rates[name])),
        'requests/s,',
        median(slowest[name]).toFixed(2),
        'ms p99',
      )
  return [
    {
      what: 'POST /v1/events, 50 hooks, requests/s ÷ a bare node:http server',
      ratio: median(rates.daemon) / median(rates.bare),
      target: '≥ 0.5',
    },
    {
      what: 'POST /v1/events, 50 hooks, p99 ÷ a bare node:http server',
      ratio: median(slowest.daemon) / median(slowest.bare),
      target: '≤ 10',
    },
  ]
}

async function start(which: 'bare' | 'daemon'): Promise<Server> {
  const file = join(dirname(fileURLToPath(import.meta.url)), 'daemon-server.ts')
  const flags = which === 'daemon' ? MEMORY : []
  const child = spawn(process.execPath, [...flags, file, which], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout!, 'data')
  const { port, token } = JSON.parse(String(line)) as { port: number; token: string }
  const head = `POST /v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n`
  const request = `${head}Content-Type: application/json\r\nContent-Length: ${EVENT.length}\r\n\r\n${EVENT}`
  return { child, port, request }
}

/** Plain sockets, so that the client costs less than the server. */
async function load({ port, request }: Server, duration = SECONDS): Promise<{ rate: number; p99: number }> {
  const times: number[] = []
  const started = performance.now()
  const end = started + duration * 1000
  await Promise.all(
    Array.from(
      { length: CONNECTIONS },
      () =>
        new Promise<void>((resolve, reject) => {
          const socket = connect(port, '127.0.0.1')
          let sent = 0
          let text = ''
          const send = () => {
            sent = performance.now()
            text = ''
            socket.write(request)
          }
          socket.setNoDelay(true)
          socket.once('connect', send)
          socket.once('error', reject)
          socket.on('data', (chunk) => {
            text += chunk.toString('latin1')
            const body = text.indexOf('\r\n\r\n') + 4
            const length = Number(/content-length: (\d+)/i.exec(text)?.[1])
            if (body < 4 || text.length < body + length) return
            if (!text.startsWith('HTTP/1.1 200')) return reject(new Error(text))
            const now = performance.now()
            times.push(now - sent)
            if (now < end) return send()
            socket.destroy()
            resolve()
          })
        }),
    ),
  )
  const seconds = (performance.now() - started) / 1000
  times.sort((a, b) => a - b)
  return { rate: times.length / seconds, p99: times[Math.floor(times.length * 0.99)]! }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { table } = await import('./measure.ts')
  console.log(table(await daemon()))
}
