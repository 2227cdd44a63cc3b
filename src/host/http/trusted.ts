import type { IncomingMessage } from 'node:http'

/** Requests that came by the socket, whose file only its owner can open. */
export const trusted = new WeakSet<IncomingMessage>()
