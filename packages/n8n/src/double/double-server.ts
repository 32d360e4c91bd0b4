import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { type DoubleAnswer, answerJson, answerPage } from './double-answer.ts'
import type { DoubleState } from './double-state.ts'
import type { RecordedRequest } from './n8n-double.ts'
import { answerApi } from './public-api.ts'
import { type Trouble, failureAnswer, startingAnswer, takePlan } from './trouble.ts'
import { type WebhookReply, answerWebhook } from './webhook-calls.ts'

/** The HTTP side of a double. */
export interface DoubleServer {
  readonly baseUrl: string
  readonly requests: readonly RecordedRequest[]
  /** On the same port again; does nothing where it runs. */
  start(): Promise<void>
  /** Breaks every connection. */
  stop(): Promise<void>
}

/** Serves a state, with its trouble, on a free port of 127.0.0.1. */
export async function createDoubleServer(
  state: DoubleState,
  trouble: Trouble,
): Promise<DoubleServer> {
  const requests: RecordedRequest[] = []
  let stopping = new AbortController()
  let port = 0
  let server: Server | undefined

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await readText(incoming)
    const { method = 'GET', url = '/' } = incoming
    const headers = flatHeaders(incoming)
    const asked = { method, path: url }
    requests.push({ method, path: url, headers, body })
    if (trouble.slowMs > 0) await wait(trouble.slowMs, undefined, { signal: stopping.signal })
    const cut = takePlan(trouble.cuts, asked)
    if (cut !== undefined && cut.when !== 'after') return cutOff(incoming)
    const planned = takePlan(trouble.failures, asked)
    const reply =
      planned === undefined
        ? await route(state, {
            trouble,
            method,
            url,
            headers,
            body,
            baseUrl: baseUrl(),
            signal: stopping.signal,
          })
        : failureAnswer(planned)
    if (reply === 'cut' || cut !== undefined) return cutOff(incoming)
    outgoing.writeHead(reply.status, reply.headers)
    outgoing.end(reply.body)
  }
  const baseUrl = (): string => `http://127.0.0.1:${String(port)}`

  const start = async (): Promise<void> => {
    if (server !== undefined) return
    stopping = new AbortController()
    const made = createServer((incoming, outgoing) => {
      answer(incoming, outgoing).catch((error: unknown) => {
        if (stopping.signal.aborted || outgoing.headersSent) return cutOff(incoming)
        outgoing.writeHead(500, { 'content-type': 'text/plain' })
        outgoing.end(
          `the double failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
        )
      })
    })
    server = made
    await new Promise<void>((resolve, reject) => {
      made.once('error', reject)
      made.listen(port, '127.0.0.1', resolve)
    })
    ;({ port } = made.address() as AddressInfo)
  }
  const stop = async (): Promise<void> => {
    const made = server
    if (made === undefined) return
    server = undefined
    stopping.abort()
    await new Promise<void>((resolve) => {
      made.close(() => {
        resolve()
      })
      made.closeAllConnections()
    })
  }
  await start()
  return { baseUrl: baseUrl(), requests, start, stop }
}

interface Routed {
  readonly trouble: Trouble
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly baseUrl: string
  readonly signal: AbortSignal
}

async function route(state: DoubleState, asked: Routed): Promise<WebhookReply> {
  const { trouble, method, headers, body, signal } = asked
  const url = new URL(asked.url, asked.baseUrl)
  if (trouble.stage !== undefined) {
    const starting = startingAnswer(trouble.stage, { method, path: asked.url })
    if (starting !== undefined) return starting
  }
  const path = url.pathname
  const query = url.searchParams
  if (path.startsWith('/api/v1'))
    return await answerApi(state, { method, path: path.slice(7), query, headers, body })
  if (path.startsWith('/webhook/')) {
    const hidden = trouble.stage === 'webhooks'
    return await answerWebhook(hidden ? { ...state, workflows: new Map() } : state, {
      method,
      path: decodeURIComponent(path.slice(9)),
      query,
      headers,
      body,
      url: `${asked.baseUrl}${path}`,
      signal,
    })
  }
  return elsewhere(method, path)
}

function elsewhere(method: string, path: string): DoubleAnswer {
  if (path === '/healthz' || path === '/healthz/readiness') return answerJson(200, { status: 'ok' })
  if (method !== 'GET') return answerPage(404, `Cannot ${method} ${path}`)
  // The editor: one page for every address.
  return {
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: `<!DOCTYPE html>\n<html lang="en"><head><title>The editor</title></head><body>${' '.repeat(400)}</body></html>\n`,
  }
}

function cutOff(incoming: IncomingMessage): void {
  incoming.socket.destroy()
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

const flatHeaders = (incoming: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
