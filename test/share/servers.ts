/** Real servers on the loopback: git by its daemon and by HTTP, a registry that npm publishes to, HTTPS with its own CA. */

import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import {
  createServer as createHttp,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createHttps } from 'node:https'
import { type AddressInfo, connect, createServer as createTcp } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Serving {
  url: string
  close(): void
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

function closing(server: Server): () => void {
  return () => {
    server.close()
    server.closeAllConnections()
  }
}

const gitPath = execFileSync('git', ['--exec-path']).toString().trim()
export const hasGitServers =
  existsSync(join(gitPath, 'git-daemon')) && existsSync(join(gitPath, 'git-http-backend'))

export async function gitDaemon(folder: string): Promise<Serving> {
  const probe = createTcp().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  const child = spawn(
    join(gitPath, 'git-daemon'),
    [
      '--reuseaddr',
      '--listen=127.0.0.1',
      `--port=${port}`,
      '--export-all',
      `--base-path=${folder}`,
      '--',
      folder,
    ],
    { stdio: 'ignore' },
  )
  for (let tries = 0; tries < 200 && !(await answers(port)); tries++) await sleep(25)
  return { url: `git://127.0.0.1:${port}`, close: () => child.kill('SIGKILL') }
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** `git http-backend` as a CGI program. */
export async function gitHttp(folder: string): Promise<Serving> {
  const server = createHttp((request, response) => {
    const url = new URL(request.url!, 'http://x')
    const child = spawn(join(gitPath, 'git-http-backend'), {
      env: {
        PATH: process.env.PATH,
        GIT_PROJECT_ROOT: folder,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: url.pathname,
        QUERY_STRING: url.search.slice(1),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      },
    })
    request.pipe(child.stdin.on('error', () => {}))
    const parts: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => parts.push(chunk))
    child.on('close', () => {
      const all = Buffer.concat(parts)
      const end = all.indexOf('\r\n\r\n')
      const headers = all.toString('latin1', 0, end).split('\r\n')
      const status = headers.find((line) => /^status:/i.test(line))
      response.statusCode = status ? Number(/\d+/.exec(status)![0]) : 200
      for (const line of headers.filter((each) => !/^status:/i.test(each))) {
        const at = line.indexOf(':')
        response.setHeader(line.slice(0, at), line.slice(at + 1).trim())
      }
      response.end(all.subarray(end + 4))
    })
  })
  const port = await listen(server)
  return { url: `http://127.0.0.1:${port}`, close: closing(server) }
}

/** What npm's own `publish`, `view` and `pack` speak. */
export async function npmRegistry(): Promise<
  Serving & {
    setTime(name: string, version: string, time: string): void
    replace(name: string, version: string, tarball: Buffer): void
    /** The archive, as the registry has it. */
    archive(name: string, version: string): Buffer
    /** What the registry says about the build; undefined takes it away, null only names it. */
    attest(name: string, version: string, bundle: object | null | undefined): void
  }
> {
  interface Packument {
    name: string
    'dist-tags': Record<string, string>
    versions: Record<string, { dist: Record<string, unknown> }>
    time: Record<string, string>
  }
  const packages = new Map<string, Packument>()
  const tarballs = new Map<string, Buffer>()
  const attestations = new Map<string, object>()
  const server = createHttp(async (request, response) => {
    const path = decodeURIComponent(request.url!.slice(1).split('?')[0]!)
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    if (request.method === 'PUT') {
      const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Packument & {
        _attachments: Record<string, { data: string }>
      }
      const known = packages.get(body.name)
      for (const [file, { data }] of Object.entries(body._attachments))
        tarballs.set(`${body.name}/-/${file}`, Buffer.from(data, 'base64'))
      for (const [version, row] of Object.entries(body.versions))
        row.dist.tarball = `${base}/${body.name}/-/${body.name}-${version}.tgz`
      packages.set(body.name, {
        ...body,
        'dist-tags': { ...known?.['dist-tags'], ...body['dist-tags'] },
        versions: { ...known?.versions, ...body.versions },
        time: {
          ...known?.time,
          ...Object.fromEntries(
            Object.keys(body.versions).map((version) => [version, new Date().toISOString()]),
          ),
        },
      })
      response.end('{"ok":true}')
    } else if (packages.has(path))
      response.setHeader('content-type', 'application/json').end(JSON.stringify(packages.get(path)))
    else if (tarballs.has(path)) response.end(tarballs.get(path))
    else if (attestations.has(path))
      response.end(
        JSON.stringify({
          attestations: [
            { predicateType: 'https://github.com/npm/attestation/tree/main/specs/publish/v0.1', bundle: {} },
            { predicateType: 'https://slsa.dev/provenance/v1', bundle: attestations.get(path) },
          ],
        }),
      )
    else response.writeHead(404).end('{"error":"Not found"}')
  })
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}/`,
    close: closing(server),
    archive: (name, version) => tarballs.get(`${name}/-/${name}-${version}.tgz`)!,
    attest(name, version, bundle) {
      const path = `-/npm/v1/attestations/${name}@${version}`
      const { dist } = packages.get(name)!.versions[version]!
      delete dist.attestations
      attestations.delete(path)
      // The address of the first registry, as a mirror passes it on.
      if (bundle !== undefined)
        dist.attestations = {
          url: `https://registry.example/${path}`,
          provenance: { predicateType: 'https://slsa.dev/provenance/v1' },
        }
      if (bundle) attestations.set(path, bundle)
    },
    setTime: (name, version, time) => void (packages.get(name)!.time[version] = time),
    replace(name, version, tarball) {
      tarballs.set(`${name}/-/${name}-${version}.tgz`, tarball)
      packages.get(name)!.versions[version]!.dist = {
        ...packages.get(name)!.versions[version]!.dist,
        integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
        shasum: createHash('sha1').update(tarball).digest('hex'),
      }
    },
  }
}

export interface Authority {
  ca: string
  key: string
  cert: string
}

/** An authority of its own and a certificate for 127.0.0.1. */
export function makeAuthority(folder: string): Authority {
  mkdirSync(folder, { recursive: true })
  const file = (name: string) => join(folder, name)
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' })
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=test authority',
    '-keyout',
    file('ca.key'),
    '-out',
    file('ca.pem'),
  )
  openssl(
    'req',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    '/CN=127.0.0.1',
    '-keyout',
    file('server.key'),
    '-out',
    file('server.csr'),
  )
  execFileSync('sh', ['-c', `printf 'subjectAltName=IP:127.0.0.1' > ${file('san')}`])
  openssl(
    'x509',
    '-req',
    '-days',
    '2',
    '-in',
    file('server.csr'),
    '-CA',
    file('ca.pem'),
    '-CAkey',
    file('ca.key'),
    '-CAcreateserial',
    '-extfile',
    file('san'),
    '-out',
    file('server.pem'),
  )
  return { ca: file('ca.pem'), key: file('server.key'), cert: file('server.pem') }
}

export type Fault = 'none' | 'error' | 'slow' | 'cut' | 'short' | 'long' | 'redirect' | 'endless'

export interface Static extends Serving {
  fault: Fault
  /** Faults only for paths that match. */
  where: RegExp
  requests: { path: string; authorization: string | undefined }[]
  token?: string
  server: Server
}

/** The files of a folder, over HTTPS where there is an authority, with faults on demand. */
export async function staticServer(folder: string, authority?: Authority): Promise<Static> {
  const handle: RequestListener = (request: IncomingMessage, response: ServerResponse) => {
    const path = decodeURIComponent(new URL(request.url!, 'http://x').pathname)
    serving.requests.push({ path, authorization: request.headers.authorization })
    const file = join(folder, path)
    if (serving.token !== undefined && request.headers.authorization !== `Bearer ${serving.token}`)
      return void response.writeHead(401).end()
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return void response.writeHead(404).end()
    const bytes = readFileSync(file)
    switch (serving.where.test(path) ? serving.fault : 'none') {
      case 'error':
        return void response.writeHead(500).end('oops')
      case 'slow':
        return // never answers
      case 'endless':
        response.writeHead(200)
        return void response.write(bytes)
      case 'cut':
        response.writeHead(200, { 'content-length': bytes.length })
        response.write(bytes.subarray(0, bytes.length / 2))
        return void setImmediate(() => response.socket?.destroy())
      case 'short':
        response.writeHead(200, { 'content-length': bytes.length + 100 })
        response.write(bytes)
        return void setImmediate(() => response.socket?.end())
      case 'long':
        return void response
          .writeHead(200, { 'content-length': bytes.length - 10 })
          .end(bytes.subarray(0, -10))
      case 'redirect':
        return void response.writeHead(302, { location: `http://example.com${path}` }).end()
      default: {
        const etag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}"`
        if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end()
        response.writeHead(200, { 'content-length': bytes.length, etag }).end(bytes)
      }
    }
  }
  const server = authority
    ? createHttps({ key: readFileSync(authority.key), cert: readFileSync(authority.cert) }, handle)
    : createHttp(handle)
  const port = await listen(server as Server)
  const serving: Static = {
    url: `${authority ? 'https' : 'http'}://127.0.0.1:${port}/`,
    close: closing(server as Server),
    fault: 'none',
    where: /./,
    requests: [],
    server: server as Server,
  }
  return serving
}

/** A repository with one commit for each state; `commit` makes the next. */
export function makeRepository(folder: string): {
  git(...args: string[]): string
  commit(message: string, date?: string): string
} {
  mkdirSync(folder, { recursive: true })
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      stdio: 'pipe',
    })
      .toString()
      .trim()
  git('init', '-q', '-b', 'main')
  git('config', 'uploadpack.allowAnySHA1InWant', 'true')
  git('config', 'uploadpack.allowFilter', 'true')
  return {
    git,
    commit(message, date = '2026-01-01T00:00:00Z') {
      git('add', '-A')
      execFileSync(
        'git',
        [
          '-C',
          folder,
          '-c',
          'user.name=t',
          '-c',
          'user.email=t@example.com',
          'commit',
          '-q',
          '--allow-empty',
          '-m',
          message,
        ],
        {
          env: { ...process.env, GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date },
        },
      )
      return git('rev-parse', 'HEAD')
    },
  }
}
