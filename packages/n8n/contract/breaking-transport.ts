import { ToolError } from '@toolcrib/registry'
import { type N8nTransport, createGotTransport } from '../src/index.ts'

const lost = (isSent: boolean): ToolError<string> =>
  new ToolError<string>('N8N_UNREACHABLE', 'The connection broke.', { data: { sent: isSent } })

/** Breaks off one request of many, as often as it is repeated: before it is sent, or when its answer is on the way. */
export function breaking(
  at: number,
  when: 'before' | 'after',
): { transport: N8nTransport; count: () => number } {
  const real = createGotTransport()
  let count = 0
  let broken: string | undefined
  return {
    count: () => count,
    transport: {
      send: async (request) => {
        count += 1
        const asked = `${request.method} ${request.url.pathname}`
        if (count === at) broken = asked
        // A client tries reads three times.
        else if (broken !== asked || count >= at + 3) broken = undefined
        if (broken !== undefined && when === 'before') throw lost(false)
        const response = await real.send(request)
        if (broken !== undefined) throw lost(true)
        return response
      },
    },
  }
}
