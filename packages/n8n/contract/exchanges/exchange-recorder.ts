import type { JsonValue } from '@toolcrib/registry'
import { type KnownIds, learnIds, normalise, normaliseText, shapeOf } from './normalise.ts'

/** One request and its answer, without anything that differs from run to run. */
export interface Exchange {
  /** Of the script. */
  readonly part: string
  /** Names it in the recording. */
  readonly title: string
  readonly request: {
    readonly method: string
    readonly path: string
    readonly body?: JsonValue
  }
  readonly answer: {
    readonly status: number
    readonly contentType: string | null
    /** Other headers that callers rely on. */
    readonly headers?: Readonly<Record<string, string>>
    /** JSON as it is; of a page what it says; of the rest its text. */
    readonly body: JsonValue
  }
}

/** What is sent. */
interface Sent {
  readonly body?: JsonValue
  /** In place of JSON. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Recorded only if the answer has this status. */
  readonly onlyStatus?: number
  /** @default 'full' for the public API, 'none' elsewhere */
  readonly key?: 'full' | 'limited' | 'none'
}

/** The parts of an answer that the script goes on with. */
interface Got {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** `null` where it is no JSON. */
  readonly json: JsonValue
}

/** Sends requests to a server, and records them. */
export interface ExchangeRecorder {
  readonly exchanges: readonly Exchange[]
  /** Names the part of the script that what is recorded now belongs to. */
  readonly begin: (part: string) => void
  /** Sends and records; `address` is such as `POST /api/v1/workflows`. */
  readonly record: (title: string, address: string, sent?: Sent) => Promise<Got>
  /** Sends without recording. */
  readonly send: (address: string, sent?: Sent) => Promise<Got>
}

/** A server to record. */
export interface RecordedServer {
  readonly baseUrl: string
  readonly apiKey: string
  readonly limitedApiKey: string
}

const headersOfInterest = ['access-control-allow-methods', 'www-authenticate']

/** Records exchanges with a server. */
export function createExchangeRecorder(server: RecordedServer): ExchangeRecorder {
  const exchanges: Exchange[] = []
  let part = ''
  const known: KnownIds = { baseUrl: server.baseUrl, ids: new Set() }
  const send = async (address: string, sent: Sent = {}): Promise<Got> => {
    const [method = 'GET', path = '/'] = address.split(' ')
    const { key = path.startsWith('/api/') ? 'full' : 'none' } = sent
    const apiKey =
      key === 'none' ? undefined : key === 'full' ? server.apiKey : server.limitedApiKey
    const body = sent.text ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body))
    const response = await fetch(server.baseUrl + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(apiKey === undefined ? {} : { 'x-n8n-api-key': apiKey }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...sent.headers,
      },
      ...(body === undefined ? {} : { body }),
    })
    const text = await response.text()
    const json = readJson(response.headers.get('content-type'), text)
    learnIds(json, known)
    return { status: response.status, headers: response.headers, text, json }
  }
  return {
    exchanges,
    send,
    begin: (name) => {
      part = name
    },
    record: async (title, address, sent = {}) => {
      const got = await send(address, sent)
      if (sent.onlyStatus !== undefined && sent.onlyStatus !== got.status) return got
      const [method = '', path = ''] = address.split(' ')
      const contentType = got.headers.get('content-type')
      const headers = headersOfInterest.flatMap((name) => {
        const value = got.headers.get(name)
        return value === null ? [] : [[name, value]]
      })
      exchanges.push({
        part,
        title,
        request: {
          method,
          path: normaliseText(path, known)
            .replaceAll(/(?<=cursor=)[^&]{20,}/gu, '<cursor>')
            .replaceAll(/(?<=executions\/)\d+/gu, '<id>'),
          ...(sent.body === undefined ? {} : { body: shapeOf(sent.body) }),
        },
        answer: {
          status: got.status,
          contentType,
          ...(headers.length > 0
            ? { headers: Object.fromEntries(headers) as Record<string, string> }
            : {}),
          body: bodyOf(got, contentType, known),
        },
      })
      return got
    },
  }
}

function bodyOf(got: Got, contentType: string | null, known: KnownIds): JsonValue {
  if (contentType?.includes('json') === true && got.text !== '') return normalise(got.json, known)
  if (contentType?.includes('html') === true) {
    const said = /<pre>(.*?)<\/pre>/su.exec(got.text)?.[1]
    return got.text.length > 200 && said === undefined
      ? '<page>'
      : said === undefined
        ? got.text
        : `<page: ${normaliseText(said, known)}>`
  }
  return normaliseText(got.text, known)
}

function readJson(contentType: string | null, text: string): JsonValue {
  if (contentType?.includes('json') !== true || text === '') return null
  return JSON.parse(text) as JsonValue
}
