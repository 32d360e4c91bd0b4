import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonValue } from '@toolcrib/registry'

/** What a service was asked. */
export interface SeenRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly body: JsonValue
  readonly headers: IncomingHttpHeaders
}

/** What a service answers; `hang` never does, `drop` closes the connection. */
export type StubAnswer =
  | 'hang'
  | 'drop'
  | {
      readonly status?: number
      /** A text is sent as it is. */
      readonly body: JsonValue
      readonly type?: string
      readonly location?: string
    }

/** A CRM and a messaging service in one, on a free port of loopback. */
export interface BusinessStub {
  readonly url: string
  /** What came in since `reset`. */
  readonly seen: readonly SeenRequest[]
  /** Answers of `reset` by method and path without query, such as `GET /leads`; anything else is 404. */
  reset(answers: Readonly<Record<string, StubAnswer | ((seen: SeenRequest) => StubAnswer)>>): void
  close(): Promise<void>
}

const notFound: StubAnswer = { status: 404, body: {} }

export async function startBusinessStub(): Promise<BusinessStub> {
  let answers: Parameters<BusinessStub['reset']>[0] = {}
  const seen: SeenRequest[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const found = { method, path: url, body: readJson(Buffer.concat(parts).toString()), headers }
      seen.push(found)
      const given = answers[`${method} ${url.split('?')[0]}`] ?? notFound
      const answer = typeof given === 'function' ? given(found) : given
      if (answer === 'hang') return
      if (answer === 'drop') {
        request.socket.destroy()
        return
      }
      const { status = 200, body, type = 'application/json', location } = answer
      response.writeHead(status, {
        'content-type': type,
        ...(location === undefined ? {} : { location }),
      })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    reset: (next) => {
      answers = next
      seen.length = 0
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}

function readJson(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return text
  }
}
