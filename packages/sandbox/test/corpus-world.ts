import { mkdtempSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative, resolve, sep } from 'node:path'
import { ToolError, type JsonValue } from '@toolcrib/registry'
import type { HostOperations } from '../src/index.ts'

/** A folder and a server, with strict stand-ins for the guards of a host. */
export class CorpusWorld {
  readonly #root: string
  readonly #base: string
  readonly #server: Server
  /** Host names that requests were made for, as the server saw them. */
  readonly seen: string[] = []

  private constructor(server: Server) {
    this.#server = server
    this.#base = realpathSync(mkdtempSync(join(tmpdir(), 'sandbox-corpus-')))
    this.#root = join(this.#base, 'root')
    mkdirSync(join(this.#root, 'sub'), { recursive: true })
    writeFileSync(join(this.#root, 'ok.txt'), 'fine')
    writeFileSync(join(this.#base, 'secret.txt'), 'CANARY-7f3a9')
  }

  static async open(): Promise<CorpusWorld> {
    const server = createServer((request, response) => {
      world.seen.push(request.headers['x-host']?.toString() ?? request.headers.host ?? '')
      request.resume()
      response.setHeader('content-type', 'application/json')
      response.end('{"fine":true}')
    })
    const world = new CorpusWorld(server)
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    return world
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((done) => this.#server.close(done))
    rmSync(this.#base, { recursive: true })
  }

  operationsOf(policy: 'none' | 'fs' | 'http'): HostOperations {
    if (policy === 'fs') {
      return {
        'fs.readText': (argument) => this.#readText(argument),
        'fs.writeText': (argument) => this.#writeText(argument),
      }
    }
    if (policy === 'http') {
      return { 'http.request': async (argument) => this.#request(argument) }
    }
    return {}
  }

  #readText(argument: JsonValue): JsonValue {
    const path = this.#resolve(argument, this.#root)
    const text = readFileSync(path, 'utf8')
    return { text, bytes: Buffer.byteLength(text) }
  }

  #writeText(argument: JsonValue): JsonValue {
    const path = this.#resolve(argument, join(this.#root, 'sub'))
    const text = fieldOf(argument, 'text')
    if (typeof text !== 'string' || text.length > 1_048_576) throw violation('the text is too long')
    writeFileSync(path, text)
    return null
  }

  #resolve(argument: JsonValue, folder: string): string {
    const path = fieldOf(argument, 'path')
    if (typeof path !== 'string' || path.includes('\0')) throw violation('the path is no path')
    const full = resolve(this.#root, path)
    const inside = relative(folder, full)
    if (inside === '' || inside.startsWith('..') || inside.startsWith(sep)) {
      throw violation('the path is outside')
    }
    return full
  }

  async #request(argument: JsonValue): Promise<JsonValue> {
    const url = fieldOf(argument, 'url')
    const parsed = typeof url === 'string' ? URL.parse(url) : null
    if (parsed === null || parsed.origin !== 'https://allowed.test') {
      throw violation('the address is not allowed')
    }
    const { port } = this.#server.address() as AddressInfo
    const answer = await fetch(`http://127.0.0.1:${port}${parsed.pathname}`, {
      headers: { 'x-host': parsed.host },
    })
    return {
      status: answer.status,
      url: parsed.href,
      headers: Object.fromEntries(answer.headers),
      text: await answer.text(),
    }
  }
}

function fieldOf(argument: JsonValue, name: string): unknown {
  if (typeof argument !== 'object' || argument === null || Array.isArray(argument)) return undefined
  return Object.getOwnPropertyDescriptor(argument, name)?.value
}

function violation(why: string): ToolError {
  return new ToolError('POLICY_VIOLATION', `Not allowed: ${why}.`)
}
