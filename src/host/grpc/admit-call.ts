/** Who calls, and whether they may. Checked before the body of a call is read. */

import { Code, ConnectError, createContextKey, type HandlerContext } from '@connectrpc/connect'
import { allows, type Scope } from '../access-tokens.ts'
import type { Core } from '../core.ts'
import { HookService } from '../gen/hooks_pb.ts'
import { readTrace, type Trace } from '../trace.ts'
import { refusedOrigin } from '../web-origin.ts'

export interface Caller {
  /** Identifies hooks and streams that belong to one client. */
  client: string
  trace: Trace | undefined
}

export const CALLER = createContextKey<Caller>({ client: '', trace: undefined })

/** Scope per method; every other one needs `admin`. */
const SCOPES: Readonly<Record<string, Scope>> = { [HookService.method.fire.name]: 'events' }

export function enter(core: Core, { requestHeader, url, method, values }: HandlerContext): void {
  const origin = refusedOrigin({
    host: URL.parse(url)?.host,
    origin: requestHeader.get('origin') ?? undefined,
    bound: core.options.grpc.host,
  })
  if (origin !== undefined) throw new ConnectError(origin, Code.PermissionDenied)
  const scope = core.tokens.scopeOf(requestHeader.get('authorization') ?? undefined)
  if (scope === undefined)
    throw new ConnectError(
      `the call has no valid token: send "authorization: Bearer TOKEN" with the content of ${core.tokens.adminFile}`,
      Code.Unauthenticated,
    )
  const needed = SCOPES[method.name] ?? 'admin'
  if (!allows(scope, needed))
    throw new ConnectError(
      `this token may only fire events; the call needs the scope "${needed}": use the token in ${core.tokens.adminFile}`,
      Code.PermissionDenied,
    )
  if (core.stopping) throw new ConnectError('the daemon is stopping', Code.Unavailable)
  const encoding = requestHeader.get('grpc-encoding') ?? 'identity'
  if (encoding !== 'identity')
    throw new ConnectError(
      `the daemon takes no compressed messages: send them without grpc-encoding, not as "${encoding}"`,
      Code.Unimplemented,
    )
  const named = requestHeader.get('crosshook-client')
  values.set(CALLER, {
    client: named ? `client:${named.slice(0, 200)}` : `default:${scope}`,
    trace: readTrace((name) => requestHeader.get(name)),
  })
}
