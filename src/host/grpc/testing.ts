/** A client of the hook service that shares no code with ours: another library and the published service definition. */

import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type ClientDuplexStream,
  credentials,
  type GrpcObject,
  loadPackageDefinition,
  Metadata,
  type ServiceClientConstructor,
  type ServiceError,
} from '@grpc/grpc-js'
import { loadSync } from '@grpc/proto-loader'
import { onTestFinished } from 'vitest'

export interface IncomingEvent {
  hook_id: string
  event_id: string
  event_type: string
  session_id: string
  timestamp: number
  payload: Record<string, unknown>
}

export interface Answer {
  hook_id?: string
  event_id?: string
  action?: string | number
  reason?: string
  modified?: Buffer
  retry_delay_ms?: number
}

export interface OtherClient {
  call(method: string, request?: object, deadline?: number): Promise<Record<string, unknown>>
  register(event: string, matcher?: object, config?: object): Promise<string>
  /** Answers each event with the function's result; not at all when it returns nothing. */
  stream(reply: (event: IncomingEvent) => Answer | undefined): Promise<OpenStream>
}

export interface OpenStream {
  events: IncomingEvent[]
  /** Resolves when the daemon ends the stream with an error. */
  failed: Promise<ServiceError>
  send(answer: Answer): void
  /** Closes the stream, or breaks it. */
  end(): void
  cancel(): void
}

const here = dirname(fileURLToPath(import.meta.url))
const INDEPENDENT = join(here, 'fixtures', 'independent.proto')
/** Our service definition, including the calls that the published one does not have. */
export const OURS = join(here, '..', '..', '..', 'proto', 'hooks.proto')

export function otherClient(address: string, token: string, name?: string, proto = INDEPENDENT): OtherClient {
  const definition = loadSync(proto, { keepCase: true, longs: Number, enums: String, defaults: true })
  const { HookService } = loadPackageDefinition(definition) as GrpcObject & {
    HookService: ServiceClientConstructor
  }
  const client = new HookService(address, credentials.createInsecure())
  onTestFinished(() => client.close())
  const metadata = new Metadata()
  metadata.set('authorization', `Bearer ${token}`)
  if (name !== undefined) metadata.set('crosshook-client', name)
  const methods = client as unknown as Record<string, (...args: unknown[]) => unknown>

  const call: OtherClient['call'] = (method, request = {}, deadline = 10_000) =>
    new Promise((resolve, reject) => {
      const done = (error: ServiceError | null, answer: Record<string, unknown>) =>
        error ? reject(error) : resolve(answer)
      methods[method]!.call(client, request, metadata, { deadline: Date.now() + deadline }, done)
    })

  return {
    call,
    async register(event, matcher = {}, config = {}) {
      const { hook_id } = await call('RegisterHook', { event_type: event, matcher, config })
      return hook_id as string
    },
    async stream(reply) {
      const duplex = methods.HookStream!.call(client, metadata) as ClientDuplexStream<Answer, never>
      const events: IncomingEvent[] = []
      const isOpen = new Promise((resolve, reject) => {
        duplex.once('metadata', resolve)
        duplex.once('error', reject)
      })
      const failed = new Promise<ServiceError>((resolve) =>
        duplex.on('error', (error) => resolve(error as ServiceError)),
      )
      duplex.on('data', (raw: Omit<IncomingEvent, 'payload'> & { payload: Buffer }) => {
        const event = { ...raw, payload: JSON.parse(raw.payload.toString()) }
        events.push(event)
        const answer = reply(event)
        if (answer) duplex.write({ hook_id: event.hook_id, event_id: event.event_id, ...answer })
      })
      duplex.write({})
      await isOpen
      return {
        events,
        failed,
        send: (answer) => void duplex.write(answer),
        end: () => void duplex.end(),
        cancel: () => duplex.cancel(),
      }
    },
  }
}
