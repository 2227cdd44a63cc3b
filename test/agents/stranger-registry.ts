/** A registry in a thread of its own: the stranger's test waits for npm while it answers its agent. */

import { readFileSync } from 'node:fs'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { startRegistry } from '../stand-in-registry.ts'

export interface Package {
  manifest: { name: string; version: string }
  /** The tarball; empty for platforms that nobody asks for. */
  file: string
}

export interface OwnRegistry {
  url: string
  close(): Promise<unknown>
}

export async function ownRegistry(packages: readonly Package[]): Promise<OwnRegistry> {
  const worker = new Worker(new URL(import.meta.url), { workerData: packages })
  const url = await new Promise<string>((resolve, reject) =>
    worker.once('message', resolve).once('error', reject),
  )
  return { url, close: () => worker.terminate() }
}

if (parentPort) {
  const packages = workerData as readonly Package[]
  const { url } = await startRegistry(
    packages.map(({ manifest, file }) => ({ manifest, tarball: () => readFileSync(file) })),
  )
  parentPort.postMessage(url)
}
