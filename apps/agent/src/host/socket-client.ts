import { request } from 'node:http'
import type { Envelope } from './envelope.ts'

/** Sends one request to a running host and gives its answer. */
export async function callSocket(
  path: string,
  { operation, input, signal }: { operation: string; input: unknown; signal?: AbortSignal },
): Promise<Envelope> {
  const text = await new Promise<string>((resolve, reject) => {
    const outgoing = request(
      {
        socketPath: path,
        path: `/${operation}`,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        ...(signal === undefined ? {} : { signal }),
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
        response.on('error', reject)
      },
    )
    outgoing.on('error', reject)
    outgoing.end(JSON.stringify(input ?? {}))
  })
  return JSON.parse(text) as Envelope
}

/** Tells whether an error means that no host listens there: no socket, or one that a dead host left behind. */
export function isNobodyListening(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return code === 'ENOENT' || code === 'ECONNREFUSED'
}
