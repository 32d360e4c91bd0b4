import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Route } from './loopback-server.ts'

/** Bytes that are no text. */
export const binary: Buffer = randomBytes(1_000)
/** Answers with a body of a type. */
export const typed =
  (type: string, body: string | Uint8Array): Route =>
  (response) => {
    response.writeHead(200, { 'content-type': type }).end(body)
  }
const redirect =
  (status: number, to: string): Route =>
  (response) => {
    response.writeHead(status, { location: to }).end('moved')
  }
/** What the server of the http tool's tests answers. */
export const httpRoutes: Record<string, Route> = {
  '/text': typed('text/plain; charset=utf-8', 'Grüße'),
  '/latin1': typed('text/html; charset=iso-8859-1', Buffer.from('Grüße', 'latin1')),
  '/json': typed('application/json', '{"a":1}'),
  '/problem': (response) => {
    response.writeHead(422, { 'content-type': 'application/problem+json' }).end('{"title":"no"}')
  },
  '/broken-json': typed('application/json', '{"a":'),
  '/binary': typed('image/png', binary),
  '/gzip': (response) => {
    response
      .writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' })
      .end(gzipSync('packed'))
  },
  '/echo': (response, { method, headers, body }) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ method, headers, body: body.toString('base64') }))
  },
  '/status': (response, { path }) => {
    response.writeHead(Number(new URL(path, 'http://x').searchParams.get('is'))).end()
  },
  '/set-cookie': (response) => {
    response
      .writeHead(200, { 'set-cookie': ['session=TOP-SECRET; HttpOnly', 'theme=dark', 'NAMELESS'] })
      .end('ok')
  },
  '/login': (response) => {
    response.writeHead(302, { 'set-cookie': 'login=1', location: '/echo' }).end()
  },
  '/bad-cookie': (response) => {
    response.writeHead(200, { 'set-cookie': ['a=1; Domain=com', 'b=2; Domain=other.test'] }).end()
  },
  '/endless': (response) => {
    response.writeHead(200, { 'content-type': 'text/plain' })
    const chunk = 'x'.repeat(65_536)
    const send = (): void => {
      if (response.destroyed) return
      if (response.write(chunk)) setImmediate(send)
      else response.once('drain', send)
    }
    send()
  },
  '/silent': () => undefined,
  '/loop': redirect(302, '/loop'),
  ...Object.fromEntries(
    [301, 302, 303, 307, 308].map((status) => [`/to-echo-${status}`, redirect(status, '/echo')]),
  ),
}
