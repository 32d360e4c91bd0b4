import { chmod, lstat, mkdir, rm } from 'node:fs/promises'
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import type { Socket } from 'node:net'
import { dirname } from 'node:path'
import type { Envelope } from './envelope.ts'

/** Answers one request: the name of an operation and its input. */
export type RequestHandler = (
  operation: string,
  input: unknown,
  signal: AbortSignal,
) => Promise<Envelope>

/** A private socket that only this user's processes can open. */
export interface SocketServer {
  /** Stops listening, hangs up on whoever has asked nothing, and waits for requests that run, `drainMs` at most. */
  close(): Promise<void>
}

/** The largest request that the socket accepts, in bytes. */
const maxRequestBytes = 16 * 1024 * 1024

/**
 * Listens on a Unix socket (mode 0600 in a folder of mode 0700) with HTTP: `POST /<operation>`, JSON in, JSON out. The
 * caller must own the data folder, so a socket file that is already there is a dead host's and is removed.
 */
export async function listenOnSocket(
  path: string,
  handle: RequestHandler,
  { drainMs = 10_000 }: { readonly drainMs?: number } = {},
): Promise<SocketServer> {
  const isFile = process.platform !== 'win32'
  if (isFile) {
    await claimFolder(dirname(path))
    await rm(path, { force: true })
  }
  /** Connections on which no whole request has come yet: nothing is lost when they are cut. */
  const silent = new Set<Socket>()
  const server = createServer((request, response) => {
    void answer(request, response, (operation, input, signal) => {
      silent.delete(request.socket)
      return handle(operation, input, signal)
    })
  })
  server.on('connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  const formerMask = process.umask(0o177)
  try {
    await listen(server, path)
  } finally {
    process.umask(formerMask)
  }
  if (isFile) await chmod(path, 0o600)
  return {
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of silent) socket.destroy()
      const timer = setTimeout(() => server.closeAllConnections(), drainMs)
      await closed
      clearTimeout(timer)
    },
  }
}

// A folder under the system's temporary folder could have been made by somebody else.
async function claimFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  const found = await lstat(folder)
  const isOurs = process.getuid === undefined || found.uid === process.getuid()
  if (!found.isDirectory() || !isOurs)
    throw new Error(
      `The socket's folder ${folder} does not belong to this user. Remove it, or use another data folder.`,
    )
  // A folder that was there may stay readable; who could write to it could put another socket in the place of ours.
  if (made !== undefined && (found.mode & 0o077) !== 0) await chmod(folder, 0o700)
  else if ((found.mode & 0o022) !== 0) await chmod(folder, found.mode & 0o7755)
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  handle: RequestHandler,
): Promise<void> {
  const controller = new AbortController()
  response.on('close', () => controller.abort(new Error('The caller hung up')))
  let envelope: Envelope
  try {
    if (request.method !== 'POST') throw new Error('Only POST is accepted')
    const input: unknown = JSON.parse(await readBody(request))
    envelope = await handle((request.url ?? '/').slice(1), input, controller.signal)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    envelope = { ok: false, error: { code: 'REQUEST_INVALID', message, data: {} } }
  }
  response.setHeader('content-type', 'application/json')
  response.setHeader('connection', 'close')
  response.end(JSON.stringify(envelope))
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxRequestBytes)
      throw new Error(`The request is larger than ${maxRequestBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
